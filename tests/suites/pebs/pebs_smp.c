/* SPDX-License-Identifier: MIT */
/* pebs.smp: all processors sample the same code at once, each with an area of its own. */
#include <arch/modes/modes.h>
#include <kernel/lib/format.h>
#include <pmu/core/pmi.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/common/sampling/pebs_window.h>
#include <tests/suites/common/smp_tests.h>

enum { MISSING = 49, ROUNDS = 600, THRESHOLD = 4 };

static SHARED struct smp_barrier barrier;
static SHARED uint32_t running;

static const char *need_pebs_secondaries(struct test_ctx *t)
{
	const char *problem = need_pebs_any(t);

	if (!problem && pmu_has(PMU_HAS_CCCRS) && netburst_has_threads())
		return test_reason(t, "CPUID.1:EDX[28] = 1: threads share one PMU, see "
		                   "pebs.netburst.threads");
	problem = problem ? problem : need_pmi_lvtpc(t);
	return problem ? problem : need_secondaries(t);
}

static void sample_here(struct test_ctx *t, uintptr_t missing)
{
	struct pebs_use use;
	const struct pmu_setup s = pebs_any(&use, PMU_USR, (uint32_t)missing);
	const struct pebs_window w = { .setups = &s, .count = 1, .code = pebs_rounds,
	                               .rounds = ROUNDS, .argument = MODE_CPL3 };
	const uint32_t events = pebs_window_events(&w);
	unsigned count;

	smp_barrier_wait(&barrier, running);
	count = pebs_window_run(&w);
	smp_barrier_wait(&barrier, running);
	expect_records(t, "records", count, events, (uint32_t)missing);
	expect_exact(t, "of these the code's", pebs_rounds_records(), count,
	             "nothing else runs at CPL 3");
	expect_no_damage(t);
	pmu_reset();
	ds_tear_down();
}

static void begin_all(void)
{
	running = 1;
	FOR_EACH_OTHER(cpu)
		running++;
	barrier = (struct smp_barrier){ 0, 0 };
}

TEST(same_code, .id = "pebs.smp.same_code", .runs = TEST_ON_BOOT, .needs = need_pebs_secondaries,
     .source = PEBS_SDM,
     .claim = "all processors sample the same code at once, and each writes its own area")
{
	begin_all();
	FOR_EACH_OTHER(cpu)
		secondaries_begin(t, cpu, sample_here, MISSING + 10 * cpu);
	sample_here(t, MISSING);
	FOR_EACH_OTHER(cpu)
		secondaries_join(t, cpu);
}

/* ------------------------------------------------------------------------ whose interrupt */

static void wait_here(struct test_ctx *t, uintptr_t argument)
{
	(void)argument;
	pmi_listen(PMI_NMI, NULL);
	smp_barrier_wait(&barrier, running);
	pebs_rounds(ROUNDS, MODE_CPL3);
	smp_barrier_wait(&barrier, running);
	pmi_settle();
	pmi_stop();
	expect_exact(t, "PMIs of a processor without PEBS",
	             pmi_get_log()->count - pmi_get_log()->unsure, 0,
	             "the threshold of another processor's buffer does not interrupt it");
}

static void mask(struct frame *f)
{
	(void)f;                               /* LVTPC masked itself: the first one is enough */
}

TEST(pmi, .id = "pebs.smp.threshold", .runs = TEST_ON_BOOT, .needs = need_pebs_secondaries,
     .source = PEBS_SDM, .claim = "the threshold of a buffer interrupts only its own processor")
{
	struct pebs_use use;
	const struct pmu_setup s = pebs_any(&use, PMU_USR, MISSING);
	const struct pebs_window w = { .setups = &s, .count = 1, .threshold = THRESHOLD };

	begin_all();
	FOR_EACH_OTHER(cpu)
		secondaries_begin(t, cpu, wait_here, 0);
	pebs_window_begin(&w);
	pmi_listen(PMI_NMI, mask);
	smp_barrier_wait(&barrier, running);
	pmu_window(pebs_rounds, ROUNDS, MODE_CPL3);
	smp_barrier_wait(&barrier, running);
	pmi_settle();
	pmi_stop();
	pebs_window_end();
	FOR_EACH_OTHER(cpu)
		secondaries_join(t, cpu);
	expect_exact(t, "PMIs here", pmi_get_log()->count - pmi_get_log()->unsure, 1,
	             "the threshold was reached; LVTPC masks itself at the first one");
}
