; SPDX-License-Identifier: MIT
; Defines the targets of branches under test, at known addresses: see branches.h.

%include "arch/cpu/native.inc"

%if NATIVE_SIZE == 8
    %define ADDRESS qword
    %define READ(x)  [x]
    %define WRITE(x) [x]
%else
    %define ADDRESS dword
    %define READ(x)  [cs:x]             ; in VM86 and 16-bit code DS is not the kernel's
    %define WRITE(x) [ss:x]
%endif

section .bss
global branches_msr, branches_on, branches_interrupted, branches_stops, branches_storm
        alignb  8
branches_on:            resd    2       ; the address and bits that switch recording on
branches_msr:           resd    1
branches_stops:         resd    1
branches_interrupted:   resn    1       ; the address to which the first stop returned
branches_storm:         resn    1       ; the kernel's own gate, for stops that do not stop

STOPS_MAX equ 16

section .text

; Writes EDX:EAX = %2:%1 to the register.
%macro SWITCH 2
        push    xax
        push    xcx
        push    xdx
        mov     ecx, READ(branches_msr)
        mov     eax, %1
        mov     edx, %2
        wrmsr
%endmacro
%macro RESTORE 0
        pop     xdx
        pop     xcx
        pop     xax
%endmacro

; A gate's target: the first branch that is recorded is its IRET.
global branches_start_iret
        GATE    branches_start
        SWITCH  READ(branches_on), READ(branches_on + 4)
        RESTORE
branches_start_iret:
        iretn

; A gate's target: the last branch that is recorded led here. A PMI that comes again and again is
; left to the kernel, whose watchdog ends the test.
        GATE    branches_stop
        SWITCH  0, 0
        mov     xax, [xsp + 3 * NATIVE_SIZE]
        cmp     dword WRITE(branches_interrupted), 0
        jne     .done
        mov     WRITE(branches_interrupted), xax
.done:
        inc     dword WRITE(branches_stops)
        cmp     dword WRITE(branches_stops), STOPS_MAX
        RESTORE
        ja      .storm
        iretn
.storm:
        jmp     ADDRESS READ(branches_storm)

; Gates' targets that return: at once; after an instruction of two bytes that faulted; the same with
; an error code.
        GATE    branches_return
        iretn

global branches_skip_iret
        GATE    branches_skip
        add     ADDRESS [xsp], 2
branches_skip_iret:
        iretn

global branches_skip_error_iret
        GATE    branches_skip_error
        lea     xsp, [xsp + NATIVE_SIZE]
        add     ADDRESS [xsp], 2
branches_skip_error_iret:
        iretn

; A gate's target: ends single-stepping.
global branches_debug_iret
        GATE    branches_debug
        and     ADDRESS [xsp + 2 * NATIVE_SIZE], ~100h
branches_debug_iret:
        iretn
