; SPDX-License-Identifier: MIT
; Implements smi.h.

%include "arch/cpu/native.inc"

DELAY      equ 16                       ; reads, of about a microsecond each
DELAY_PORT equ 80h

section .text

; void smi_code(uint32_t unused, uint32_t port)
; clobbers: eax, edx
; No branch but the RET, so that those before the SMI stay in short stacks of branches.
global smi_code, smi_resumed
smi_code:
        mov     edx, SECOND(0)
        xor     eax, eax
        out     dx, al
smi_resumed:
    %rep DELAY
        in      al, DELAY_PORT
    %endrep
        ret
