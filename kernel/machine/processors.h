/* SPDX-License-Identifier: MIT */
/* Lists the processors that the firmware reports, in ACPI's MADT or else in the MP table. */
#ifndef KERNEL_MACHINE_PROCESSORS_H
#define KERNEL_MACHINE_PROCESSORS_H

#include <stdint.h>

#include <kernel/loader/bootinfo.h>

enum {
	PROCESSORS_MAX = 64,
	PROCESSORS_PROBLEM_SIZE = 96,
};

struct processors {
	const char *source;             /* "ACPI MADT", "MP table", or "none" */
	uint32_t apic_id[PROCESSORS_MAX];       /* enabled ones in the table's order, each once */
	unsigned count;
	unsigned disabled;              /* listed as not usable */
	unsigned dropped;               /* beyond PROCESSORS_MAX */
	char problem[PROCESSORS_PROBLEM_SIZE];  /* a sentence on the first one, or "" */
};

/*
 * Fills p, whatever it held. Must be called before paging_init(), which unmaps page 0 with the
 * BIOS's data. The RSDP comes from the boot loader or is found as under BIOS: in the first KB of
 * the EBDA or from E0000H to FFFFFH. The MP table is in one of those places or at the end of base
 * memory. EFI firmware puts neither table there. Reads only what mem gives, however wrong the
 * tables are.
 *
 * A processor that is listed twice counts once. The IDs 0FFH (8 bits) and FFFFFFFFH (32 bits) stand
 * for no processor. IDs from 255 on can be reached in x2APIC mode only.
 *
 * Sources: ACPI Specification 6.4, "Root System Description Pointer (RSDP)", "Multiple APIC
 * Description Table (MADT)"; MultiProcessor Specification 1.4, chapters 4 and 5.
 */
void processors_find(struct processors *p, const struct bootinfo *boot,
                     const struct physical_memory *mem);

#endif
