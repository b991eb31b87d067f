; SPDX-License-Identifier: MIT
;
; The boot sector of `make bench` runs a loop ROUNDS times, an even number, and ends the emulator.
; LOOP is `mixed` (loads, stores, calls and branches), `loads` (as in the sampling experiment: one
; load misses L1D and 70 hit) or `plain` (32 instructions a round, none of which accesses memory).
; With COUNTING `arch` it counts instructions, cycles, branches and LLC references meanwhile, on the
; first four general counters; with `one` it counts instructions, on the first one; with `netburst`
; it counts misses of L1D, on two counters of replay_event. If it counts too little it ends by a
; triple fault, so that this is not taken for a measurement.

%define INSNS_IN_TWO_ROUNDS 29          ; of `mixed`; tests/bench/run has these numbers, too
%define HITS 70
%define PLAIN 32

%define IA32_PMC0 0C1h
%define IA32_PERFEVTSEL0 186h
%define IA32_PERF_GLOBAL_CTRL 38Fh
%define COUNT_ALWAYS 430000h            ; EN, OS, USR
%define BUFFER 100000h
%define MISSING BUFFER + 4608           ; 16 addresses, all in one set of L1D: no line survives
%define MISSING_STRIDE 8192
%define MISSING_BYTES (16 * MISSING_STRIDE)
%define LINE_BYTES 64
%define SHUTDOWN_PORT 8900h             ; Bochs ends when it reads "Shutdown" here
%define EXIT_PORT 0F4h                  ; QEMU ends; there is nothing in Bochs
%define EXIT_VALUE 31h
%define STACK 90000h                    ; not in the code's page, whose writes cost more

%ifidn COUNTING, one
%define EVENTS 1
%else
%define EVENTS 4
%endif

; The counter that is checked, and its least value.
%ifidn COUNTING, netburst
%define COUNTED 16                      ; IQ_COUNTER4
%define LEAST ROUNDS
%else
%define COUNTED 0
%ifidn LOOP, loads
%define LEAST ROUNDS * (HITS + 5)
%elifidn LOOP, plain
%define LEAST ROUNDS * PLAIN
%else
%define LEAST ROUNDS / 2 * INSNS_IN_TWO_ROUNDS
%endif
%endif

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
        mov esp, STACK
%ifidn COUNTING, netburst
        mov esi, registers
.register: lodsd
        mov ecx, eax
        lodsd
        xor edx, edx
        wrmsr
        cmp esi, registers_end
        jb .register
%elifnidn COUNTING, no
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
        cmp ebx, EVENTS
        jb .event
        mov ecx, IA32_PERF_GLOBAL_CTRL
        mov eax, (1 << EVENTS) - 1
        wrmsr
%endif
        mov ecx, ROUNDS
        xor edx, edx
        mov esi, BUFFER
        test ecx, ecx
        jz .end
%ifidn LOOP, loads
.round: mov eax, [MISSING + edx]
%assign line 0
%rep HITS
        mov ebx, [esi + LINE_BYTES * (line % 4 - 2)]
%assign line line + 1
%endrep
        add edx, MISSING_STRIDE
        and edx, MISSING_BYTES - 1
        dec ecx
        jnz .round
%elifidn LOOP, plain
.round:
%rep (PLAIN - 2) / 6
        add eax, ecx
        lea ebx, [eax + edx * 4 + 1]
        xor edx, ebx
        shl ebx, 3
        mov edi, ebx
        inc esi
%endrep
        dec ecx
        jnz .round
%else
.round: mov eax, [esi + edx * 4]
        add eax, ecx
        mov [esi + edx * 4 + 16384], eax
        inc edx
        and edx, 0FFFh                  ; 16 KB are read and 16 KB written repeatedly
        test cl, 1
        jz .even
        xor ebx, eax
.even:  call leaf
        push eax
        pop eax
        dec ecx
        jnz .round
%endif
.end:
%ifnidn COUNTING, no
        mov ecx, COUNTED
        rdpmc                           ; 32 bits are enough for these counts
        cmp eax, LEAST
        jb failed
%endif
        mov al, EXIT_VALUE
        out EXIT_PORT, al
        mov esi, shutdown
        mov dx, SHUTDOWN_PORT
        mov ecx, shutdown_end - shutdown
        rep outsb
        hlt

leaf:   add ebx, 3
        ret

failed: lidt [no_idt]
        ud2

%ifidn COUNTING, netburst
registers:
        dd 3F1h, 1000001h               ; IA32_PEBS_ENABLE: tag, for a miss of L1D
        dd 3F2h, 1                      ; MSR_PEBS_MATRIX_VERT: loads
        dd 3CCh, 1200020Ch              ; MSR_CRU_ESCR2: replay_event, NBOGUS, OS, USR
        dd 36Ch, 3B000h                 ; MSR_IQ_CCCR0, MSR_IQ_CCCR4: enabled, by CRU_ESCR2
        dd 370h, 3B000h
registers_end:
%else
events: dd COUNT_ALWAYS | 00C0h         ; instructions retired
        dd COUNT_ALWAYS | 003Ch         ; core cycles
        dd COUNT_ALWAYS | 00C4h         ; branches retired
        dd COUNT_ALWAYS | 4F2Eh         ; LLC references
%endif

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
