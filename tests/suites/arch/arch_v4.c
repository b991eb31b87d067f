/* SPDX-License-Identifier: MIT */
/*
 * The additions of version 4: status bits that software sets (391H), the report of what is in use
 * (392H), and the freeze bit in the status, which stops counting without changing a control.
 */
#include <kernel/run/test.h>

#include <arch/cpu/fault.h>
#include <arch/regs/perfmon.h>
#include <kernel/lib/format.h>
#include <kernel/run/watchdog.h>
#include <pmu/core/pmi.h>
#include <pmu/core/program.h>
#include <tests/suites/arch/arch_rules.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>

#define SET    V4 ", IA32_PERF_GLOBAL_STATUS_SET"
#define INUSE  V4 ", IA32_PERF_GLOBAL_INUSE"
#define FREEZE V4 ", Streamlined Freeze PMI, CTR_FRZ"

enum { ROUNDS = ARCH_ROUNDS };

static void expect_status(struct test_ctx *t, const char *what, uint64_t want, const char *why)
{
	expect_bits(t, what, pmu_status(), ~arch_unrelated_status() | want, want, why);
}

TEST(set_each, .id = "arch.v4.status_set", .is_static = true, .needs = need_arch_v4, .source = SET,
     .claim = "a bit written into 391H is the only one set in IA32_PERF_GLOBAL_STATUS, "
              "until it is cleared")
{
	uint64_t bits = arch_bits(ARCH_GLOBAL_STATUS_SET, 0, ARCH_DEFINED);

	pmi_set_mask(true);
	for (unsigned bit = 0; bit < 64; bit++) {
		if (!(bits & BIT(bit)))
			continue;
		test_sub(t, "391H written with bit %u", bit);
		msr_write(IA32_PERF_GLOBAL_STATUS_SET, BIT(bit));
		expect_status(t, "IA32_PERF_GLOBAL_STATUS", BIT(bit),
		              "391H sets this bit and no other");
		msr_write(IA32_PERF_GLOBAL_STATUS_SET, 0);
		expect_status(t, "IA32_PERF_GLOBAL_STATUS, 391H written with 0", BIT(bit),
		              "zeros set nothing");
		pmu_clear_status(BIT(bit));
		expect_status(t, "IA32_PERF_GLOBAL_STATUS, 390H written with the bit", 0,
		              "390H clears it");
	}
}

TEST(set_more, .id = "arch.v4.status_set_keeps", .is_static = true,
     .needs = need_arch_v4, .source = SET,
     .claim = "391H adds to the bits already set and leaves counters and controls alone")
{
	uint64_t so_far = 0;

	pmi_set_mask(true);
	FOR_EACH_COUNTER(c)
		pmu_write(c, 0x1000 + c);
	FOR_EACH_COUNTER(c) {
		so_far |= arch_global_bit(c);
		msr_write(IA32_PERF_GLOBAL_STATUS_SET, arch_global_bit(c));
		test_sub(t, "391H written with %" PRIX64 "H", arch_global_bit(c));
		expect_status(t, "IA32_PERF_GLOBAL_STATUS", so_far, "bits set before stay set");
		expect_exact(t, "the counter", pmu_read(c), 0x1000 + c,
		             "391H changes the status only");
	}
	test_sub(t, "%s", "");
	expect_exact(t, "IA32_PERF_GLOBAL_CTRL", msr_read(IA32_PERF_GLOBAL_CTRL), 0,
	             "391H changes the status only");
}

static void set_in_window(uint32_t counter, uint32_t argument)
{
	(void)argument;
	msr_write(IA32_PERF_GLOBAL_STATUS_SET, arch_global_bit(counter));
	workload_loop.code(ROUNDS, 0);
}

static NEED_BOTH(need_v4_pmi, need_arch_v4, need_pmi_v2)

