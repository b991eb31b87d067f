; SPDX-License-Identifier: MIT
; Loads a GDT and every segment register from it.

%include "regs.inc"

bits 32
section .text

; void gdt_load(const struct table_descriptor *d)
; in: [esp+4] = d   clobbers: eax
global gdt_load
gdt_load:
        mov     eax, [esp + 4]
        lgdt    [eax]
        mov     eax, SELECTOR_KERNEL_DATA
        mov     ds, eax
        mov     es, eax
        mov     fs, eax
        mov     gs, eax
        mov     ss, eax
        jmp     SELECTOR_KERNEL_CODE:.reloaded
.reloaded:
        ret
