; SPDX-License-Identifier: MIT
; The entry point of a program without a C library: calls program() with the address of argc, which
; argv follows.

section .text

extern program
global start
start:
%if BITS = 64
        mov     rdi, rsp
        and     rsp, -16
        call    program
%else
        mov     eax, esp
        and     esp, -16
        sub     esp, 12
        push    eax
        call    program
%endif

section .note.GNU-stack noalloc noexec nowrite progbits
