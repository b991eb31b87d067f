; SPDX-License-Identifier: MIT
; Implements context.h.

%include "regs.inc"

bits 64
section .text

; struct context: bx 0, bp 8, r12 16, r13 24, r14 32, r15 40, sp 48, ip 56, flags 64

; int context_save(struct context *c)
; in: rdi = c   out: eax = 0   clobbers: rcx
global context_save
context_save:
        mov     [rdi], rbx
        mov     [rdi + 8], rbp
        mov     [rdi + 16], r12
        mov     [rdi + 24], r13
        mov     [rdi + 32], r14
        mov     [rdi + 40], r15
        lea     rcx, [rsp + 8]          ; as after our RET
        mov     [rdi + 48], rcx
        mov     rcx, [rsp]
        mov     [rdi + 56], rcx
        pushfq
        pop     qword [rdi + 64]
        xor     eax, eax
        ret

; void context_resume(const struct context *c, int value)
; in: rdi = c, esi = value   does not return
global context_resume
context_resume:
        mov     eax, esi
        mov     rbx, [rdi]
        mov     rbp, [rdi + 8]
        mov     r12, [rdi + 16]
        mov     r13, [rdi + 24]
        mov     r14, [rdi + 32]
        mov     r15, [rdi + 40]
        push    SELECTOR_KERNEL_DATA
        push    qword [rdi + 48]
        push    qword [rdi + 64]
        push    SELECTOR_KERNEL_CODE
        push    qword [rdi + 56]
        iretq                           ; IRET, not RET: this is what unblocks NMIs
