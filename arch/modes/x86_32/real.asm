; SPDX-License-Identifier: MIT
; Enters and leaves code under test in real mode.
;
; The text between real_blob and real_blob_end runs as a copy at LOW_REAL_BASE, with segment bases
; of 0, so that its addresses are the same in 16-bit protected mode and in real mode. LOW(label) is
; the address of a label in the copy. Only one processor may run it at a time, because real mode
; sees nothing but the copy.
;
; An NMI may come at any instruction, and CLI does not prevent it: a busy host may take so long over
; a few instructions that the watchdog ticks. So on the way in and on the way out the interrupt
; table is one that is valid in both modes for this vector; its NMI handler completes the way back.

%include "regs.inc"
%include "arch/modes/entry.inc"

%define LOW(label) (label - real_blob + LOW_REAL_BASE)

GATE_INTERRUPT32 equ 0x8e00             ; present, DPL 0

section .text

bits 32

; void real_run(struct mode_entry *entry)
; in: [esp+4] = entry
; out: its registers, eip, eflags and vector, as the code under test left them
global real_run
real_run:
        pushfd
        pushad
        cli
        mov     eax, [esp + 40]
        mov     [LOW(low_owner)], eax
        mov     [LOW(low_stack)], esp
        sidt    [LOW(low_idtr32)]
        mov     esi, eax                ; copies the entry to where 16-bit code can see it
        mov     edi, LOW(low_entry)
        mov     ecx, (MODE_ENTRY_cpl + 4) / 4
        cld
        rep movsd
        mov     eax, cr0
        mov     [LOW(low_cr0)], eax
        lidt    [LOW(low_idtr_in)]      ; first: the kernel's handler needs the kernel's stack
        mov     esp, LOW_STACK_TOP      ; the same address in every stack segment used below
        and     eax, ~CR0_PG
        mov     cr0, eax
        jmp     SELECTOR_CODE16:LOW(to_real)

; This is 32-bit code again, with paging off and segments not yet loaded.
from_real:
        LOAD_DATA_SEGMENTS SELECTOR_KERNEL_DATA
        mov     esp, [LOW(low_stack)]
        mov     eax, [LOW(low_cr0)]
        mov     cr0, eax
        jmp     short .flushed
.flushed:
        lidt    [LOW(low_idtr32)]
        mov     esi, LOW(low_entry)
        mov     edi, [LOW(low_owner)]
        mov     ecx, (MODE_ENTRY_cpl + 4) / 4
        cld
        rep movsd
        pushfd                          ; if an NMI ended it, IRET unblocks the next one
        push    cs
        push    dword .unblocked
        iretd
.unblocked:
        popad
        popfd
        ret

; --------------------------------------------------------------------------------------------------
        align   16
global real_blob
real_blob:
bits 16

; Each vector has a stub of 8 bytes; the interrupt vectors point at them. A stub pushes its number
; and continues at real_ended.
stubs:
%assign vector 0
%rep 256
        push    word vector             ; 2 or 3 bytes
        jmp     near real_ended         ; 3 bytes
        align   8
    %assign vector vector + 1
%endrep

; Switches from 16-bit protected mode to the code under test.
to_real:
        mov     ax, SELECTOR_DATA16
        mov     ds, ax
        mov     es, ax
        mov     fs, ax
        mov     gs, ax
        mov     ss, ax
        mov     eax, cr0
        and     eax, ~CR0_PE
        mov     cr0, eax
        jmp     0:LOW(in_real)
in_real:
        xor     ax, ax
        mov     ds, ax
        mov     es, ax
        mov     fs, ax
        mov     gs, ax
        mov     ss, ax
        mov     esp, LOW_STACK_TOP
        mov     di, LOW_IVT             ; vector n: 0:LOW(stubs) + 8 * n
        mov     ax, LOW(stubs)
        mov     cx, 256
