/* SPDX-License-Identifier: MIT */
#include <pmu/drivers/selects.h>

#include <stddef.h>

#include <arch/cpu/fault.h>
#include <arch/regs/amd.h>
#include <arch/regs/perfmon.h>
#include <kernel/lib/format.h>
#include <kernel/run/test.h>

static uint32_t select_of(const struct selects *c, unsigned i) { return c->select + i * c->stride; }

bool selects_has_counter(const struct pmu *p, unsigned counter) { return counter < p->gp_count; }

bool selects_have_global(const struct pmu *p)  { return p->version >= 2; }

unsigned selects_width(const struct pmu *p, unsigned counter)
{
	(void)counter;
	return p->gp_width;
}

static const struct { unsigned flag; uint64_t bit; } flag_bits[] = {
	{ PMU_OS,   IA32_PERFEVTSEL_OS },
	{ PMU_USR,  IA32_PERFEVTSEL_USR },
	{ PMU_EDGE, IA32_PERFEVTSEL_E },
	{ PMU_INV,  IA32_PERFEVTSEL_INV },
	{ PMU_INT,  IA32_PERFEVTSEL_INT },
	{ PMU_ANY,  IA32_PERFEVTSEL_ANY },
	{ PMU_PIN,  IA32_PERFEVTSEL_PC },
	{ PMU_EQ,   IA32_PERFEVTSEL_EQ },
	{ PMU_IN_TX, IA32_PERFEVTSEL_IN_TX },
	{ PMU_IN_TXCP, IA32_PERFEVTSEL_IN_TXCP },
	{ PMU_ADAPTIVE, IA32_PERFEVTSEL_ADAPTIVE },
};

uint64_t selects_value(const struct selects *c, const struct pmu_setup *s)
{
	uint64_t value = s->event | FIELD_PUT(IA32_PERFEVTSEL_CMASK, s->cmask);

	if (s->flags & ~c->flags)
		test_abort("%s%u was asked for what it does not have: flags %XH", c->counter_name,
		           s->counter, s->flags & ~c->flags);
	value |= FIELD_PUT(PERF_CTL_EVENT_SELECT_HIGH, s->event_high);
	for (size_t i = 0; i < sizeof(flag_bits) / sizeof(flag_bits[0]); i++)
		value |= s->flags & flag_bits[i].flag ? flag_bits[i].bit : 0;
	return value;
}

void selects_stop(const struct selects *c, const struct pmu *p)
{
	if (selects_have_global(p))
		msr_write(c->global_ctrl, 0);
	for (unsigned i = 0; i < p->gp_count; i++)
		msr_write(select_of(c, i), 0);
}

static void program_global(const struct selects *c, const struct pmu_setup *setups, unsigned count,
                           struct pmu_switch *s)
{
	uint64_t global = 0;

	for (unsigned i = 0; i < count; i++) {
		if (setups[i].counter < PMU_FIXED)
			msr_write(select_of(c, setups[i].counter),
			          selects_value(c, &setups[i]) | IA32_PERFEVTSEL_EN);
		global |= BIT(setups[i].counter);      /* PMU_FIXED is bit 32 */
	}
	pmu_switch_add_on(s, c->global_ctrl, global);
	pmu_switch_add_off(s, c->global_ctrl, 0);
}

static void program_single(const struct selects *c, const struct pmu *p,
                           const struct pmu_setup *setups, unsigned count, struct pmu_switch *s)
{
	uint64_t select[PMU_SWITCH_MAX] = { 0 };

	for (unsigned i = 0; i < count; i++)
		select[setups[i].counter] = selects_value(c, &setups[i]) | IA32_PERFEVTSEL_EN;
	for (unsigned i = p->gp_count; i-- > 0;)
		if (select[i] || (i == 0 && s->on_count == 0))
			pmu_switch_add_on(s, select_of(c, i), select[i]);
	for (unsigned i = s->on_count; i-- > 0;)
		pmu_switch_add_off(s, s->on[i].msr, 0);
}

void selects_program(const struct selects *c, const struct pmu *p, const struct pmu_setup *setups,
                     unsigned count, struct pmu_switch *s)
{
	if (selects_have_global(p))
		program_global(c, setups, count, s);
	else
		program_single(c, p, setups, count, s);
}

uint64_t selects_status(const struct selects *c, const struct pmu *p)
{
	return selects_have_global(p) ? msr_read(c->status) : 0;
}

/*
 * A bit that the status shows and the clearing register refuses is a defect, which must not end the
 * run: the reset finds it in the status.
 */
void selects_clear_status(const struct selects *c, const struct pmu *p, uint64_t bits)
{
	uint64_t counters = UINT64_MAX >> (64 - p->gp_count) | (uint64_t)p->fixed_map << 32;

	if (selects_have_global(p) && is_fault(msr_try_write(c->clear, bits)))
		msr_try_write(c->clear, bits & counters);
}

uint64_t selects_global(const struct selects *c, const struct pmu *p)
{
	uint64_t global = UINT64_MAX;

	if (selects_have_global(p))
		msr_try_read(c->global_ctrl, &global);
	return global;
}

const char *selects_running(const struct selects *c, const struct pmu *p)
{
	static char text[128];                 /* names and values of two registers */
	uint64_t global = selects_global(c, p), select = 0;
	size_t used = 0;

	for (unsigned i = 0; i < p->gp_count; i++) {
		msr_try_read(select_of(c, i), &select);
		if (!(select & IA32_PERFEVTSEL_EN) || !(global >> i & 1)
		    || !(select & (IA32_PERFEVTSEL_OS | IA32_PERFEVTSEL_USR)))
			continue;
		if (selects_have_global(p))
			used = (size_t)format_buf(text, sizeof(text), "%s = %" PRIX64 "H, ",
			                          c->global_name, global);
		format_buf(text + used, sizeof(text) - used, "%s%u = %" PRIX64
		           "H: counter %u was left running", c->select_name, i, select, i);
		return text;
	}
	return NULL;
}
