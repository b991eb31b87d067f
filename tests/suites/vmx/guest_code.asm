; SPDX-License-Identifier: MIT
; Defines what guests execute: see guest_code.h.

%include "arch/cpu/native.inc"

GUEST_NOPS equ 256
GUEST_PMI_SLED equ 8192

section .text

; The guest begins so many NOPs before guest_vmcall as it is to execute.
global guest_pmi_sled, guest_nops, guest_vmcall
guest_pmi_sled:
    %rep GUEST_PMI_SLED - GUEST_NOPS
        nop
    %endrep
guest_nops:
    %rep GUEST_NOPS
        nop
    %endrep
guest_vmcall:
        vmcall
        jmp     guest_vmcall

; in: ECX = rounds, at least 1
global guest_loop, guest_loop_jump
guest_loop:
        dec     ecx
guest_loop_jump:
        jnz     guest_loop
        vmcall

; Each executes its instruction, then VMCALL.
%macro GUEST 2+
global guest_%1
guest_%1:
        %2
        vmcall
%endmacro

GUEST rdmsr, rdmsr
GUEST wrmsr, wrmsr
GUEST rdpmc, rdpmc
GUEST rdtsc, rdtsc
GUEST cpuid, cpuid
GUEST hlt, hlt
GUEST int, int 42h
GUEST ud2, ud2

; Writes an MSR, executes NOPs in the middle of which a PMI is due, then VMCALL.
global guest_wrmsr_sled
guest_wrmsr_sled:
        wrmsr
        jmp     guest_pmi_sled

; Ends by an instruction that a hypervisor must see, round after round. in: ECX = rounds
global guest_cpuids
guest_cpuids:
        mov     esi, ecx
.round:
        xor     eax, eax
        cpuid
        dec     esi
        jnz     .round
        vmcall

global guest_hang
guest_hang:
        jmp     guest_hang
