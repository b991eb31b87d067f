; SPDX-License-Identifier: MIT
; Defines workloads of single instructions of which it was published what silicon counts for them:
; docs/silicon.md. pmu_workload_begin() sets CR4.OSFXSR, which SSE needs.

%include "pmu/workload/workload.inc"

extern workload_arena

; The condition is false, because ECX is not FFFFFFFFH.
WORKLOAD cmov_not_taken
NEEDS cmov
        I mov   ecx, ROUNDS(0)
        ROUND
        I cmp   ecx, -1
        I cmove eax, [workload_arena]
        NEXT    ecx
        B ret
END_WORKLOAD

WORKLOAD leave
        I mov   ecx, ROUNDS(0)
        ROUND
        I push  xbp
        I mov   xbp, xsp
        I leave
        NEXT    ecx
        B ret
END_WORKLOAD

WORKLOAD paddb_load
NEEDS mmx
        I mov   ecx, ROUNDS(0)
        ROUND
        I paddb mm0, [workload_arena]
        NEXT    ecx
        I emms
        B ret
END_WORKLOAD

; FINIT is WAIT and FNINIT. A NOP between them keeps disassemblers from taking them for one.
WORKLOAD finit
        I mov   ecx, ROUNDS(0)
        ROUND
        I wait
        I nop
        I fninit
        NEXT    ecx
        B ret
END_WORKLOAD

; FBSTP also stores.
WORKLOAD fbstp
        I fninit
        I mov   ecx, ROUNDS(0)
        ROUND
        I fld1
        I fbstp [workload_arena]
        NEXT    ecx
        I fninit
        B ret
END_WORKLOAD

WORKLOAD fldcw
        I fninit
        I fnstcw [workload_arena]
        I mov   ecx, ROUNDS(0)
        ROUND
        I fldcw [workload_arena]
        NEXT    ecx
        I fninit
        B ret
END_WORKLOAD

; FENCE name, what it needs, instruction
%macro FENCE 3
WORKLOAD %1
NEEDS %2
        I mov   ecx, ROUNDS(0)
        ROUND
        I %3
        NEXT    ecx
        B ret
END_WORKLOAD
%endmacro
FENCE sfence,  sse,  sfence
FENCE mfence,  sse2, mfence
FENCE lfence,  sse2, lfence
FENCE clflush, sse2, {clflush [workload_arena]}

; A store changes the instruction after it: nothing that was fetched or decoded of it may be used.
section .changing progbits alloc exec nowrite
%define WORKLOAD_SECTION .changing
WORKLOAD self_modifying
        I mov   ecx, ROUNDS(0)
        ROUND
        I mov   [.changed + 1], cl      ; its operand
        .changed:
        I mov   al, 0
        NEXT    ecx
        B ret
END_WORKLOAD
%define WORKLOAD_SECTION .text
