/* SPDX-License-Identifier: MIT */
/* Which processors the firmware says there are: ACPI's MADT, else the MP table. */
#ifndef KERNEL_MACHINE_PROCESSORS_H
#define KERNEL_MACHINE_PROCESSORS_H

#include <stdint.h>

#include <kernel/loader/bootinfo.h>

enum {
	PROCESSORS_MAX = 64,
	PROCESSORS_PROBLEM_SIZE = 96,
};

struct processors {
	const char *source;             /* "ACPI MADT", "MP table"; "none": there are none then */
	uint32_t apic_id[PROCESSORS_MAX];       /* in the table's order, enabled ones, each once */
	unsigned count;
	unsigned disabled;              /* listed, but not to be started */
	unsigned dropped;               /* beyond PROCESSORS_MAX */
	char problem[PROCESSORS_PROBLEM_SIZE];  /* the first problem, a sentence; "": none */
};

/*
 * To be called before paging_init(), which takes page 0 away: the BIOS's words are there. The RSDP
 * is the boot loader's, or found as under BIOS: in the first KB of the EBDA and from E0000H to
 * FFFFFH; the MP table is in one of those places or at the end of base memory. EFI firmware has
 * neither there. Whatever *p held is gone; only what mem gives is read, however wrong it is.
 *
 * A processor that is listed twice is one. 0FFH of 8 bits and FFFFFFFFH of 32 are none. IDs from
 * 255 on can be reached in x2APIC mode only.
 *
 * Sources: ACPI Specification 6.4, "Root System Description Pointer (RSDP)", "Multiple APIC
 * Description Table (MADT)"; MultiProcessor Specification 1.4, chapters 4 and 5.
 */
void processors_find(struct processors *p, const struct bootinfo *boot,
                     const struct physical_memory *mem);

#endif
