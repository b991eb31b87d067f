/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/counts/two_counters.h>

#include <kernel/lib/format.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>

enum { TWO = 2, ROUNDS = 1000 };

static struct pmu_setup setup(unsigned counter, uint16_t event)
{
	return (struct pmu_setup){ .counter = counter, .event = event, .flags = PMU_BOTH };
}

/* ------------------------------------------------------------------------ two events */

static void check_apart(struct test_ctx *t, unsigned insns, const struct two_counters_code *code)
{
	static const char why[] = "it is assembled so, whatever the other counter counts";
	const struct pmu_setup both[TWO] = { setup(insns, counting_event(COUNTING_INSNS)),
	                                     setup(!insns, counting_event(COUNTING_BRANCHES)) };
	struct pmu_reading empty = pmu_measure(both, TWO, &workload_empty, code->rounds,
	                                       code->argument);
	char name[PMU_NAME_SIZE];

	for (unsigned i = 0; i < code->count; i++) {
		const struct workload *w = code->workloads[i];
		struct pmu_reading r = pmu_measure(both, TWO, w, code->rounds, code->argument);

		test_sub(t, "%s, instructions on %s", w->name, pmu_counter_name(insns, name));
		expect_exact(t, "instructions", r.count[0] - empty.count[0],
		             workload_insns(w, code->rounds)
		             - workload_insns(&workload_empty, code->rounds), why);
		expect_exact(t, "branches", r.count[1] - empty.count[1],
		             workload_branches(w, code->rounds)
		             - workload_branches(&workload_empty, code->rounds), why);
	}
}

void two_counters_apart(struct test_ctx *t, const struct two_counters_code *code)
{
	if (!expect_alive(t, TWO))
		return;
	check_apart(t, 0, code);
	check_apart(t, 1, code);
}

/* ------------------------------------------------------------------------ one event */

static void check_equal(struct test_ctx *t, const struct two_counters_event *e,
                        const struct two_counters_code *code)
{
	const struct pmu_setup both[TWO] = { setup(0, e->event), setup(1, e->event) };
	char name[PMU_NAME_SIZE];

	for (unsigned i = 0; i < code->count; i++) {
		const struct workload *w = code->workloads[i];
		struct pmu_reading r = counting_measure(both, TWO, w->code, code->rounds,
		                                        code->argument);

		test_sub(t, "%s of %s", e->name, w->name);
		pmu_counter_name(1, name);
		if (!e->slack || is_comparable(counting_is_together()))
			expect_same(t, name, r.count[1], r.count[0], e->slack,
			            "the other counter counted the same event in the same window");
		else
			counting_expect_clocks(t, name, r.count[1],
			                       workload_insns(w, code->rounds));
	}
}

void two_counters_equal(struct test_ctx *t, const struct two_counters_event *events, unsigned count,
                        const struct two_counters_code *code)
{
	for (unsigned i = 0; i < count && expect_alive(t, TWO); i++)
		check_equal(t, &events[i], code);
}

/* ------------------------------------------------------------------------ values */

void two_counters_preset(struct test_ctx *t, const uint64_t *starts, unsigned count)
{
	char name[PMU_NAME_SIZE];

	for (unsigned x = 0; x < pmu_get()->gp_count; x++) {
		struct pmu_setup s = setup(x, counting_event(COUNTING_INSNS));
		uint64_t from_0 = pmu_measure(&s, 1, &workload_loop, ROUNDS, 0).count[0];

		for (unsigned i = 0; i < count; i++) {
			s.start = starts[i];
			test_sub(t, "%s from %" PRIX64 "H", pmu_counter_name(x, name), s.start);
			pmu_program(&s, 1);
			expect_exact(t, "value when programmed", pmu_read(x), s.start,
			             "writes of the controls do not change the counter");
			expect_exact(t, "value after the loop",
			             pmu_measure(&s, 1, &workload_loop, ROUNDS, 0).value[0],
			             s.start + from_0, "it counts as many as from 0");
		}
	}
}

static void write_inside(uint32_t rounds, uint32_t counter)
{
	workload_loop.code(rounds, 0);
	pmu_write(counter, 5000);
	workload_loop.code(100, 0);
}

/* Checks a write into the running counter x, beside which another one counts the same. */
static void check_write_running(struct test_ctx *t, unsigned x)
{
	const uint16_t branches = counting_event(COUNTING_BRANCHES);
	const unsigned other = (x + 1) % pmu_get()->gp_count;
	const struct pmu_setup both[TWO] = { setup(x, branches), setup(other, branches) };
	struct pmu_reading few = pmu_measure_code(both, TWO, write_inside, 100, x);
	struct pmu_reading many = pmu_measure_code(both, TWO, write_inside, 1100, x);
	char name[PMU_NAME_SIZE];

	test_sub(t, "%s written with 5000 while it and another one run", pmu_counter_name(x, name));
	expect_exact(t, "its value with more rounds before", many.value[0], few.value[0],
	             "the write replaces what was counted before it");
	expect_between(t, "its value", few.value[0], 5100, 5200,
	               "low: the 100 branches of the loop after the write; high: also the "
	               "returns around it, with room");
	expect_exact(t, "the other one, 1000 more rounds", many.value[1] - few.value[1], 1000,
	             "one branch a round");
}

void two_counters_write_running(struct test_ctx *t)
{
	for (unsigned x = 0; x < pmu_get()->gp_count; x++)
		check_write_running(t, x);
}
