; SPDX-License-Identifier: MIT
; Implements context.h.

bits 32
section .text

; struct context: bx 0, si 4, di 8, bp 12, sp 16, ip 20, flags 24

; int context_save(struct context *c)
; in: [esp+4] = c   out: eax = 0   clobbers: ecx, edx
global context_save
context_save:
        mov     edx, [esp + 4]
        mov     [edx], ebx
        mov     [edx + 4], esi
        mov     [edx + 8], edi
        mov     [edx + 12], ebp
        lea     ecx, [esp + 4]          ; as after our RET
        mov     [edx + 16], ecx
        mov     ecx, [esp]
        mov     [edx + 20], ecx
        pushfd
        pop     dword [edx + 24]
        xor     eax, eax
        ret

; void context_resume(const struct context *c, int value)
; in: [esp+4] = c, [esp+8] = value   does not return
global context_resume
context_resume:
        mov     edx, [esp + 4]
        mov     eax, [esp + 8]
        mov     ebx, [edx]
        mov     esi, [edx + 4]
        mov     edi, [edx + 8]
        mov     ebp, [edx + 12]
        mov     esp, [edx + 16]
        push    dword [edx + 24]
        push    cs
        push    dword [edx + 20]
        iretd                           ; IRET, not RET: this is what unblocks NMIs
