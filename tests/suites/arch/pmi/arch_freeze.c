/* SPDX-License-Identifier: MIT */
/*
 * Freezing on a PMI. In versions 2 and 3 the PMI clears the enable bits of IA32_PERF_GLOBAL_CTRL
 * (legacy); from version 4 on it sets IA32_PERF_GLOBAL_STATUS.CTR_FRZ, which stops the counters
 * (streamlined).
 */
#include <stddef.h>

#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/regs/cpu.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <tests/suites/arch/arch_rules.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/counts/crossings.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/common/silicon/silicon.h>

#define LEGACY  "SDM 3B, \"Freezing LBR and Performance Counters on PMI\""
#define STREAMLINED \
	"SDM 3B, \"Architectural Performance Monitoring Version 4\", \"Streamlined Freeze\""

#define CTR_FRZ   IA32_PERF_GLOBAL_STATUS_CTR_FRZ
#define LBR_FRZ   IA32_PERF_GLOBAL_STATUS_LBR_FRZ

/* Needs two general counters, and IA32_FIXED_CTR0, which version 2 and later have. */
static const char *need_freeze(struct test_ctx *t)
{
	const char *reason = need_pmi_v2(t);

	reason = reason ? reason : need_gp2(t);
	return reason ? reason : need_fixed0(t);
}

static NEED_BOTH(need_status, need_arch_v2, need_clear_status)
static NEED_BOTH(need_streamlined, need_freeze, need_arch_v4)
static NEED_BOTH(need_legacy, need_freeze, need_arch_before_v4)

/*
 * One counter overflows in the middle of the code. All others count beside it, most of them the
 * same, so that they show when counting stopped. IA32_FIXED_CTR1 to 3 count clocks or slots.
 */
#define MIDDLE  1000u
#define CLOCKS  100u                    /* fewer than the NOPs take, at 16 in a clock */

static unsigned used_count(void)
{
	unsigned count = 0;

	FOR_EACH_COUNTER(c)
		count++;
	return count;
}

static uint64_t used_bits(void)
{
	return arch_global_bits();
}

static unsigned missing(unsigned c)
{
	return arch_counts_insns(c) ? MIDDLE : CLOCKS;
}

enum at_end { STAY, RESUME };  /* what the handler does at its end */

static struct {
	unsigned overflowing;
	enum at_end at_end;
	uint64_t global, status, debugctl;
	uint64_t first[PMU_SETUPS_MAX], second[PMU_SETUPS_MAX]; /* on entry; a bit later */
} seen;

static void read_used(uint64_t *values)
{
	FOR_EACH_COUNTER(c)
		*values++ = pmu_read(c);
}

/* To stay frozen, only the overflow's bit is cleared: all other bits that are set must stay. */
static void look(struct frame *f)
{
	(void)f;
	seen.status = pmu_status();
	seen.global = msr_read(IA32_PERF_GLOBAL_CTRL);
	seen.debugctl = msr_read(IA32_DEBUGCTL);
	read_used(seen.first);
	pmi_settle();
	read_used(seen.second);
	if (seen.at_end == STAY) {
		pmu_clear_status(counter_bit(seen.overflowing));
		pmi_set_mask(pmi_has_storm());
		return;
	}
	pmi_go_on();
	msr_write(IA32_PERF_GLOBAL_CTRL, used_bits());
}

struct freeze {
	uint64_t debugctl;
	unsigned flags;                /* the levels that count: PMU_BOTH or PMU_USR */
	enum at_end at_end;
	unsigned overflowing;
};

/* Fails the test if the bits, which version 2 and later have, cannot be written. */
static bool set_debugctl(struct test_ctx *t, uint64_t value)
{
	return expect_no_fault(t, "WRMSR to IA32_DEBUGCTL", msr_try_write(IA32_DEBUGCTL, value),
	                       "the freeze bits exist from version 2 on");
}

