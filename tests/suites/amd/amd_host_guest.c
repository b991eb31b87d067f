/* SPDX-License-Identifier: MIT */
/*
 * Bits 41:40 of a control: count in the host, or in a guest, alone. While EFER.SVME is 0 a counter
 * with one of them does not count at all (Linux 1018faa6cf23; APM 2, the table of the two bits),
 * one with both counts (Linux, amd_core_hw_config()).
 */
#include <tests/suites/common/amd/amd_suite.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/machine/machine.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>

#define SOURCE AMD_APM ", HostOnly and GuestOnly; Linux 1018faa6cf23"
#define EFER   0xc0000080u

enum { NEITHER, GUEST, HOST, BOTH };

static uint64_t bits(unsigned which)
{
	return (which & GUEST ? PERF_CTL_GUEST_ONLY : 0) | (which & HOST ? PERF_CTL_HOST_ONLY : 0);
}

/* Returns the branches that 1000 more rounds add. */
static uint64_t more(unsigned i, unsigned which)
{
	return amd_more(i, amd_select(AMD_EVENT_BRANCHES, 0) | bits(which), workload_loop.code, 0);
}

/* Family 11H has no sure source; a hypervisor may drop the bits. */
static const char *need_bits(struct test_ctx *t)
{
	const char *reason = need_amd_since_10h(t);
	uint64_t got;

	if (reason)
		return reason;
	if (amd_family() == 0x11)
		return test_reason(t, "family 11H: no source says whether it has the bits");
	msr_try_write(amd_ctl(0), bits(BOTH));
	got = amd_read(amd_ctl(0));
	msr_try_write(amd_ctl(0), 0);
	return got == bits(BOTH) || !cpuid_get(CPUID_HYPERVISOR) ? NULL
	       : test_reason(t, "a control written with %" PRIX64 "H reads %" PRIX64 "H",
	                     bits(BOTH), got);
}

static NEED_BOTH(need_bits_and_svm, need_bits, need_svm)

static bool set_svme(struct test_ctx *t, bool is_on)
{
	uint64_t efer = amd_read(EFER);
	fault_t fault = msr_try_write(EFER, is_on ? efer | AMD_EFER_SVME : efer & ~AMD_EFER_SVME);

	return expect_no_fault(t, "WRMSR to EFER", fault, "CPUID reports SVM");
}

#define OPEN "Linux 1018faa6cf23 and KVM's tests of 2026 say the opposite of each other"

static void check_off(struct test_ctx *t, unsigned i)
{
	test_sub(t, "counter %u, EFER.SVME = 0", i);
	expect_exact(t, "neither bit", more(i, NEITHER), AMD_MORE, "one branch a round");
	expect_bounds(t, "guest only", more(i, GUEST),
	              if_exact(0, "there is no guest without SVM"), else_shown(OPEN));
	expect_bounds(t, "host only", more(i, HOST),
	              if_exact(0, "without SVM it stops the counter, too"), else_shown(OPEN));
	expect_bounds(t, "both", more(i, BOTH), if_exact(AMD_MORE, "both are as neither"),
	              else_shown("APM 2 has no row for it, a comment in Linux' "
	                         "amd_core_hw_config() says that both are as neither"));
}

TEST(off, .id = "amd.host_guest.svme_off", .needs = need_bits, .source = SOURCE,
     .claim = "with EFER.SVME = 0 a counter with the host or the guest bit does not count")
{
	for (unsigned i = 0; i < amd_counters(); i++)
		check_off(t, i);
}

TEST(on, .id = "amd.host_guest.svme_on", .needs = need_bits_and_svm, .source = SOURCE,
     .claim = "with EFER.SVME = 1 and no guest, only the guest bit alone stops a counter")
{
	static const struct { const char *name; unsigned which; uint64_t want; const char *why; }
	rows[] = {
		{ "neither bit", NEITHER, AMD_MORE, "no bit, no filter" },
		{ "guest only", GUEST, 0, "no guest runs" },
		{ "host only", HOST, AMD_MORE, "the host runs" },
		{ "both", BOTH, AMD_MORE, "host and guest count" },
	};

	if (!set_svme(t, true))
		return;
	for (unsigned i = 0; i < amd_counters(); i++)
		for (unsigned r = 0; r < COUNT_OF(rows); r++) {
			test_sub(t, "counter %u, EFER.SVME = 1", i);
			expect_exact(t, rows[r].name, more(i, rows[r].which), rows[r].want,
			             rows[r].why);
		}
	set_svme(t, false);
}

static void toggled(uint32_t rounds, uint32_t unused)
{
	uint64_t efer = amd_read(EFER);

	(void)unused;
	workload_loop.code(500, 0);
	msr_write(EFER, efer | AMD_EFER_SVME);
	workload_loop.code(rounds, 0);
	msr_write(EFER, efer & ~AMD_EFER_SVME);
	workload_loop.code(700, 0);
}

TEST(toggle, .id = "amd.host_guest.toggled", .needs = need_bits_and_svm,
     .source = SOURCE "; Linux a02a25a65246",
     .claim = "a running counter with the host bit counts while EFER.SVME is 1, and only then")
{
	const uint64_t select = amd_select(AMD_EVENT_BRANCHES, 0) | PERF_CTL_HOST_ONLY;
	uint64_t few = amd_count(0, select, toggled, 100, 0);

	if (!set_svme(t, false))
		return;
	expect_bounds(t, "branches of 100 rounds with SVME = 1 between 1200 without", few,
	              if_exact_in(100, 110, "low: one a round; high: those around the loop"),
	              else_shown(OPEN));
	expect_exact(t, "branches of 1000 more rounds with SVME = 1",
	             amd_count(0, select, toggled, 1100, 0) - few, 1000, "one a round");
}

static const char *need_k8(struct test_ctx *t)
{
	const char *reason = need_amd(t);

	return reason || amd_family() < AMD_10H ? reason
	       : test_reason(t, "family %XH is later than K8", amd_family());
}

TEST(absent, .id = "amd.host_guest.absent", .needs = need_k8, .source = SOURCE,
     .claim = "K8 has no such bits: they read 0, and the counter counts")
{
	for (unsigned i = 0; i < amd_counters(); i++) {
		test_sub(t, "counter %u", i);
		msr_write(amd_ctl(i), bits(BOTH));
		if (amd_is_known() || pmu_is_exact())
			expect_exact(t, "bits 41:40", amd_read(amd_ctl(i)) >> 40, 0,
			             "they are ignored");
		else
			test_report(t, "bits 63:40", "%" PRIX64 "H", amd_read(amd_ctl(i)) >> 40);
		expect_exact(t, "branches with both bits", more(i, BOTH), AMD_MORE,
		             "no bit, no filter");
	}
}
