; SPDX-License-Identifier: MIT
; Enters and leaves code under test in protected and virtual-8086 mode; see modes.h.

%include "regs.inc"

bits 32
section .bss
mode_stack:     resd    1               ; ESP while the code under test runs

section .text

extern kernel_tss

; void mode_enter(struct mode_entry *entry)
; in: [esp+4] = entry   returns when mode_leave() is called   clobbers: eax, ecx, edx
global mode_enter
mode_enter:
        push    ebp
        push    ebx
        push    esi
        push    edi
        pushfd
        mov     ebp, [esp + 24]
        mov     [mode_stack], esp
        mov     [kernel_tss + TSS_ESP0], esp
        mov     eax, [ebp + MODE_ENTRY_ds]
        test    dword [ebp + MODE_ENTRY_flags], EFLAGS_VM
        jnz     .to_vm86
        cmp     dword [ebp + MODE_ENTRY_cpl], 0
        je      .to_cpl0
        push    eax                     ; SS
        push    dword [ebp + MODE_ENTRY_sp]
.to_cpl0:
        mov     ds, eax                 ; data segments start at 0, so the next loads work,
        mov     es, eax                 ; but 16-bit ones end at 64 KB: hence SS for the entry
        jmp     .common
.to_vm86:
        push    eax                     ; GS, FS, DS, ES, SS: IRET loads them in this mode
        push    eax
        push    eax
        push    eax
        push    eax
        push    dword [ebp + MODE_ENTRY_sp]
.common:
        push    dword [ss:ebp + MODE_ENTRY_flags]
        push    dword [ss:ebp + MODE_ENTRY_cs]
        push    dword [ss:ebp + MODE_ENTRY_ip]
        mov     eax, [ss:ebp + MODE_ENTRY_ax]
        mov     ebx, [ss:ebp + MODE_ENTRY_bx]
        mov     ecx, [ss:ebp + MODE_ENTRY_cx]
        mov     edx, [ss:ebp + MODE_ENTRY_dx]
        mov     esi, [ss:ebp + MODE_ENTRY_si]
        mov     edi, [ss:ebp + MODE_ENTRY_di]
        mov     ebp, [ss:ebp + MODE_ENTRY_bp]
        iretd

; void mode_leave(void)
; The handler that ended the code under test calls it; it returns to the caller of mode_enter().
global mode_leave
mode_leave:
        mov     esp, [mode_stack]
        popfd
        pop     edi
        pop     esi
        pop     ebx
        pop     ebp
        ret
