/* SPDX-License-Identifier: MIT */
#include <pmu/drivers/selects.h>

#include <stddef.h>

#include <arch/cpu/fault.h>
#include <arch/regs/amd.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/run/test.h>
#include <pmu/drivers/suspend.h>

static const struct selects *data(const struct pmu *p) { return p->class->driver->selects; }

static uint32_t select_of(const struct pmu *p, unsigned i)
{
	return data(p)->select + i * data(p)->stride;
}

uint32_t selects_msr(const struct pmu *p, unsigned counter)
{
	return data(p)->counter + counter * data(p)->stride;
}

void selects_name(const struct pmu *p, unsigned counter, char *buffer)
{
	format_buf(buffer, PMU_NAME_SIZE, "%s%u", data(p)->counter_name, counter);
}

bool selects_have_global(const struct pmu *p)  { return p->version >= 2; }

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

uint64_t selects_value(const struct pmu *p, const struct pmu_setup *s)
{
	const struct selects *c = data(p);
	uint64_t value = s->event | FIELD_PUT(IA32_PERFEVTSEL_CMASK, s->cmask);

	if (s->flags & ~c->flags)
		test_abort("%s%u was asked for what it does not have: flags %XH", c->counter_name,
		           s->counter, s->flags & ~c->flags);
	value |= FIELD_PUT(c->event_high, s->event_high);
	for (size_t i = 0; i < COUNT_OF(flag_bits); i++)
		value |= s->flags & flag_bits[i].flag ? flag_bits[i].bit : 0;
	return value;
}

void selects_stop(const struct pmu *p)
{
	if (selects_have_global(p))
		msr_write(data(p)->global_ctrl, 0);
	for (unsigned i = 0; i < p->gp_count; i++)
		msr_write(select_of(p, i), 0);
}

static void program_global(const struct pmu *p, const struct pmu_setup *setups, unsigned count,
                           struct pmu_switch *s)
{
	uint64_t global = 0;

	for (unsigned i = 0; i < count; i++) {
		if (setups[i].counter < PMU_FIXED)
			msr_write(select_of(p, setups[i].counter),
			          selects_value(p, &setups[i]) | IA32_PERFEVTSEL_EN);
		global |= BIT(setups[i].counter);      /* PMU_FIXED is bit 32 */
	}
	pmu_switch_add_on(s, data(p)->global_ctrl, global);
	pmu_switch_add_off(s, data(p)->global_ctrl, 0);
}

static void program_single(const struct pmu *p, const struct pmu_setup *setups, unsigned count,
                           struct pmu_switch *s)
{
	uint64_t select[PMU_SWITCH_MAX] = { 0 };

	for (unsigned i = 0; i < count; i++)
		select[setups[i].counter] = selects_value(p, &setups[i]) | IA32_PERFEVTSEL_EN;
	for (unsigned i = p->gp_count; i-- > 0;)
		if (select[i] || (i == 0 && s->on_count == 0))
			pmu_switch_add_on(s, select_of(p, i), select[i]);
	for (unsigned i = s->on_count; i-- > 0;)
		pmu_switch_add_off(s, s->on[i].msr, 0);
}

void selects_program(const struct pmu *p, const struct pmu_setup *setups, unsigned count,
                     struct pmu_switch *s)
{
	if (selects_have_global(p))
		program_global(p, setups, count, s);
	else
		program_single(p, setups, count, s);
}

uint64_t selects_status(const struct pmu *p)
{
	return selects_have_global(p) ? msr_read(data(p)->status) : 0;
}

/*
 * A bit that the status shows and the clearing register refuses is a defect, which must not end the
 * run: the reset finds it in the status.
 */
void selects_clear_status(const struct pmu *p, uint64_t bits)
{
	uint64_t counters = UINT64_MAX >> (64 - p->gp_count) | (uint64_t)p->fixed_map << 32;

	if (selects_have_global(p) && is_fault(msr_try_write(data(p)->clear, bits)))
		msr_try_write(data(p)->clear, bits & counters);
}

uint64_t selects_global(const struct pmu *p)
{
	uint64_t global = UINT64_MAX;

	if (selects_have_global(p))
		msr_try_read(data(p)->global_ctrl, &global);
	return global;
}

const char *selects_running(const struct pmu *p)
{
	static char text[128];                 /* names and values of two registers */
	uint64_t global = selects_global(p), select = 0;
	size_t used = 0;

	for (unsigned i = 0; i < p->gp_count; i++) {
		msr_try_read(select_of(p, i), &select);
		if (!(select & IA32_PERFEVTSEL_EN) || !(global >> i & 1)
		    || !(select & (IA32_PERFEVTSEL_OS | IA32_PERFEVTSEL_USR)))
			continue;
		if (selects_have_global(p))
			used = (size_t)format_buf(text, sizeof(text), "%s = %" PRIX64 "H, ",
			                          data(p)->global_name, global);
		format_buf(text + used, sizeof(text) - used, "%s%u = %" PRIX64
		           "H: counter %u was left running", data(p)->select_name, i, select, i);
		return text;
	}
	return NULL;
}

void selects_examine(const struct pmu *p, struct pmu_examined *e)
{
	e->select_name = data(p)->select_name;
	if (e->counter < PMU_FIXED)
		e->select = pmu_awake_value(select_of(p, e->counter));
	if (!selects_have_global(p))
		return;
	e->control = pmu_awake_value(data(p)->global_ctrl);
	e->status = pmu_awake_value(data(p)->status);
}

const char *selects_sure(const struct pmu *p, unsigned counter, struct pmu_switch *s)
{
	if (counter < PMU_FIXED)
		pmu_switch_add_on(s, select_of(p, counter), p->class->instructions
		                  | IA32_PERFEVTSEL_OS | IA32_PERFEVTSEL_USR | IA32_PERFEVTSEL_EN);
	if (selects_have_global(p))
		pmu_switch_add_on(s, data(p)->global_ctrl, BIT(counter));
	return "instructions";
}
