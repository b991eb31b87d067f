/* SPDX-License-Identifier: MIT */
/*
 * pebs.netburst.threads: both threads of a core share the MSRs of PEBS, and each has a debug store
 * area of its own: MSR_IQ_COUNTER4 writes records of thread 0, MSR_IQ_COUNTER5 those of thread 1.
 */
#include <arch/cpu/fault.h>
#include <arch/modes/modes.h>
#include <kernel/lib/format.h>
#include <pmu/core/pmi.h>
#include <tests/suites/common/bounded_wait.h>
#include <tests/suites/common/netburst_suite.h>
#include <tests/suites/common/sampling/pebs_window.h>
#include <tests/suites/common/smp_tests.h>

#define THREADS  "SDM 3B, \"PEBS and Intel Hyper-Threading Technology\""

/* Each round is one load at CPL 3, where nothing else counts: 30 records, or 20. */
enum { ROUNDS = 610, THRESHOLD = 15 };
static uint32_t missing_of(unsigned thread) { return thread ? 29 : 19; }

static SHARED struct smp_barrier barrier;
static SHARED uint32_t works;                  /* set by the other thread; bit n: thread n loads */
static SHARED uint32_t other_records, other_strangers, other_pmis, other_enable;

static void meet(void) { smp_barrier_wait(&barrier, 2); }

static NEED_BOTH(need_pebs_threads, need_netburst_thread_pmis, need_pebs)

/* ------------------------------------------------------------------------ a thread's part */

static void stay_masked(struct frame *f)
{
	(void)f;
	if (pmi_get_log()->count > 20)
		pmi_set_mask(true);
}

static void open_area(void)
{
	const uint64_t missing = missing_of(netburst_thread());
	const uint64_t resets[] = { (0 - missing) & NETBURST_COUNTER_VALUE };

	ds_set_up(&(struct ds_plan){
		.buffer[DS_PEBS] = { .records = ds_room(DS_PEBS), .threshold = THRESHOLD },
		.resets = resets, .reset_count = 1,
	});
}

static void load(void)
{
	meet();
	if (works >> netburst_thread() & 1)
		pebs_rounds(ROUNDS, MODE_CPL3);
	meet();
}

/* Returns the number of records that are not of this thread's own loads. */
static unsigned strangers(void)
{
	const uintptr_t at = pebs_rounds_start();
	unsigned count = 0;

	for (unsigned i = 0; i < ds_index(DS_PEBS); i++)
		count += pebs_value(i, PEBS_CX) == 0 || pebs_value(i, PEBS_CX) > ROUNDS
		         || !pebs_is_guilty(i, at, at + PEBS_ROUND_LOAD);
	return count;
}

static unsigned pmis(void) { return pmi_get_log()->count - pmi_get_log()->unsure; }

/* Loads beside the other thread; if argument is not 0 this thread writes MSR_PEBS_ENABLE with it,
 * in its own view. */
static void beside(struct test_ctx *t, uintptr_t enable)
{
	(void)t;
	open_area();
	pmi_listen(PMI_NMI, stay_masked);
	meet();
	if (enable)
		msr_write(MSR_PEBS_ENABLE, enable);
	load();
	other_enable = (uint32_t)msr_read(MSR_PEBS_ENABLE);
	meet();
	wait_silence();
	pmi_stop();
	other_records = ds_index(DS_PEBS);
	other_strangers = strangers();
	other_pmis = pmis();
	meet();
	ds_tear_down();
}

/* ------------------------------------------------------------------------ both of them */

struct route {
	const char *name;
	uint32_t enable;               /* bits 25 and 26 of MSR_PEBS_ENABLE */
	bool is_others_write;          /* the other thread writes them */
	bool is_own, is_others;        /* whose records are expected */
};

/* For pmu_window(): the other thread has its area set up, and may write the register. */
static void load_together(uint32_t rounds, uint32_t argument)
{
	(void)rounds, (void)argument;
	meet();
	load();
	meet();
}

/* Programs front_end_event on both counters, by an ESCR each; RAT_ESCR0 tags for both. */
static void set_up(struct pmu_setup setups[3], struct netburst_use uses[3], uint32_t ovf_pmi)
{
	const struct netburst_event *e = netburst_event_find("front_end_event");

	for (unsigned thread = 0; thread < 2; thread++) {
		setups[thread] = netburst_setup(&uses[thread], e, "NBOGUS", 16 + thread, 0);
		uses[thread].escr_value |= netburst_qualifiers(thread, PMU_USR);
		uses[thread].cccr_value |= ovf_pmi ? netburst_ovf_pmi(thread) : 0;
		setups[thread].start = 0 - (uint64_t)missing_of(thread);
	}
	setups[2] = netburst_setup(&uses[2], netburst_event_find("uop_type"), "TAGLOADS", 12, 0);
	uses[2].escr_value |= netburst_qualifiers(0, PMU_USR)
	                      | netburst_qualifiers(1, PMU_USR);
}

