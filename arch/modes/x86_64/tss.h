/* SPDX-License-Identifier: MIT */
/* Defines the 64-bit task-state segment. Source: SDM 3A, figure "64-Bit TSS Format". */
#ifndef ARCH_MODES_X86_64_TSS_H
#define ARCH_MODES_X86_64_TSS_H

#include <stdint.h>

struct tss {
	uint32_t reserved_0;
	uint64_t rsp0, rsp1, rsp2;
	uint64_t reserved_1;
	uint64_t ist[7];               /* IST1 first */
	uint64_t reserved_2;
	uint16_t reserved_3, io_map_base;
} __attribute__((packed));

_Static_assert(sizeof(struct tss) == 104, "struct tss: the SDM's 64-bit TSS has 104 bytes");

/* Holds the only TSS. The processor switches to its rsp0 from CPL 1, 2 and 3. */
extern struct tss kernel_tss;

#endif
