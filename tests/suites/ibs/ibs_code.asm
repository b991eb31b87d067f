; SPDX-License-Identifier: MIT
; Code whose samples are known, with a row about each instruction; see ibs_code.h.

%include "arch/cpu/native.inc"

%define BRANCH     1                    ; these are enum ibs_kind
%define TAKEN      2
%define RETURN     4
%define LOAD       8
%define STORE     16
%define LOCKED    32
%define STACK     64

; How code takes its arguments.
%if NATIVE_SIZE == 4
    %define ENTRY LOAD | STACK, 0, 4
%else
    %define ENTRY 0, 0, 0
%endif

; ROW kind, target, bytes: the instruction that follows.
%macro ROW 3
    [section .rodata]
        dd      %%here, %1, %2, %3
    __?SECT?__
%%here:
%endmacro

; PLAIN instruction: one that neither branches nor accesses memory.
%macro PLAIN 1+
        ROW     0, 0, 0
        %1
%endmacro

section .rodata
        align   4
global ibs_rows, ibs_rows_end
ibs_rows:

section .text

; void ibs_mix(uint32_t rounds, uint32_t argument)
; argument: the address of 64 bytes, aligned to 64; the code writes to them
; clobbers: eax, ecx, edx
global ibs_mix, ibs_mix_end, ibs_mix_return
        align   64
ibs_mix:
        ROW     ENTRY
        mov     ecx, FIRST(0)
        ROW     ENTRY
        mov     edx, SECOND(0)
        PLAIN   xor eax, eax
.round:
        PLAIN   nop
        ROW     LOAD, 0, 4
        mov     eax, [xdx]
        PLAIN   lea eax, [xax + 0x12345678]
        ROW     STORE, 0, 4
        mov     [xdx + 4], eax
        ROW     BRANCH | TAKEN, .after_jump, 0
        jmp     .after_jump
        PLAIN   ud2                     ; never executed
.after_jump:
        ROW     LOAD, 0, 1
        mov     al, [xdx + 8]
        PLAIN   cmp ecx, ecx
        ROW     BRANCH | TAKEN, .after_taken, 0
        je      .after_taken
        PLAIN   ud2
.after_taken:
        ROW     BRANCH, .falls_through, 0
        jne     .never
.falls_through:
        ROW     LOAD, 0, 2
        mov     ax, [xdx + 10]
        PLAIN   imul eax, eax, 0x11223344
        ROW     STORE | STACK | BRANCH | TAKEN, .called, NATIVE_SIZE
        call    .called
.returned:
        PLAIN   lea eax, [xcx + 1]
        PLAIN   mov eax, .indirect
        ROW     BRANCH | TAKEN, .indirect, 0
        jmp     xax
        PLAIN   ud2
.indirect:
        ROW     STORE, 0, 1
        mov     [xdx + 20], al
        PLAIN   nop
        PLAIN   dec ecx
        ROW     BRANCH | TAKEN, .round, 0
        jnz     .round
.return:
        ret
.called:
        PLAIN   add eax, 3
        ROW     LOAD | STACK | BRANCH | TAKEN | RETURN, .returned, NATIVE_SIZE
        ret
.never:
        PLAIN   ud2
ibs_mix_end:
ibs_mix_return equ ibs_mix.return

; void ibs_locks(uint32_t rounds, uint32_t argument)
; argument: the address of 64 bytes, aligned to 64; the code writes to them
; clobbers: eax, ecx, edx
global ibs_locks
        align   64
ibs_locks:
        ROW     ENTRY
        mov     ecx, FIRST(0)
        ROW     ENTRY
        mov     edx, SECOND(0)
.round:
        PLAIN   lea eax, [xcx + 1]
        ROW     LOAD | STORE | LOCKED, 0, 4
        lock add dword [xdx + 16], 1
        PLAIN   nop
        ROW     LOAD, 0, 4
        mov     eax, [xdx]
        PLAIN   dec ecx
        ROW     BRANCH | TAKEN, .round, 0
        jnz     .round
        ret

section .rodata
ibs_rows_end:

section .text

; void ibs_sled(uint32_t unused, uint32_t unused): NOPs of one byte, then RET.
global ibs_sled, ibs_sled_end
        align   64
ibs_sled:
        times 16384 nop
ibs_sled_end:
        ret

