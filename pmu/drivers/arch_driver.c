/* SPDX-License-Identifier: MIT */
/* Drives the counters of architectural performance monitoring, versions 1 to 6. */
#include <pmu/drivers/classes.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/regs/lbr.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/run/test.h>
#include <pmu/drivers/selects.h>
#include <pmu/drivers/suspend.h>

static bool is_fixed(unsigned counter)  { return counter >= PMU_FIXED; }

static bool has_counter(const struct pmu *p, unsigned counter)
{
	if (is_fixed(counter))
		return counter - PMU_FIXED < 32 && (p->fixed_map >> (counter - PMU_FIXED) & 1);
	return counter < p->gp_count;
}

static unsigned width(const struct pmu *p, unsigned counter)
{
	return is_fixed(counter) ? p->fixed_width : p->gp_width;
}

static uint32_t msr(const struct pmu *p, unsigned counter)
{
	return is_fixed(counter) ? IA32_FIXED_CTR(counter - PMU_FIXED) : selects_msr(p, counter);
}

static void name(const struct pmu *p, unsigned counter, char *buffer)
{
	if (is_fixed(counter))
		format_buf(buffer, PMU_NAME_SIZE, "IA32_FIXED_CTR%u", counter - PMU_FIXED);
	else
		selects_name(p, counter, buffer);
}

static const struct selects selects = {
	.select = IA32_PERFEVTSEL(0), .select_name = "IA32_PERFEVTSEL",
	.counter = IA32_PMC(0), .counter_name = "IA32_PMC", .stride = 1, .flags = UINT32_MAX,
	.event_high = IA32_PERFEVTSEL_UMASK2,
	.global_ctrl = IA32_PERF_GLOBAL_CTRL, .global_name = "IA32_PERF_GLOBAL_CTRL",
	.status = IA32_PERF_GLOBAL_STATUS, .clear = IA32_PERF_GLOBAL_OVF_CTRL,
};

/* Gives the flags' bits in a fixed counter's four bits of IA32_FIXED_CTR_CTRL. */
static const struct { unsigned flag; uint64_t bit; } fixed_bits[] = {
	{ PMU_OS,       IA32_FIXED_CTR_CTRL_EN_OS(0) },
	{ PMU_USR,      IA32_FIXED_CTR_CTRL_EN_USR(0) },
	{ PMU_INT,      IA32_FIXED_CTR_CTRL_PMI(0) },
	{ PMU_ANY,      IA32_FIXED_CTR_CTRL_ANY(0) },
	{ PMU_ADAPTIVE, IA32_FIXED_CTR_CTRL_ADAPTIVE(0) },
};

static uint64_t fixed_value(const struct pmu_setup *s)
{
	uint64_t value = 0;

	if (s->cmask || s->flags & (PMU_EDGE | PMU_INV | PMU_PIN | PMU_EQ | PMU_IN_TX
	                           | PMU_IN_TXCP))
		test_abort("fixed counter %u was asked for what it does not have: CMASK %u, "
		           "flags %XH", s->counter - PMU_FIXED, s->cmask, s->flags);
	for (size_t i = 0; i < COUNT_OF(fixed_bits); i++)
		value |= s->flags & fixed_bits[i].flag ? fixed_bits[i].bit : 0;
	return value << 4 * (s->counter - PMU_FIXED);
}

/*
 * SDM 3B, "Full-Width Writes to Performance Counter Registers": a write to IA32_PMCx takes bits
 * 31:0 and sign-extends them; a fixed counter takes all of its bits.
 */
static void write_start(const struct pmu *p, const struct pmu_setup *s)
{
	uint64_t mask = UINT64_MAX >> (64 - width(p, s->counter)), start = s->start & mask;

	if (is_fixed(s->counter) || ((uint64_t)(int64_t)(int32_t)start & mask) == start)
		msr_write(msr(p, s->counter), start);
	else if (p->capabilities & IA32_PERF_CAPABILITIES_FW_WRITE)
		msr_write(IA32_A_PMC(s->counter), start);
	else
		test_abort("IA32_PMC%u cannot be set to %" PRIX64 "H: IA32_PERF_CAPABILITIES[13] "
		           "(FW_WRITE) = 0", s->counter, start);
}

static void program_fixed(const struct pmu_setup *setups, unsigned count)
{
	uint64_t control = 0;

	for (unsigned i = 0; i < count; i++)
		control |= is_fixed(setups[i].counter) ? fixed_value(&setups[i]) : 0;
	msr_write(IA32_FIXED_CTR_CTRL, control);
}

static void program(const struct pmu *p, const struct pmu_setup *setups, unsigned count,
                    struct pmu_switch *s)
{
	selects_stop(p);
	if (selects_have_global(p))
		msr_write(IA32_FIXED_CTR_CTRL, 0);
	selects_clear_status(p, selects_status(p));
	for (unsigned i = 0; i < count; i++)
		write_start(p, &setups[i]);
	if (selects_have_global(p))
		program_fixed(setups, count);
	selects_program(p, setups, count, s);
}

