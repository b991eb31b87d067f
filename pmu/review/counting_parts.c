/* SPDX-License-Identifier: MIT */
/* The rows of the page about counters, events, rings, overflows and interrupts. */
#include <pmu/review/review_parts.h>

#include <stddef.h>

#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/core/pmi.h>
#include <pmu/core/pmu.h>
#include <pmu/events/event_spec.h>
#include <pmu/events/events.h>
#include <pmu/events/presets.h>
#include <pmu/workload/workload.h>

enum { ROUNDS = 1000, EARLY = 500 };    /* a round of the loop has two instructions */

void tell_pmu(struct review_part *part)
{
	const struct pmu *p = pmu_get();

	part_say(part, "%s", p->class->name);
	if (p->version)
		part_say(part, ", version %u", p->version);
	if (p->gp_count)
		part_say(part, ", %u counters of %u bits", p->gp_count, p->gp_width);
	if (p->fixed_map)
		part_say(part, ", fixed counters %XH of %u bits", p->fixed_map, p->fixed_width);
	if (p->state != PMU_COUNTS)
		part_say(part, ": %s", p->verdict);
}

/* ---------------------------------------------------------------------------- counters */

struct pmu_setup instructions_on(unsigned counter)
{
	return (struct pmu_setup){ .counter = counter, .event = pmu_get()->class->instructions,
	                           .flags = PMU_BOTH };
}

static unsigned nth_counter(unsigned n)
{
	return pmu_counter_for(EVENT_INSTRUCTIONS_RETIRED, n);
}

unsigned instruction_counters(void)
{
	unsigned n = 0;

	while (n < PMU_FIXED && nth_counter(n) < PMU_FIXED && pmu_has_counter(nth_counter(n)))
		n++;
	return n;
}

/* Returns whether the counter moves; says so if not. */
static bool is_alive(struct review_part *part, unsigned counter)
{
	const struct pmu_setup s = instructions_on(counter);
	char name[PMU_NAME_SIZE];

	if (pmu_measure(&s, 1, &workload_loop, ROUNDS, 0).count[0])
		return true;
	part_say(part, "%s does not count; ", pmu_counter_name(counter, name));
	return false;
}

void tell_counters(struct review_part *part)
{
	unsigned all, alive = 0;

	if (!part_counts(part))
		return;
	all = instruction_counters();
	for (unsigned n = 0; n < all; n++)
		alive += is_alive(part, nth_counter(n));
	for (unsigned i = 0; i < 3; i++)
		if (pmu_get()->fixed_map >> i & 1) {
			all++;
			alive += is_alive(part, PMU_FIXED_CTR(i));
		}
	part_say(part, "%u of %u count", alive, all);
	part_expect(part, "counters that count", alive, all);
}

/* ---------------------------------------------------------------------------- events */

/* Presets, each with code that makes it count. */
static const struct { const char *preset; const struct workload *workload; } provoked[] = {
	{ "PAPI_TOT_CYC", &workload_loop }, { "PAPI_TOT_INS", &workload_loop },
	{ "PAPI_BR_INS", &workload_loop }, { "PAPI_BR_CN", &workload_loop },
	{ "PAPI_BR_MSP", &workload_random }, { "PAPI_LD_INS", &workload_walk },
	{ "PAPI_SR_INS", &workload_store_walk }, { "PAPI_L1_DCM", &workload_walk },
};

uint32_t argument_of(const struct workload *w)
{
	uint32_t size;

	return w == &workload_random ? 1 : (uint32_t)(uintptr_t)pmu_workload_arena(&size);
}

bool preset_value(const char *preset, const struct workload *w, uint32_t rounds, int64_t *value,
                  const char **why)
{
	static struct pmu_chosen chosen;
	static char problem[128];
	const struct pmu_preset *p = pmu_preset_find(preset);
	struct pmu_reading all, none;

	*why = "no table has it";
	if (!p || !pmu_preset_here(p, why))
		return false;
	*why = problem;
	if (!pmu_choose(&chosen, &preset, 1, problem, sizeof(problem)))
		return false;
	none = pmu_chosen_measure(&chosen, &workload_empty, 0, 0);
	all = pmu_chosen_measure(&chosen, w, rounds, argument_of(w));
	*value = pmu_spec_value(&chosen, 0, all.count) - pmu_spec_value(&chosen, 0, none.count);
	return true;
}

