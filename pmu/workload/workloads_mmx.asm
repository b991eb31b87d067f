; SPDX-License-Identifier: MIT
; Defines workloads with MMX instructions. Each leaves the x87 empty (EMMS).

%include "pmu/workload/workload.inc"

extern workload_arena

; MMX name, instruction: one per round. Both registers are 0 at first.
%macro MMX 2+
WORKLOAD %1
NEEDS mmx
        I pxor  mm0, mm0
        I pxor  mm1, mm1
        I mov   ecx, ROUNDS(0)
        ROUND
        I %2
        NEXT    ecx
        I emms
        B ret
END_WORKLOAD
%endmacro

MMX mmx_add,    paddb mm0, mm1
MMX mmx_mul,    pmullw mm0, mm1
MMX mmx_shift,  psllw mm0, 1
MMX mmx_pack,   packsswb mm0, mm1       ; all packs saturate
MMX mmx_unpack, punpcklbw mm0, mm1
MMX mmx_logic,  pand mm0, mm1
MMX mmx_saturating, paddsb mm0, mm1     ; 0 + 0: could saturate, but does not
MMX mmx_load,   movq mm0, [workload_arena]
MMX mmx_store,  movq [workload_arena], mm0
MMX mmx_misaligned, movq mm0, [workload_arena + 4]
MMX mmx_move,   movq mm0, mm1

; All elements already have the largest value.
WORKLOAD mmx_saturates
NEEDS mmx
        I pcmpeqb mm0, mm0
        I movq  mm1, mm0
        I mov   ecx, ROUNDS(0)
        ROUND
        I paddusb mm0, mm1
        NEXT    ecx
        I emms
        B ret
END_WORKLOAD

; Has two instructions that the Pentium executes together.
WORKLOAD mmx_pairs
NEEDS mmx
        I pxor  mm0, mm0
        I pxor  mm1, mm1
        I mov   ecx, ROUNDS(0)
        ROUND
        I paddb mm0, mm2
        I paddb mm1, mm2
        NEXT    ecx
        I emms
        B ret
END_WORKLOAD

; An instruction that needs the product at once waits for the multiplier.
WORKLOAD mmx_mul_use
NEEDS mmx
        I pxor  mm0, mm0
        I pxor  mm1, mm1
        I mov   ecx, ROUNDS(0)
        ROUND
        I pmullw mm0, mm1
        I paddw mm1, mm0
        NEXT    ecx
        I emms
        B ret
END_WORKLOAD

; A store of a sum waits, too.
WORKLOAD mmx_add_store
NEEDS mmx
        I pxor  mm0, mm0
        I mov   ecx, ROUNDS(0)
        ROUND
        I paddb mm0, mm0
        I movq  [workload_arena], mm0
        NEXT    ecx
        I emms
        B ret
END_WORKLOAD

; Walks from the argument, a line of 32 bytes per round.
%macro MMX_WALK 2+
WORKLOAD %1
NEEDS mmx
        I pxor  mm0, mm0
        I mov   ecx, ROUNDS(0)
        I mov   edx, ARGUMENT(0)
        ROUND
        I %2
        I add   edx, 32
        NEXT    ecx
        I emms
        B ret
END_WORKLOAD
%endmacro
MMX_WALK mmx_walk, movq mm0, [xdx]
MMX_WALK mmx_store_walk, movq [xdx], mm0

WORKLOAD emms
NEEDS mmx
        I mov   ecx, ROUNDS(0)
        ROUND
        I emms
        NEXT    ecx
        B ret
END_WORKLOAD

; Changes from MMX to x87 and back, once each per round.
WORKLOAD mmx_x87
NEEDS mmx
        I fninit
        I mov   ecx, ROUNDS(0)
        ROUND
        I pxor  mm0, mm0
        I emms
        I fld1
        I fstp  st0
        END_X87
