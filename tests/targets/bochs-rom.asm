; SPDX-License-Identifier: MIT
; The option ROM that starts a kernel of Barecount in Bochs, which has put it into memory itself
; (tests/runner/bootable.py). The BIOS calls it at the end of its self-test, before it looks for
; something to boot.
; Source: Plug and Play BIOS Specification 1.0A, "Option ROM header".

bits 16
org 0
WHERE            equ 0xd0000
LONG_MODE        equ 29                 ; CPUID.80000001H:EDX

        dw      0xaa55
        db      1                       ; blocks of 512 bytes; bootable.py makes their sum 0
start:
        cli
        cld
        xor     ax, ax
        mov     ss, ax
        mov     sp, 0x7c00
        in      al, 0x92                ; A20
        or      al, 2
        out     0x92, al
        call    find_memory
        cmp     byte [fs:STARTED], 0    ; after a reset the kernel in memory is not as it was
        jne     give_up
        inc     byte [fs:STARTED]

        mov     ebp, PAGE
        mov     eax, 0x80000000
        cpuid
        cmp     eax, 0x80000001
        jb      start_kernel
        mov     eax, 0x80000001
        cpuid
        bt      edx, LONG_MODE
        jnc     start_kernel
        add     ebp, KERNEL_ROW
        jmp     start_kernel

%include "tests/targets/bochs-start.inc"

        times 511 - ($ - $$) db 0       ; the last byte is the sum's
