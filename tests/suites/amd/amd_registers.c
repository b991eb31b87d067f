/* SPDX-License-Identifier: MIT */
/*
 * Which bits the registers hold. Sources: VirtualBox's tables of processors (VMMR3/cpus), which
 * somebody probed on six chips; Linux 9b026073db2f for Zen 3. No write of a control ever faulted.
 * On other processors the bits are reported.
 */
#include <tests/suites/common/amd/amd_suite.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/debugctl.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>

#define PROBED  AMD_MSRS "; VirtualBox VMMR3/cpus; Linux 9b026073db2f"

static void report_bits(struct test_ctx *t, const char *what, uint64_t bits)
{
	test_report(t, what, "%" PRIX64 "H", bits);
}

/* Returns the bits that a control of this processor stores; of families that nobody probed, which
 * an exact machine alone is held to, those of K8, 10H and Zen 3. */
static uint64_t stored_bits(unsigned i)
{
	const uint64_t k8 = FIELD(31, 0) & ~PERF_CTL_RESERVED_21;
	const uint64_t f10 = k8 | PERF_CTL_EVENT_SELECT_HIGH | PERF_CTL_GUEST_ONLY
	                     | PERF_CTL_HOST_ONLY;

	if (amd_family() < AMD_10H)
		return k8;
	if (amd_family() == 0x11)
		return k8 | PERF_CTL_EVENT_SELECT_HIGH;
	if (amd_family() < AMD_19H)
		return f10;
	return f10 | PERF_CTL_RESERVED_42 | (i == 2 ? PERF_CTL_PREC_RET : 0);
}

/* EN is set for a moment only, by a test of one bit alone, with neither USR nor OS. */
static void check_control(struct test_ctx *t, unsigned i)
{
	const uint64_t quiet = ~(PERF_CTL_EN | PERF_CTL_USR | PERF_CTL_OS);
	static const char seen[] = "the bits that were seen on this family, or on the nearest one";
	uint64_t all = 0, got;

	for (unsigned bit = 0; bit < 64; bit++) {
		test_sub(t, "control %u, bit %u", i, bit);
		if (amd_is_known() || pmu_is_exact())
			expect_no_fault(t, "WRMSR of this bit alone",
			                msr_try_write(amd_ctl(i), BIT(bit)),
			                "reserved bits are ignored");
		else
			msr_try_write(amd_ctl(i), BIT(bit));
		got = amd_read(amd_ctl(i));
		all |= got;
		expect_exact(t, "other bits", got & ~BIT(bit), 0, "they were written with 0");
	}
	msr_try_write(amd_ctl(i), quiet);
	got = amd_read(amd_ctl(i));
	msr_write(amd_ctl(i), 0);
	test_sub(t, "control %u", i);
	expect_exact(t, "all ones but EN, USR, OS", got, all & quiet, "each bit alone is held");
	expect_exact(t, "after 0", amd_read(amd_ctl(i)), 0, "no bit stays set");
	expect_bounds(t, "bits that it holds", all, if_exact(stored_bits(i), seen),
	              amd_is_known() ? else_exact(stored_bits(i), seen) : ELSE_SHOWN);
}

TEST(perfctl, .id = "amd.registers.perfctl", .is_static = true,
     .needs = need_amd, .source = PROBED,
     .claim = "a write of a control never faults; it holds the bits of its family")
{
	for (unsigned i = 0; i < amd_counters(); i++)
		check_control(t, i);
}

static const uint64_t values[] = {
	0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x800000000000, 0xffffffffffff,
	0xa5a5a5a5a5a5, 0x5a5a5a5a5a5a, UINT64_MAX, 0xffff000000000000, 0x8000000000000001,
	0x1234000080000000,
};

/* The write's upper half is judged where it was seen: K8, 10H, 15H, Zen. */
static void check_counter(struct test_ctx *t, unsigned i, uint64_t value)
{
	const bool has_sign_copies = value >> PERF_CTR_WIDTH != 0;
	uint64_t got;

	test_sub(t, "counter %u written with %" PRIX64 "H", i, value);
	msr_write(amd_ctr(i), ~value & AMD_COUNTER_MASK);
	expect_no_fault(t, "WRMSR", msr_try_write(amd_ctr(i), value),
	                "bits 63:48 are ignored, or copies of the sign");
	got = amd_read(amd_ctr(i));
	expect_bits(t, "bits 47:0", got, AMD_COUNTER_MASK, value & AMD_COUNTER_MASK,
	            "a write takes 48 bits, and extends none of them");
	if (!has_sign_copies || amd_is_known() || pmu_is_exact())
		expect_exact(t, "bits 63:48", got >> PERF_CTR_WIDTH, 0, "they read 0");
	else
		report_bits(t, "bits 63:48", got >> PERF_CTR_WIDTH);
}

