; SPDX-License-Identifier: MIT
; Ends the 64-bit kernel on a processor that cannot run it, with a sentence on the first serial port
; and on the text screen.

%include "regs.inc"

bits 32
section .text

COM1               equ 0x3f8
LCR                equ COM1 + 3
LSR                equ COM1 + 5
LCR_DLAB           equ 0x80
LCR_8N1            equ 0x03
LSR_THRE           equ 0x20             ; can take a character
LSR_TEMT           equ 0x40             ; has sent all characters
POLLS              equ 100000           ; 11 bits at 115200 baud take 100 us

VGA_TEXT           equ 0xb8000
WHITE_ON_RED       equ 0x4f

; in: a stack   does not return
global no_long_mode
no_long_mode:
        mov     dx, LCR
        mov     al, LCR_DLAB
        out     dx, al
        mov     dx, COM1
        mov     al, 1                   ; the divisor of 115200 baud, two bytes
        out     dx, al
        inc     edx
        mov     al, 0
        out     dx, al
        mov     dx, LCR
        mov     al, LCR_8N1
        out     dx, al
        mov     esi, text
        mov     ecx, text_end - text
.next:
        mov     ah, LSR_THRE
        call    wait_for_uart
        mov     dx, COM1
        lodsb
        out     dx, al
        loop    .next
        mov     ah, LSR_TEMT
        call    wait_for_uart
        mov     esi, sentence
        mov     edi, VGA_TEXT
        mov     ecx, sentence_end - sentence
        mov     ah, WHITE_ON_RED
.next_on_screen:
        lodsb
        stosw
        loop    .next_on_screen
.halt:
        cli
        hlt
        jmp     .halt

; Waits until a bit of LSR is set, for a bounded time.
; in: AH = the bit   clobbers: al, dx
wait_for_uart:
        push    ecx
        mov     ecx, POLLS
        mov     dx, LSR
.poll:
        in      al, dx
        test    al, ah
        loopz   .poll
        pop     ecx
        ret

section .rodata
text:
        db      "TAP version 13", 13, 10
sentence:
        db      "Bail out! This is the 64-bit kernel, and the processor has no long mode "
        db      "(CPUID.80000001H:EDX[29] = 0): boot the 32-bit one"
sentence_end:
        db      13, 10, "# end of run: status 2", 13, 10
text_end:
