; SPDX-License-Identifier: MIT
; Defines the targets of the gates of the guest's IDT.

%include "regs.inc"
%include "arch/cpu/native.inc"

section .text

; GUEST_VECTORS handlers of GUEST_VECTOR_SIZE bytes each: each leaves the guest by VMCALL, with the
; processor's frame on the guest's stack, and returns to what was interrupted when it is resumed.
; The NOP is for Bochs 3.0: if the first instruction of a handler exits, it saves the interrupted
; RIP (event.cc does not set prev_rip).
align 16
global guest_vectors
guest_vectors:
%assign vector 0
%rep GUEST_VECTORS
        align   GUEST_VECTOR_SIZE
        nop
        vmcall
    %if vector < 32 && ((X86_PUSHES_ERROR_CODE >> vector) & 1)
        add     xsp, NATIVE_SIZE
    %endif
        iretn
    %assign vector vector + 1
%endrep
        align   GUEST_VECTOR_SIZE