void tell_events(struct review_part *part)
{
	unsigned here = 0, counted = 0;
	const char *why;
	int64_t value;

	if (!part_counts(part))
		return;
	for (unsigned i = 0; i < COUNT_OF(provoked); i++) {
		if (!preset_value(provoked[i].preset, provoked[i].workload, ROUNDS, &value, &why))
			continue;
		here++;
		counted += value > 0;
		part_say(part, "%s%s%s", here > 1 ? ", " : "", provoked[i].preset + 5,
		         value > 0 ? "" : " counts nothing");
	}
	part_expect(part, "events that count what provokes them", counted, here);
}

/* ---------------------------------------------------------------------------- rings */

/* The window runs at CPL 0, so that a counter of CPL 3 stands still. */
void tell_rings(struct review_part *part)
{
	struct pmu_setup s;
	uint64_t os, user;

	if (!part_counts(part))
		return;
	s = instructions_on(nth_counter(0));
	if (s.netburst) {
		part_say(part, "not looked at");
		return;
	}
	s.flags = PMU_OS;
	os = pmu_measure(&s, 1, &workload_loop, ROUNDS, 0).count[0];
	s.flags = PMU_USR;
	user = pmu_measure(&s, 1, &workload_loop, ROUNDS, 0).count[0];
	part_say(part, "%" PRIu64 " instructions at CPL 0 are %" PRIu64 " with OS, and %" PRIu64
	         " with USR", workload_insns(&workload_loop, ROUNDS), os, user);
	part_expect(part, "instructions at CPL 0 that USR counts", user, 0);
}

/* ---------------------------------------------------------------------------- overflow */

void tell_overflow(struct review_part *part)
{
	struct pmu_setup s;
	struct pmu_reading r;
	uint64_t seen;

	if (!part_counts(part))
		return;
	if (!pmu_has_status()) {
		part_say(part, "no register shows it; software looks at the counter's sign");
		return;
	}
	if (pmu_has(PMU_HAS_CCCRS)) {
		part_say(part, "OVF in each CCCR, which whatever stops the counter clears");
		return;
	}
	s = instructions_on(nth_counter(0));
	s.start = 0 - (uint64_t)EARLY;
	r = pmu_measure(&s, 1, &workload_loop, ROUNDS, 0);
	seen = r.status ? 1 : 0;
	part_say(part, seen ? "the status register shows it" : "the status register stays 0");
	part_expect(part, "overflows that the status shows", seen, 1);
}

/* Returns how many PMIs one overflow raised; -1 if there can be none. */
static int raise_one(const char **why)
{
	struct pmu_setup s = instructions_on(nth_counter(0));

	*why = pmi_unavailable();
	if (*why)
		return -1;
	s.start = pmi_start(EARLY);
	s.flags |= PMU_INT;
	pmi_listen(PMI_NMI, NULL);
	pmu_measure(&s, 1, &workload_loop, ROUNDS, 0);
	pmi_settle();
	pmi_stop();
	return (int)pmi_get_log()->count;
}

const char *pmi_trouble(void)
{
	const char *why;
	const int count = raise_one(&why);

	return count < 0 ? why : count ? NULL : "an overflow raises no PMI";
}

void tell_pmi(struct review_part *part)
{
	const char *why;
	int count;

	if (!part_counts(part))
		return;
	count = raise_one(&why);
	if (count < 0) {
		part_say(part, "no: %s", why);
		return;
	}
	part_say(part, count == 1 ? "an overflow interrupts, as an NMI"
	                          : "one overflow raises %d interrupts", count);
	part_expect(part, "PMIs of one overflow", (uint64_t)count, 1);
}
