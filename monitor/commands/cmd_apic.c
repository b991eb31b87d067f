/* SPDX-License-Identifier: MIT */
/* apic: shows the local APIC and chooses how it delivers PMIs. */
#include <monitor/tools/command.h>

#include <stddef.h>

#include <arch/interrupts/local_apic.h>
#include <arch/modes/segments.h>
#include <arch/regs/table.h>
#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <kernel/machine/machine.h>

/* The number of the last entry that the local vector table must have for this register to exist. */
static const struct { const char *name; uint32_t offset; unsigned max_lvt; } entries[] = {
	{ "timer", APIC_LVT_TIMER, 0 }, { "LVTPC", APIC_LVTPC, 4 }, { "LINT0", APIC_LVT_LINT0, 0 },
	{ "LINT1", APIC_LVT_LINT1, 0 }, { "error", APIC_LVT_ERROR, 3 },
};

static const char *const deliveries[] = {
	[APIC_DELIVERY_FIXED] = "fixed", "reserved", [APIC_DELIVERY_SMI] = "SMI", "reserved",
	[APIC_DELIVERY_NMI] = "NMI", [APIC_DELIVERY_INIT] = "INIT", "reserved",
	[APIC_DELIVERY_EXTINT] = "ExtINT",
};

static unsigned max_lvt(void)
{
	return (unsigned)FIELD_GET(APIC_VERSION_MAX_LVT, apic_read(APIC_VERSION));
}

static bool has_lvtpc(void)
{
	return max_lvt() >= 4;
}

static void print_entry(const char *name, uint32_t value)
{
	unsigned delivery = (unsigned)FIELD_GET(APIC_LVT_DELIVERY, value);

	print("%-8s = %8XH  %s, %s, vector %XH%s\n", name, value,
	      value & APIC_LVT_MASK ? "masked" : "not masked", deliveries[delivery],
	      (unsigned)FIELD_GET(APIC_LVT_VECTOR, value),
	      value & APIC_LVT_STATUS ? ", pending" : "");
}

static const char *meaning_of_mask(bool is_set)
{
	if (!is_set)
		return "a PMI is delivered";
	return machine_cpu()->vendor == VENDOR_AMD ? "a PMI is lost"
	                                           : "a PMI is lost; each PMI sets this bit";
}

static void print_lvtpc(void)
{
	uint32_t value = apic_read(APIC_LVTPC);
	unsigned delivery = (unsigned)FIELD_GET(APIC_LVT_DELIVERY, value);

	print("LVTPC (340H) = %XH\n", value);
	print("  VECTOR[7:0] = %XH\n", (unsigned)FIELD_GET(APIC_LVT_VECTOR, value));
	print("  DELIVERY[10:8] = %XH  %s\n", delivery, deliveries[delivery]);
	print("  STATUS[12] = %u%s\n", (value & APIC_LVT_STATUS) != 0,
	      value & APIC_LVT_STATUS ? "  one is under way" : "");
	print("  MASK[16] = %u  %s\n", (value & APIC_LVT_MASK) != 0,
	      meaning_of_mask(value & APIC_LVT_MASK));
}

static void print_apic(void)
{
	const struct apic_state *s = apic_get_state();
	uint32_t version = apic_read(APIC_VERSION);

	print("local APIC, because %s; %s mode, ID %XH\n", s->reason,
	      s->is_x2apic ? "x2APIC" : "xAPIC", (unsigned)apic_get_id());
	print("version %XH, %u entries in its local vector table\n",
	      (unsigned)FIELD_GET(APIC_VERSION_VERSION, version), max_lvt() + 1);
	for (size_t i = 0; i < COUNT_OF(entries); i++)
		if (max_lvt() >= entries[i].max_lvt)
			print_entry(entries[i].name, apic_read(entries[i].offset));
	if (has_lvtpc())
		print_lvtpc();
	else
		print("There is no LVTPC: counters of this processor raise no interrupt.\n");
}

/* While commands run there are handlers for both (dispatch.c). */
static const struct { const char *word; uint32_t value; } choices[] = {
	{ "nmi", (uint32_t)FIELD_PUT(APIC_LVT_DELIVERY, APIC_DELIVERY_NMI) },
	{ "fixed", VECTOR_PMI },
	{ "masked", (uint32_t)APIC_LVT_MASK },
};

static void set_lvtpc(const char *word)
{
	if (!has_lvtpc())
		monitor_fail("there is no LVTPC: the local APIC's table has %u entries",
		             max_lvt() + 1);
	for (size_t i = 0; i < COUNT_OF(choices); i++) {
		if (strcmp(choices[i].word, word) != 0)
			continue;
		apic_write(APIC_LVTPC, choices[i].value);
		print_lvtpc();
		return;
	}
	monitor_fail("PMIs are \"nmi\", \"fixed\" or \"masked\", not \"%s\"", word);
}

COMMAND(apic, .syntax = "[pmi nmi|fixed|masked]",
        .summary = "shows the local APIC, or sets how it delivers PMIs",
        .text = "A counter that overflows with INT = 1 raises a PMI, which LVTPC delivers;\n"
                "then it masks itself, but not on AMD's processors. After each command the\n"
                "monitor says how many came; it masks LVTPC only if more than 100 did.\n",
        .example = "apic")
{
	words_expect(w, 0, 2);
	if (!apic_get_state()->is_present)
		monitor_fail("there is no local APIC: %s", apic_get_state()->reason);
	if (w->count == 1)
		print_apic();
	else if (strcmp(w->word[1], "pmi") == 0 && w->count == 3)
		set_lvtpc(w->word[2]);
	else
		monitor_fail("write apic pmi nmi, apic pmi fixed, or apic pmi masked");
}
