/* SPDX-License-Identifier: MIT */
/*
 * What the counters count that the cores of a package share. Sources: the event lists of libpfm4
 * and LIKWID; Linux, uncore.c, for the threads and slices that an L3 counter selects.
 */
#include <tests/suites/common/amd/amd_suite.h>

#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <kernel/machine/machine.h>
#include <kernel/run/secondaries.h>
#include <pmu/core/driver.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/smp_tests.h>

#define LISTS   "libpfm4 and LIKWID, events of the northbridge and of L3"
#define UNCORE  "Linux, arch/x86/events/amd/uncore.c; LIKWID"

/* 256 KB: the last cache of every processor holds them. */
enum { LINES = 4096 };

/* For pmu_window_take(). */
static PMU_ONE_COPY void write_and_read(uint32_t lines, uint32_t arena)
{
	workload_store_walk.code(lines, arena);
	workload_walk.code(lines, arena);
}

/* Writes and reads these lines of the arena while a counter counts. */
static uint64_t shared_count(uint32_t ctl, uint32_t ctr, uint64_t select)
{
	uint32_t size, arena = (uint32_t)(uintptr_t)pmu_workload_arena(&size);
	struct pmu_switch s = { .on_count = 0 };

	workload_find("wbinvd")->code(1, 0);            /* otherwise a large L2 may hold them all */
	msr_write(ctr, 0);
	pmu_switch_add_on(&s, ctl, select);
	pmu_switch_add_off(&s, ctl, 0);
	pmu_window_take(&s, write_and_read, LINES, arena);
	return amd_read(ctr);
}

/* ---------------------------------------------------------------------------- the northbridge */

/* Of the data fabric no list is sure. */
static const char *need_nb_events(struct test_ctx *t)
{
	const char *reason = need_amd_nb(t);

	return reason || amd_family() < AMD_17H ? reason
	       : test_reason(t, "family %XH: no event of its data fabric is modelled or judged",
	                     amd_family());
}

/* 0E0H: accesses of the memory, of all kinds. */
#define DRAM_ACCESSES (FIELD_PUT(PERF_CTL_UNIT_MASK, 0x3f) | 0xe0)

TEST(nb_count, .id = "amd.nb.count", .needs = need_nb_events, .runs = TEST_ALONE, .source = LISTS,
     .claim = "each northbridge counter counts accesses of the memory while its EN is 1")
{
	for (unsigned i = 0; i < amd_nb_counters(); i++) {
		test_sub(t, "northbridge counter %u", i);
		expect_bounds(t, "accesses", shared_count(NB_PERF_CTL(i), NB_PERF_CTR(i),
		                                          DRAM_ACCESSES | PERF_CTL_EN),
		              if_exact_in(LINES, UINT32_MAX, "low: each line came from memory; "
		                          "high: no bound"),
		              else_in(1, UINT32_MAX, "low: some line came; high: no bound"));
		msr_write(NB_PERF_CTL((i + 1) % amd_nb_counters()), DRAM_ACCESSES | PERF_CTL_EN);
		expect_exact(t, "accesses with EN = 0, while another one counts",
		             shared_count(NB_PERF_CTL(i), NB_PERF_CTR(i), DRAM_ACCESSES), 0,
		             "it is stopped");
		msr_write(NB_PERF_CTL((i + 1) % amd_nb_counters()), 0);
	}
}

static SHARED uint64_t written;

static void check_here(struct test_ctx *t, uintptr_t msr)
{
	expect_exact(t, "the counter, read here", amd_read((uint32_t)msr), written,
	             "the cores of a package share it");
}

static NEED_BOTH(need_nb_cores, need_amd_nb, need_two_cores)

