; SPDX-License-Identifier: MIT
; Defines workloads that lock the bus, and workloads that read and write ports.

%include "pmu/workload/workload.inc"

extern workload_arena

; Reads and writes with a lock.
WORKLOAD lock_inc
        I mov   ecx, ROUNDS(0)
        ROUND
        I lock inc dword [workload_arena]
        NEXT    ecx
        B ret
END_WORKLOAD

; XCHG with memory locks without a LOCK prefix.
WORKLOAD xchg
        I mov   ecx, ROUNDS(0)
        ROUND
        I xchg  eax, [workload_arena]
        NEXT    ecx
        B ret
END_WORKLOAD

; Locks across two lines, which locks the bus itself.
WORKLOAD split_lock
        I mov   ecx, ROUNDS(0)
        ROUND
        I lock inc dword [workload_arena + 62]
        NEXT    ecx
        B ret
END_WORKLOAD

; Port 80H takes the firmware's progress codes, so one more byte does no harm.
PORT           equ 0x80

WORKLOAD in_port
        I mov   ecx, ROUNDS(0)
        ROUND
        I in    al, PORT
        NEXT    ecx
        B ret
END_WORKLOAD

WORKLOAD out_port
        I mov   ecx, ROUNDS(0)
        ROUND
        I out   PORT, al
        NEXT    ecx
        B ret
END_WORKLOAD
