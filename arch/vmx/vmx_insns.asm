; SPDX-License-Identifier: MIT
; Implements vmx_insns.h: the instructions of VMX, and the way into a guest and back.

%include "regs.inc"
%include "arch/cpu/native.inc"

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

%if NATIVE_SIZE == 8
    %define pushed_registers 7
%macro PUSH_OTHERS 0
        push    r12
        push    r13
        push    r14
        push    r15
%endmacro
%macro POP_OTHERS 0
        pop     r15
        pop     r14
        pop     r13
        pop     r12
%endmacro
%else
    %define pushed_registers 5
%macro PUSH_OTHERS 0
        push    xsi
        push    xdi
%endmacro
%macro POP_OTHERS 0
        pop     xdi
        pop     xsi
%endmacro
%endif

; enum vmx_status insn_vmenter(struct vmx_regs *regs, uint32_t is_launched)
; clobbers: as any C function   stack: 9 registers
;
; Loads the guest's registers, enters, and returns at the next VM exit with the guest's registers
; stored; or at once, with another status than 0, if VMLAUNCH or VMRESUME failed. A VM exit clears
; EFLAGS, and so IF: hence the POPF.
global insn_vmenter
insn_vmenter:
        pushfn
        push    xbp
        push    xbx
        PUSH_OTHERS
        mov     eax, FIRST(pushed_registers)
        mov     ecx, SECOND(pushed_registers)
        push    xax                     ; for the exit
        mov     edx, VMCS_HOST_RSP
        vmwrite xdx, xsp
        mov     edx, VMCS_HOST_RIP
        lea     xbx, [.exited]
        vmwrite xdx, xbx
        test    ecx, ecx
        mov     xbx, [xax + VMX_REGS_bx]
        mov     xcx, [xax + VMX_REGS_cx]
        mov     xdx, [xax + VMX_REGS_dx]
        mov     xsi, [xax + VMX_REGS_si]
        mov     xdi, [xax + VMX_REGS_di]
        mov     xbp, [xax + VMX_REGS_bp]
        mov     xax, [xax + VMX_REGS_ax]
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
        mov     [xax + VMX_REGS_bx], xbx
        mov     [xax + VMX_REGS_cx], xcx
        mov     [xax + VMX_REGS_dx], xdx
        mov     [xax + VMX_REGS_si], xsi
        mov     [xax + VMX_REGS_di], xdi
        mov     [xax + VMX_REGS_bp], xbp
        pop     xcx
        mov     [xax + VMX_REGS_ax], xcx
        pop     xcx
        xor     eax, eax
.leave:
        POP_OTHERS
        pop     xbx
        pop     xbp
        popfn
        ret