TEST(nb_shared, .id = "amd.nb.shared", .needs = need_nb_cores, .runs = TEST_ON_BOOT,
     .source = UNCORE,
     .claim = "another core of the package reads the same counters of the northbridge or fabric")
{
	unsigned cpu = smp_find(false);

	if (smp_get(cpu)->topology.package != smp_get(0)->topology.package) {
		test_skip(t, "the second core is in another package");
		return;
	}
	for (unsigned i = 0; i < amd_nb_counters(); i++) {
		written = 0x123450000u + i;
		msr_write(NB_PERF_CTR(i), written);
		secondaries_do(t, cpu, check_here, NB_PERF_CTR(i));
		msr_write(NB_PERF_CTR(i), 0);
	}
}

/* ---------------------------------------------------------------------------- L3 */

static const char *need_zen_l3(struct test_ctx *t)
{
	const char *reason = need_amd_l3(t);

	return reason || amd_family() >= AMD_17H ? reason
	       : test_reason(t, "family %XH counts L2I there", amd_family());
}

/* Accesses: 001H on family 17H, 004H with all states later. */
static uint64_t accesses(void)
{
	return FIELD_PUT(PERF_CTL_UNIT_MASK, 0xff) | (amd_is_17h() ? 0x01 : 0x04) | PERF_CTL_EN;
}

static uint64_t count_l3(unsigned i, uint64_t selection)
{
	return shared_count(L3_PERF_CTL(i), L3_PERF_CTR(i), accesses() | selection);
}

static uint64_t all_slices(void)
{
	return amd_is_17h() ? L3_PERF_CTL_SLICE_MASK : L3_PERF_CTL_ALL_SLICES;
}

static uint64_t all_threads(void)
{
	return amd_is_17h() ? L3_PERF_CTL_THREAD_MASK
	                    : L3_PERF_CTL_ALL_CORES | L3_PERF_CTL_THREADS;
}

#define EACH  "low: each line was asked of L3; high: no bound"

static void check_all(struct test_ctx *t, unsigned i)
{
	test_sub(t, "L3 counter %u", i);
	expect_bounds(t, "no thread selected", count_l3(i, all_slices()),
	              if_exact(0, "no thread is counted"), ELSE_SHOWN);
	msr_write(L3_PERF_CTL((i + 1) % amd_l3_counters()),
	          accesses() | all_slices() | all_threads());
	expect_exact(t, "EN = 0, while another one counts",
	             shared_count(L3_PERF_CTL(i), L3_PERF_CTR(i),
	                          (accesses() | all_slices() | all_threads()) & ~PERF_CTL_EN), 0,
	             "it is stopped");
	msr_write(L3_PERF_CTL((i + 1) % amd_l3_counters()), 0);
	expect_bounds(t, "all selected", count_l3(i, all_slices() | all_threads()),
	              if_exact_in(LINES, UINT32_MAX, EACH), ELSE_SHOWN);
}

TEST(l3_count, .id = "amd.l3.count", .needs = need_zen_l3, .runs = TEST_ALONE, .source = UNCORE,
     .claim = "an L3 counter counts the accesses of the threads that its control selects")
{
	for (unsigned i = 0; i < amd_l3_counters(); i++)
		check_all(t, i);
}

/* Adds up what one selection after the other counts: field 0 to last, each with the rest. */
static uint64_t sum_of(uint64_t field, unsigned values, bool is_mask, uint64_t rest)
{
	uint64_t sum = 0;

	for (unsigned n = 0; n < values; n++)
		sum += count_l3(0, rest | (is_mask ? FIELD_LSB(field) << n
		                                   : FIELD_LSB(field) * n));
	return sum;
}

