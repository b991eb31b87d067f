; SPDX-License-Identifier: MIT
; Defines workloads that compute: with integers, and with the x87, which each leaves empty, with its
; exceptions masked as after FNINIT.

%include "pmu/workload/workload.inc"

extern workload_arena

; Multiplies 1 by EBX; EDX becomes 0 and CF clear.
WORKLOAD mul
        I push  xbx
        I mov   ecx, ROUNDS(1)
        I mov   ebx, 3
        I mov   eax, 1
        ROUND
        I mul   ebx
        NEXT    ecx
        I pop   xbx
        B ret
END_WORKLOAD

WORKLOAD imul_mem
        I mov   ecx, ROUNDS(0)
        I mov   eax, 3
        ROUND
        I imul  eax, [workload_arena]
        NEXT    ecx
        B ret
END_WORKLOAD

WORKLOAD idiv
        I push  xbx
        I mov   ecx, ROUNDS(1)
        I mov   ebx, 3
        I mov   eax, 1000000
        ROUND
        I cdq
        I idiv  ebx
        NEXT    ecx
        I pop   xbx
        B ret
END_WORKLOAD

; Has two instructions that the Pentium executes together, and two that depend on each other.
WORKLOAD pairs
        I mov   ecx, ROUNDS(0)
        ROUND
        I add   eax, 1
        I add   edx, 1
        NEXT    ecx
        B ret
END_WORKLOAD

WORKLOAD unpaired
        I mov   ecx, ROUNDS(0)
        ROUND
        I add   eax, 1
        I add   eax, 1
        NEXT    ecx
        B ret
END_WORKLOAD

; The address of the load is ready one clock after the previous instruction.
WORKLOAD agi
        I mov   ecx, ROUNDS(0)
        I mov   edx, workload_arena
        ROUND
        I add   edx, 0
        I mov   eax, [xdx]
        NEXT    ecx
        B ret
END_WORKLOAD

; The 32-bit read of EAX waits until the write of AL has retired.
WORKLOAD partial_register
        I mov   ecx, ROUNDS(0)
        ROUND
        I mov   al, 1
        I mov   edx, eax
        NEXT    ecx
        B ret
END_WORKLOAD

; A prefix changes the instruction's length, so decoders find its end late.
WORKLOAD length_prefix
        I mov   ecx, ROUNDS(0)
        ROUND
        I mov   ax, 0x1234
        NEXT    ecx
        B ret
END_WORKLOAD

; A return without a call: it goes to the address that was pushed before it.
WORKLOAD push_ret
        I mov   ecx, ROUNDS(0)
        ROUND
        I push  .on
        B ret
.on:
        NEXT    ecx
        B ret
END_WORKLOAD

; ----------------------------------------------------------------------- x87

; X87 name, instruction: one per round, on operands of 1.
%macro X87 2+
WORKLOAD %1
        I fninit
        I fld1
        I fld1
        I mov   ecx, ROUNDS(0)
        ROUND
        I %2
        END_X87
%endmacro

X87 fadd, fadd st0, st1
X87 fsub, fsub st0, st1
X87 fcom, fcom st1
X87 fmul, fmul st0, st1
X87 fdiv, fdiv st0, st1
X87 fsqrt, fsqrt
X87 fxch, fxch st1

; Moves compute nothing: a constant in and out, and a number of 80 bits in and out.
WORKLOAD fld1
        I fninit
        I mov   ecx, ROUNDS(0)
        ROUND
        I fld1
        I fstp  st0
        END_X87

WORKLOAD fld80
        I fninit
        I mov   ecx, ROUNDS(0)
        ROUND
        I fld   tword [.number]
        I fstp  st0
        END_X87_NUMBER 1.0

WORKLOAD fstp80
        I fninit
        I mov   ecx, ROUNDS(0)
        ROUND
        I fld1
        I fstp  tword [workload_arena]
        END_X87

; Moves a number of 64 bits in and out.
WORKLOAD fld_fstp
        I fninit
        I mov   ecx, ROUNDS(0)
        ROUND
        I fld1
        I fstp  qword [workload_arena]
        I fld   qword [workload_arena]
        I fstp  st0
        END_X87

; Adds the smallest denormal number of the 80-bit format and 1: this raises the masked
; denormal-operand exception each time.
WORKLOAD fp_assist
        I fninit
        I fld   tword [.denormal]
        I fld1
        I mov   ecx, ROUNDS(0)
        ROUND
        I fnclex
        I fadd  st0, st1
        NEXT    ecx
        I fninit
        B ret
[section .rodata]
        align   16
.denormal:
        dd      1, 0
        dw      0
__?SECT?__
END_WORKLOAD

; ----------------------------------------------------------------------- x87 assists, one per round

; st1 is empty.
WORKLOAD fp_stack_underflow
        I fninit
        I mov   ecx, ROUNDS(0)
        ROUND
        I fadd  st0, st1
        END_X87

; No register is empty.
WORKLOAD fp_stack_overflow
        I fninit
    %rep 8
        I fld1
    %endrep
        I mov   ecx, ROUNDS(0)
        ROUND
        I fld1
        END_X87

; FP_SQUARE name, number: the number's square is outside the 80-bit format.
%macro FP_SQUARE 2
WORKLOAD %1
        I fninit
        I fld   tword [.number]
        I mov   ecx, ROUNDS(0)
        ROUND
        I fnclex
        I fld   st0
        I fmul  st0, st1
        I fstp  st0
        END_X87_NUMBER %2
%endmacro
FP_SQUARE fp_overflow,  1.0e4000
FP_SQUARE fp_underflow, 1.0e-4000
