; SPDX-License-Identifier: MIT
; Code for the PMI tests; see pmi_snippets.h.

%include "arch/cpu/native.inc"

section .text

; %1: the instruction, %2: its name
%macro NOPS_AND 2
global %2, %2_insn, %2_next
        align   16
%2:
        times 8 nop
%2_insn:
        %1
%2_next:
        ret
%endmacro

; void pmi_hlt(uint32_t rounds, uint32_t argument)
; ignores its arguments; returns when an interrupt ends the HLT; clobbers nothing
        NOPS_AND hlt, pmi_hlt

; void pmi_no_hlt(uint32_t rounds, uint32_t argument)
; ignores its arguments; clobbers nothing
        NOPS_AND nop, pmi_no_hlt

; the NMI's handler; in: what the processor pushed; clobbers nothing; DS: any flat segment
        GATE    pmi_soon_gate
        push    xax
        inc     dword [pmi_soon_count]
        dec     dword [pmi_soon_left]
        js      .too_many               ; the kernel's watchdog ends the test
        mov     eax, [pmi_soon_value]
        push    xbx
        mov     ebx, [pmi_soon_lvtpc]
        mov     [xbx], eax
        pop     xbx
        pop     xax
        iretn
.too_many:
        pop     xax
        jmp     [pmi_soon_storm]

section .bss
global pmi_soon_count, pmi_soon_left, pmi_soon_lvtpc, pmi_soon_value, pmi_soon_storm
pmi_soon_count: resd    1
pmi_soon_left:  resd    1
pmi_soon_lvtpc: resd    1
pmi_soon_value: resd    1
        alignb  NATIVE_SIZE
pmi_soon_storm: resn    1
