; SPDX-License-Identifier: MIT
; The code that is counted and sampled. Its counts are known by construction.

%if BITS = 64
%define COUNT rdi
%else
%define COUNT ecx
%endif

section .text

; A turn has four instructions, one of which is a branch; the cost of the call does not depend on
; the number of turns.   in: the number of turns, as C passes it   clobbers: as in C
TURN_INSTRUCTIONS equ 4
TURN_BRANCHES     equ 1

global loop_turns, loop_first, loop_end
loop_turns:
%if BITS = 32
        mov     ecx, [esp + 4]
%endif
loop_first:
        nop
        nop
        dec     COUNT
        jnz     loop_first
loop_end:
        ret

section .note.GNU-stack noalloc noexec nowrite progbits
