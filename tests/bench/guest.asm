; SPDX-License-Identifier: MIT
;
; What `make bench` boots: a boot sector that runs one loop of loads, stores, calls and branches
; ROUNDS times, an even number, and ends Bochs. With COUNTING it counts instructions, cycles,
; branches and LLC references meanwhile, on the first four general counters. Where fewer
; instructions are counted than there are, it ends by a triple fault: that is no measurement.

%define INSNS_IN_TWO_ROUNDS 29          ; as below; `run` knows this number, too

%define IA32_PMC0 0C1h
%define IA32_PERFEVTSEL0 186h
%define IA32_PERF_GLOBAL_CTRL 38Fh
%define COUNT_ALWAYS 430000h            ; EN, OS, USR
%define BUFFER 100000h
%define SHUTDOWN_PORT 8900h             ; Bochs ends when it reads "Shutdown" here

        org 7C00h
        bits 16
start:  cli
        xor ax, ax
        mov ds, ax
        in al, 92h                      ; A20, by the fast gate
        or al, 2
        out 92h, al
        lgdt [gdtr]
        mov eax, cr0
        or al, 1
        mov cr0, eax
        jmp 8:flat

        bits 32
flat:   mov ax, 16
        mov ds, ax
        mov es, ax
        mov ss, ax
        mov esp, 7C00h
%if COUNTING
        mov esi, events
        mov ebx, 0
.event: lea ecx, [ebx + IA32_PMC0]
        xor eax, eax
        xor edx, edx
        wrmsr
        lea ecx, [ebx + IA32_PERFEVTSEL0]
        lodsd
        wrmsr
        inc ebx
        cmp ebx, 4
        jb .event
        mov ecx, IA32_PERF_GLOBAL_CTRL
        mov eax, 0Fh
        wrmsr
%endif
        mov ecx, ROUNDS
        xor edx, edx
        mov esi, BUFFER
        jecxz .end
.round: mov eax, [esi + edx * 4]
        add eax, ecx
        mov [esi + edx * 4 + 16384], eax
        inc edx
        and edx, 0FFFh                  ; 16 KB are read and 16 KB written, again and again
        test cl, 1
        jz .even
        xor ebx, eax
.even:  call leaf
        push eax
        pop eax
        dec ecx
        jnz .round
.end:
%if COUNTING
        xor ecx, ecx
        rdpmc                           ; a round number of 32 bits is enough for all that runs here
        cmp eax, ROUNDS / 2 * INSNS_IN_TWO_ROUNDS
        jb failed
%endif
        mov esi, shutdown
        mov dx, SHUTDOWN_PORT
        mov ecx, shutdown_end - shutdown
        rep outsb
        hlt

leaf:   add ebx, 3
        ret

failed: lidt [no_idt]
        ud2

events: dd COUNT_ALWAYS | 00C0h         ; instructions retired
        dd COUNT_ALWAYS | 003Ch         ; core cycles
        dd COUNT_ALWAYS | 00C4h         ; branches retired
        dd COUNT_ALWAYS | 4F2Eh         ; LLC references

shutdown: db "Shutdown"
shutdown_end:

no_idt: dw 0
        dd 0
gdt:    dq 0
        dq 00CF9A000000FFFFh            ; 8: code, flat
        dq 00CF92000000FFFFh            ; 16: data, flat
gdtr:   dw gdtr - gdt - 1
        dd gdt

        times 510 - ($ - $$) db 0
        dw 0AA55h