/* Takes one PMI in the middle of the code with these bits of IA32_DEBUGCTL; then it is 0 again. */
static bool run(struct test_ctx *t, struct freeze freeze)
{
	struct bounds once = else_exact(1, "one counter overflowed once");
	struct pmu_setup all[PMU_SETUPS_MAX], *s = all;
	const struct pmi_log *log;

	FOR_EACH_COUNTER(c) {
		bool is_it = c == freeze.overflowing;

		*s = user_instructions(c, is_it ? missing(c) : 0);
		s++->flags = freeze.flags | (is_it ? PMU_INT : 0);
	}
	seen.overflowing = freeze.overflowing;
	seen.at_end = freeze.at_end;
	if (!set_debugctl(t, freeze.debugctl))
		return false;
	log = pmi_run(&(const struct pmi_window){ .setups = all, .count = used_count(),
	              .code = user_nops, .rounds = USER_NOPS_MAX, .on_pmi = look });
	msr_write(IA32_DEBUGCTL, 0);
	if (freeze.overflowing >= PMU_FIXED)
		once = silicon_shown(SILICON_FREEZE_MANY_PMIS, once);
	return expect_bounds(t, "PMIs", log->count, if_exact(1, once.why), once) && log->count == 1;
}

/* Returns how much a counter has counted: the one that overflows started MIDDLE below 0. */
static uint64_t counted(unsigned c, uint64_t value)
{
	uint64_t start = c == seen.overflowing ? 0 - (uint64_t)missing(c) : 0;

	return (value - start) & counter_mask(c);
}

/* Checks a counter that stopped at the overflow, the i-th one that was read. */
static void expect_stopped(struct test_ctx *t, unsigned c, unsigned i)
{
	char name[PMU_NAME_SIZE], over[PMU_NAME_SIZE];

	test_sub(t, "%s overflows: %s", pmu_counter_name(seen.overflowing, over),
	         pmu_counter_name(c, name));
	if (silicon_has_upper(SILICON_FREEZE_SPARES_UPPER, c)
	    && silicon_leaves_out(t, SILICON_FREEZE_SPARES_UPPER, "what it counted"))
		return;
	expect_exact(t, "later in the handler", seen.second[i], seen.first[i],
	             "all counters are frozen");
	if (arch_counts_insns(c))
		silicon_expect_same(t, "counts before the PMI", counted(c, seen.first[i]),
		                    counted(0, seen.first[0]), 2,
		                    "all stop at the same time");
	if (c == seen.overflowing && arch_counts_insns(c))
		expect_bounds(t, "value on entry", seen.first[i],
		              if_exact(0, "the overflow itself freezes the counter, which counts "
		                       "nothing more"), ELSE_NOTHING);
	expect_exact(t, "after the window", pmu_read(c), seen.second[i],
	             "nothing has ended the freeze");
}

/* The counters stopped at the overflow and stood still in the handler, which runs at CPL 0. */
static void expect_frozen(struct test_ctx *t)
{
	unsigned i = 0;

	FOR_EACH_COUNTER(c)
		expect_stopped(t, c, i++);
	test_sub(t, "%s", "");
}

/* At CPL 3 alone the whole count is known, with the handler's IRET; it lacks only what runs between
 * the overflow and the NMI. */
static void judge_resume(struct test_ctx *t, uint64_t debugctl)
{
	uint64_t total = user_base(0) + USER_NOPS_MAX;
	const unsigned each = crossing_of_return(0);
	char name[PMU_NAME_SIZE];

	if (!run(t, (struct freeze){ debugctl, PMU_USR, RESUME, 0 }))
		return;
	total += each * pmi_get_log()->user_returns;
	FOR_EACH_COUNTER(c) {
		if (!arch_counts_insns(c))
			continue;
		test_sub(t, "%s, code at CPL 3", pmu_counter_name(c, name));
		if (silicon_has_upper(SILICON_UPPER_COUNTERS_DEAF, c)
		    && silicon_leaves_out(t, SILICON_UPPER_COUNTERS_DEAF, "counts"))
			continue;
		expect_bounds(t, "counts", counted(c, pmu_read(c)),
		              if_exact(total, "it goes on where it stopped"),
		              else_in(MIDDLE + 1, total, "low: counting goes on after the "
		                      "overflow; high: all the code counts"));
	}
	test_sub(t, "%s", "");
}

/* ------------------------------------------------------------------------------ versions 2, 3 */

static void judge_legacy(struct test_ctx *t, unsigned overflowing)
{
	char name[PMU_NAME_SIZE];
	const struct freeze freeze = { IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI, PMU_BOTH, STAY,
	                               overflowing };

	test_sub(t, "%s overflows", pmu_counter_name(overflowing, name));
	if (!run(t, freeze))
		return;
	expect_bits(t, "IA32_PERF_GLOBAL_CTRL in the handler", seen.global, used_bits(), 0,
	            "the PMI clears the enable bits");
	expect_bits(t, "IA32_DEBUGCTL in the handler", seen.debugctl,
	            IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI, IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI,
	            "the freeze does not clear its own enable bit");
	expect_frozen(t);
}

