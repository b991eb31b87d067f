; SPDX-License-Identifier: MIT
; Implements svm_insns.h: the way into a guest of SVM and back.

%include "regs.inc"
%include "arch/cpu/native.inc"
%include "arch/guests/guest_regs.inc"

section .text

; void insn_clgi(void), and likewise insn_stgi
global insn_clgi, insn_stgi
insn_clgi:
        clgi
        ret
insn_stgi:
        stgi
        ret

; void insn_vmrun(struct guest_regs *regs, const struct svm_pages *pages)
; clobbers: as any C function   stack: 9 registers
;
; VMRUN saves and #VMEXIT loads the host's state but FS, GS, TR, LDTR and some MSRs, which VMSAVE
; and VMLOAD move; RAX at the exit is what it was before: the guest's VMCB.
global insn_vmrun
insn_vmrun:
        PUSH_HOST
        mov     eax, FIRST(pushed_registers)
        mov     ecx, SECOND(pushed_registers)
        push    xcx
        push    xax
        clgi
        mov     xax, [xcx + SVM_PAGES_host]
        vmsave
        mov     xax, [xcx + SVM_PAGES_guest]
        vmload
        mov     xax, [xsp]
        LOAD_GUEST
        mov     xax, [xsp + NATIVE_SIZE]
        mov     xax, [xax + SVM_PAGES_guest]
        vmrun
        vmsave
        pop     xax
        STORE_GUEST
        pop     xcx
        mov     xax, [xcx + SVM_PAGES_host]
        vmload
        stgi
        POP_HOST
        ret
