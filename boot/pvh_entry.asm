; SPDX-License-Identifier: MIT
; The entry of the PVH protocol, and the note by which a hypervisor finds it. In: EBX = the start
; information, 32-bit protected mode with flat segments, paging off, as from a multiboot loader.
; Source: arch/regs/pvh.h.

%include "regs.inc"

extern _start

section .note.Xen note alloc noexec nowrite align=4
        dd      name_end - name
        dd      address_end - address
        dd      XEN_ELFNOTE_PHYS32_ENTRY
name:   db      "Xen", 0
name_end:
        align   4
address:
%ifidn __OUTPUT_FORMAT__, elf64
        dq      pvh_start
%else
        dd      pvh_start
%endif
address_end:

section .text
bits 32
pvh_start:
        mov     eax, XEN_HVM_START_MAGIC_VALUE
        jmp     _start
