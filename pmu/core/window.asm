; SPDX-License-Identifier: MIT
; Implements the window in which counters count: see pmu_window() in program.h, struct pmu_switch in
; driver.h.

%include "arch/cpu/native.inc"

section .text

SWITCH_MAX       equ 24                 ; PMU_SWITCH_MAX
WRITE_SIZE       equ 12                 ; msr, low, high
STACK_PLACE      equ 4096               ; a first-level cache finds a line by its place in a page
SWITCH_ON_COUNT  equ 0
SWITCH_OFF_COUNT equ 4
SWITCH_ON        equ 8
SWITCH_OFF       equ SWITCH_ON + SWITCH_MAX * WRITE_SIZE

; Two registers, in addition to XBX and XBP, that C functions preserve, and the arguments: where
; they are in the window, and how rounds and argument are passed on.
%if NATIVE_SIZE == 8
    %define next  r12
    %define nextd r12d
    %define left  r13
    %define leftd r13d
    %define SWITCH [rsp + 8]
    %define CODE   [rsp]
%macro TAKE_ARGUMENTS 0                 ; in: rdi, rsi, edx, ecx
        push    rdi
        push    rsi
        mov     edi, edx
        mov     esi, ecx
%endmacro
%else
    %define next  esi
    %define nextd esi
    %define left  edi
    %define leftd edi
    %define SWITCH [esp + 12]
    %define CODE   [esp + 8]
%macro TAKE_ARGUMENTS 0                 ; in: [ebp+20] and up
        push    dword [ebp + 20]
        push    dword [ebp + 24]
        push    dword [ebp + 32]
        push    dword [ebp + 28]
%endmacro
%endif

; Loads the write at %1 into ECX, EAX, EDX.
%macro LOAD_WRITE 1
        mov     ecx, [%1]
        mov     eax, [%1 + 4]
        mov     edx, [%1 + 8]
%endmacro

; void pmu_window_run(const struct pmu_switch *s, void (*code)(uint32_t, uint32_t),
;                     uint32_t rounds, uint32_t argument)
; in: as the C ABI of either kernel has it
; clobbers: eax, ecx, edx, as any C function   stack: up to a page, 4 arguments, code's own
;
; Within the window the stack begins at the end of a page, however much of it the callers use. Two
; windows are compared, and compilers let the stack grow from one call to the next, so that what one
; window has in a line would be in two lines in the other.
;
; Between .open and .close are PMU_WINDOW_INSNS instructions, which tests/recount counts. The value
; that stops the counters waits in registers that code must preserve.
global pmu_window_run
pmu_window_run:
        push    xbp
        push    xbx
        push    next
        push    left
        mov     xbp, xsp
        and     xsp, -STACK_PLACE
        TAKE_ARGUMENTS
        mov     xbx, SWITCH
        lea     next, [xbx + SWITCH_ON]
        mov     leftd, [xbx + SWITCH_ON_COUNT]
.next_on:                               ; all but the last one
        dec     leftd
        jz      .last_on
        LOAD_WRITE next
        wrmsr
        add     next, WRITE_SIZE
        jmp     .next_on
.last_on:
        LOAD_WRITE next
        mov     nextd, [xbx + SWITCH_OFF + 4]
        mov     leftd, [xbx + SWITCH_OFF + 8]
        mov     ebx, [xbx + SWITCH_OFF]
        wrmsr
.open:
        call    CODE
        mov     ecx, ebx
        mov     eax, nextd
        mov     edx, leftd
.close:
        wrmsr
        mov     xbx, SWITCH
        lea     next, [xbx + SWITCH_OFF + WRITE_SIZE]
        mov     leftd, [xbx + SWITCH_OFF_COUNT]
.next_off:                              ; all but the first one
        dec     leftd
        jz      .done
        LOAD_WRITE next
        wrmsr
        add     next, WRITE_SIZE
        jmp     .next_off
.done:
        mov     xsp, xbp
        pop     left
        pop     next
        pop     xbx
        pop     xbp
        ret
