/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/counts/counting.h>

#include <stddef.h>

#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/events/netburst_pmu.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/smp_tests.h>

/* How much fixed counter 0 may be off: a window gains up to 32 as a whole. */
enum { FIXED0_GAIN = 32 };

/* SDM 3B, table "Association of Fixed-Function Performance Counters with Architectural Performance
 * Events". */
static const struct { uint16_t event; uint8_t fixed; } associations[] = {
	{ EVENT_INSTRUCTIONS_RETIRED,  0 },
	{ EVENT_UNHALTED_CORE_CYCLES,  1 },
	{ EVENT_TOPDOWN_SLOTS,         3 },
};

bool counting_find_fixed(uint16_t event, unsigned *counter)
{
	for (size_t i = 0; i < COUNT_OF(associations); i++) {
		*counter = PMU_FIXED_CTR(associations[i].fixed);
		if (associations[i].event == event && pmu_has_counter(*counter))
			return true;
	}
	return false;
}

unsigned counting_setups(struct pmu_setup setups[PMU_SETUPS_MAX], uint16_t event, unsigned flags)
{
	unsigned count = 0, fixed, counter;

	while (count < PMU_SETUPS_MAX - 1
	       && (counter = pmu_counter_for(event, count)) != PMU_FIXED)
		setups[count++] = (struct pmu_setup){ .counter = counter, .event = event,
		                                      .flags = flags };
	if (counting_find_fixed(event, &fixed))
		setups[count++] = (struct pmu_setup){ .counter = fixed, .flags = flags };
	return count;
}

bool counting_is_p5(void)
{
	return pmu_has(PMU_HAS_CESR);
}

bool counting_is_amd(void)
{
	return pmu_has(PMU_HAS_LEGACY_CTLS);
}

bool counting_may_rest(unsigned counter)
{
	return !pmu_is_exact() && (counter == PMU_FIXED_CTR(4) || counter == PMU_FIXED_CTR(5));
}

bool counting_leaves_out(struct test_ctx *t, unsigned counter)
{
	char name[PMU_NAME_SIZE];

	if (counting_may_rest(counter))
		test_report(t, pmu_counter_name(counter, name),
		            "not judged: warm caches and predictors may leave it no event");
	return counting_may_rest(counter);
}

bool counting_has_full_width(unsigned counter)
{
	return counter < PMU_FIXED
	       && (pmu_get()->capabilities & IA32_PERF_CAPABILITIES_FW_WRITE) != 0;
}

/* P5 and P6 have one register, or one enable bit, for both counters; NetBurst has one for each. */
bool counting_is_together(void)
{
	return pmu_get()->version >= pmu_get()->class->together_since;
}

unsigned counting_window_size(void)
{
	return counting_is_together() ? pmu_get()->gp_count : 1;
}

/* On NetBurst, counters that one ESCR switches start together. */
static bool start_together(const struct pmu_setup *setups, unsigned count)
{
	const struct netburst_use *first = setups[0].netburst;

	if (!first || !first->is_by_escr)
		return counting_is_together();
	for (unsigned i = 1; i < count; i++)
		if (!setups[i].netburst || setups[i].netburst->escr != first->escr)
			return false;
	return true;
}

struct pmu_reading counting_measure(const struct pmu_setup *setups, unsigned count,
                                    void (*code)(uint32_t rounds, uint32_t argument),
                                    uint32_t rounds, uint32_t argument)
{
	struct pmu_reading all = { .repeats = 0 };

	if (start_together(setups, count))
		return pmu_measure_code(setups, count, code, rounds, argument);
	for (unsigned i = 0; i < count; i++) {
		struct pmu_reading one = pmu_measure_code(&setups[i], 1, code, rounds, argument);

		all.count[i] = one.count[0];
		all.value[i] = one.value[0];
		all.repeats += one.repeats;
		all.is_spoiled |= one.is_spoiled;
	}
	return all;
}

void counting_expect_clocks(struct test_ctx *t, const char *what, uint64_t got, uint64_t insns)
{
	expect_between(t, what, got, insns / INSNS_PER_CYCLE_MAX, UINT32_MAX,
	               "low: no clock retires more than 16 instructions; high: a second");
}

uint64_t counting_one(uint16_t event, void (*code)(uint32_t rounds, uint32_t argument),
                      uint32_t rounds, uint32_t argument)
{
	struct pmu_setup setup = { .counter = pmu_counter_for(event, 0), .event = event,
	                           .flags = PMU_BOTH };

	return pmu_measure_code(&setup, 1, code, rounds, argument).count[0];
}

uint32_t counting_rounds(const struct workload *w, uint32_t rounds)
{
	enum { OF_CPUID = 20 };

	return w == &workload_cpuid && rounds > OF_CPUID ? OF_CPUID : rounds;
}

