; SPDX-License-Identifier: MIT
; Instructions for the platform tests; see platform_snippets.h.

%include "arch/cpu/native.inc"

section .text

; void platform_iret(void)
; continues by an IRET at the next instruction: same CS, SS, stack and flags
;   clobbers: xax, xcx
global platform_iret
platform_iret:
        mov     xcx, xsp
%if NATIVE_SIZE == 8
        mov     eax, ss                 ; 64-bit code's IRET always loads them
        push    xax
        push    xcx
%endif
        pushfn
        mov     eax, cs
        push    xax
        mov     eax, .next
        push    xax
        iretn
.next:
        ret
