; SPDX-License-Identifier: MIT
; Interrupts with known counts: see self_interrupts.h.

%include "arch/cpu/native.inc"

; The spin is long enough for an IPI to come back: 20000 rounds take 2 us or more at 5 GHz.
SPIN equ 20000

%define X2APIC_EOI 80bh
%define X2APIC_ICR 830h

; One instruction that is counted.
%macro I 1+
        %1
    %assign insns insns + 1
%endmacro

section .bss
global arch_interrupts_taken, arch_interrupts_eoi, arch_interrupts_icr
arch_interrupts_taken:  resd    1       ; handlers that ran
arch_interrupts_eoi:    resn    1       ; address of the APIC's EOI, in xAPIC mode
arch_interrupts_icr:    resn    1       ; address of the ICR's low half; x2APIC: its high half

section .text

; handler NAME: begins a gate's target; its count is a constant that C reads
%macro handler 1
    %assign insns 0
        GATE    arch_interrupts_%1
%endmacro
%macro endhandler 1
        I iretn
section .rodata
global arch_interrupts_%1_insns
arch_interrupts_%1_insns: dd insns
section .text
%endmacro

handler return
endhandler return

handler nmi
        I inc   dword [arch_interrupts_taken]
endhandler nmi

handler xapic
        I push  xax
        I mov   xax, [arch_interrupts_eoi]
        I mov   dword [xax], 0
        I inc   dword [arch_interrupts_taken]
        I pop   xax
endhandler xapic

handler x2apic
        I push  xax
        I push  xcx
        I push  xdx
        I mov   ecx, X2APIC_EOI
        I xor   eax, eax
        I xor   edx, edx
        I wrmsr
        I inc   dword [arch_interrupts_taken]
        I pop   xdx
        I pop   xcx
        I pop   xax
endhandler x2apic

; void arch_interrupts_send_*(uint32_t rounds, uint32_t command)
; in: rounds, from 1; command, the ICR's low half   clobbers: eax, ecx, edx
; Sends, and goes on for a while, so often; interrupts are on from the first to the end of the last.
; A round is what stands between the labels: so many instructions and the two loops' branches.
%macro sender 1
global arch_interrupts_send_%1
arch_interrupts_send_%1:
        push    xbx
        mov     ebx, FIRST(1)
        mov     eax, SECOND(1)
        mov     xdx, [arch_interrupts_icr]
        pushfn
        sti
    %assign insns 0
.next:
    %ifidn %1, xapic
        I mov   [xdx], eax
    %else
        I mov   ecx, X2APIC_ICR
        I wrmsr
    %endif
        I mov   ecx, SPIN
.spin:
        dec     ecx
        jnz     .spin
        I dec   ebx
        I jnz   .next
        popfn
        pop     xbx
        ret
section .rodata
global arch_interrupts_send_%1_insns, arch_interrupts_send_%1_branches
arch_interrupts_send_%1_insns:    dd insns + 2 * SPIN
arch_interrupts_send_%1_branches: dd 1 + SPIN
section .text
%endmacro

sender xapic
sender x2apic
