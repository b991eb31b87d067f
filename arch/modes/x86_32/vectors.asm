; SPDX-License-Identifier: MIT
; Defines the 256 entries of the IDT, and the task that #DF switches to.

%include "regs.inc"

bits 32
section .text

extern exception_dispatch
extern double_fault_dispatch

%include "arch/modes/vector_stubs.inc"

; Completes struct frame (frame.h), calls exception_dispatch(frame) and returns to the state that
; this leaves in the frame.
        align   16
vector_common:
        pushad
        push    ds
        push    es
        push    fs
        push    gs
        mov     eax, SELECTOR_KERNEL_DATA
        mov     ds, eax
        mov     es, eax
        cld
        mov     eax, esp
        and     esp, ~15                ; the C ABI's alignment, whatever was interrupted
        sub     esp, 8
        push    eax                     ; a copy that the callee may not change
        push    eax
        call    exception_dispatch
        mov     esp, [esp + 4]
        pop     gs
        pop     fs
        pop     es
        pop     ds
        popad
        add     esp, 8                  ; vector, error
        iretd

; The double-fault task. Its own TSS and stack let it run when the kernel's stack is unusable.
; double_fault_dispatch() writes the place to continue at into the kernel's TSS; IRET with NT set
; goes there. The next #DF continues after that IRET: hence the loop.
global double_fault_task
double_fault_task:
        cld
        call    double_fault_dispatch
        add     esp, 4                  ; the error code, always 0
        iretd
        jmp     double_fault_task
