; SPDX-License-Identifier: MIT
; The code that is counted and sampled: its counts are known by construction.

%if BITS = 64
%define COUNT rdi
%else
%define COUNT ecx
%endif

section .text

; A turn has four instructions, one of them a branch; the way there and back is the same for any
; number of turns.   in: how many turns, as C passes it   clobbers: what C lets it
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
