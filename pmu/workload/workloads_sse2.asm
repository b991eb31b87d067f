; SPDX-License-Identifier: MIT
; Defines workloads with SSE2 instructions; CR4.OSFXSR must be set (pmu_workload_begin()).

%include "pmu/workload/workload.inc"

; SSE2 name, instruction: one per round. Both registers are 0.
%macro SSE2 2+
WORKLOAD %1
NEEDS sse2
        I xorps xmm0, xmm0
        I xorps xmm1, xmm1
        I mov   ecx, ROUNDS(0)
        ROUND
        I %2
        NEXT    ecx
        B ret
END_WORKLOAD
%endmacro

SSE2 sse2_add_packed, addpd xmm0, xmm1
SSE2 sse2_add_scalar, addsd xmm0, xmm1
SSE2 sse2_add_integer, paddb xmm0, xmm1
