; SPDX-License-Identifier: MIT
; Defines the workloads of workload.h. Each is called as code(rounds, argument) and preserves XBX,
; XSI, XDI and XBP, which C functions of either kernel preserve. It may clobber all other registers
; and uses a few bytes of stack.

%include "regs.inc"
%include "pmu/workload/workload.inc"

VECTOR_GATE    equ 0x51                 ; for workload_int_iret; otherwise unused
VECTOR_UD      equ 6
ARENA_SIZE     equ 0x100000
LINE           equ 64

; Each processor has its own. Nobody needs it cleared, which takes an emulator a while.
section .bss.uncleared nobits alloc noexec write align=4096
global workload_arena
workload_arena:
        resb    ARENA_SIZE
global workload_arena_end
workload_arena_end:

WORKLOAD empty
        B ret
END_WORKLOAD

WORKLOAD loop
        I mov   ecx, ROUNDS(0)
        ROUND
        NEXT    ecx
        B ret
END_WORKLOAD

; The sled begins at a line of its own, unlike the code before it. A round is one NOP of the sled.
SLED_SIZE      equ 4096
WORKLOAD nops
        I mov   eax, .sled_end
        I sub   eax, ROUNDS(0)
        B jmp   xax
.unused:
        times   LINE - ($ - code_nops) int3
.unused_end:
.sled:
        times   SLED_SIZE nop
.sled_end:
        B ret
    %assign wl_insns_each 1
END_WORKLOAD
global workload_nops_sled
workload_nops_sled equ code_nops.sled

WORKLOAD movsb
        I push  xbx
        I push  xsi
        I push  xdi
        I mov   ebx, ROUNDS(3)
        I mov   edx, ARGUMENT(3)
        ROUND
        I mov   esi, workload_arena
        I mov   edi, workload_arena + ARENA_SIZE / 2
        I mov   ecx, edx
        I rep movsb
        NEXT    ebx
        I pop   xdi
        I pop   xsi
        I pop   xbx
        B ret
END_WORKLOAD

WORKLOAD stosd
        I push  xdi
        I mov   edx, ROUNDS(1)
        I xor   eax, eax
        ROUND
        I mov   edi, workload_arena
        I mov   ecx, ARGUMENT(1)
        I rep stosd
        NEXT    edx
        I pop   xdi
        B ret
END_WORKLOAD

WORKLOAD cpuid
        I push  xbx
        I push  xsi
        I mov   esi, ROUNDS(2)
        ROUND
        I xor   eax, eax
        I cpuid
        NEXT    esi
        I pop   xsi
        I pop   xbx
        B ret
END_WORKLOAD

WORKLOAD enter_leave
        I mov   ecx, ROUNDS(0)
        ROUND
        I enter 8, 0
        I leave
        NEXT    ecx
        B ret
END_WORKLOAD

; DEC leaves CF alone.
WORKLOAD jcc_taken
        I mov   ecx, ROUNDS(0)
        I stc
        ROUND
        B jc    .on
.on:
        NEXT    ecx
        B ret
END_WORKLOAD

WORKLOAD jcc_not_taken
        I mov   ecx, ROUNDS(0)
        I clc
        ROUND
        N jc    .on
.on:
        NEXT    ecx
        B ret
END_WORKLOAD

WORKLOAD jmp
        I mov   ecx, ROUNDS(0)
        ROUND
        B jmp   .on
.on:
        NEXT    ecx
        B ret
END_WORKLOAD

WORKLOAD jmp_indirect
        I mov   ecx, ROUNDS(0)
        I mov   eax, .on
        ROUND
        B jmp   xax
.on:
        NEXT    ecx
        B ret
END_WORKLOAD

; Ends a workload whose rounds call code that only returns, by this instruction.
%macro END_CALLS 1
        NEXT    ecx
        B ret
        CALLED
        B %1
        END_CALLED
END_WORKLOAD
%endmacro

WORKLOAD call
        I mov   ecx, ROUNDS(0)
        ROUND
        B call  .called
        END_CALLS ret

WORKLOAD call_indirect
        I mov   ecx, ROUNDS(0)
        I mov   eax, .called
        ROUND
        B call  xax
        END_CALLS ret