TEST(set_is_silent, .id = "arch.v4.status_set_raises_nothing", .needs = need_v4_pmi, .source = SET,
     .claim = "a bit that software sets raises no PMI, even with INT = 1, and stops no counter")
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(c) {
		struct pmu_setup s = arch_setup(c, PMU_INT, arch_counter_max(c) >> 16);

		test_sub(t, "%s's bit set by 391H", pmu_counter_name(c, name));
		expect_exact(t, "PMIs", pmi_run_one(&s, set_in_window, c)->count, 0,
		             "no counter overflowed");
		expect_status(t, "IA32_PERF_GLOBAL_STATUS", arch_global_bit(c), "391H set it");
		if (arch_counts_insns(c))
			expect_between(t, "the counter", pmu_read(c) - s.start,
			               workload_insns(&workload_loop, ROUNDS), UINT32_MAX,
			               "low: what the loop retires; high: far more than the "
			               "window holds");
	}
}

/* Writes value into msr and checks the bits of IA32_PERF_GLOBAL_INUSE, except
 * PMI's, that this must set. */
static void check_inuse(struct test_ctx *t, uint32_t msr, uint64_t value, uint64_t want,
                        const char *why)
{
	msr_write(msr, value);
	test_sub(t, "MSR %" PRIX32 "H = %" PRIX64 "H", msr, value);
	expect_exact(t, "IA32_PERF_GLOBAL_INUSE", msr_read(IA32_PERF_GLOBAL_INUSE), want, why);
	msr_write(msr, 0);
	test_sub(t, "MSR %" PRIX32 "H = 0 after %" PRIX64 "H", msr, value);
	expect_exact(t, "IA32_PERF_GLOBAL_INUSE", msr_read(IA32_PERF_GLOBAL_INUSE), 0,
	             "nothing is in use any more");
}

TEST(inuse_gp, .id = "arch.v4.inuse_general", .is_static = true,
     .needs = need_arch_v4, .source = INUSE,
     .claim = "a general counter is in use while its event select is not 0; INT sets bit 63")
{
	FOR_EACH_COUNTER(c) {
		uint32_t msr = IA32_PERFEVTSEL(c);
		uint64_t mine = IA32_PERF_GLOBAL_INUSE_PERFEVTSEL(c);

		if (c >= PMU_FIXED)
			break;
		for (unsigned bit = 0; bit < 8; bit++)
			check_inuse(t, msr, BIT(bit), mine, "IA32_PERFEVTSELx[7:0] is not 0");
		check_inuse(t, msr, IA32_PERFEVTSEL_UMASK | IA32_PERFEVTSEL_CMASK
		            | IA32_PERFEVTSEL_EN | IA32_PERFEVTSEL_USR | IA32_PERFEVTSEL_OS, 0,
		            "IA32_PERFEVTSELx[7:0] is 0: its other fields do not matter");
		check_inuse(t, msr, IA32_PERFEVTSEL_INT, IA32_PERF_GLOBAL_INUSE_PMI,
		            "INT is set, so the PMI is in use; IA32_PERFEVTSELx[7:0] is 0");
		check_inuse(t, msr, IA32_PERFEVTSEL_INT | EVENT_INSTRUCTIONS_RETIRED,
		            mine | IA32_PERF_GLOBAL_INUSE_PMI,
		            "it has an event, and INT, so the PMI is in use");
	}
}

