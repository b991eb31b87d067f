; SPDX-License-Identifier: MIT
; Loads a GDT and every segment register from it.

%include "regs.inc"
%include "arch/modes/entry.inc"

bits 64
default rel
section .text

; void gdt_load(const struct table_descriptor *d)
; in: rdi = d   clobbers: rax
global gdt_load
gdt_load:
        lgdt    [rdi]
        LOAD_DATA_SEGMENTS SELECTOR_KERNEL_DATA
        lea     rax, [.reloaded]
        push    SELECTOR_KERNEL_CODE
        push    rax
        o64 retf
.reloaded:
        ret
