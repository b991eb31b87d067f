/* SPDX-License-Identifier: MIT */
/* The row of the page about what counting costs, beside what it costs on published processors. */
#include <pmu/review/review_parts.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <kernel/machine/machine.h>
#include <kernel/run/test.h>
#include <pmu/core/pmi.h>
#include <pmu/core/pmu.h>
#include <pmu/review/published_costs.h>

enum {
	ROUNDS = 10000, TRIES = 16, PERIOD = 1000,
	IN_A_ROW = 64,                 /* as in what is published */
	NOTHING = COSTLY_COUNT,
};

static const char *const names[] = { "RDPMC", "RDMSR", "WRMSR" };

#define INLINED static inline __attribute__((always_inline))

INLINED fault_t act(unsigned action, uint32_t number)
{
	uint64_t value;

	switch (action) {
	case COSTLY_RDPMC: return pmc_try_read(number, &value);
	case COSTLY_RDMSR: return msr_try_read(number, &value);
	case COSTLY_WRMSR: return msr_try_write(number, 0);
	default:           return FAULT_NONE;
	}
}

/*
 * Returns the fewest clocks of the TSC that so many in a row took: interrupts and SMIs can only add
 * to them. It is inlined, so that nothing but the instruction and a loop is between the two reads.
 */
INLINED uint32_t clocks_of(unsigned action, uint32_t number)
{
	uint32_t least = UINT32_MAX;

	for (unsigned i = 0; i < TRIES; i++) {
		const uint64_t start = tsc_read();
		uint32_t took;

		for (volatile unsigned each = 0; each < IN_A_ROW; each++)
			act(action, number);
		took = (uint32_t)(tsc_read() - start);
		least = took < least ? took : least;
	}
	return least;
}

/* Says the cost beside the published one, or that the instruction leaves the processor. */
static void say_cost(struct review_part *part, enum costly action, uint32_t clocks)
{
	const struct published_cost *of = published_cost_of(machine_cpu());

	part_say(part, "%s %u", names[action], clocks);
	if (published_is_beyond(action, clocks))
		part_say(part, " (trapped: no processor takes so long)");
	else if (of && of->tenths[action])
		part_say(part, " (%u)", (of->tenths[action] + 5) / 10);
	part_say(part, ", ");
}

INLINED void tell_cost(struct review_part *part, enum costly action, uint32_t number)
{
	const fault_t fault = act(action, number);
	const uint32_t nothing = clocks_of(NOTHING, number), all = clocks_of(action, number);
	char text[FAULT_TEXT_SIZE];

	if (is_fault(fault))
		part_say(part, "%s raises %s, ", names[action], fault_text(fault, text));
	else
		say_cost(part, action, all > nothing ? (all - nothing) / IN_A_ROW : 0);
}

static unsigned sampled;                /* the counter that the handler sets again */

static void sample_again(struct frame *f)
{
	(void)f;
	pmu_write(sampled, pmi_start(PERIOD));
	pmi_acknowledge();
}

/* Returns the clocks of a window that one counter runs through, with its interrupts or without. */
static uint32_t clocks_of_window(unsigned flags)
{
	struct pmu_setup s = instructions_on(pmu_counter_for(EVENT_INSTRUCTIONS_RETIRED, 0));
	uint64_t start;

	s.start = pmi_start(PERIOD);
	s.flags |= flags;
	sampled = s.counter;
	pmi_listen(PMI_NMI, sample_again);
	pmu_program(&s, 1);
	start = tsc_read();
	pmu_window(workload_loop.code, ROUNDS, 0);
	start = tsc_read() - start;
	pmi_stop();
	return (uint32_t)start;
}

/* An interrupt with a handler that sets the counter again, as a profiler's does. */
static void tell_cost_of_pmi(struct review_part *part)
{
	const uint32_t without = pmi_unavailable() ? 0 : clocks_of_window(0);
	const uint32_t with = without ? clocks_of_window(PMU_INT) : 0;

	if (pmi_get_log()->count && with > without)
		part_say(part, "a PMI %u, ", (with - without) / pmi_get_log()->count);
	part_say(part, "in clocks of the TSC");
}

void tell_costs(struct review_part *part)
{
	const struct published_cost *of = published_cost_of(machine_cpu());
	uint32_t msr;

	if (!part_counts(part) || !cpuid_get(CPUID_TSC)) {
		part_say(part, part->text[0] ? "" : "unknown: no TSC");
		return;
	}
	msr = pmu_get()->class->probe.on[0].msr;
	if (pmu_has(PMU_HAS_RDPMC))
		tell_cost(part, COSTLY_RDPMC, pmu_rdpmc_index(0));
	tell_cost(part, COSTLY_RDMSR, msr);
	tell_cost(part, COSTLY_WRMSR, msr);
	tell_cost_of_pmi(part);
	if (of)
		part_say(part, "; in brackets: %s", of->name);
}