TEST(inuse_fixed, .id = "arch.v4.inuse_fixed", .is_static = true,
     .needs = need_arch_v4, .source = INUSE,
     .claim = "a fixed counter is in use while one of its enables is set; its PMI bit sets bit 63")
{
	FOR_EACH_COUNTER(c) {
		unsigned i = c - PMU_FIXED;
		uint64_t mine = IA32_PERF_GLOBAL_INUSE_FIXED_CTR(i);
		uint64_t os = IA32_FIXED_CTR_CTRL_EN_OS(i), usr = IA32_FIXED_CTR_CTRL_EN_USR(i);
		uint64_t pmi = IA32_FIXED_CTR_CTRL_PMI(i);

		if (c < PMU_FIXED)
			continue;
		check_inuse(t, IA32_FIXED_CTR_CTRL, os, mine, "its enable for CPL 0 is set");
		check_inuse(t, IA32_FIXED_CTR_CTRL, usr, mine, "its enable for CPL > 0 is set");
		check_inuse(t, IA32_FIXED_CTR_CTRL, pmi, IA32_PERF_GLOBAL_INUSE_PMI,
		            "its PMI bit alone means that the PMI is in use and no counter is");
		check_inuse(t, IA32_FIXED_CTR_CTRL, os | usr | pmi,
		            mine | IA32_PERF_GLOBAL_INUSE_PMI,
		            "its enables are set, and its PMI bit, so the PMI is in use");
	}
}

TEST(inuse_global, .id = "arch.v4.inuse_global", .is_static = true,
     .needs = need_arch_v4, .source = INUSE,
     .claim = "neither IA32_PERF_GLOBAL_CTRL nor a counter's value makes a counter be in use")
{
	check_inuse(t, IA32_PERF_GLOBAL_CTRL, arch_global_bits(), 0,
	            "only IA32_PERFEVTSELx and IA32_FIXED_CTR_CTRL decide");
	FOR_EACH_COUNTER(c)
		pmu_write(c, 0x7fff);
	test_sub(t, "%s", "all counters written");
	expect_exact(t, "IA32_PERF_GLOBAL_INUSE", msr_read(IA32_PERF_GLOBAL_INUSE), 0,
	             "only IA32_PERFEVTSELx and IA32_FIXED_CTR_CTRL decide");
}

/* Programs all counters that must move to start at 0. */
static void program_all(void)
{
	struct pmu_setup s[PMU_SETUPS_MAX];
	unsigned n = 0;

	FOR_EACH_COUNTER(c)
		if (arch_always_moves(c) && n < PMU_SETUPS_MAX)
			s[n++] = arch_setup(c, 0, 0);
	pmu_program(s, n);
}

static void run_all(void)
{
	watchdog_pet();
	msr_write(IA32_PERF_GLOBAL_CTRL, arch_global_bits());
	workload_loop.code(ROUNDS, 0);
	msr_write(IA32_PERF_GLOBAL_CTRL, 0);
}

static void expect_all_move(struct test_ctx *t)
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(c)
		if (arch_always_moves(c))
			expect_between(t, pmu_counter_name(c, name), pmu_read(c), 1, UINT32_MAX,
			               "low: it counts; high: far more than the window holds");
}

TEST(freeze, .id = "arch.v4.freeze", .needs = need_arch_v4, .source = FREEZE,
     .claim = "while CTR_FRZ is set in the status no counter counts; once it is "
              "cleared, they go on")
{
	char name[PMU_NAME_SIZE];

	program_all();
	msr_write(IA32_PERF_GLOBAL_STATUS_SET, IA32_PERF_GLOBAL_STATUS_CTR_FRZ);
	run_all();
	test_sub(t, "CTR_FRZ set");
	expect_status(t, "IA32_PERF_GLOBAL_STATUS", IA32_PERF_GLOBAL_STATUS_CTR_FRZ,
	              "only a write of 390H clears it");
	FOR_EACH_COUNTER(c)
		expect_exact(t, pmu_counter_name(c, name), pmu_read(c), 0,
		             "a counter counts only while CTR_FRZ is 0");
	pmu_clear_status(IA32_PERF_GLOBAL_STATUS_CTR_FRZ);
	run_all();
	test_sub(t, "CTR_FRZ cleared");
	expect_all_move(t);
}

