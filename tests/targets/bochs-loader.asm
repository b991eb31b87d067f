; SPDX-License-Identifier: MIT
; The boot sector of the disk that tests/runner/kernel_disk.py makes for Bochs. It loads a kernel,
; whose bytes on the disk are those in memory, and starts it as a multiboot 1 loader does. GRUB
; takes half a second of Bochs' time for that, ten times as long as this boot sector and the BIOS.
; Sources: Multiboot Specification 0.6.96, "Machine state"; Phoenix, "Enhanced Disk Drive
; Specification" 3.0, function 42H; ACPI Specification, "INT 15H, E820H".

bits 16
org 0x7c00

PAGE_SEGMENT     equ 0x2000             ; kernel_disk.py fills in the rest: one page, and
PAGE             equ PAGE_SEGMENT << 4  ; the memory map follows it
PAGE_LBA         equ 1
PAGE_SECTORS     equ 8
KERNEL_LBA       equ 0                  ; of a kernel's row in the page: dwords
KERNEL_SECTORS   equ 4
KERNEL_ENTRY     equ 8
KERNEL_ROW       equ 12                 ; the first row is for processors without long mode
INFO             equ 32                 ; the multiboot information
INFO_MEM_UPPER   equ INFO + 8
INFO_MMAP_LENGTH equ INFO + 44
MMAP             equ PAGE_SECTORS * 512
MMAP_ENTRY       equ 20                 ; without its size field

BUFFER_SEGMENT   equ 0x1000
BUFFER_SECTORS   equ 64
IMAGE            equ 0x100000

CODE             equ 8
DATA             equ 16
LOADER_MAGIC     equ 0x2badb002
SMAP             equ 0x534d4150
LONG_MODE        equ 29                 ; CPUID.80000001H:EDX
PORT_BOCHS_EXIT  equ 0x8900

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
        mov     ax, PAGE_SEGMENT
        mov     fs, ax
        mov     es, ax
        call    find_memory
        call    choose_kernel
        call    reach_all_memory
        call    load
        cli
        mov     eax, cr0
        or      al, 1
        mov     cr0, eax
        jmp     dword CODE:protected

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

; The BIOS' memory map, as multiboot has it; in: ES, FS = PAGE_SEGMENT
find_memory:
        mov     ax, 0xe801
        int     0x15                    ; AX: KB from 1 to 16 MB, BX: 64 KB above
        movzx   eax, ax
        movzx   ebx, bx
        shl     ebx, 6
        add     eax, ebx
        mov     [fs:INFO_MEM_UPPER], eax
        mov     di, MMAP
        xor     ebx, ebx
.next:
        mov     eax, 0xe820
        mov     edx, SMAP
        mov     ecx, MMAP_ENTRY
        mov     [es:di], ecx
        add     di, 4
        int     0x15
        jc      give_up
        add     di, MMAP_ENTRY
        test    ebx, ebx
        jnz     .next
        sub     di, MMAP
        mov     [fs:INFO_MMAP_LENGTH], di
        ret

; out: SI = the kernel's row
choose_kernel:
        xor     si, si
        mov     eax, 0x80000000
        cpuid
        cmp     eax, 0x80000001
        jb      .done
        mov     eax, 0x80000001
        cpuid
        bt      edx, LONG_MODE
        jnc     .done
        mov     si, KERNEL_ROW
.done:
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

; in: SI = the kernel's row   out: EBP = the kernel's entry point
load:
        mov     ebp, [fs:si + KERNEL_ENTRY]
        mov     eax, [fs:si + KERNEL_LBA]
        mov     [packet_lba], eax
        mov     ebx, [fs:si + KERNEL_SECTORS]
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

; The run ends without a line.
give_up:
        push    cs
        pop     ds
        mov     dx, PORT_BOCHS_EXIT
        mov     si, shutdown
        mov     cx, shutdown_end - shutdown
        rep outsb
        hlt

bits 32
protected:
        mov     eax, DATA
        mov     ds, eax
        mov     es, eax
        mov     fs, eax
        mov     gs, eax
        mov     ss, eax
        mov     eax, LOADER_MAGIC
        mov     ebx, PAGE + INFO
        jmp     ebp

shutdown:
        db      "Shutdown"
shutdown_end:

        align   8
gdt:    dq      0
        dq      0x00cf9b000000ffff      ; CODE: 4 GB from 0, 32-bit
        dq      0x00cf93000000ffff      ; DATA
gdtr:   dw      gdtr - gdt - 1
        dd      gdt

packet: db      16, 0                   ; what INT 13H reads, and to where
packet_count:
        dw      0
        dw      0
packet_segment:
        dw      PAGE_SEGMENT
packet_lba:
        dd      PAGE_LBA, 0

drive:  db      0

        times   510 - ($ - $$) db 0
        dw      0xaa55