TEST(slices, .id = "amd.l3.slices", .needs = need_zen_l3, .runs = TEST_ALONE, .source = UNCORE,
     .claim = "what L3 counts of each slice, and of each thread, adds up to what it counts of all")
{
	const uint64_t all = count_l3(0, all_slices() | all_threads());
	const struct bounds want = if_exact(all, "an access is of one slice and of one thread");
	const bool is_17h = amd_is_17h();

	expect_bounds(t, "all slices", all, if_exact_in(LINES, UINT32_MAX, EACH), ELSE_SHOWN);
	expect_bounds(t, "the slices' sum",
	              is_17h ? sum_of(L3_PERF_CTL_SLICE_MASK, 4, true, all_threads())
	                     : sum_of(L3_PERF_CTL_SLICE, 8, false, all_threads()),
	              want, ELSE_SHOWN);
	expect_bounds(t, "the threads' sum",
	              is_17h ? sum_of(L3_PERF_CTL_THREAD_MASK, 8, true, all_slices())
	                     : sum_of(L3_PERF_CTL_THREADS, 2, true,
	                              all_slices() | L3_PERF_CTL_ALL_CORES),
	              want, ELSE_SHOWN);
	if (!is_17h)
		expect_bounds(t, "the cores' sum",
		              sum_of(L3_PERF_CTL_CORE, 8, false,
		                     all_slices() | L3_PERF_CTL_THREADS), want, ELSE_SHOWN);
}

/* Selects thread n: 17H has a bit for each of a package, later ones a core and its two threads. */
static uint64_t thread(unsigned n)
{
	return amd_is_17h() ? FIELD_LSB(L3_PERF_CTL_THREAD_MASK) << n
	                    : FIELD_LSB(L3_PERF_CTL_THREADS) << n % 2
	                      | FIELD_LSB(L3_PERF_CTL_CORE) * (n / 2);
}

static SHARED uint32_t taken[CPUS_MAX];   /* by package; bit n: thread(n) is a processor's */

static NEED_BOTH(need_l3_others, need_zen_l3, need_secondaries)

TEST(threads, .id = "amd.l3.threads", .needs = need_l3_others, .runs = TEST_ALONE,
     .source = UNCORE,
     .claim = "each processor of a package is selected by threads of L3's control of its own")
{
	uint32_t *others = &taken[smp_get(smp_self())->topology.package % COUNT_OF(taken)], own = 0;

	if (smp_self() == 0)
		memset(taken, 0, sizeof(taken));
	for (unsigned n = 0; n < (amd_is_17h() ? 8 : 16); n++)
		if (count_l3(0, all_slices() | thread(n)) >= LINES)
			own |= 1u << n;
	expect_bounds(t, "a thread selects it", own != 0, if_exact(1, "its own does"), ELSE_SHOWN);
	expect_bounds(t, "threads that select another one, too", own & *others,
	              if_exact(0, "each has its own"), ELSE_SHOWN);
	*others |= own;
}

/* ---------------------------------------------------------------------------- and the core's */

TEST(apart, .id = "amd.global.not_of_others", .needs = need_amd_nb, .runs = TEST_ON_BOOT,
     .source = AMD_APM, .claim = "core counters and their enables leave the northbridge's alone")
{
	pmu_reset();
	for (unsigned i = 0; i < amd_nb_counters(); i++)
		msr_write(NB_PERF_CTR(i), 0x1000 + i);
	amd_count(0, amd_select(AMD_EVENT_INST_RETIRED, 0), workload_loop.code, 1000, 0);
	for (unsigned i = 0; i < amd_nb_counters(); i++) {
		test_sub(t, "northbridge counter %u", i);
		expect_exact(t, "its value", amd_read(NB_PERF_CTR(i)), 0x1000 + i, "its EN was 0");
		msr_write(NB_PERF_CTR(i), 0);
	}
}

static NEED_BOTH(need_v2_l3, need_amd_v2, need_zen_l3)

TEST(other_units, .id = "amd.global.other_units", .needs = need_v2_l3, .runs = TEST_ALONE,
     .source = AMD_APM ", Performance Monitoring Version 2",
     .claim = "PerfCntrGlobalCtl = 0 does not stop the counters of L3")
{
	uint64_t got;

	msr_write(PerfCntrGlobalCtl, 0);
	got = count_l3(0, all_slices() | all_threads());
	expect_between(t, "accesses", got, 1, UINT32_MAX,
	               "low: lines were asked of L3; high: no bound");
}