TEST(freeze_controls, .id = "arch.v4.freeze_controls", .needs = need_arch_v4, .source = FREEZE,
     .claim = "CTR_FRZ leaves the controls as they are, and counters can be written")
{
	char name[PMU_NAME_SIZE];
	uint64_t select = EVENT_INSTRUCTIONS_RETIRED | IA32_PERFEVTSEL_EN;

	msr_write(IA32_PERFEVTSEL(0), select);
	msr_write(IA32_PERF_GLOBAL_CTRL, arch_global_bits());
	msr_write(IA32_PERF_GLOBAL_STATUS_SET, IA32_PERF_GLOBAL_STATUS_CTR_FRZ);
	test_sub(t, "CTR_FRZ set");
	expect_exact(t, "IA32_PERF_GLOBAL_CTRL", msr_read(IA32_PERF_GLOBAL_CTRL),
	             arch_global_bits(), "the freeze is in the status only");
	expect_exact(t, "IA32_PERFEVTSEL0", msr_read(IA32_PERFEVTSEL(0)), select,
	             "the freeze is in the status only");
	FOR_EACH_COUNTER(c) {
		pmu_write(c, 0x2000 + c);
		expect_exact(t, pmu_counter_name(c, name), pmu_read(c), 0x2000 + c,
		             "a frozen counter holds what is written");
	}
	pmu_clear_status(IA32_PERF_GLOBAL_STATUS_CTR_FRZ);
	test_sub(t, "CTR_FRZ cleared");
	expect_exact(t, "IA32_PERF_GLOBAL_CTRL", msr_read(IA32_PERF_GLOBAL_CTRL),
	             arch_global_bits(), "the freeze is in the status only");
}

/* Freezes in the middle of a window: `rounds` run before the freeze, `argument` after it. */
static void freeze_inside(uint32_t rounds, uint32_t argument)
{
	workload_loop.code(rounds, 0);
	msr_write(IA32_PERF_GLOBAL_STATUS_SET, IA32_PERF_GLOBAL_STATUS_CTR_FRZ);
	workload_loop.code(argument, 0);
}

static uint64_t frozen_count(unsigned c, uint32_t before, uint32_t after)
{
	struct pmu_setup s = arch_setup(c, 0, 0);

	return pmu_measure_code(&s, 1, freeze_inside, before, after).count[0];
}

TEST(freeze_running, .id = "arch.v4.freeze_running", .needs = need_arch_v4, .source = FREEZE,
     .claim = "CTR_FRZ stops running counters at once")
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(c) {
		uint64_t count;

		if (!arch_counts_insns(c))
			continue;
		count = frozen_count(c, ROUNDS, ROUNDS);
		test_sub(t, "%s", pmu_counter_name(c, name));
		expect_exact(t, "with 1000 more rounds after the freeze",
		             frozen_count(c, ROUNDS, ROUNDS + 1000), count,
		             "nothing counts after the freeze");
		expect_exact(t, "with 100 more rounds before the freeze",
		             frozen_count(c, ROUNDS + 100, ROUNDS) - count,
		             workload_insns(&workload_loop, ROUNDS + 100)
		             - workload_insns(&workload_loop, ROUNDS),
		             "everything before the freeze counts");
	}
}

TEST(freeze_only, .id = "arch.v4.only_ctr_frz_freezes", .needs = need_arch_v4, .source = FREEZE,
     .claim = "status bits other than CTR_FRZ, including LBR_FRZ, do not stop counting")
{
	uint64_t bits = arch_bits(ARCH_GLOBAL_STATUS_SET, 0, ARCH_DEFINED)
	                & ~IA32_PERF_GLOBAL_STATUS_CTR_FRZ;

	pmi_set_mask(true);
	for (unsigned bit = 0; bit < 64; bit++) {
		if (!(bits & BIT(bit)))
			continue;
		program_all();
		msr_write(IA32_PERF_GLOBAL_STATUS_SET, BIT(bit));
		run_all();
		test_sub(t, "status bit %u set", bit);
		expect_all_move(t);
	}
}
