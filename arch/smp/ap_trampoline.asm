; SPDX-License-Identifier: MIT
; Starts a processor that another one woke, in real mode at LOW_AP_BASE, to which the text between
; ap_blob and ap_blob_end has been copied (smp.c). Continues in 32-bit protected mode at
; ap_protected (arch/smp/<width>/ap.asm): flat segments, paging off, EBX = LOW_AP_PARAMS, no stack.

%include "regs.inc"
%include "arch/modes/entry.inc"

%define LOW(label) (LOW_AP_BASE + label - ap_blob)

AP_CODE  equ 8
AP_DATA  equ 16

extern ap_protected

section .rodata
global ap_blob
ap_blob:
bits 16
        cli
        mov     ax, cs                  ; LOW_AP_BASE >> 4
        mov     ds, ax
        o32 lgdt [ap_gdtr - ap_blob]
        mov     eax, cr0
        or      eax, CR0_PE
        mov     cr0, eax
        jmp     dword AP_CODE:LOW(.protected)
bits 32
.protected:
        LOAD_DATA_SEGMENTS AP_DATA
        mov     ebx, LOW_AP_PARAMS
        mov     eax, ap_protected
        jmp     eax

        align   8
ap_gdt: dq      0
        dq      0x00cf9b000000ffff      ; AP_CODE: 4 GB from 0, 32-bit
        dq      0x00cf93000000ffff      ; AP_DATA
ap_gdtr:
        dw      ap_gdtr - ap_gdt - 1
        dd      LOW(ap_gdt)
global ap_blob_end
ap_blob_end:

%if ap_blob_end - ap_blob > LOW_AP_PARAMS - LOW_AP_BASE
    %error the code does not fit below LOW_AP_PARAMS
%endif
