; SPDX-License-Identifier: MIT
; Leads from the boot loader to the 64-bit kernel_main(). In: EAX = the loader's magic, EBX = its
; information, 32-bit protected mode with flat segments, paging off, interrupts off; no stack.

%include "regs.inc"
%include "arch/modes/entry.inc"

section .text

extern kernel_main
extern bss_start
extern bss_end
extern stack_top
extern page_tables
extern no_long_mode
extern entry_gdtr

LEAF_EXTENDED      equ 0x80000000
LEAF_FEATURES      equ 0x80000001
FEATURE_LM         equ 1 << 29          ; in EDX
PAGES              equ 4 * 512          ; of 2 MB: the first 4 GB

bits 32
global _start
_start:
        cli
        cld
        mov     ebp, eax
        mov     esi, ebx
        CLEAR_BSS
        call    is_64bit
        jz      no_long_mode
        call    fill_page_tables
        mov     eax, CR4_PAE            ; clears what firmware left: LA57 needs other tables,
        mov     cr4, eax                ; SMEP and SMAP would keep the kernel from pages of CPL 3
        mov     eax, page_tables
        mov     cr3, eax
        mov     ecx, IA32_EFER
        rdmsr
        or      eax, IA32_EFER_LME
        wrmsr
        lgdt    [entry_gdtr]
        mov     eax, cr0
        or      eax, CR0_PG
        mov     cr0, eax
        jmp     SELECTOR_KERNEL_CODE:.long

bits 64
.long:
        LOAD_DATA_SEGMENTS SELECTOR_KERNEL_DATA
        mov     rsp, stack_top
        mov     edi, ebp                ; the upper halves become 0
        mov     esi, esi
        xor     ebp, ebp                ; the end of every backtrace
        call    kernel_main
.halt:                                  ; kernel_main does not return
        cli
        hlt
        jmp     .halt

bits 32
; Tests for long mode.   out: ZF = 1 without it   clobbers: eax, ebx, ecx, edx
is_64bit:
        pushfd
        pop     eax
        mov     ecx, eax
        xor     eax, EFLAGS_ID
        push    eax
        popfd
        pushfd
        pop     eax
        cmp     eax, ecx                ; equal: no CPUID
        je      .end
        mov     eax, LEAF_EXTENDED
        cpuid
        xor     edx, edx
        cmp     eax, LEAF_FEATURES
        jb      .decide
        mov     eax, LEAF_FEATURES
        cpuid
.decide:
        test    edx, FEATURE_LM
.end:
        ret

; Maps the first 4 GB to themselves; paging_init() refines that later.
; clobbers: eax, ecx, edx, edi
fill_page_tables:
        mov     eax, page_tables + TABLES_PDPT + PAGE_ALL
        mov     [page_tables + TABLES_PML4], eax
        mov     eax, page_tables + TABLES_PD + PAGE_ALL
        mov     edi, page_tables + TABLES_PDPT
        mov     ecx, 4
.next_gb:
        mov     [edi], eax
        add     eax, 4096
        add     edi, 8
        loop    .next_gb
        mov     eax, PAGE_ALL + PAGE_PS
        mov     edi, page_tables + TABLES_PD
        mov     ecx, PAGES
.next_page:
        mov     [edi], eax
        add     eax, 1 << 21
        add     edi, 8
        loop    .next_page
        ret
