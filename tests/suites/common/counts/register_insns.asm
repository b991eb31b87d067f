; SPDX-License-Identifier: MIT
; Implements register_insns.h: a round is the instruction, DEC, JNZ.

%include "arch/cpu/native.inc"

section .text

; Takes the arguments: EBX has the rounds, ECX the register's number.
%macro BEGIN 0
        push    xbx
        mov     ecx, SECOND(1)
        mov     ebx, FIRST(1)
%endmacro

%macro END 0
        dec     ebx
        jnz     .round
        pop     xbx
        ret
%endmacro

global rounds_of_rdmsr
rounds_of_rdmsr:
        BEGIN
.round:
        rdmsr
        END

; Writes what it has read before.
global rounds_of_wrmsr
rounds_of_wrmsr:
        BEGIN
        rdmsr
.round:
        wrmsr
        END

; The processor must have the instruction.
global rounds_of_rdpmc
rounds_of_rdpmc:
        BEGIN
.round:
        rdpmc
        END
