/* SPDX-License-Identifier: MIT */
#include <tests/suites/arch/hybrid/hybrid_suite.h>

#include <kernel/lib/format.h>
#include <kernel/machine/machine.h>
#include <pmu/sampling/lbr_stack.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/sampling/pebs_window.h>

/* Returns the fixed counters that all kinds have, and those that one of them has. */
static uint32_t fixed_maps(uint32_t *any)
{
	uint32_t all = UINT32_MAX;

	*any = 0;
	for (unsigned i = 0; i < kinds_count(); i++) {
		const uint32_t map = pmu_of(kind_at(i)->first)->fixed_map;

		all &= map;
		*any |= map;
	}
	return all;
}

const char *need_kinds_fixed3(struct test_ctx *t)
{
	const char *problem = need_kinds(t);
	uint32_t any;
	const uint32_t all = problem ? 0 : fixed_maps(&any);

	if (problem || ((any & ~all) >> 3 & 1))
		return problem;
	return test_reason(t, "IA32_FIXED_CTR3 is on all kinds of processors or on none: fixed "
	                   "counters of all %" PRIX32 "H, of any %" PRIX32 "H", all, any);
}

const char *need_kinds_fixed456(struct test_ctx *t)
{
	const char *problem = need_kinds(t);
	uint32_t any;

	if (problem)
		return problem;
	fixed_maps(&any);
	return (any & 0x70) == 0x70 ? NULL
	       : test_reason(t, "no kind has the fixed counters 4 to 6: their bitmaps are %" PRIX32
	                     "H together", any);
}

const char *need_kinds_pmi(struct test_ctx *t)
{
	const char *problem = need_kinds(t);

	return problem ? problem : need_lvtpc(t);
}

const char *need_kinds_lbr(struct test_ctx *t)
{
	const char *problem = need_kinds(t);

	return problem ? problem : need_lbr(t);
}

const char *need_kinds_pebs(struct test_ctx *t)
{
	const char *problem = need_kinds(t);

	return problem ? problem : need_pebs_any(t);
}

bool hybrid_is_atom(void)
{
	return machine_cpu()->core_type == CORE_TYPE_ATOM;
}

void hybrid_on_all(struct test_ctx *t, execute_part_fn part, uintptr_t argument)
{
	test_sub(t, "cpu 0 (%s)", kind_at(kind_of_this())->name);
	part(t, argument);
	test_sub(t, "%s", "");
	smp_do_on_all(t, part, argument);
}

static SHARED struct smp_barrier barrier;
static SHARED uint32_t running;

void hybrid_barrier_begin(void)
{
	running = 1;
	FOR_EACH_OTHER(cpu)
		running++;
	barrier = (struct smp_barrier){ 0, 0 };
}

void hybrid_barrier_wait(void)
{
	smp_barrier_wait(&barrier, running);
}

void hybrid_write_in_turns(void (*write)(void), bool is_backwards)
{
	const unsigned own = kind_of_this(), turn = is_backwards ? kinds_count() - 1 - own : own;

	for (unsigned i = 0; i < kinds_count(); i++) {
		if (i == turn)
			write();
		hybrid_barrier_wait();
	}
}

void hybrid_at_once(struct test_ctx *t, execute_part_fn part, uintptr_t argument)
{
	hybrid_barrier_begin();
	FOR_EACH_OTHER(cpu)
		secondaries_begin(t, cpu, part, argument);
	test_sub(t, "cpu 0 (%s)", kind_at(kind_of_this())->name);
	part(t, argument);
	test_sub(t, "%s", "");
	FOR_EACH_OTHER(cpu)
		secondaries_join(t, cpu);
}

uint64_t hybrid_count_all(uint16_t event, const struct workload *w, uint32_t rounds)
{
	const struct pmu_setup s = { .counter = 0, .event = event, .flags = PMU_BOTH };

	return pmu_measure(&s, 1, w, rounds, 1).count[0];
}

uint64_t hybrid_count(uint16_t event, const struct workload *w, uint32_t rounds)
{
	const uint64_t few = hybrid_count_all(event, w, 100);

	return hybrid_count_all(event, w, 100 + rounds) - few;
}
