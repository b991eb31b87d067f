; SPDX-License-Identifier: MIT
; Implements vmx_insns.h: the instructions of VMX, and the way into a guest and back.

%include "regs.inc"
%include "arch/cpu/native.inc"
%include "arch/guests/guest_regs.inc"

section .text

; Returns an enum vmx_status in EAX: 1 if CF is set, 2 if ZF is set, otherwise 0.
; clobbers: edx
%macro RETURN_STATUS 0
        setc    al
        setz    dl
        movzx   eax, al
        movzx   edx, dl
        lea     eax, [xax + 2 * xdx]
        ret
%endmacro

; enum vmx_status insn_vmxon(const uint64_t *physical), and likewise the next two
; clobbers: eax, edx
%macro BY_ADDRESS 1
global insn_%1
insn_%1:
        mov     eax, FIRST(0)
        %1      [xax]
        RETURN_STATUS
%endmacro

BY_ADDRESS vmxon
BY_ADDRESS vmclear
BY_ADDRESS vmptrld

; enum vmx_status insn_vmxoff(void)
global insn_vmxoff
insn_vmxoff:
        vmxoff
        RETURN_STATUS

; enum vmx_status insn_vmread(uint32_t field, uintptr_t *value), and likewise insn_vmwrite
; clobbers: eax, ecx, edx
global insn_vmread, insn_vmwrite
insn_vmread:
        mov     eax, FIRST(0)
        mov     ecx, SECOND(0)
        vmread  [xcx], xax
        RETURN_STATUS
insn_vmwrite:
        mov     eax, FIRST(0)
        mov     ecx, SECOND(0)
        vmwrite xax, [xcx]
        RETURN_STATUS

; enum vmx_status insn_vmenter(struct guest_regs *regs, uint32_t is_launched)
; clobbers: as any C function   stack: 9 registers
;
; Loads the guest's registers, enters, and returns at the next VM exit with the guest's registers
; stored; or at once, with another status than 0, if VMLAUNCH or VMRESUME failed. A VM exit clears
; EFLAGS, and so IF: hence the POPF.
global insn_vmenter
insn_vmenter:
        PUSH_HOST
        mov     eax, FIRST(pushed_registers)
        mov     ecx, SECOND(pushed_registers)
        push    xax                     ; for the exit
        mov     edx, VMCS_HOST_RSP
        vmwrite xdx, xsp
        mov     edx, VMCS_HOST_RIP
        lea     xbx, [.exited]
        vmwrite xdx, xbx
        test    ecx, ecx
        LOAD_GUEST
        mov     xax, [xax + GUEST_REGS_ax]
        jnz     .resume
        vmlaunch
        jmp     .failed
.resume:
        vmresume
.failed:
        setc    al
        setz    dl
        movzx   ecx, al
        movzx   edx, dl
        lea     eax, [xcx + 2 * xdx]
        pop     xcx
        jmp     .leave
.exited:
        push    xax
        mov     xax, [xsp + NATIVE_SIZE]
        STORE_GUEST
        pop     xcx
        mov     [xax + GUEST_REGS_ax], xcx
        pop     xcx
        xor     eax, eax
.leave:
        POP_HOST
        ret
