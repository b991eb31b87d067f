/* SPDX-License-Identifier: MIT */
/*
 * Defines the 32-bit task-state segment. Source: SDM 3A, figure "32-Bit Task-State Segment (TSS)".
 */
#ifndef ARCH_MODES_X86_32_TSS_H
#define ARCH_MODES_X86_32_TSS_H

#include <stdint.h>

struct tss {
	uint16_t link, reserved_link;
	uint32_t esp0, ss0, esp1, ss1, esp2, ss2;
	uint32_t cr3, eip, eflags;
	uint32_t eax, ecx, edx, ebx, esp, ebp, esi, edi;
	uint32_t es, cs, ss, ds, fs, gs;
	uint32_t ldt;
	uint16_t trap, io_map_base;
};

_Static_assert(sizeof(struct tss) == 104, "struct tss: the SDM's minimum TSS is 104 bytes");

/* Holds the kernel's own task. The processor switches to its esp0 from CPL 1, 2, 3 and VM86. */
extern struct tss kernel_tss;

#endif