/* SDM 3B, table "Architectural Performance Events": the events in the order of their bits. */
static const uint16_t events[] = {
	EVENT_UNHALTED_CORE_CYCLES, EVENT_INSTRUCTIONS_RETIRED, EVENT_UNHALTED_REFERENCE_CYCLES,
	EVENT_LLC_REFERENCE, EVENT_LLC_MISSES, EVENT_BRANCH_INSTR_RETIRED,
	EVENT_BRANCH_MISSES_RETIRED, EVENT_TOPDOWN_SLOTS, EVENT_TOPDOWN_BACKEND_BOUND,
	EVENT_TOPDOWN_BAD_SPECULATION, EVENT_TOPDOWN_FRONTEND_BOUND, EVENT_TOPDOWN_RETIRING,
	EVENT_LBR_INSERTS,
};

/* In leaf 0AH a 1 means that the event is missing, in leaf 23H that it exists. */
static uint32_t event_map(const struct pmu *p)
{
	unsigned length = cpuid_get(CPUID_PERFMON_EVENT_COUNT);
	uint32_t known = length >= 32 ? UINT32_MAX : (UINT32_C(1) << length) - 1;
	uint32_t map = known & ~cpuid_get(CPUID_PERFMON_EVENT_MISSING);

	if (p->version >= 6 && (cpuid_get(CPUID_PERFMON_SUBLEAVES) & BIT32(3)))
		map |= cpuid_get(CPUID_PERFMON_EVENT_MAP_6);
	return map;
}

static bool has_event(const struct pmu *p, uint16_t event)
{
	uint32_t map = event_map(p);

	for (size_t i = 0; i < COUNT_OF(events); i++)
		if (events[i] == event)
			return (map >> i & 1) != 0;
	return false;
}

static const char *running_fixed(const struct pmu *p, uint64_t global)
{
	static char text[128];                 /* names and values of two registers */
	uint64_t control = 0;

	msr_try_read(IA32_FIXED_CTR_CTRL, &control);
	for (unsigned i = 0; i < 16; i++) {
		uint64_t enable = IA32_FIXED_CTR_CTRL_EN_OS(i) | IA32_FIXED_CTR_CTRL_EN_USR(i);

		if (!(p->fixed_map >> i & 1) || !(control & enable) || !(global >> (32 + i) & 1))
			continue;
		format_buf(text, sizeof(text), "IA32_PERF_GLOBAL_CTRL = %" PRIX64
		           "H, IA32_FIXED_CTR_CTRL = %" PRIX64
		           "H: fixed counter %u was left running", global, control, i);
		return text;
	}
	return NULL;
}

static const char *running(const struct pmu *p)
{
	const char *text = selects_running(p);

	if (text || !selects_have_global(p))
		return text;
	return running_fixed(p, selects_global(p));
}

static void examine(const struct pmu *p, struct pmu_examined *e)
{
	selects_examine(p, e);
	if (is_fixed(e->counter))
		e->fixed = pmu_awake_value(IA32_FIXED_CTR_CTRL) >> 4 * e->number;
	if (selects_have_global(p))
		e->debugctl = pmu_awake_value(IA32_DEBUGCTL);
}

static const char *sure(const struct pmu *p, unsigned counter, struct pmu_switch *s)
{
	const char *instructions;

	if (is_fixed(counter))
		pmu_switch_add_on(s, IA32_FIXED_CTR_CTRL,
		                  (IA32_FIXED_CTR_CTRL_EN_OS(0) | IA32_FIXED_CTR_CTRL_EN_USR(0))
		                  << 4 * (counter - PMU_FIXED));
	instructions = selects_sure(p, counter, s);
	return counter > PMU_FIXED ? "its own event" : instructions;
}

static uint32_t lbr_ctl(unsigned i)
{
	return i == 0 && cpuid_get(CPUID_ARCH_LBR) ? IA32_LBR_CTL : 0;
}

static const struct pmu_pausable pausables[] = {
	{ .since = 2, .count = 1, .msr = IA32_PERF_GLOBAL_CTRL, .bits = UINT64_MAX },
	{ .until = 1, .msr = IA32_PERFEVTSEL(0), .stride = 1, .bits = IA32_PERFEVTSEL_EN },
	{ .count = 1, .msr = IA32_DEBUGCTL, .bits = IA32_DEBUGCTL_LBR },
	{ .count = 1, .msr_of = lbr_ctl, .bits = IA32_LBR_CTL_LBREN },
};

const struct pmu_driver pmu_driver_arch = {
	.program = program, .has_counter = has_counter, .width = width, .msr = msr, .name = name,
	.status = selects_status, .clear_status = selects_clear_status, .status_since = 2,
	.has_event = has_event, .running = running, .examine = examine, .sure = sure,
	.selects = &selects, PAUSABLES(pausables),
};
