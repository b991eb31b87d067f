/* SPDX-License-Identifier: MIT */
/* Prints a register's value, field by field, and the event that it selects. */
#include <monitor/registers/registers.h>

#include <stddef.h>

#include <arch/regs/amd.h>
#include <arch/regs/netburst.h>
#include <arch/regs/p5.h>
#include <arch/regs/perfmon.h>
#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <kernel/lib/nearest.h>
#include <kernel/lib/string.h>
#include <monitor/tools/command.h>
#include <pmu/events/amd_events.h>
#include <pmu/events/arch_events.h>
#include <pmu/events/events.h>
#include <pmu/events/netburst_pmu.h>

/* ---------------------------------------------------------------------------- events */

static const char *arch_name(uint64_t value)
{
	const struct arch_event *e = arch_event_of((uint16_t)value);

	return e && arch_event_exists(e) ? e->name : NULL;
}

static const char *amd_name(uint64_t value)
{
	const struct amd_row *e = amd_event_of((uint16_t)PERF_CTL_EVENT_OF(value));

	return e ? amd_event_name(e) : NULL;
}

static const char *table_name(uint64_t select)
{
	const struct pmu_event *e = pmu_event_of(select);

	return e ? e->name : NULL;
}

static const char *escr_event_name(const char *escr, uint64_t value)
{
	const struct netburst_event *e = netburst_event_of(netburst_escr_find(escr), value);

	return e ? e->name : NULL;
}

/* CESR selects two events. */
static const char *cesr_names(uint64_t value)
{
	static char text[96];
	const char *name[2];

	for (unsigned i = 0; i < 2; i++)
		name[i] = table_name(FIELD_GET(CESR_ES0, value >> CESR_SHIFT(i)));
	if (!name[0] && !name[1])
		return NULL;
	format_buf(text, sizeof(text), "CTR0 %s, CTR1 %s", name[0] ? name[0] : "what is not known",
	           name[1] ? name[1] : "what is not known");
	return text;
}

/*
 * Returns the name of the event that a register selects, such as "INSTRUCTIONS_RETIRED", or NULL if
 * it is unknown.
 */
static const char *event_name(const struct monitor_found *r, uint64_t value)
{
	if (!r->row || !r->row->is_select)
		return NULL;
	switch (pmu_get()->class->generation) {
	case PMU_ARCH:     return arch_name(value);
	case PMU_AMD_K7:
	case PMU_AMD_CORE: return amd_name(value);
	case PMU_P6:       return table_name(FIELD_GET(IA32_PERFEVTSEL_EVENT_SELECT, value));
	case PMU_P5:
	case PMU_P5_MMX:   return cesr_names(value);
	case PMU_NETBURST: return escr_event_name(r->name, value);
	default:           return NULL;
	}
}

/* ---------------------------------------------------------------------------- printing */

/* Prints "EN[22] = 1" or "CMASK[31:24] = FFH". */
static void print_field(const struct monitor_field_found *f, uint64_t value)
{
	const struct monitor_field *row = f->row;
	unsigned high = monitor_high(f->bits), low = monitor_low(f->bits);
	uint64_t now = monitor_get(f->bits, value);
	const char *meaning = now ? row->meaning : row->zero;

	if (row->values)
		meaning = row->values[now];
	if (high == low)
		print("  %s[%u] = %u", f->name, low, (unsigned)now);
	else
		print("  %s[%u:%u] = %" PRIX64 "H", f->name, high, low, now);
	print("%s%s\n", meaning ? "  " : "", meaning ? meaning : "");
}

static void print_value(const struct monitor_found *r, uint64_t value)
{
	if (r->row)
		print("%s (%" PRIX32 "H) = %" PRIX64 "H", r->name, r->msr, value);
	else
		print("%s = %" PRIX64 "H", r->name, value);
}

void monitor_register_print_line(const struct monitor_found *r, uint64_t value)
{
	const char *event = value ? event_name(r, value) : NULL;

	print_value(r, value);
	print("%s%s\n", event ? "  " : "", event ? event : "");
}

/* A counter has no fields, so its value is printed in decimal, too. */
void monitor_register_print(const struct monitor_found *r, uint64_t value, uint64_t shown)
{
	const char *event = value ? event_name(r, value) : NULL;
	struct monitor_field_found f;
	uint64_t other;

	print_value(r, value);
	if (!r->row || !r->row->fields)
		print(", which is %" PRIu64, value);
	print("\n");
	for (unsigned n = 0; r->row && monitor_field_at(r->row, n, &f); n++)
		if (f.bits & shown)
			print_field(&f, value);
	other = r->row ? monitor_unnamed_bits(r->row) & value : 0;
	if (other)
		print("  bits without a name here: %" PRIX64 "H\n", other);
	if (event)
		print("  counts %s\n", event);
}

void monitor_register_fail(const char *text)
{
	char meant[NEAREST_TEXT_SIZE];
	struct monitor_walk walk = { 0 };
	struct monitor_found r;
	struct nearest nearest;

	nearest_begin(&nearest, text);
	while (monitor_register_next(&walk, &r))
		nearest_try(&nearest, r.name);
	monitor_fail("no register of this processor is called %s%s; \"rdmsr\" alone lists them, "
	             "and any can be read by its number", text, nearest_text(&nearest, meant));
}
