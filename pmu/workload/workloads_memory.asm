; SPDX-License-Identifier: MIT
; Defines workloads that read and write memory, each in one way. Those without an argument use the
; first bytes of workload_arena, which begins a page.

%include "pmu/workload/workload.inc"

extern workload_arena

SMALL_LINE     equ 32                   ; line size of caches up to the Pentium III
PAGE           equ 4096

WORKLOAD load
        I mov   ecx, ROUNDS(0)
        ROUND
        I mov   eax, [workload_arena]
        NEXT    ecx
        B ret
END_WORKLOAD

WORKLOAD store
        I mov   ecx, ROUNDS(0)
        ROUND
        I mov   [workload_arena], eax
        NEXT    ecx
        B ret
END_WORKLOAD

; Reads and writes with one instruction.
WORKLOAD load_store
        I mov   ecx, ROUNDS(0)
        ROUND
        I add   dword [workload_arena], 1
        NEXT    ecx
        B ret
END_WORKLOAD

WORKLOAD push_pop
        I mov   ecx, ROUNDS(0)
        ROUND
        I push  xax
        I pop   xax
        NEXT    ecx
        B ret
END_WORKLOAD

; Reads at the argument's address, which may be that of a device's register.
WORKLOAD load_at
        I mov   ecx, ROUNDS(0)
        I mov   edx, ARGUMENT(0)
        ROUND
        I mov   eax, [xdx]
        NEXT    ecx
        B ret
END_WORKLOAD

WORKLOAD store_at
        I mov   ecx, ROUNDS(0)
        I mov   edx, ARGUMENT(0)
        I xor   eax, eax
        ROUND
        I mov   [xdx], eax
        NEXT    ecx
        B ret
END_WORKLOAD

; Two instructions that the Pentium executes together, in different and in equal banks of its cache,
; which bits 4 to 2 of the address select.
WORKLOAD load_two_banks
        I mov   ecx, ROUNDS(0)
        ROUND
        I mov   eax, [workload_arena]
        I mov   edx, [workload_arena + 4]
        NEXT    ecx
        B ret
END_WORKLOAD

WORKLOAD load_one_bank
        I mov   ecx, ROUNDS(0)
        ROUND
        I mov   eax, [workload_arena]
        I mov   edx, [workload_arena + SMALL_LINE]
        NEXT    ecx
        B ret
END_WORKLOAD

; Reads from two addresses that are 64 KBytes apart.
WORKLOAD load_64k
        I mov   ecx, ROUNDS(0)
        ROUND
        I mov   eax, [workload_arena]
        I mov   edx, [workload_arena + 0x10000]
        NEXT    ecx
        B ret
END_WORKLOAD

; ----------------------------------------------------------------------- across boundaries

; Reads from 2 to 6, across a boundary of four bytes but not of eight.
WORKLOAD misaligned4_load
        I mov   ecx, ROUNDS(0)
        ROUND
        I mov   eax, [workload_arena + 2]
        NEXT    ecx
        B ret
END_WORKLOAD

; Reads from 6 to 10, also across a boundary of eight bytes, within a line.
WORKLOAD misaligned_load
        I mov   ecx, ROUNDS(0)
        ROUND
        I mov   eax, [workload_arena + 6]
        NEXT    ecx
        B ret
END_WORKLOAD

WORKLOAD misaligned_store
        I mov   ecx, ROUNDS(0)
        ROUND
        I mov   [workload_arena + 6], eax
        NEXT    ecx
        B ret
END_WORKLOAD

; Reads across lines of 64 and of 32 bytes.
WORKLOAD split_load
        I mov   ecx, ROUNDS(0)
        ROUND
        I mov   eax, [workload_arena + 62]
        NEXT    ecx
        B ret
END_WORKLOAD

WORKLOAD split_store
        I mov   ecx, ROUNDS(0)
        ROUND
        I mov   [workload_arena + 62], eax
        NEXT    ecx
        B ret
END_WORKLOAD

; Has an instruction with two loads.
WORKLOAD cmps
        I push  xsi
        I push  xdi
        I mov   ecx, ROUNDS(2)
        ROUND
        I mov   esi, workload_arena
        I mov   edi, workload_arena
        I cmpsd
        NEXT    ecx
        I pop   xdi
        I pop   xsi
        B ret
END_WORKLOAD