.fill:
        mov     [di], ax
        mov     word [di + 2], 0
        add     di, 4
        add     ax, 8
        loop    .fill
        lidt    [LOW(low_idtr)]
        push    word [LOW(low_entry) + MODE_ENTRY_flags]
        push    word 0
        push    word [LOW(low_entry) + MODE_ENTRY_ip]
        mov     eax, [LOW(low_entry) + MODE_ENTRY_ax]
        mov     ebx, [LOW(low_entry) + MODE_ENTRY_bx]
        mov     ecx, [LOW(low_entry) + MODE_ENTRY_cx]
        mov     edx, [LOW(low_entry) + MODE_ENTRY_dx]
        mov     esi, [LOW(low_entry) + MODE_ENTRY_si]
        mov     edi, [LOW(low_entry) + MODE_ENTRY_di]
        mov     ebp, [LOW(low_entry) + MODE_ENTRY_bp]
        iretw

; An interrupt ended the code. Vector, IP, CS and FLAGS are on the stack, one word each. Nothing is
; assumed of the segment registers, because the code under test may have changed them.
real_ended:
        push    ax
        mov     al, PIT_ONE_SHOT0       ; normally no tick on the way back: see modes.c
        out     PIT_COMMAND, al
        mov     al, 0xff
        out     PIT_CHANNEL0, al
        out     PIT_CHANNEL0, al
        pop     ax
        push    ds
        push    word 0
        pop     ds
        mov     [LOW(low_entry) + MODE_ENTRY_ax], eax
        mov     [LOW(low_entry) + MODE_ENTRY_bx], ebx
        mov     [LOW(low_entry) + MODE_ENTRY_cx], ecx
        mov     [LOW(low_entry) + MODE_ENTRY_dx], edx
        mov     [LOW(low_entry) + MODE_ENTRY_si], esi
        mov     [LOW(low_entry) + MODE_ENTRY_di], edi
        mov     [LOW(low_entry) + MODE_ENTRY_bp], ebp
        pop     ax                      ; DS
        xor     eax, eax
        pop     ax
        and     ax, 0xff                ; numbers from 128 on were pushed sign-extended
        mov     [LOW(low_entry) + MODE_ENTRY_vector], eax
        pop     ax
        mov     [LOW(low_entry) + MODE_ENTRY_ip], eax
        pop     ax                      ; CS
        pop     ax
        mov     [LOW(low_entry) + MODE_ENTRY_flags], eax
        lidt    [LOW(low_idtr_out)]
        mov     eax, cr0
        or      eax, CR0_PE
        mov     cr0, eax
        jmp     dword SELECTOR_KERNEL_CODE:from_real

bits 32
; Handles an NMI in protected mode on the way in, which ends the code before it has begun.
nmi_on_way_in:
        mov     dword [LOW(low_entry) + MODE_ENTRY_vector], X86_NMI
nmi_on_way_out:
        jmp     SELECTOR_KERNEL_CODE:from_real
bits 16

; in: the table's label, the handler in protected mode. Vector 2 is at bytes 8 to 11 in real mode,
; 16 to 23 in protected mode. The label comes after the padding: before it, both would be missed.
%macro TABLE_FOR_NMI 2
        align   8
%1:
        times   8 db 0
        dw      LOW(stubs) + 8 * X86_NMI, 0, 0, 0
        dw      LOW(%2), SELECTOR_KERNEL_CODE, GATE_INTERRUPT32, 0
%endmacro

        TABLE_FOR_NMI table_in, nmi_on_way_in
        TABLE_FOR_NMI table_out, nmi_on_way_out

        align   4
low_idtr_in:
        dw      (X86_NMI + 1) * 8 - 1
        dd      LOW(table_in)
low_idtr_out:
        dw      (X86_NMI + 1) * 8 - 1
        dd      LOW(table_out)
low_idtr:
        dw      256 * 4 - 1
        dd      LOW_IVT
; Variables used while paging is off, when the kernel's variables are those of the boot processor.
low_cr0:
        dd      0
low_stack:
        dd      0
low_owner:
        dd      0                       ; struct mode_entry *
low_idtr32:
        dw      0
        dd      0
low_entry:
        times   MODE_ENTRY_cpl + 4 db 0
global real_blob_end
real_blob_end:

%if real_blob_end - real_blob > LOW_CODE_BASE - LOW_REAL_BASE
    %error the real-mode code does not fit below LOW_CODE_BASE
%endif
