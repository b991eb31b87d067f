; SPDX-License-Identifier: MIT
; The code of the sweeps; see sweep_code.h.

%include "arch/cpu/native.inc"

SLED equ 80                             ; NOPs on each side: more than the farthest distance

section .text

; %1: the function's name, %2: the first instruction, %3: the last one before the action
; Everything up to the action has the same number of instructions in all of them.
%macro BEFORE 3
global %1
        align   16
%1:
        %2
        mov     ecx, [sweep_write]
        mov     eax, [sweep_write + 4]
        mov     edx, [sweep_write + 8]
        times SLED nop
        %3
%endmacro

%macro AFTER 0
        times SLED nop
        ret
%endmacro

; void sweep_by_wrmsr(uint32_t rounds, uint32_t argument)
; ignores its arguments; clobbers eax, ecx, edx, as the other two do
        BEFORE  sweep_by_wrmsr, nop, nop
        wrmsr
        AFTER

        BEFORE  sweep_by_rdpmc, nop, nop
        rdpmc
        mov     [sweep_read], eax
        mov     [sweep_read + 4], edx
        AFTER

; An interrupt that is pending at STI comes after the HLT has begun.
        BEFORE  sweep_by_hlt, cli, sti
        hlt
        AFTER

section .bss
global sweep_write, sweep_read
        alignb  8
sweep_write:    resd    3
        alignb  8
sweep_read:     resd    2
