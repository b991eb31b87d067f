/* SPDX-License-Identifier: MIT */
/* Branch records and PEBS records of all kinds in one run, each in its own processor's format. */
#include <arch/regs/lbr.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <arch/modes/modes.h>
#include <kernel/lib/format.h>
#include <pmu/sampling/lbr_stack.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/sampling/pebs_window.h>
#include <tests/suites/arch/hybrid/hybrid_suite.h>

enum { ROUNDS = 600, MISSING = 49 };

/* ------------------------------------------------------------------------ branch records */

static void record_at_once(struct test_ctx *t, uintptr_t unused)
{
	const char *why;
	const struct lbr_kind *kind = lbr_kind(&why);
	const uintptr_t first = pebs_rounds_start(), end = first + PEBS_ROUND_SIZE;
	unsigned within = 0;

	(void)unused;
	lbr_clear();
	hybrid_barrier_wait();
	lbr_window(lbr_select_user(), pebs_rounds, ROUNDS, MODE_CPL3);
	hybrid_barrier_wait();
	for (unsigned age = 0; age < kind->depth; age++) {
		const struct lbr_record r = lbr_get(age);

		within += r.from >= first && r.from < end && r.to == first;
	}
	expect_bounds(t, "records of the loop's branch", within,
	              if_exact_in(kind->depth - 3, kind->depth,
	                          "low: the loop's last round and what left CPL 3 are others; "
	                          "high: the depth"),
	              else_in(1, kind->depth, "low: 600 rounds; high: the depth"));
}

HYBRID_TEST(records, "lbr.at_once", .needs = need_kinds_lbr,
            .source = "SDM 3B, \"Architectural Last Branch Records\"; leaf 1CH of each processor",
            .claim = "all processors of all kinds record their branches at once, and none has "
                     "another one's records")
{
	hybrid_at_once(t, record_at_once, 0);
}

static const char *need_kinds_arch_lbr(struct test_ctx *t)
{
	const char *problem = need_kinds_lbr(t), *why;

	if (problem || lbr_kind(&why)->is_architectural)
		return problem;
	return test_reason(t, "CPUID.7.0:EDX[19] = 0: no architectural branch records");
}

/* Another depth on each kind: 8 on the second one. */
static uint64_t own_depth(void)
{
	return kind_of_this() == 1 ? 8 : 32;
}

static void write_depth(void)
{
	msr_write(IA32_LBR_DEPTH, own_depth());
}

static void depth_here(struct test_ctx *t, uintptr_t unused)
{
	(void)unused;
	for (unsigned backwards = 0; backwards < 2; backwards++) {
		hybrid_write_in_turns(write_depth, backwards);
		expect_exact(t, "IA32_LBR_DEPTH", msr_read(IA32_LBR_DEPTH), own_depth(),
		             "it was written here; other kinds have written theirs since");
		hybrid_barrier_wait();
	}
	msr_write(IA32_LBR_DEPTH, 32);
}

HYBRID_TEST(depths, "lbr.depths", .needs = need_kinds_arch_lbr,
            .source = "SDM 4, IA32_LBR_DEPTH: of the logical processor",
            .claim = "each kind keeps the depth of branch records that was written there")
{
	hybrid_at_once(t, depth_here, 0);
}

/* ------------------------------------------------------------------------ PEBS */

static void sample_at_once(struct test_ctx *t, uintptr_t unused)
{
	const uint32_t missing = MISSING + 10 * smp_self();
	struct pebs_use use;
	const struct pmu_setup s = pebs_any(&use, PMU_USR, missing);
	const struct pebs_window w = { .setups = &s, .count = 1, .code = pebs_rounds,
	                               .rounds = ROUNDS, .argument = MODE_CPL3 };
	const uint32_t events = pebs_window_events(&w);
	unsigned count;

	(void)unused;
	hybrid_barrier_wait();
	count = pebs_window_run(&w);
	hybrid_barrier_wait();
	expect_records(t, "records", count, events, missing);
	expect_exact(t, "of these the code's", pebs_rounds_records(), count,
	             "nothing else runs at CPL 3");
	expect_no_damage(t);
	pmu_reset();
	ds_tear_down();
}

HYBRID_TEST(samples, "pebs.at_once", .needs = need_kinds_pebs, .source = PEBS_SDM,
            .claim = "all processors of all kinds sample at once, each into its own area")
{
	hybrid_at_once(t, sample_at_once, 0);
}

static const char *need_kinds_adaptive(struct test_ctx *t)
{
	const char *problem = need_kinds_pebs(t);

	if (problem || pebs_layout()->is_adaptive)
		return problem;
	return test_reason(t, "IA32_PERF_CAPABILITIES = %" PRIX64 "H: no PEBS baseline, bit 14",
	                   pmu_get()->capabilities);
}

/* Groups on the second kind, and the basic group alone on the others. */
static void format_here(struct test_ctx *t, uintptr_t unused)
{
	const bool has_groups = kind_of_this() == 1;
	const uint64_t cfg = has_groups ? MSR_PEBS_DATA_CFG_MEMORY | MSR_PEBS_DATA_CFG_GPRS : 0;
	struct pebs_use use;
	struct pmu_setup s = pebs_any(&use, PMU_USR, MISSING);
	const struct pebs_window w = { .setups = &s, .count = 1, .code = pebs_rounds,
	                               .rounds = ROUNDS, .argument = MODE_CPL3 };
	uint64_t format = 0;

	(void)unused;
	s.flags |= PMU_ADAPTIVE;
	pebs_set_data_cfg(cfg);
	hybrid_barrier_wait();
	pebs_window_run(&w);
	hybrid_barrier_wait();
	if (ds_index(DS_PEBS))
		format = pebs_value(0, PEBS_FORMAT_SIZE);
	expect_exact(t, "the first record's size, bits 63:48", format >> 48,
	             32 + (has_groups ? 32 + 144 : 0),
	             "basic group 32 bytes, memory 32, registers 144, as MSR_PEBS_DATA_CFG says");
	expect_exact(t, "its groups, bits 31:0", format & UINT32_MAX, cfg,
	             "MSR_PEBS_DATA_CFG of this processor");
	pebs_set_data_cfg(0);
	pmu_reset();
	ds_tear_down();
}

HYBRID_TEST(format, "pebs.groups", .needs = need_kinds_adaptive,
            .source = "SDM 3B, \"Adaptive PEBS\": MSR_PEBS_DATA_CFG is of the logical processor",
            .claim = "records of one kind have groups while those of another kind have none, in "
                     "one run")
{
	hybrid_at_once(t, format_here, 0);
}
