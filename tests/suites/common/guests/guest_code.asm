; SPDX-License-Identifier: MIT
; Defines what guests of VMX and SVM execute: see guest_code.h.

%include "arch/cpu/native.inc"

GUEST_NOPS equ 256
GUEST_PMI_SLED equ 8192

section .text

; Each executes its instruction, then the one that leaves the guest.
%macro GUEST 4
global %1_guest_%3
%1_guest_%3:
        %4
        %2
%endmacro

; 1: the prefix of all names; 2: the instruction that leaves the guest
%macro GUESTS 2
; The guest begins so many NOPs before %1_guest_end as it is to execute.
global %1_guest_pmi_sled, %1_guest_nops, %1_guest_end
%1_guest_pmi_sled:
    %rep GUEST_PMI_SLED - GUEST_NOPS
        nop
    %endrep
%1_guest_nops:
    %rep GUEST_NOPS
        nop
    %endrep
%1_guest_end:
        %2
        jmp     %1_guest_end

; in: ECX = rounds, at least 1
global %1_guest_loop, %1_guest_loop_jump
%1_guest_loop:
        dec     ecx
%1_guest_loop_jump:
        jnz     %1_guest_loop
        %2

GUEST %1, %2, rdmsr, rdmsr
GUEST %1, %2, wrmsr, wrmsr
GUEST %1, %2, rdpmc, rdpmc
GUEST %1, %2, rdtsc, rdtsc
GUEST %1, %2, cpuid, cpuid
GUEST %1, %2, hlt, hlt
GUEST %1, %2, int, {int 42h}
GUEST %1, %2, ud2, ud2

; Writes an MSR, executes NOPs in the middle of which a PMI is due, then leaves.
global %1_guest_wrmsr_sled
%1_guest_wrmsr_sled:
        wrmsr
        jmp     %1_guest_pmi_sled

; Ends by an instruction that a hypervisor must see, round after round. in: ECX = rounds
global %1_guest_cpuids
%1_guest_cpuids:
        mov     esi, ecx
%1_guest_cpuids_round:
        xor     eax, eax
        cpuid
        dec     esi
        jnz     %1_guest_cpuids_round
        %2

global %1_guest_hang
%1_guest_hang:
        jmp     %1_guest_hang
%endmacro

GUESTS vmx, vmcall
GUESTS svm, vmmcall