uint16_t counting_event(enum counting_of of)
{
	const struct pmu_class *class = pmu_get()->class;

	return of == COUNTING_INSNS ? class->instructions : class->branches;
}

struct bounds counting_unless_gain(unsigned counter, struct bounds usual)
{
	if (counter == PMU_FIXED_CTR(0) && smp_find(true))
		return silicon_shown(SILICON_FIXED0_GAINS_32, usual);
	return usual;
}

/* Returns the bounds of a count where the machine is not exact. */
static struct bounds elsewhere(const struct counting *c, unsigned counter)
{
	const struct counting_known *k = c->known;
	struct bounds usual = else_exact(c->want, c->why);

	if (k && !(k->is_general && counter >= PMU_FIXED))
		usual = silicon_in(k->row, usual, c->want, c->want + k->each * c->rounds);
	if (c->event == EVENT_BRANCH_INSTR_RETIRED)
		return silicon_shown(SILICON_E_CORE_BRANCHES, usual);
	if (counter != PMU_FIXED_CTR(0) || c->want < FIXED0_GAIN)
		return counting_unless_gain(counter, usual);
	if (smp_find(true))
		return silicon_in(SILICON_FIXED0_GAINS_32, usual, c->want - FIXED0_GAIN,
		                  c->want + FIXED0_GAIN);
	return usual;
}

bool counting_is_too_long(struct test_ctx *t, const struct pmu_reading *r)
{
	if (r->is_spoiled)
		test_report(t, "not judged, and nothing longer measured",
		            "a tick of 55 ms fell into each of %u windows", r->repeats + 1);
	return r->is_spoiled;
}

bool expect_counts_at(struct test_ctx *t, struct test_place at, const struct counting *c)
{
	struct pmu_setup setups[PMU_SETUPS_MAX];
	unsigned count = counting_setups(setups, c->event, PMU_BOTH);
	struct pmu_reading empty = counting_measure(setups, count, workload_empty.code, 1, 0);
	struct pmu_reading full = counting_measure(setups, count, c->code, c->rounds, c->argument);
	char name[PMU_NAME_SIZE];

	if (c->argument)
		test_sub(t, "%s, rounds: %" PRIu32 ", argument: %" PRIu32, c->subject, c->rounds,
		         c->argument);
	else
		test_sub(t, "%s, rounds: %" PRIu32, c->subject, c->rounds);
	for (unsigned i = 0; i < count && !full.is_spoiled; i++)
		expect_bounds_at(t, at, pmu_counter_name(setups[i].counter, name),
		                 full.count[i] - empty.count[i], if_exact(c->want, c->why),
		                 elsewhere(c, setups[i].counter));
	counting_is_too_long(t, &full);
	test_sub(t, "%s", "");
	return !full.is_spoiled;
}

void expect_workload_at(struct test_ctx *t, struct test_place at, enum counting_of of,
                        const struct workload *w, const uint32_t *rounds, unsigned count,
                        uint32_t argument, const char *why, const struct counting_known *known)
{
	bool may_be_longer = true;

	for (unsigned i = 0; i < count && may_be_longer; i++) {
		uint64_t insns = workload_insns(w, rounds[i]) - workload_insns(&workload_empty, 1);
		uint64_t branches = workload_branches(w, rounds[i])
		                    - workload_branches(&workload_empty, 1);

		may_be_longer = expect_counts_at(t, at, &(const struct counting){
			.subject = w->name, .code = w->code, .rounds = rounds[i],
			.argument = argument, .why = why, .known = known,
			.event = counting_event(of),
			.want = of == COUNTING_INSNS ? insns : branches,
		});
	}
}

bool expect_alive_at(struct test_ctx *t, struct test_place at, unsigned counters)
{
	const bool is_netburst = pmu_has(PMU_HAS_CCCRS);
	char name[PMU_NAME_SIZE], what[64];
	bool is_alive = true;

	for (unsigned i = 0; i < counters && !is_netburst && pmu_has_counter(i); i++) {
		const struct pmu_setup s = { .counter = i, .flags = PMU_BOTH,
		                             .event = counting_event(COUNTING_INSNS) };
		uint64_t got = pmu_measure(&s, 1, &workload_loop, 100, 0).count[0];

		format_buf(what, sizeof(what), "%s alone: instructions of a loop",
		           pmu_counter_name(i, name));
		is_alive &= expect_between_at(t, at, what, got, 1, UINT64_MAX,
		                              "low: a counter that is alive counts some, and a "
		                              "dead one is no measure of another; high: no "
		                              "bound");
	}
	return is_alive;
}

bool expect_same_at(struct test_ctx *t, struct test_place at, const char *what, uint64_t got,
                    uint64_t want, uint64_t slack, const char *why)
{
	return expect_bounds_at(t, at, what, got, if_exact(want, why),
	                        else_in(want - slack, want + slack, why));
}
