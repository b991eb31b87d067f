/* SPDX-License-Identifier: MIT */
/*
 * Drives the Pentium's two counters, which have neither an overflow status nor an interrupt.
 * Source: SDM 3B, "Performance Monitoring (Pentium Processors)".
 */
#include <pmu/drivers/classes.h>

#include <arch/cpu/fault.h>
#include <arch/regs/p5.h>
#include <kernel/lib/format.h>
#include <kernel/run/test.h>
#include <pmu/drivers/suspend.h>

#define FLAGS  ((unsigned)(PMU_OS | PMU_USR | PMU_CLOCKS | PMU_PIN))

static uint32_t msr(const struct pmu *p, unsigned counter)
{
	(void)p;
	return CTR0 + counter;
}

static void name(const struct pmu *p, unsigned counter, char *buffer)
{
	(void)p;
	format_buf(buffer, PMU_NAME_SIZE, "CTR%u", counter);
}

static uint64_t control(unsigned flags)
{
	return (flags & PMU_OS ? CESR_CC_OS : 0) | (flags & PMU_USR ? CESR_CC_USR : 0)
	       | (flags & PMU_CLOCKS ? CESR_CC_CLOCKS : 0);
}

/* Returns this counter's half of CESR. */
static uint64_t half(const struct pmu_setup *s)
{
	uint64_t value = FIELD_PUT(CESR_ES0, s->event) | FIELD_PUT(CESR_CC0, control(s->flags))
	                 | (s->flags & PMU_PIN ? CESR_PC0 : 0);

	if (s->event > CESR_ES0 || s->cmask || s->flags & ~FLAGS)
		test_abort("CTR%u was asked for what it does not have: event %XH, CMASK %u, "
		           "flags %XH", s->counter, s->event, s->cmask, s->flags);
	return value << CESR_SHIFT(s->counter);
}

static void program(const struct pmu *p, const struct pmu_setup *setups, unsigned count,
                    struct pmu_switch *s)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < count; i++)
		value |= half(&setups[i]);
	msr_write(CESR, 0);
	for (unsigned i = 0; i < count; i++)
		msr_write(msr(p, setups[i].counter),
		          setups[i].start & UINT64_MAX >> (64 - p->gp_width));
	pmu_switch_add_on(s, CESR, value);
	pmu_switch_add_off(s, CESR, 0);
}

static const char *running(const struct pmu *p)
{
	static char text[64];
	uint64_t cesr = 0;

	msr_try_read(CESR, &cesr);
	for (unsigned i = 0; i < p->gp_count; i++) {
		if (!(FIELD_GET(CESR_CC0, cesr >> CESR_SHIFT(i)) & CESR_CC_ANY_CPL))
			continue;
		format_buf(text, sizeof(text), "CESR = %" PRIX64 "H: counter %u was left running",
		           cesr, i);
		return text;
	}
	return NULL;
}

static void examine(const struct pmu *p, struct pmu_examined *e)
{
	(void)p;
	e->select = pmu_awake_value(CESR) >> CESR_SHIFT(e->counter);
}

static const char *sure(const struct pmu *p, unsigned counter, struct pmu_switch *s)
{
	pmu_switch_add_on(s, CESR, (FIELD_PUT(CESR_ES0, p->class->instructions)
	                            | FIELD_PUT(CESR_CC0, CESR_CC_ANY_CPL)) << CESR_SHIFT(counter));
	return "instructions";
}

static const struct pmu_pausable pausables[] = {
	{ .count = 1, .msr = CESR, .bits = CESR_CC0 | CESR_CC1 },
};

const struct pmu_driver pmu_driver_p5 = {
	.program = program, .msr = msr, .name = name, .running = running,
	.examine = examine, .sure = sure, PAUSABLES(pausables),
};
