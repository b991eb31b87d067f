; SPDX-License-Identifier: MIT
; Leads a started processor from protected mode to C in 64-bit mode; see ap_trampoline.asm.

%include "regs.inc"
%include "arch/modes/entry.inc"

section .text

extern ap_main
extern entry_gdtr

bits 32
; in: EBX = address of struct ap_boot, flat segments, paging off   does not return
; Before paging is on, it uses only the kernel's text and constants, which all processors share, and
; struct ap_boot, whose page is private to this processor then.
global ap_protected
ap_protected:
        mov     eax, [ebx + AP_CR4]     ; with PAE, as on every processor of this kernel
        mov     cr4, eax
        mov     eax, [ebx + AP_CR3]
        mov     cr3, eax
        mov     ecx, IA32_EFER
        mov     eax, [ebx + AP_EFER]
        and     eax, ~IA32_EFER_LMA     ; LMA is the processor's own, set with CR0.PG
        xor     edx, edx
        wrmsr
        mov     esp, [ebx + AP_STACK]
        lgdt    [entry_gdtr]
        mov     eax, [ebx + AP_CR0]
        mov     cr0, eax
        jmp     SELECTOR_KERNEL_CODE:.long

bits 64
.long:
        LOAD_DATA_SEGMENTS SELECTOR_KERNEL_DATA
        mov     esp, esp                ; the upper half becomes 0
        xor     ebp, ebp                ; the end of every backtrace
        call    ap_main
