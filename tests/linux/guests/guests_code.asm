; SPDX-License-Identifier: MIT
; A guest of tests/linux/guests: does what its mailbox says, one thing after the other, and leaves
; by a port between them. It is loaded at address 0, in protected mode with flat segments; an
; exception #GP is noted in the mailbox.

bits 32
org 0

MAILBOX  equ 8000h              ; as in guests_mailbox.c
STACK    equ 7000h
PORT     equ 0f4h               ; PORT_EXIT of vmm.h

        jmp     start

align 8
gdt:    dq      0, 00cf9a000000ffffh, 00cf92000000ffffh
.end:
idt:    times 13 dq 0
        dw      faulted, 8, 8e00h, 0
.end:
to_gdt: dw      gdt.end - gdt - 1
        dd      gdt
to_idt: dw      idt.end - idt - 1
        dd      idt
operations:
        dd      read_msr, write_msr, read_pmc, loops, forever, time_pmc, time_wrmsr, time_cpuid

start:  lgdt    [to_gdt]
        lidt    [to_idt]
        mov     esp, STACK

next:   out     PORT, al
        mov     dword [MAILBOX + 16], 0
        mov     ebx, [MAILBOX]
        mov     ecx, [MAILBOX + 4]
        mov     eax, [MAILBOX + 8]
        mov     edx, [MAILBOX + 12]
        jmp     [operations + 4 * ebx]

read_msr:
        rdmsr
        jmp     answer
write_msr:
        wrmsr
        jmp     answer
read_pmc:
        rdpmc
        jmp     answer
loops:  dec     ecx
        jnz     loops
        jmp     answer
forever:
        jmp     forever

; The clocks of the TSC that an instruction takes, and of two MOVs.
time_pmc:
        rdtsc
        mov     ebp, eax
        rdpmc
        jmp     timed
time_wrmsr:
        mov     esi, eax
        mov     edi, edx
        rdtsc
        mov     ebp, eax
        mov     eax, esi
        mov     edx, edi
        wrmsr
        jmp     timed
time_cpuid:
        rdtsc
        mov     ebp, eax
        cpuid
timed:  rdtsc
        sub     eax, ebp
        xor     edx, edx

answer: mov     [MAILBOX + 8], eax
        mov     [MAILBOX + 12], edx
        jmp     next

; The error code is on the stack. IRET goes to `next` instead of the instruction that faulted.
faulted:
        add     esp, 4
        mov     dword [MAILBOX + 16], 1
        mov     dword [esp], next
        iret