; LOOP closes the round itself; the last one falls through.
WORKLOAD loop_insn
        I mov   ecx, ROUNDS(0)
        ROUND
        B loop  .round
        END_ROUND
    %assign wl_taken_once wl_taken_once - 1
        B ret
END_WORKLOAD

WORKLOAD jecxz
        I mov   edx, ROUNDS(0)
        I xor   ecx, ecx
        ROUND
        B jecxz .on
.on:
        NEXT    edx
        B ret
END_WORKLOAD

WORKLOAD far_jmp
        I mov   ecx, ROUNDS(0)
        ROUND
        FAR     jmp, .on
.on:
        NEXT    ecx
        B ret
END_WORKLOAD

WORKLOAD far_call
        I mov   ecx, ROUNDS(0)
        ROUND
        FAR     call, .called
        END_CALLS retf

WORKLOAD int_iret
        I mov   ecx, ROUNDS(0)
        ROUND
        B int   VECTOR_GATE
        END_CALLS iretn

WORKLOAD iret
        I mov   ecx, ROUNDS(0)
        ROUND
        PUSH_IRET_FRAME .on, xdx
        B iretn
.on:
        NEXT    ecx
        B ret
END_WORKLOAD

; The handler skips the two bytes of UD2.
WORKLOAD fault
        I mov   ecx, ROUNDS(0)
        ROUND
        F ud2
        NEXT    ecx
        B ret
        CALLED
        I add   dword [xsp], 2
        B iretn
        END_CALLED
END_WORKLOAD

; The call's return goes to a place other than the next instruction, so its prediction is wrong each
; time. The instructions that follow the CALL never retire.
WORKLOAD wrong_path
NEEDS sse
        I mov   ecx, ROUNDS(0)
        I mov   edx, .on
        ROUND
        B call  .called
.unused:
        mov     eax, [workload_arena]
        mov     [workload_arena], eax
        fld1
        fadd    st0, st1
        paddb   mm0, mm1
        addps   xmm0, xmm1
        addss   xmm0, xmm1
        jc      .on
        call    .called
.unused_end:
.on:
        NEXT    ecx
        B ret
        CALLED
        I mov   [xsp], xdx
        B ret
        END_CALLED
END_WORKLOAD

; ROR moves the next bit into CF; the next instruction is the same, taken or not.
WORKLOAD pattern
        I mov   ecx, ROUNDS(0)
        I mov   edx, ARGUMENT(0)
        ROUND
        I ror   edx, 1
        D jc    .on
.on:
        NEXT    ecx
        B ret
END_WORKLOAD

; Steps a shift register of full length (Galois form, taps 32, 22, 2, 1), which repeats after 2^32 -
; 1 steps.
TAPS           equ 0x80200003
WORKLOAD random
        I mov   ecx, ROUNDS(0)
        I mov   eax, ARGUMENT(0)
        ROUND
        I shr   eax, 1
        I sbb   edx, edx
        I and   edx, TAPS
        I xor   eax, edx
        I test  al, 1
        D jnz   .on
.on:
        NEXT    ecx
        B ret
END_WORKLOAD

; The dividend's upper half is smaller than the divisor, so the quotient fits and there is no #DE.
WORKLOAD divide
        I push  xbx
        I mov   ecx, ROUNDS(1)
        I mov   ebx, 0x87654321
        ROUND
        I mov   edx, 0x12345678
        I mov   eax, 0x9abcdef0
        I div   ebx
        NEXT    ecx
        I pop   xbx
        B ret
END_WORKLOAD

WORKLOAD walk
        I mov   ecx, ROUNDS(0)
        I mov   edx, ARGUMENT(0)
        ROUND
        I mov   eax, [xdx]
        I add   edx, LINE
        NEXT    ecx
        B ret
END_WORKLOAD

WORKLOAD store_walk
        I mov   ecx, ROUNDS(0)
        I mov   edx, ARGUMENT(0)
        I xor   eax, eax
        ROUND
        I mov   [xdx], eax
        I add   edx, LINE
        NEXT    ecx
        B ret
END_WORKLOAD

; struct workload_gate: vector, handler
section .rodata
align 4
global workload_gates
workload_gates:
        dd      VECTOR_GATE, code_int_iret.called
        dd      VECTOR_UD, code_fault.called
