; SPDX-License-Identifier: MIT
; Defines the headers by which a boot loader recognises the kernel.
; Sources: Multiboot Specification 0.6.96, "The layout of Multiboot header";
;          Multiboot2 Specification 2.0, "Multiboot2 header".

%include "regs.inc"

section .multiboot

MULTIBOOT1_MEMORY_INFO    equ 1 << 1
MULTIBOOT1_FLAGS          equ MULTIBOOT1_MEMORY_INFO    ; no video mode: text mode stays

        align   4
multiboot1_header:
        dd      MULTIBOOT1_HEADER_MAGIC
        dd      MULTIBOOT1_FLAGS
        dd      -(MULTIBOOT1_HEADER_MAGIC + MULTIBOOT1_FLAGS)

MULTIBOOT2_ARCHITECTURE_I386  equ 0
TAG_END                   equ 0
TAG_CONSOLE               equ 4
TAG_FRAMEBUFFER           equ 5
TAG_OPTIONAL              equ 1
CONSOLE_EGA_TEXT          equ 1 << 1
HEADER_LENGTH             equ multiboot2_end - multiboot2_header

        align   8
multiboot2_header:
        dd      MULTIBOOT2_HEADER_MAGIC
        dd      MULTIBOOT2_ARCHITECTURE_I386
        dd      HEADER_LENGTH
        dd      -(MULTIBOOT2_HEADER_MAGIC + MULTIBOOT2_ARCHITECTURE_I386 + HEADER_LENGTH)

        ; This kernel supports EGA text.
        dw      TAG_CONSOLE, TAG_OPTIONAL
        dd      12
        dd      CONSOLE_EGA_TEXT
        align   8
        ; It also supports a framebuffer, the only output of UEFI machines, in any size and 32 bits.
        ; GRUB sets a graphics mode for this tag on BIOS machines, too, whatever its menu says: to
        ; keep their text screen these are booted by the first header, which asks for no mode.
        dw      TAG_FRAMEBUFFER, TAG_OPTIONAL
        dd      20
        dd      0, 0, 32
        align   8
        dw      TAG_END, 0
        dd      8
multiboot2_end:
