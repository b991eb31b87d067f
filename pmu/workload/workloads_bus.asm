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

; Branches with locks between them: two conditional ones and a JMP, beside the round's own.
WORKLOAD locked_branches
        I mov   ecx, ROUNDS(0)
        ROUND
        I lock add dword [workload_arena], byte 1
        I stc
        B jc    .one
.one:
        I lock xadd [workload_arena], eax
        B jmp   .two
.two:
        I lock cmpxchg [workload_arena], edx
        I stc
        B jc    .three
.three:
        I xchg  eax, [workload_arena]
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

; REP INSB and REP OUTSB of `argument` bytes per round.
WORKLOAD rep_insb
        I push  xbx
        I push  xdi
        I mov   ebx, ROUNDS(2)
        ROUND
        I mov   edx, PORT
        I mov   edi, workload_arena
        I mov   ecx, ARGUMENT(2)
        I rep insb
        NEXT    ebx
        I pop   xdi
        I pop   xbx
        B ret
END_WORKLOAD

WORKLOAD rep_outsb
        I push  xbx
        I push  xsi
        I push  xdi
        I mov   ebx, ROUNDS(3)
        I mov   edi, ARGUMENT(3)
        ROUND
        I mov   edx, PORT
        I mov   esi, workload_arena
        I mov   ecx, edi
        I rep outsb
        NEXT    ebx
        I pop   xdi
        I pop   xsi
        I pop   xbx
        B ret
END_WORKLOAD
