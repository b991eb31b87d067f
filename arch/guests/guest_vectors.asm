; SPDX-License-Identifier: MIT
; Defines the targets of the gates of the guest's IDT, for VMX and for SVM.

%include "regs.inc"
%include "arch/cpu/native.inc"

section .text

; GUEST_VECTORS handlers of GUEST_VECTOR_SIZE bytes each: each leaves the guest by the instruction
; in the second argument, with the processor's frame on the guest's stack, and returns to what was
; interrupted when it is resumed. The NOP is for Bochs 3.0: if the first instruction of a handler
; exits, it saves the interrupted RIP (event.cc does not set prev_rip).
%macro VECTORS 2
        align   GUEST_VECTOR_SIZE
global %1
%1:
%assign vector 0
%rep GUEST_VECTORS
        align   GUEST_VECTOR_SIZE
        nop
        %2
    %if vector < 32 && ((X86_PUSHES_ERROR_CODE >> vector) & 1)
        add     xsp, NATIVE_SIZE
    %endif
        iretn
    %assign vector vector + 1
%endrep
        align   GUEST_VECTOR_SIZE
%endmacro

VECTORS vmx_guest_vectors, vmcall
VECTORS svm_guest_vectors, vmmcall
