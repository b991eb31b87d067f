; SPDX-License-Identifier: MIT
; A kernel that counts its own instructions and prints how many they were. docs/qemu-model.md says how to
; assemble and boot it.
IA32_PERFEVTSEL0        equ 186H
IA32_PERF_GLOBAL_CTRL   equ 38FH
INSTRUCTIONS            equ 4300C0H             ; INST_RETIRED.ANY_P, with USR, OS and EN
COM1                    equ 3F8H
DEBUG_EXIT              equ 0F4H
TURNS                   equ 1000

bits 32
org 100000H
header: dd 1BADB002H, 10000H, -(1BADB002H + 10000H)   ; multiboot, with the addresses that follow
        dd header, header, 0, 0, start

start:  mov ecx, IA32_PERFEVTSEL0
        mov eax, INSTRUCTIONS
        xor edx, edx
        wrmsr
        mov ecx, IA32_PERF_GLOBAL_CTRL
        mov eax, 1
        wrmsr
        xor ecx, ecx
        rdpmc                   ; counts itself, after it has read
        mov esi, eax
        mov ecx, TURNS
.turn:  dec ecx
        jnz .turn
        rdpmc                   ; 3 + 2 * TURNS more
        sub eax, esi

        mov edi, digits.end     ; the number, from its last digit on
        mov ebx, 10
.digit: xor edx, edx
        div ebx
        add dl, '0'
        dec edi
        mov [edi], dl
        test eax, eax
        jnz .digit
        mov esi, edi
        mov edx, COM1
.print: lodsb
        out dx, al
        cmp al, 10
        jne .print
        xor eax, eax
        out DEBUG_EXIT, al      ; QEMU ends with status 1
        hlt

digits: times 10 db 0
.end:   db " instructions", 10
