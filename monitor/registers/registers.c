/* SPDX-License-Identifier: MIT */
/* Finds registers and fields in the tables. */
#include <monitor/registers/registers.h>

#include <stddef.h>

#include <arch/regs/bits.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <monitor/tools/command.h>
#include <pmu/events/event_text.h>
#include <pmu/events/netburst_pmu.h>
#include <pmu/sampling/lbr_stack.h>

const struct monitor_register *const monitor_register_tables[] = {
	monitor_registers_arch, monitor_registers_p5, monitor_registers_p6,
	monitor_registers_netburst, monitor_registers_amd, monitor_registers_amd_sampling,
	monitor_registers_records, monitor_registers_other,
};
const unsigned monitor_register_table_count =
	COUNT_OF(monitor_register_tables);

const char *const monitor_refusals[] = {
	[MONITOR_MAY] = NULL,
	[MONITOR_READ_ONLY] = "it is read-only",
	[MONITOR_NOT_PMU] = "it is not the PMU's, and could take the machine down",
	[MONITOR_TO_MEMORY] = "the processor would write branches to memory or to the bus by "
	                      "itself; \"lbr\" records them in registers",
	[MONITOR_BY_PEBS] = "the processor would write to memory by itself; \"pebs\" does so "
	                    "safely",
};

unsigned monitor_low(uint64_t bits)
{
	unsigned n = 0;

	for (; bits && !(bits & 1); bits >>= 1)
		n++;
	return n;
}

unsigned monitor_high(uint64_t bits)
{
	unsigned n = 0;

	while (bits >>= 1)
		n++;
	return n;
}

/* ---------------------------------------------------------------- registers of this processor */

static bool is_version(unsigned since, unsigned until)
{
	unsigned version = pmu_get()->version;

	return version >= since && (until == 0 || version <= until);
}

static unsigned count_escrs(void)
{
	unsigned count = 0;

	for (unsigned i = 0; i < NETBURST_ESCRS; i++)
		count += netburst_has_escr(&netburst_escrs[i]);
	return count;
}

static unsigned count_of(unsigned count)
{
	const struct pmu *p = pmu_get();

	switch (count) {
	case MONITOR_ONE:         return 1;
	case MONITOR_PER_GP:      return p->gp_count;
	case MONITOR_PER_FIXED:   return pmu_map_span(p->fixed_map);
	case MONITOR_PER_COUNTER: return NETBURST_COUNTERS;
	case MONITOR_PER_ESCR:    return count_escrs();
	case MONITOR_PER_RECORD:  return lbr_kind(NULL) ? lbr_kind(NULL)->depth : 0;
	default:                  return count;
	}
}

/* Returns how many registers of a row this processor has. */
static unsigned count_here(const struct monitor_register *r)
{
	const struct pmu *p = pmu_get();

	if (r->has && !pmu_has(r->has))
		return 0;
	if (!is_version(r->since, r->until)
	    || (p->capabilities & r->capability) != r->capability)
		return 0;
	return r->is_here && !r->is_here() ? 0 : count_of(r->count);
}

/* Replaces '#', if there is one, by the number. */
static void put_name(char *to, const char *name, unsigned number)
{
	const char *at = strchr(name, '#');

	if (at)
		format_buf(to, MONITOR_REGISTER_NAME_SIZE, "%.*s%u%s", (int)(at - name), name,
		           number, at + 1);
	else
		format_buf(to, MONITOR_REGISTER_NAME_SIZE, "%s", name);
}

static struct monitor_identity identify(const struct monitor_register *r, unsigned number)
{
	const unsigned stride = r->stride ? r->stride : 1;

	return r->identify ? r->identify(number)
	                   : (struct monitor_identity){ r->name, r->msr + number * stride };
}

static void fill(struct monitor_found *f, const struct monitor_register *r, unsigned number)
{
	const struct monitor_identity identity = identify(r, number);

	f->row = r;
	f->number = number;
	put_name(f->name, identity.name, number);
	f->msr = identity.msr;
}

bool monitor_register_next(struct monitor_walk *w, struct monitor_found *f)
{
	while (w->table < monitor_register_table_count) {
		const struct monitor_register *r = &monitor_register_tables[w->table][w->row];

		if (!r->name) {
			w->table++;
			w->row = 0;
			continue;
		}
		if (w->number == 0)
			w->count = count_here(r);
		if (w->number < w->count) {
			fill(f, r, w->number++);
			return true;
		}
		w->row++;
		w->number = 0;
	}
	return false;
}

static bool is_alias(const struct monitor_found *f, const char *text)
{
	char alias[MONITOR_REGISTER_NAME_SIZE];

	if (!f->row->alias)
		return false;
	put_name(alias, f->row->alias, f->number);
	return event_text_is_same(alias, text);
}

bool monitor_register_find(const char *text, struct monitor_found *f)
{
	uint64_t msr = 0;
	bool is_number = words_is_number(text, &msr) && msr <= UINT32_MAX;
	struct monitor_walk w = { 0 };

	while (monitor_register_next(&w, f))
		if (is_number ? f->msr == msr
		              : event_text_is_same(f->name, text) || is_alias(f, text))
			return true;
	*f = (struct monitor_found){ .msr = (uint32_t)msr };
	format_buf(f->name, sizeof(f->name), "%XH", (unsigned)msr);
	return is_number;
}

/* ---------------------------------------------------------------------------- fields */

static bool is_field_here(const struct monitor_field *row)
{
	return is_version(row->since, row->until) && (!row->is_here || row->is_here());
}

bool monitor_field_at(const struct monitor_register *r, unsigned n, struct monitor_field_found *f)
{
	for (const struct monitor_field *row = r->fields; row && row->name; row++) {
		unsigned count = is_field_here(row) ? count_of(row->count) : 0;

		if (n >= count) {
			n -= count;
			continue;
		}
		f->row = row;
		f->bits = row->bits << n * row->step;
		if (row->count == MONITOR_ONE)
			format_buf(f->name, sizeof(f->name), "%s", row->name);
		else
			format_buf(f->name, sizeof(f->name), "%s%u", row->name, n);
		return true;
	}
	return false;
}

uint64_t monitor_unnamed_bits(const struct monitor_register *r)
{
	struct monitor_field_found f;
	uint64_t named = 0;

	if (!r->fields)
		return 0;
	for (unsigned n = 0; monitor_field_at(r, n, &f); n++)
		named |= f.bits;
	return ~named;
}
