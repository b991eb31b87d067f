; SPDX-License-Identifier: MIT
; Leads a started processor from protected mode to C; see ap_trampoline.asm.

%include "regs.inc"

bits 32
section .text

extern ap_main

; in: EBX = address of struct ap_boot, flat segments, paging off   does not return
global ap_protected
ap_protected:
        mov     eax, [ebx + AP_CR4]
        mov     cr4, eax
        mov     eax, [ebx + AP_CR3]
        mov     cr3, eax
        mov     esp, [ebx + AP_STACK]
        mov     eax, [ebx + AP_CR0]
        mov     cr0, eax
        jmp     short .paged
.paged:
        xor     ebp, ebp                ; the end of every backtrace
        call    ap_main
