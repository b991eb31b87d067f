; SPDX-License-Identifier: MIT
; The window in which counters count: see pmu_window() in pmu/program.h, struct pmu_switch in
; pmu/driver.h.

bits 32
section .text

SWITCH_MAX       equ 24                 ; PMU_SWITCH_MAX
WRITE_SIZE       equ 12                 ; msr, low, high
SWITCH_ON_COUNT  equ 0
SWITCH_OFF_COUNT equ 4
SWITCH_ON        equ 8
SWITCH_OFF       equ SWITCH_ON + SWITCH_MAX * WRITE_SIZE

; Loads the write at %1 into ECX, EAX, EDX.
%macro LOAD_WRITE 1
        mov     ecx, [%1]
        mov     eax, [%1 + 4]
        mov     edx, [%1 + 8]
%endmacro

; void pmu_window_run(const struct pmu_switch *s, void (*code)(uint32_t, uint32_t),
;                     uint32_t rounds, uint32_t argument)
; in: [ebp+20] s, [ebp+24] code, [ebp+28] rounds, [ebp+32] argument
; clobbers: eax, ecx, edx, as any C function   stack: 4 registers, 2 arguments, code's own
;
; Between .open and .close are PMU_WINDOW_INSNS instructions, which tests/recount counts: what stops
; the counters waits in registers that code must keep.
global pmu_window_run
pmu_window_run:
        push    ebp
        push    ebx
        push    esi
        push    edi
        mov     ebp, esp
        push    dword [ebp + 32]
        push    dword [ebp + 28]
        mov     ebx, [ebp + 20]
        lea     esi, [ebx + SWITCH_ON]
        mov     edi, [ebx + SWITCH_ON_COUNT]
.next_on:                               ; all but the last
        dec     edi
        jz      .last_on
        LOAD_WRITE esi
        wrmsr
        add     esi, WRITE_SIZE
        jmp     .next_on
.last_on:
        LOAD_WRITE esi
        mov     esi, [ebx + SWITCH_OFF + 4]
        mov     edi, [ebx + SWITCH_OFF + 8]
        mov     ebx, [ebx + SWITCH_OFF]
        wrmsr
.open:
        call    [ebp + 24]
        mov     ecx, ebx
        mov     eax, esi
        mov     edx, edi
.close:
        wrmsr
        mov     ebx, [ebp + 20]
        lea     esi, [ebx + SWITCH_OFF + WRITE_SIZE]
        mov     edi, [ebx + SWITCH_OFF_COUNT]
.next_off:                              ; all but the first
        dec     edi
        jz      .done
        LOAD_WRITE esi
        wrmsr
        add     esi, WRITE_SIZE
        jmp     .next_off
.done:
        mov     esp, ebp
        pop     edi
        pop     esi
        pop     ebx
        pop     ebp
        ret
