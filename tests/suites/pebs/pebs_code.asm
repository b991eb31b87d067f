; SPDX-License-Identifier: MIT
; Code that PEBS samples; see pebs_code.h.

%include "arch/cpu/native.inc"

extern workload_arena

%define NOPS    480
%define JUMPS   33

section .rodata
        align   16
; The registers' values, in the order in which instructions number registers; all halves differ.
global pebs_patterns
pebs_patterns:
%assign i 0
%rep 16
        dq      0x2badcafe1eafc0de ^ (i * 0x1100000011000000) ^ (i << 32) ^ i
    %assign i i + 1
%endrep
global pebs_xmm
pebs_xmm:
%assign i 0
%rep 16
        dq      0x0123456789abcdef + i * 0x1010000010100000
        dq      0x76543210fedcba98 - i * 0x0101000001010000
    %assign i i + 1
%endrep

section .text

%macro LOAD 2                           ; register, its number
        mov     %1, [pebs_patterns + 8 * %2]
%endmacro

%macro LOAD_XMM 1
        movups  xmm%1, [pebs_xmm + 16 * %1]
%endmacro

; void pebs_nops(uint32_t rounds, uint32_t argument)
; rounds: ignored; argument: 1: XMM registers are loaded, too
; jumps, each to the next; from pebs_sled to pebs_sled_end NOPs, with CF, PF, AF, SF = 1, ZF, OF = 0
; and every register known
global pebs_nops, pebs_jump_first, pebs_sled, pebs_sled_end
pebs_nops:
        mov     eax, SECOND(0)
        push    xbx
        push    xbp
%if NATIVE_SIZE == 4
        push    esi
        push    edi
%else
        push    r12
        push    r13
        push    r14
        push    r15
%endif
        test    eax, 1
        jz      .no_xmm
%assign i 0
%rep 2 * NATIVE_SIZE
    %if NATIVE_SIZE == 8 || i < 8
        LOAD_XMM i
    %endif
    %assign i i + 1
%endrep
.no_xmm:
        mov     [pebs_stack], xsp
        xor     eax, eax
        sub     eax, 1
        LOAD    xax, 0
        LOAD    xcx, 1
        LOAD    xdx, 2
        LOAD    xbx, 3
        LOAD    xbp, 5
        LOAD    xsi, 6
        LOAD    xdi, 7
%if NATIVE_SIZE == 8
    %assign i 8
    %rep 8
        LOAD    r%[i], i
      %assign i i + 1
    %endrep
%endif
        jmp     pebs_jump_first
        align   8, int3
pebs_jump_first:
%rep JUMPS
        jmp     short $ + 8
        align   8, int3
%endrep
pebs_sled:
        times NOPS nop
pebs_sled_end:
%if NATIVE_SIZE == 4
        pop     edi
        pop     esi
%else
        pop     r15
        pop     r14
        pop     r13
        pop     r12
%endif
        pop     xbp
        pop     xbx
        ret

; One event a round, by the instruction at %1_guilty, which %1_next follows. edx: the argument; eax:
; 0; ecx: the rounds that are left. %2: added to edx each round; %3 ...: the instruction
%macro GUILTY 3+
global %1, %1_guilty, %1_next
        align   16
%1:
        mov     ecx, FIRST(0)
        mov     edx, SECOND(0)
        xor     eax, eax
%%round:
        times 2 nop
%1_guilty:
        %3
%1_next:
        times 5 nop
        add     edx, %2
        dec     ecx
        jnz     %%round
        ret
%endmacro

GUILTY pebs_walk, 64, mov eax, [xdx]
GUILTY pebs_page_walk, 4096 + 64, mov eax, [xdx]
GUILTY pebs_page_store, 4096 + 64, mov [xdx], eax
GUILTY pebs_load, 0, mov eax, [xdx]
GUILTY pebs_store, 0, mov [xdx], eax
GUILTY pebs_packed_sp, 0, addps xmm0, xmm1
GUILTY pebs_scalar_sp, 0, addss xmm0, xmm1
GUILTY pebs_packed_dp, 0, addpd xmm0, xmm1
GUILTY pebs_scalar_dp, 0, addsd xmm0, xmm1
GUILTY pebs_mmx_128, 0, paddb xmm0, xmm1
GUILTY pebs_mmx_64, 0, paddb mm0, mm1
GUILTY pebs_x87, 0, fadd st0, st0

; The load needs more bytes than the preceding store has.
global pebs_blocked, pebs_blocked_guilty, pebs_blocked_next
        align   16
pebs_blocked:
        mov     ecx, FIRST(0)
        mov     edx, SECOND(0)
pebs_blocked_round:
        mov     [xdx], ax
pebs_blocked_guilty:
        mov     eax, [xdx]
pebs_blocked_next:
        times 5 nop
        dec     ecx
        jnz     pebs_blocked_round
        ret

section .bss
global pebs_stack
        align   8
pebs_stack: resn 1