; Reads and writes a doubleword, then has one instruction with a load that hits and a store to the
; next line of 64 bytes from the argument.
WORKLOAD copy_walk
        I push  xsi
        I push  xdi
        I mov   ecx, ROUNDS(2)
        I mov   edi, ARGUMENT(2)
        ROUND
        I mov   esi, workload_arena
        I add   dword [workload_arena], 0
        I movsd
        I add   edi, 60
        NEXT    ecx
        I pop   xdi
        I pop   xsi
        B ret
END_WORKLOAD

; Each load needs bytes of which the previous store wrote only a part, so it waits until the store
; is in the cache.
WORKLOAD blocked_load
        I mov   ecx, ROUNDS(0)
        ROUND
        I mov   [workload_arena], ax
        I mov   edx, [workload_arena]
        NEXT    ecx
        B ret
END_WORKLOAD

; Each load needs bytes that the previous store wrote, except the first ones.
WORKLOAD inside_load
        I mov   ecx, ROUNDS(0)
        ROUND
        I mov   [workload_arena], eax
        I mov   dx, [workload_arena + 2]
        NEXT    ecx
        B ret
END_WORKLOAD

; ----------------------------------------------------------------------- walks from the argument

WORKLOAD walk32
        I mov   ecx, ROUNDS(0)
        I mov   edx, ARGUMENT(0)
        ROUND
        I mov   eax, [xdx]
        I add   edx, SMALL_LINE
        NEXT    ecx
        B ret
END_WORKLOAD

WORKLOAD store_walk32
        I mov   ecx, ROUNDS(0)
        I mov   edx, ARGUMENT(0)
        I xor   eax, eax
        ROUND
        I mov   [xdx], eax
        I add   edx, SMALL_LINE
        NEXT    ecx
        B ret
END_WORKLOAD

; Touches one line of each page, the next line in the next page, so that they are not all in one set
; of a cache.
WORKLOAD page_walk
        I mov   ecx, ROUNDS(0)
        I mov   edx, ARGUMENT(0)
        ROUND
        I mov   eax, [xdx]
        I add   edx, PAGE + SMALL_LINE
        NEXT    ecx
        B ret
END_WORKLOAD

WORKLOAD page_store_walk
        I mov   ecx, ROUNDS(0)
        I mov   edx, ARGUMENT(0)
        I xor   eax, eax
        ROUND
        I mov   [xdx], eax
        I add   edx, PAGE + SMALL_LINE
        NEXT    ecx
        B ret
END_WORKLOAD

; ----------------------------------------------------------------------- instructions of the system

; Each page that was translated must be translated again.
WORKLOAD invlpg
        I mov   ecx, ROUNDS(0)
        ROUND
        I invlpg [workload_arena]
        I mov   eax, [workload_arena]
        NEXT    ecx
        B ret
END_WORKLOAD

; It drops the page of its own next instruction.
WORKLOAD invlpg_code
        I mov   ecx, ROUNDS(0)
        ROUND
        I invlpg [.next]
.next:
        NEXT    ecx
        B ret
END_WORKLOAD

WORKLOAD cr3
        I mov   ecx, ROUNDS(0)
        I mov   xax, cr3
        ROUND
        I mov   cr3, xax
        NEXT    ecx
        B ret
END_WORKLOAD

; Drops all lines, after writing the modified ones to memory.
WORKLOAD wbinvd
        I mov   ecx, ROUNDS(0)
        ROUND
        I wbinvd
        NEXT    ecx
        B ret
END_WORKLOAD

; Reloads a segment register with its own value.
%macro SEGMENT_LOADS 1
WORKLOAD load_%1
        I mov   ecx, ROUNDS(0)
        I mov   eax, %1
        ROUND
        I mov   %1, eax
        NEXT    ecx
        B ret
END_WORKLOAD
%endmacro
SEGMENT_LOADS ds
SEGMENT_LOADS es
SEGMENT_LOADS fs
SEGMENT_LOADS gs

WORKLOAD lgdt
        I mov   ecx, ROUNDS(0)
        I sgdt  [workload_arena]
        ROUND
        I lgdt  [workload_arena]
        NEXT    ecx
        B ret
END_WORKLOAD

; STI allows no interrupt before the next instruction.
WORKLOAD sti_cli
        I mov   ecx, ROUNDS(0)
        I pushfn
        ROUND
        I sti
        I cli
        NEXT    ecx
        I popfn
        B ret
END_WORKLOAD

WORKLOAD loop_unmasked
        I mov   ecx, ROUNDS(0)
        I pushfn
        I sti
        ROUND
        NEXT    ecx
        I popfn
        B ret
END_WORKLOAD
