; SPDX-License-Identifier: MIT
; Defines workloads with SSE2 instructions; CR4.OSFXSR must be set (pmu_workload_begin()).

%include "pmu/workload/workload.inc"

; SSE2 name, instruction: one per round. Both registers are 0.
%macro SSE2 2+
        XMM_LOOP %1, sse2, %2
%endmacro

SSE2 sse2_add_packed, addpd xmm0, xmm1
SSE2 sse2_add_scalar, addsd xmm0, xmm1
SSE2 sse2_add_integer, paddb xmm0, xmm1
