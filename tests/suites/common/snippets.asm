; SPDX-License-Identifier: MIT
; Single instructions for tests; see snippets.h.

%include "arch/cpu/native.inc"

section .text

extern stack_guard

global snippet_ud2
snippet_ud2:
        ud2
        ret

global snippet_lose_stack
snippet_lose_stack:
        mov     xsp, stack_guard + 2048
        push    xax
        ret
