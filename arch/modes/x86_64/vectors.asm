; SPDX-License-Identifier: MIT
; Defines the 256 entries of the IDT.

%include "regs.inc"

bits 64
section .text

extern exception_dispatch

%include "arch/modes/vector_stubs.inc"

; Completes struct frame (frame.h), calls exception_dispatch(frame) and returns to the state that
; this leaves in the frame. The processor has aligned the stack to 16 bytes, and struct frame keeps
; that alignment. Segments other than CS and SS have no effect in 64-bit mode: they keep the
; interrupted code's values.
        align   16
vector_common:
        push    rax
        push    rcx
        push    rdx
        push    rbx
        push    rbp
        push    rsi
        push    rdi
        push    r8
        push    r9
        push    r10
        push    r11
        push    r12
        push    r13
        push    r14
        push    r15
        cld
        mov     rdi, rsp
        call    exception_dispatch
        pop     r15
        pop     r14
        pop     r13
        pop     r12
        pop     r11
        pop     r10
        pop     r9
        pop     r8
        pop     rdi
        pop     rsi
        pop     rbp
        pop     rbx
        pop     rdx
        pop     rcx
        pop     rax
        add     rsp, 16                 ; vector, error
        iretq
