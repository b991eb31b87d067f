; SPDX-License-Identifier: MIT
; Enters and leaves code under test in 64-bit and compatibility mode; see modes.h.

%include "regs.inc"

bits 64
default rel
section .bss
        alignb  8
mode_stack:     resq    1               ; RSP while the code under test runs

section .text

extern kernel_tss

; void mode_enter(struct mode_entry *entry)
; in: rdi = entry   returns when mode_leave() is called   clobbers: what a C function may
global mode_enter
mode_enter:
        push    rbp
        push    rbx
        push    r12
        push    r13
        push    r14
        push    r15
        pushfq
        mov     [mode_stack], rsp
        mov     [kernel_tss + TSS_RSP0], rsp
        mov     eax, [rdi + MODE_ENTRY_ds]
        mov     ds, eax
        mov     es, eax
        mov     ecx, SELECTOR_KERNEL_DATA
        mov     rdx, rsp
        cmp     dword [rdi + MODE_ENTRY_cpl], 0
        je      .to_cpl0                ; which stays on the kernel's stack
        mov     ecx, eax
        mov     rdx, [rdi + MODE_ENTRY_sp]
.to_cpl0:
        push    rcx                     ; SS
        push    rdx
        push    qword [rdi + MODE_ENTRY_flags]
        mov     eax, [rdi + MODE_ENTRY_cs]
        push    rax
        push    qword [rdi + MODE_ENTRY_ip]
        mov     rax, [rdi + MODE_ENTRY_ax]
        mov     rbx, [rdi + MODE_ENTRY_bx]
        mov     rcx, [rdi + MODE_ENTRY_cx]
        mov     rdx, [rdi + MODE_ENTRY_dx]
        mov     rsi, [rdi + MODE_ENTRY_si]
        mov     rbp, [rdi + MODE_ENTRY_bp]
        mov     rdi, [rdi + MODE_ENTRY_di]
        xor     r8d, r8d
        xor     r9d, r9d
        xor     r10d, r10d
        xor     r11d, r11d
        xor     r12d, r12d
        xor     r13d, r13d
        xor     r14d, r14d
        xor     r15d, r15d
        iretq

; void mode_leave(void)
; The handler that ended the code under test calls it; it returns to the caller of mode_enter().
global mode_leave
mode_leave:
        mov     eax, SELECTOR_KERNEL_DATA
        mov     ds, eax
        mov     es, eax
        mov     fs, eax                 ; IRET to CPL 1, 2 and 3 made these null
        mov     gs, eax
        mov     ss, eax                 ; and an interrupt from there made this one null
        mov     rsp, [mode_stack]
        popfq
        pop     r15
        pop     r14
        pop     r13
        pop     r12
        pop     rbx
        pop     rbp
        ret
