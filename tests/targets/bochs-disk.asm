; SPDX-License-Identifier: MIT
; The boot sector of the disk that tests/runner/bootable.py makes for what is too long to be put
; into Bochs' memory, such as Linux: the bytes on the disk are those in memory.
; Source: Phoenix, "Enhanced Disk Drive Specification" 3.0, function 42H.

bits 16
org 0x7c00
WHERE            equ 0

PAGE_LBA         equ 1
PAGE_SECTORS     equ 8
BUFFER_SEGMENT   equ 0x1000
BUFFER_SECTORS   equ 64

start:
        xor     ax, ax
        mov     ss, ax
        mov     sp, 0x7c00
        mov     ds, ax
        cld
        mov     [drive], dl
        in      al, 0x92                ; A20
        or      al, 2
        out     0x92, al
        mov     cx, PAGE_SECTORS
        call    read
        call    find_memory
        call    reach_all_memory
        call    load
        mov     ebp, PAGE
        jmp     start_kernel

; in: the packet's place, CX = sectors
read:
        pushad                          ; the BIOS keeps only the low halves
        mov     [packet_count], cx
        mov     si, packet
        mov     dl, [drive]
        mov     ah, 0x42
        int     0x13
        jc      give_up
        popad
        ret

; DS and ES keep the limits that they get in protected mode ("unreal mode").
reach_all_memory:
        cli
        lgdt    [gdtr]
        mov     eax, cr0
        or      al, 1
        mov     cr0, eax
        mov     bx, DATA
        mov     ds, bx
        mov     es, bx
        and     al, ~1
        mov     cr0, eax
        xor     bx, bx
        mov     ds, bx
        mov     es, bx
        sti
        ret

; in: FS = PAGE_SEGMENT
load:
        mov     eax, [fs:KERNEL_PLACE]
        mov     [packet_lba], eax
        mov     ebx, [fs:KERNEL_DWORDS]
        shr     ebx, 9 - 2
        mov     word [packet_segment], BUFFER_SEGMENT
        mov     edi, IMAGE
.next:
        mov     ecx, BUFFER_SECTORS
        cmp     ecx, ebx
        jb      .some
        mov     ecx, ebx
.some:
        call    read
        movzx   ecx, word [packet_count]
        add     [packet_lba], ecx
        sub     ebx, ecx
        shl     ecx, 9 - 2
        mov     esi, BUFFER_SEGMENT << 4
        a32 rep movsd
        test    ebx, ebx
        jnz     .next
        ret

%include "tests/targets/bochs-start.inc"

packet: db      16, 0                   ; what INT 13H reads, and to where
packet_count:
        dw      0
        dw      0
packet_segment:
        dw      PAGE_SEGMENT
packet_lba:
        dd      PAGE_LBA, 0

drive:  db      0

        times 510 - ($ - $$) db 0
        dw      0xaa55