TEST(perfctr, .id = "amd.registers.perfctr", .is_static = true,
     .needs = need_amd, .source = PROBED,
     .claim = "a counter takes 48 bits as they are written, and reads 0 above them")
{
	for (unsigned i = 0; i < amd_counters(); i++)
		for (unsigned v = 0; v < COUNT_OF(values); v++)
			check_counter(t, i, values[v]);
}

/* Returns another value for each register; the controls' have no EN. */
static uint64_t own(unsigned i, bool is_control)
{
	return is_control ? 0x03000000u + 0x10101u * (i + 1)
	                  : UINT64_C(0x123400005678) + i * 0x1111;
}

static void check_own(struct test_ctx *t, unsigned last)
{
	for (unsigned i = 0; i < amd_counters(); i++) {
		test_sub(t, "registers %u, those of %u written last", i, last);
		expect_exact(t, "control", amd_read(amd_ctl(i)), own(i, true),
		             "it was written there");
		expect_exact(t, "counter", amd_read(amd_ctr(i)), own(i, false),
		             "it was written there");
	}
}

/* Bits 5:2 of the processors that nobody probed are open: the manual says that 6:3 must be 0, and
 * that 10:7 and 63:13 read as zero. An exact machine does as the probed ones did. */
static struct debugctl_bits debugctl_bits(void)
{
	const bool is_known = amd_is_known() || pmu_is_exact();
	const uint64_t freezes = amd_has_v2() && cpuid_get(CPUID_AMD_FREEZE) ? FIELD(12, 11) : 0;

	return (struct debugctl_bits){
		.held = (is_known ? FIELD(5, 0) : FIELD(1, 0)) | freezes,
		.refused = BIT(6), .open = is_known ? 0 : FIELD(6, 2) | (FIELD(12, 11) & ~freezes),
		.dropped = (FIELD(63, 7) & ~FIELD(12, 11))
		           | (is_known ? FIELD(12, 11) & ~freezes : 0),
	};
}

TEST(debugctl, .id = "amd.registers.debugctl", .is_static = true,
     .needs = need_amd, .source = PROBED,
     .claim = "DebugCtl holds bits 5:0, each alone and together, drops bits 63:7 except those of a "
              "freeze, and refuses bit 6")
{
	const struct debugctl_bits bits = debugctl_bits();

	debugctl_check(t, "DebugCtl", &bits);
}

TEST(independent, .id = "amd.registers.independent", .is_static = true,
     .needs = need_amd, .source = AMD_MSRS,
     .claim = "each control and each counter is a register of its own")
{
	for (unsigned last = 0; last < amd_counters(); last++) {
		pmu_reset();
		for (unsigned i = 1; i <= amd_counters(); i++) {
			unsigned at = (last + i) % amd_counters();

			msr_write(amd_ctr(at), own(at, false));
			msr_write(amd_ctl(at), own(at, true));
		}
		check_own(t, last);
	}
}

TEST(ctl_keeps_ctr, .id = "amd.registers.kept_by_control", .needs = need_amd, .source = AMD_APM,
     .claim = "writing a control without EN leaves the counter as it is")
{
	for (unsigned i = 0; i < amd_counters(); i++) {
		msr_write(amd_ctr(i), own(i, false));
		for (unsigned n = 0; n < 2; n++)
			msr_write(amd_ctl(i), (amd_select(AMD_EVENT_INST_RETIRED, 0) & ~PERF_CTL_EN)
			                      | (n ? PERF_CTL_INT : 0));
		workload_loop.code(100, 0);
		test_sub(t, "counter %u", i);
		expect_exact(t, "its value", amd_read(amd_ctr(i)), own(i, false), "EN was never 1");
	}
}

/* ---------------------------------------------------------------------------- at first */

static void check_initial(struct test_ctx *t, const struct pmu_initial *f)
{
	const bool is_control = f->msr >= PERF_LEGACY_CTL(0) && f->msr < PERF_LEGACY_CTR(0);
	const uint64_t counters = UINT64_MAX >> (64 - amd_counters());

	test_sub(t, "%s", f->name);
	if (f->msr == PerfCntrGlobalCtl)
		expect_exact(t, "as RESET left it", f->value, counters, "all counters are enabled");
	else if (f->msr == PerfCntrGlobalStatus)
		expect_bits(t, "as RESET left it", f->value, counters, 0, "nothing overflowed");
	else if (is_control)
		expect_exact(t, "as RESET left it", f->value, 0,
		             "APM 2: controls are 0 after RESET");
	else
		test_report(t, "as it was found", "%" PRIX64 "H", f->value);
}

/* Firmware may have written them, so they are judged on a machine without any. */
TEST(reset, .id = "amd.registers.reset", .is_static = true,
     .needs = need_amd_exact, .runs = TEST_ON_BOOT,
     .source = AMD_MSRS "; Linux's patch 20240301075007 for PerfCntrGlobalCtl",
     .claim = "after RESET the controls are 0, and PerfMonV2's enables are all set")
{
	unsigned count;
	const struct pmu_initial *found = pmu_get_initial(&count);

	for (unsigned i = 0; i < count; i++)
		check_initial(t, &found[i]);
}