static void run_both(struct test_ctx *t, const struct route *r, uint32_t ovf_pmi)
{
	const unsigned cpu = netburst_sibling();
	struct netburst_use uses[3];
	struct pmu_setup setups[3];

	barrier = (struct smp_barrier){ 0, 0 };
	set_up(setups, uses, ovf_pmi);
	open_area();
	pmu_program(setups, 3);
	pmi_listen(PMI_NMI, stay_masked);
	secondaries_begin(t, cpu, beside, r->is_others_write ? r->enable : 0);
	if (!r->is_others_write)
		msr_write(MSR_PEBS_ENABLE, r->enable);
	pmu_window(load_together, 0, 0);
	wait_silence();
	pmi_stop();
	meet();
	pebs_disable();
	secondaries_join(t, cpu);
}

static void expect_own(struct test_ctx *t, const char *what, unsigned records, bool is_on,
                       unsigned thread)
{
	const bool works_here = works >> thread & 1;

	if (is_on && works_here)
		expect_records(t, what, records, ROUNDS, missing_of(thread));
	else
		expect_exact(t, what, records, 0, is_on ? "this thread loads nothing"
		                                        : "PEBS is off for this thread");
}

static void judge(struct test_ctx *t, const struct route *r)
{
	for (works = 1; works < 4; works++) {
		run_both(t, r, 0);
		test_sub(t, "%s, threads that load %" PRIX32 "H", r->name, works);
		expect_own(t, "records of this thread", ds_index(DS_PEBS), r->is_own,
		           netburst_thread());
		expect_own(t, "records of the other thread", other_records, r->is_others,
		           !netburst_thread());
		expect_exact(t, "records of other code", strangers() + other_strangers, 0,
		             "a thread's records are of the thread's own loads");
		expect_no_damage(t);
	}
	test_sub(t, "%s", "");
}

#define MY   (uint32_t)PEBS_ENABLE_MY_THR
#define OTH  (uint32_t)PEBS_ENABLE_OTH_THR
#define ROUTE(name_, ...) \
	TEST(name_, .id = "pebs.netburst.threads." #name_, .runs = TEST_ON_BOOT, \
	     .needs = need_pebs_threads, .source = THREADS, \
	     .claim = "each thread's records are in its own area; bit 25 of MSR_PEBS_ENABLE is " \
	              "for the writing thread, bit 26 for the other one") \
	{ \
		static const struct route route = { .name = #name_, __VA_ARGS__ }; \
		judge(t, &route); \
	}

ROUTE(both, MY | OTH, false, true, true)
ROUTE(mine, MY, false, true, false)
ROUTE(others, OTH, false, false, true)
ROUTE(written_there, MY, true, false, true)
ROUTE(written_there_for_here, OTH, true, true, false)

/* ------------------------------------------------------------------------ whose interrupt */

TEST(pmi, .id = "pebs.netburst.threads.pmi", .runs = TEST_ON_BOOT, .needs = need_pebs_threads,
     .source = THREADS, .claim = "the threshold of a thread's buffer interrupts only this thread")
{
	static const struct route both = { "both", MY | OTH, false, true, true };

	for (works = 1; works < 4; works++) {
		const bool is_here = works >> netburst_thread() & 1;
		const bool is_there = works >> !netburst_thread() & 1;

		run_both(t, &both, 0);
		test_sub(t, "threads that load %" PRIX32 "H", works);
		expect_exact(t, "PMIs on this thread", pmis(), is_here,
		             "LVTPC masks itself at the first PMI");
		expect_exact(t, "PMIs on the other thread", other_pmis, is_there,
		             "LVTPC masks itself at the first PMI");
	}
	test_sub(t, "%s", "");
}

TEST(ovf_pmi, .id = "pebs.netburst.threads.ovf_pmi", .runs = TEST_ON_BOOT,
     .needs = need_pebs_threads, .source = THREADS,
     .claim = "whether OVF_PMI of a counter that writes records interrupts is "
              "reported, not judged")
{
	static const struct route both = { "both", MY | OTH, false, true, true };

	works = 3;
	for (uint32_t on = 0; on < 2; on++) {
		run_both(t, &both, on);
		test_report(t, on ? "OVF_PMI = 1" : "OVF_PMI = 0",
		            "PMIs %u here, %" PRIu32 " there; the manual demands the bit, and "
		            "drivers clear it", pmis(), other_pmis);
	}
}
