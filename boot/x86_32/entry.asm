; SPDX-License-Identifier: MIT
; Leads from the boot loader to kernel_main(). In: EAX = the loader's magic, EBX = its information,
; 32-bit protected mode with flat segments, paging off, interrupts off; no stack.

%include "regs.inc"
%include "arch/modes/entry.inc"

bits 32
section .text

extern kernel_main
extern bss_start
extern bss_end
extern stack_top

global _start
_start:
        cli
        cld
        mov     edx, eax
        CLEAR_BSS
        xor     ebp, ebp                ; the end of every backtrace
        push    dword 0                 ; keeps the stack 16-byte aligned at the call
        push    dword 0
        push    ebx
        push    edx
        call    kernel_main
.halt:                                  ; kernel_main does not return
        cli
        hlt
        jmp     .halt
