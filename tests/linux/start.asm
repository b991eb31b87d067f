; SPDX-License-Identifier: MIT
; Starts Linux from a disk of tests/runner/bootable.py: turns the multiboot memory map into that
; of Linux, and jumps into the unpacked kernel, which is in memory already, as are page tables.
; linux_image.py fills in `kernel` and `wide`, and makes the pages after this one.
; Sources: Linux, Documentation/x86/boot.rst ("32-bit boot protocol", "64-bit boot protocol") and
; zero-page.rst; Multiboot Specification 0.6.96, "Boot information format".

bits 32
org 0x100000

PARAMETERS       equ 0x101000           ; Linux' "zero page"
PAGE_TABLES      equ 0x103000           ; map memory below 1 GB to itself
E820_ENTRIES     equ PARAMETERS + 0x1e8
E820_TABLE       equ PARAMETERS + 0x2d0
INFO_MMAP_LENGTH equ 44
INFO_MMAP        equ 48

CODE64           equ 0x08
CODE             equ 0x10               ; as the protocol wants them
DATA             equ 0x18
CR0_PG           equ 1 << 31
CR4_PAE          equ 1 << 5
IA32_EFER        equ 0xc0000080
IA32_EFER_LME    equ 1 << 8

        jmp     short start
        align   8
kernel: dq      0                       ; its entry point
wide:   dd      0                       ; not 0 if the kernel begins in 64-bit mode

; in: EBX = the multiboot information
start:
        cld
        mov     esi, [ebx + INFO_MMAP]
        mov     edx, [ebx + INFO_MMAP_LENGTH]
        add     edx, esi
        mov     edi, E820_TABLE
.next:
        add     esi, 4                  ; its size; the rest is an entry of Linux's
        mov     ecx, 5
        rep movsd
        inc     byte [E820_ENTRIES]
        cmp     esi, edx
        jb      .next
        lgdt    [gdtr]
        jmp     CODE:.flat
.flat:
        mov     eax, DATA
        mov     ds, eax
        mov     es, eax
        mov     fs, eax
        mov     gs, eax
        mov     ss, eax
        mov     esi, PARAMETERS
        xor     ebx, ebx
        xor     edi, edi
        xor     ebp, ebp
        cmp     dword [wide], 0
        jne     .to_long_mode
        jmp     dword [kernel]
.to_long_mode:
        mov     eax, CR4_PAE
        mov     cr4, eax
        mov     eax, PAGE_TABLES
        mov     cr3, eax
        mov     ecx, IA32_EFER
        mov     eax, IA32_EFER_LME
        xor     edx, edx
        wrmsr
        mov     eax, cr0
        or      eax, CR0_PG
        mov     cr0, eax
        jmp     CODE64:.long_mode
bits 64
.long_mode:
        jmp     [kernel]

        align   8
gdt:    dq      0
        dq      0x00af9b000000ffff      ; CODE64
        dq      0x00cf9b000000ffff      ; CODE: 4 GB from 0
        dq      0x00cf93000000ffff      ; DATA
gdtr:   dw      gdtr - gdt - 1
        dd      gdt

        times   4096 - ($ - $$) db 0
