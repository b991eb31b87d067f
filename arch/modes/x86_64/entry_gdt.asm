; SPDX-License-Identifier: MIT
; Defines the segments for entering 64-bit mode, with the kernel's own selectors.

%include "regs.inc"

section .rodata
        align   8
entry_gdt:
        dq      0
        dq      0x00af9b000000ffff      ; SELECTOR_KERNEL_CODE: 64-bit
        dq      0x00cf93000000ffff      ; SELECTOR_KERNEL_DATA
global entry_gdtr
entry_gdtr:
        dw      entry_gdtr - entry_gdt - 1
        dd      entry_gdt

%if SELECTOR_KERNEL_CODE != 8 || SELECTOR_KERNEL_DATA != 16
    %error the order of the segments is not the kernel's
%endif
