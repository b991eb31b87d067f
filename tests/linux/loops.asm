; SPDX-License-Identifier: MIT
; The code that is counted and sampled. Its counts are known by construction.

%if BITS = 64
%define COUNT rdi
%define PLACE rdi
%define PAGES rsi
%define SPARE rsp - 64          ; nobody's: a signal would come, if at all, further below
%else
%define COUNT ecx
%define PLACE ecx
%define PAGES edx
%define SPARE esp - 64
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

; A turn has ten instructions: four loads, three stores, one of each with a lock; a call, a return,
; a branch that is taken and one that is not.   in, clobbers: as above
global mix_turns
mix_turns:
%if BITS = 32
        mov     ecx, [esp + 4]
%endif
.turn:
        mov     eax, [SPARE]
        mov     eax, [SPARE]
        mov     [SPARE], eax
        lock inc dword [SPARE]
        call    .leaf
        xor     edx, edx
        jnz     .turn
        dec     COUNT
        jnz     .turn
.leaf:
        ret

; Writes to each of these pages. An instruction that faults counts only when it is repeated, so that
; a page which faults costs as many instructions here as one that does not.
; in: the first page, the number of pages, as C passes them   clobbers: as in C
PAGE equ 4096

global touch_pages
touch_pages:
%if BITS = 32
        mov     PLACE, [esp + 4]
        mov     PAGES, [esp + 8]
%endif
.page:
        mov     [PLACE], al
        add     PLACE, PAGE
        dec     PAGES
        jnz     .page
        ret

section .note.GNU-stack noalloc noexec nowrite progbits
