/* SPDX-License-Identifier: MIT */
/* Says which of a class's registers exist, and saves them as firmware and reset left them. */
#include <pmu/core/driver.h>

#include <arch/cpu/fault.h>
#include <arch/cpu/self.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>

/* Suffices for NetBurst, which has the most: 18 counters, 18 CCCRs, 45 ESCRs. */
enum { FOUND_MAX = 96 };

static struct pmu_initial found[FOUND_MAX];
static unsigned found_count;
static unsigned saved_by;              /* a processor's number + 1; the others start with a copy */

unsigned pmu_register_count(const struct pmu *p, const struct pmu_register *r)
{
	if (p->version < r->since_version || (p->capabilities & r->capability) != r->capability)
		return 0;
	switch (r->kind) {
	case COUNT_GP:    return p->gp_count;
	case COUNT_FIXED: return pmu_map_span(p->fixed_map);
	default:          return r->count;
	}
}

/*
 * The name of a row with a register per counter ends with a 0 in the table; other rows count "first
 * + i".
 */
static void put_name(struct pmu_initial *f, const struct pmu_register *r, unsigned i)
{
	size_t stem = strlen(r->name) - 1;

	format_buf(f->name, sizeof(f->name), "%s", r->name);
	if (r->kind != COUNT_ROW)
		format_buf(f->name + stem, sizeof(f->name) - stem, "%u", i);
	else if (i > 0)
		format_buf(f->name, sizeof(f->name), "%s + %u", r->name, i);
}

static void save_row(const struct pmu *p, const struct pmu_register *r)
{
	unsigned count = pmu_register_count(p, r);

	for (unsigned i = 0; i < count && found_count < FOUND_MAX; i++) {
		struct pmu_initial *f = &found[found_count];

		if (r->kind == COUNT_FIXED && !(p->fixed_map >> i & 1))
			continue;               /* an E-core's bitmap has a hole */
		found_count++;
		put_name(f, r, i);
		f->msr = r->msr + i;
		f->is_there = !is_fault(msr_try_read(f->msr, &f->value));
	}
}

void pmu_save_initial(const struct pmu *p)
{
	if (saved_by == smp_self() + 1)
		return;
	saved_by = smp_self() + 1;
	found_count = 0;
	for (unsigned i = 0; i < p->class->register_count; i++)
		save_row(p, &p->class->registers[i]);
	for (unsigned i = 0; i < p->class->noted_count; i++)
		save_row(p, &p->class->noted[i]);
}

const struct pmu_initial *pmu_get_initial(unsigned *count)
{
	*count = found_count;
	return found;
}
