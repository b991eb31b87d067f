; SPDX-License-Identifier: MIT
; Interrupts with known counts: see tests/arch_interrupts.h.

bits 32

; Long enough for an IPI to come back: 20000 rounds are 2 us and more on a processor of 5 GHz.
SPIN equ 20000

%define X2APIC_EOI 80bh
%define X2APIC_ICR 830h

; One instruction, counted.
%macro I 1+
        %1
    %assign insns insns + 1
%endmacro

section .bss
global arch_interrupts_taken, arch_interrupts_eoi, arch_interrupts_icr
arch_interrupts_taken:  resd    1       ; handlers that ran
arch_interrupts_eoi:    resd    1       ; address of the APIC's EOI, in xAPIC mode
arch_interrupts_icr:    resd    1       ; address of the ICR's low half; x2APIC: its high half

section .text

; handler NAME: what follows is a gate's target; its count is a constant that C reads
%macro handler 1
    %assign insns 0
global arch_interrupts_%1
arch_interrupts_%1:
%endmacro
%macro endhandler 1
        I iretd
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
        I push  eax
        I mov   eax, [arch_interrupts_eoi]
        I mov   dword [eax], 0
        I inc   dword [arch_interrupts_taken]
        I pop   eax
endhandler xapic

handler x2apic
        I push  eax
        I push  ecx
        I push  edx
        I mov   ecx, X2APIC_EOI
        I xor   eax, eax
        I xor   edx, edx
        I wrmsr
        I inc   dword [arch_interrupts_taken]
        I pop   edx
        I pop   ecx
        I pop   eax
endhandler x2apic

; void arch_interrupts_send_*(uint32_t rounds, uint32_t command)
; in: [esp+4] rounds, from 1; [esp+8] the ICR's low half   clobbers: eax, ecx, edx
; Sends, and goes on for a while, so often; interrupts are on from the first to the end of the last.
; A round is what stands between the labels: so many instructions and the two loops' branches.
%macro sender 1
global arch_interrupts_send_%1
arch_interrupts_send_%1:
        push    ebx
        mov     ebx, [esp + 8]
        mov     eax, [esp + 12]
        mov     edx, [arch_interrupts_icr]
        pushfd
        sti
    %assign insns 0
.next:
    %ifidn %1, xapic
        I mov   [edx], eax
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
        popfd
        pop     ebx
        ret
section .rodata
global arch_interrupts_send_%1_insns, arch_interrupts_send_%1_branches
arch_interrupts_send_%1_insns:    dd insns + 2 * SPIN
arch_interrupts_send_%1_branches: dd 1 + SPIN
section .text
%endmacro

sender xapic
sender x2apic