TEST(legacy, .id = "arch.freeze.legacy", .needs = need_legacy, .source = LEGACY,
     .claim = "with FREEZE_PERFMON_ON_PMI a PMI clears IA32_PERF_GLOBAL_CTRL: all counters stop")
{
	FOR_EACH_COUNTER(c)
		if (!counting_leaves_out(t, c))
			judge_legacy(t, c);
}

TEST(legacy_resume, .id = "arch.freeze.legacy.resume", .needs = need_legacy, .source = LEGACY,
     .claim = "counters that a PMI froze go on when software restores IA32_PERF_GLOBAL_CTRL")
{
	judge_resume(t, IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI);
}

/* --------------------------------------------------------------------------- version 4 and on */

static void judge_streamlined(struct test_ctx *t, unsigned overflowing)
{
	char name[PMU_NAME_SIZE];
	const struct freeze freeze = { IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI, PMU_BOTH, STAY,
	                               overflowing };

	test_sub(t, "%s overflows", pmu_counter_name(overflowing, name));
	if (!run(t, freeze))
		return;
	expect_bits(t, "IA32_PERF_GLOBAL_STATUS in the handler", seen.status, CTR_FRZ | LBR_FRZ,
	            CTR_FRZ, "the counters are frozen; no freeze of the LBRs was requested");
	expect_bits(t, "IA32_PERF_GLOBAL_CTRL in the handler", seen.global, used_bits(),
	            used_bits(), "the streamlined freeze does not change this register");
	expect_frozen(t);
	expect_bits(t, "IA32_PERF_GLOBAL_STATUS after the window", pmu_status(), CTR_FRZ, CTR_FRZ,
	            "only software clears CTR_FRZ");
}

TEST(streamlined, .id = "arch.freeze.streamlined", .needs = need_streamlined, .source = STREAMLINED,
     .claim = "from version 4 on a PMI sets CTR_FRZ and does not change IA32_PERF_GLOBAL_CTRL")
{
	FOR_EACH_COUNTER(c)
		if (!counting_leaves_out(t, c))
			judge_streamlined(t, c);
}

TEST(keeps_status, .id = "arch.freeze.streamlined.keeps_status", .needs = need_streamlined,
     .source = STREAMLINED,
     .claim = "the freeze sets CTR_FRZ beside the status bits of counters that overflowed before")
{
	const uint64_t want = CTR_FRZ | counter_bit(0) | counter_bit(1);
	struct pmu_setup s[] = { user_instructions(0, MIDDLE), user_instructions(1, MIDDLE / 2) };
	const struct pmi_log *log;

	s[0].flags = PMU_USR | PMU_INT;
	s[1].flags = PMU_USR;
	seen.overflowing = 0;
	seen.at_end = STAY;
	if (!set_debugctl(t, IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI))
		return;
	log = pmi_run(&(const struct pmi_window){ .setups = s, .count = 2,
	              .code = user_nops, .rounds = USER_NOPS_MAX, .on_pmi = look });
	msr_write(IA32_DEBUGCTL, 0);
	if (expect_exact(t, "PMIs", log->count, 1, "IA32_PMC1 overflows without INT"))
		expect_bits(t, "IA32_PERF_GLOBAL_STATUS in the handler", seen.status, want, want,
		            "IA32_PMC1 overflowed before IA32_PMC0, whose PMI froze both");
}

TEST(streamlined_resume, .id = "arch.freeze.streamlined.resume", .needs = need_streamlined,
     .source = STREAMLINED,
     .claim = "counters that CTR_FRZ froze go on when it is cleared")
{
	judge_resume(t, IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI);
	expect_bits(t, "IA32_PERF_GLOBAL_STATUS at the end", pmu_status(), CTR_FRZ, 0,
	            "it was cleared through IA32_PERF_GLOBAL_STATUS_RESET");
}

