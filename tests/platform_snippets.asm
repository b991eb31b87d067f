; SPDX-License-Identifier: MIT
; Instructions for the platform tests; see tests/platform_snippets.h.

bits 32
section .text

; void platform_iret(void)
; goes on behind an IRET to the next instruction: same CS, same EFLAGS; clobbers nothing
global platform_iret
platform_iret:
        pushfd
        push    cs
        push    dword .next
        iretd
.next:
        ret
