; SPDX-License-Identifier: MIT
; Loads a GDT and every segment register from it.

%include "regs.inc"
%include "arch/modes/entry.inc"

bits 32
section .text

; void gdt_load(const struct table_descriptor *d)
; in: [esp+4] = d   clobbers: eax
global gdt_load
gdt_load:
        mov     eax, [esp + 4]
        lgdt    [eax]
        LOAD_DATA_SEGMENTS SELECTOR_KERNEL_DATA
        jmp     SELECTOR_KERNEL_CODE:.reloaded
.reloaded:
        ret