TEST(by_software, .id = "arch.freeze.streamlined.by_software", .needs = need_arch_v4,
     .source = STREAMLINED "; IA32_PERF_GLOBAL_STATUS_SET",
     .claim = "software that sets CTR_FRZ stops all counters; clearing it lets them count")
{
	struct pmu_setup s = user_instructions(0, 0);
	uint64_t total = user_base(0) + USER_NOPS_MAX;

	s.flags = PMU_USR;
	pmu_program(&s, 1);
	msr_write(IA32_PERF_GLOBAL_STATUS_SET, CTR_FRZ);
	expect_bits(t, "IA32_PERF_GLOBAL_STATUS", pmu_status(), CTR_FRZ, CTR_FRZ,
	            "it was written so");
	pmu_window(user_nops, USER_NOPS_MAX, 0);
	expect_exact(t, "IA32_PMC0, frozen", pmu_read(0), 0, "it counts only while CTR_FRZ is 0");
	pmu_clear_status(CTR_FRZ);
	pmu_window(user_nops, USER_NOPS_MAX, 0);
	expect_exact(t, "IA32_PMC0, thawed", pmu_read(0), total, "all of the code at CPL 3 counts");
}

/* -------------------------------------------------------------------------------- no freezing */

TEST(off, .id = "arch.freeze.off", .needs = need_freeze, .source = LEGACY,
     .claim = "without FREEZE_PERFMON_ON_PMI the counters go on counting in the handler")
{
	char name[PMU_NAME_SIZE];
	unsigned i = 0;

	if (!run(t, (struct freeze){ 0, PMU_BOTH, STAY, 0 }))
		return;
	expect_bits(t, "IA32_PERF_GLOBAL_CTRL in the handler", seen.global, used_bits(),
	            used_bits(), "no freeze was requested");
	if (pmu_get()->version >= 4)
		expect_bits(t, "IA32_PERF_GLOBAL_STATUS in the handler", seen.status,
		            CTR_FRZ | LBR_FRZ, 0, "no freeze was requested");
	FOR_EACH_COUNTER(c) {
		const uint64_t first = seen.first[i], second = seen.second[i];

		i++;
		if (!arch_counts_insns(c))
			continue;
		test_sub(t, "%s", pmu_counter_name(c, name));
		expect_between(t, "counts in the handler", pmu_difference(c, second, first), 500,
		               100000, "low: 500 PAUSEs lie between the readings; high: some "
		               "code around each");
	}
}

TEST(without_int, .id = "arch.freeze.without_int", .needs = need_status, .source = LEGACY,
     .claim = "an overflow that raises no PMI, because INT = 0, freezes nothing")
{
	struct pmu_setup s = user_instructions(0, MIDDLE);
	const uint64_t counts = user_base(0) + USER_NOPS_MAX - MIDDLE;

	s.flags = PMU_USR;
	if (!set_debugctl(t, IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI))
		return;
	pmu_program(&s, 1);
	pmu_window(user_nops, USER_NOPS_MAX, 0);
	msr_write(IA32_DEBUGCTL, 0);
	expect_exact(t, "IA32_PMC0", pmu_read(0), counts, "it goes on counting");
	expect_bits(t, "IA32_PERF_GLOBAL_STATUS", pmu_status(), CTR_FRZ | counter_bit(0),
	            counter_bit(0), "the counter overflowed, and nothing froze");
}

/* --------------------------------------------------------------------------------------- LBR */

TEST(lbr, .id = "arch.freeze.lbr", .needs = need_streamlined, .source = STREAMLINED,
     .claim = "with FREEZE_LBRS_ON_PMI a PMI sets LBR_FRZ, and the counters go on")
{
	const uint64_t total = user_base(1) + USER_NOPS_MAX;
	const unsigned each = crossing_of_return(1);

	if (!run(t, (struct freeze){ IA32_DEBUGCTL_FREEZE_LBRS_ON_PMI, PMU_USR, STAY, 0 }))
		return;
	expect_bits(t, "IA32_PERF_GLOBAL_STATUS in the handler", seen.status, CTR_FRZ | LBR_FRZ,
	            LBR_FRZ, "the LBRs are frozen; no freeze of the counters was requested");
	expect_bits(t, "IA32_PERF_GLOBAL_CTRL in the handler", seen.global, used_bits(),
	            used_bits(), "no freeze of the counters was requested");
	expect_exact(t, "IA32_PMC1", pmu_read(1), total + each * pmi_get_log()->user_returns,
	             "all of the code at CPL 3 counts, and the handler's IRET may");
}
