; SPDX-License-Identifier: MIT
; A loop with a length that the caller chooses; see pmu/workload.h.

bits 32
section .text

; void workload_loop(uint32_t rounds)
; in: [esp+4] = rounds, at least 1   clobbers: ecx
; retires 2 * rounds + 2 instructions: MOV, rounds * (DEC, JNZ), RET
global workload_loop
        align   16
workload_loop:
        mov     ecx, [esp + 4]
.round:
        dec     ecx
        jnz     .round
        ret
