/* SPDX-License-Identifier: MIT */
#include <kernel/machine/processors.h>

#include <kernel/lib/string.h>
#include <kernel/machine/processor_tables.h>

/* Forgets the processors of an unusable table, but keeps its problem. */
static void forget(struct processors *p)
{
	p->count = p->disabled = p->dropped = 0;
}

void processors_find(struct processors *p, const struct bootinfo *boot,
                     const struct physical_memory *mem)
{
	const struct table_reader reader = { p, boot, mem };

	memset(p, 0, sizeof(*p));
	p->source = "ACPI MADT";
	if (madt_find_processors(&reader))
		return;
	forget(p);
	p->source = "MP table";
	if (mp_table_find_processors(&reader))
		return;
	forget(p);
	p->source = "none";
}
