; SPDX-License-Identifier: MIT
; A workload of workload.h for events of the P5.

%include "pmu/workload/workload.inc"

; Reads and writes a line of 32 bytes a round, from the argument on. A write alone that misses does
; not bring the line into a Pentium's cache.
WORKLOAD modify_walk32
        I mov   ecx, ROUNDS(0)
        I mov   edx, ARGUMENT(0)
        ROUND
        I inc   dword [xdx]
        I add   edx, 32
        NEXT    ecx
        B ret
END_WORKLOAD
