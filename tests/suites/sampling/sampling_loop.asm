; SPDX-License-Identifier: MIT
; The loop of the experiment: see sampling.h.

%include "arch/cpu/native.inc"

; The loads after the one that misses all hit. There are so many that an interrupt that comes up to
; 72 instructions late still falls among them.
HITS      equ 73
; They walk over the first half of a 64-byte line: one-byte displacements, all of one length.
HIT_BYTES equ 32

section .rodata
global sampling_loop, sampling_loop_end, sampling_loop_length, sampling_loop_offsets

; This code is copied to where code at CPL 3 runs, so it is position independent.
; In: xbx: an element of the ring, xsi: a line of its own, ecx: rounds, from 1.
; Out: xbx: the element that would be next. Clobbers xax, edx, ecx, flags.
sampling_loop:
%assign n 0
%macro I 1+
i_%[n]: %1
%assign n n + 1
%endmacro
        I mov   xax, [xbx]              ; misses; xax: the next element
%assign at 0
%rep HITS
        I mov   edx, [byte xsi + at]
    %assign at (at + 4) % HIT_BYTES
%endrep
        I mov   xbx, xax
        I dec   ecx
        I jnz   i_0
sampling_loop_end:

; The offsets in the loop at which instructions begin.
        align   4
sampling_loop_length: dd n
sampling_loop_offsets:
%assign i 0
%rep n
        dw      i_%[i] - sampling_loop
    %assign i i + 1
%endrep
