; SPDX-License-Identifier: MIT
; Defines workloads with SSE instructions; CR4.OSFXSR must be set (pmu_workload_begin()).

%include "pmu/workload/workload.inc"

extern workload_arena

; SSE name, instruction: one per round. Both registers are 0.
%macro SSE 2+
        XMM_LOOP %1, sse, %2
%endmacro

SSE sse_add_packed, addps xmm0, xmm1
SSE sse_add_scalar, addss xmm0, xmm1
SSE sse_load,   movaps xmm0, [workload_arena]
SSE sse_move,   movaps xmm0, xmm1
SSE sse_move_scalar, movss xmm0, xmm1
SSE prefetchnta, prefetchnta [workload_arena]
SSE prefetcht0, prefetcht0 [workload_arena]
SSE prefetcht1, prefetcht1 [workload_arena]
SSE prefetcht2, prefetcht2 [workload_arena]
SSE movntps,    movntps [workload_arena], xmm0

; 32 additions of four numbers a round, of which some retire in one clock.
WORKLOAD sse_adds
NEEDS sse
        I xorps xmm0, xmm0
        I mov   ecx, ROUNDS(0)
        ROUND
%rep 32
        I addps xmm0, xmm0
%endrep
        NEXT    ecx
        B ret
END_WORKLOAD

; Walks from the argument, a line of 32 bytes per round. Another instruction may be added.
%macro SSE_WALK 2-3
WORKLOAD %1
NEEDS sse
        I xorps xmm0, xmm0
        I mov   ecx, ROUNDS(0)
        I mov   edx, ARGUMENT(0)
        ROUND
        I %2
%if %0 > 2
        I %3
%endif
        I add   edx, 32
        NEXT    ecx
        B ret
END_WORKLOAD
%endmacro
SSE_WALK prefetchnta_walk, {prefetchnta [xdx]}
SSE_WALK prefetcht1_walk, {prefetcht1 [xdx]}
SSE_WALK prefetcht2_walk, {prefetcht2 [xdx]}
SSE_WALK movntps_walk, {movntps [xdx], xmm0}
SSE_WALK movntps_lines, {movntps [xdx], xmm0}, {movntps [xdx + 16], xmm0}

; The sum of a denormal number and 0 is denormal again.
WORKLOAD sse_denormal
NEEDS sse
        I movaps xmm0, [.denormal]
        I xorps xmm1, xmm1
        I mov   ecx, ROUNDS(0)
        ROUND
        I addps xmm0, xmm1
        NEXT    ecx
        B ret
[section .rodata]
        align   16
.denormal:
        dd      1, 1, 1, 1
__?SECT?__
END_WORKLOAD
