/* SPDX-License-Identifier: MIT */
/* What counters count while a guest runs, and while it is entered and left; HostOnly, GuestOnly. */
#include <tests/suites/svm/svm_guest.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/regs/cpu.h>
#include <arch/regs/msr.h>
#include <kernel/lib/format.h>
#include <pmu/core/program.h>

#define RUNS  SVM_APM "; " AMD_APM ": VMRUN and #VMEXIT do not stop counters"
#define BITS  AMD_APM ", HostOnly and GuestOnly"

/* Expects on every counter that the second number of rounds counts `want` more than the first:
 * entry, exit and this kernel's code are in both. */
struct difference {
	uint64_t select;
	void (*code)(uint32_t rounds, uint32_t argument);
	uint32_t first, second;
	uint64_t want;
	const char *why;
};

static void expect_difference(struct test_ctx *t, const char *of, const struct difference *d)
{
	for (unsigned i = 0; i < amd_counters(); i++) {
		const uint64_t a = amd_count(i, d->select, d->code, d->first, 0);
		const uint64_t b = amd_count(i, d->select, d->code, d->second, 0);

		test_sub(t, "%s, counter %u", of, i);
		expect_exact(t, "counts of the guest", b - a, d->want, d->why);
	}
	test_sub(t, "%s", "");
}

TEST(instructions, .id = "svm.counts.instructions", .needs = need_svm, .source = RUNS,
     .claim = "every counter of instructions counts those of the guest, one each")
{
	static const unsigned nops[] = { 1, 10, GUEST_NOPS };

	svm_begin();
	for (unsigned i = 0; i < COUNT_OF(nops); i++)
		expect_difference(t, "NOPs", &(const struct difference){
			amd_select(AMD_EVENT_INST_RETIRED, 0), svm_nops, 0, nops[i], nops[i],
			"NOPs that the longer guest has more" });
	svm_end();
}

TEST(branches, .id = "svm.counts.branches", .needs = need_svm, .source = RUNS,
     .claim = "every counter of branches counts those of the guest, one each")
{
	svm_begin();
	expect_difference(t, "a loop", &(const struct difference){
		amd_select(AMD_EVENT_BRANCHES, 0), svm_loop, 1, 101, 100,
		"rounds of the loop, with a JNZ each" });
	svm_end();
}

/* Where the guest's NOPs count, by its level. */
static const struct level {
	void (*code)(uint32_t rounds, uint32_t argument);
	uint64_t ring, want;
	const char *name, *why;
} levels[] = {
	{ svm_nops, PERF_CTL_OS, GUEST_NOPS, "OS, a guest at CPL 0", "the guest's CPL is 0" },
	{ svm_nops, PERF_CTL_USR, 0, "USR, a guest at CPL 0", "the guest's CPL is 0" },
	{ svm_nops_at_cpl3, PERF_CTL_OS, 0, "OS, a guest at CPL 3", "the guest's CPL is 3" },
	{ svm_nops_at_cpl3, PERF_CTL_USR, GUEST_NOPS, "USR, a guest at CPL 3",
	  "the guest's CPL is 3" },
};

TEST(rings, .id = "svm.counts.rings", .needs = need_svm, .source = RUNS "; OS and USR",
     .claim = "OS and USR go by the guest's CPL")
{
	const uint64_t both = PERF_CTL_OS | PERF_CTL_USR;
	const uint64_t select = amd_select(AMD_EVENT_INST_RETIRED, 0) & ~both;

	svm_begin();
	for (unsigned i = 0; i < COUNT_OF(levels); i++)
		expect_difference(t, levels[i].name, &(const struct difference){
			select | levels[i].ring, levels[i].code, 0, GUEST_NOPS, levels[i].want,
			levels[i].why });
	svm_end();
}

/* ---------------------------------------------------------------------------- host and guest */

static void expect_nops(struct test_ctx *t, enum svm_who who, uint64_t want, const char *why)
{
	svm_begin();
	expect_difference(t, "NOPs", &(const struct difference){
		svm_select(AMD_EVENT_INST_RETIRED, who), svm_nops, 0, GUEST_NOPS, want, why });
	svm_end();
}

TEST(guest_only, .id = "svm.counts.guest_only", .needs = need_svm_bits, .source = BITS,
     .claim = "a counter with GuestOnly counts the guest's instructions, though no other counter "
              "runs, and nothing of its host")
{
	uint64_t none;

	expect_nops(t, SVM_GUEST_ONLY, GUEST_NOPS, "instructions of the guest");
	svm_begin();
	none = amd_count(0, svm_select(AMD_EVENT_INST_RETIRED, SVM_GUEST_ONLY), svm_nops, 0, 0);
	expect_between(t, "instructions besides the NOPs", none, 0, 2,
	               "low: neither VMRUN nor VMMCALL need count; high: both do");
	test_report(t, "instructions besides the NOPs", "%" PRIu64, none);
	svm_end();
}

TEST(host_only, .id = "svm.counts.host_only", .needs = need_svm_bits, .source = BITS,
     .claim = "a counter with HostOnly counts nothing of the guest, and its host")
{
	uint64_t some;

	expect_nops(t, SVM_HOST_ONLY, 0, "the guest does not count");
	svm_begin();
	some = amd_count(0, svm_select(AMD_EVENT_INST_RETIRED, SVM_HOST_ONLY), svm_nops, 10, 0);
	expect_between(t, "instructions of this kernel", some, 20, UINT64_MAX,
	               "low: it saves and loads more than 20 registers; high: no bound");
	svm_end();
}

TEST(both, .id = "svm.counts.both", .needs = need_svm_bits, .source = BITS,
     .claim = "a counter with both bits counts the guest as one with neither")
{
	expect_nops(t, SVM_BOTH, GUEST_NOPS, "instructions of the guest");
	expect_nops(t, SVM_ALL, GUEST_NOPS, "instructions of the guest");
}

/* Three counters of one window. */
struct three { uint64_t of[3]; };

static struct three count_three(uint32_t rounds)
{
	static const enum svm_who who[] = { SVM_GUEST_ONLY, SVM_HOST_ONLY, SVM_ALL };
	struct three counts;

	pmu_reset();
	if (amd_has_v2())
		msr_write(PerfCntrGlobalCtl, 7);
	for (unsigned i = 0; i < 3; i++)
		msr_write(amd_ctl(i), svm_select(AMD_EVENT_INST_RETIRED, who[i]));
	svm_nops(rounds, 0);
	for (unsigned i = 0; i < 3; i++)
		msr_write(amd_ctl(i), 0);
	for (unsigned i = 0; i < 3; i++)
		counts.of[i] = amd_read(amd_ctr(i));
	return counts;
}

TEST(at_once, .id = "svm.counts.at_once", .needs = need_svm_bits, .source = BITS,
     .claim = "of three counters at once, one of the guest, one of the host and one of both, each "
              "counts its own")
{
	struct three none, some;

	svm_begin();
	none = count_three(0);
	some = count_three(GUEST_NOPS);
	expect_exact(t, "NOPs on the guest's counter", some.of[0] - none.of[0], GUEST_NOPS,
	             "instructions of the guest");
	expect_exact(t, "NOPs on the host's counter", some.of[1] - none.of[1], 0,
	             "none of them is");
	expect_exact(t, "NOPs on the counter of both", some.of[2] - none.of[2], GUEST_NOPS,
	             "instructions of the guest");
	svm_end();
}

/* The guest itself writes its counter's control, then executes NOPs. */
static void guest_that_selects(uint32_t who, uint32_t unused)
{
	const uint64_t select = svm_select(AMD_EVENT_INST_RETIRED, who);
	struct svm_guest g = { .code = svm_guest_wrmsr_sled, .regs = {
		.ax = (uint32_t)select, .dx = (uint32_t)(select >> 32), .cx = amd_ctl(0) } };

	(void)unused;
	svm_run(&g);
}

TEST(written, .id = "svm.counts.written", .needs = need_svm_bits, .source = BITS,
     .claim = "a control that the guest writes counts at once by its bits: the rest of the guest "
              "with GuestOnly, not with HostOnly")
{
	const uint64_t off = svm_select(AMD_EVENT_INST_RETIRED, SVM_ALL) & ~PERF_CTL_EN;
	uint64_t guest, host;

	svm_begin();
	guest = amd_count(0, off, guest_that_selects, SVM_GUEST_ONLY, 0);
	expect_between(t, "GuestOnly: instructions", guest, GUEST_PMI_SLED, GUEST_PMI_SLED + 3,
	               "low: the NOPs; high: with WRMSR, JMP and VMMCALL");
	host = amd_count(0, off, guest_that_selects, SVM_HOST_ONLY, 0);
	expect_between(t, "HostOnly: instructions", host, 1, GUEST_PMI_SLED / 2,
	               "low: the host goes on after the #VMEXIT; high: half of the NOPs, which "
	               "would show");
	svm_end();
}

/* ---------------------------------------------------------------------------- many exits */

/* XOR, DEC, JNZ; the CPUID that leaves the guest; the VMRUN that enters it again. */
enum { ROUND_MIN = 3, ROUND_MAX = 5 };

TEST(exits, .id = "svm.counts.exits", .needs = need_svm_bits, .source = RUNS,
     .claim = "a counter of guests keeps its count over 1000 exits and more, and each round of the "
              "guest adds the same to it")
{
	const uint64_t select = svm_select(AMD_EVENT_INST_RETIRED, SVM_GUEST_ONLY);
	uint64_t few, more, most;

	svm_begin();
	few = amd_count(0, select, svm_cpuid_exits, 10, 0);
	more = amd_count(0, select, svm_cpuid_exits, 510, 0);
	most = amd_count(0, select, svm_cpuid_exits, 1010, 0);
	expect_between(t, "instructions of 500 rounds", more - few, 500 * ROUND_MIN,
	               500 * ROUND_MAX, "low: XOR, DEC and JNZ; high: with them the CPUID that "
	               "leaves and the VMRUN");
	expect_exact(t, "instructions of the next 500 rounds", most - more, more - few,
	             "each round is like the one before it");
	test_report(t, "instructions of 500 rounds", "%" PRIu64, more - few);
	svm_end();
}

static void run_guests(uint32_t times, uint32_t nops)
{
	for (uint32_t i = 0; i < times; i++)
		svm_nops(nops, 0);
}

TEST(entries, .id = "svm.counts.entries", .needs = need_svm_bits, .source = BITS,
     .claim = "with GuestOnly 100 guests count what each of them executes")
{
	const uint64_t select = svm_select(AMD_EVENT_INST_RETIRED, SVM_GUEST_ONLY);
	uint64_t none, some;

	svm_begin();
	none = amd_count(0, select, run_guests, 100, 0);
	some = amd_count(0, select, run_guests, 100, 20);
	expect_exact(t, "NOPs of 100 guests", some - none, 100 * 20, "20 each");
	svm_end();
}

/* A guest whose UD2 leaves it. */
static void ud2_that_leaves(uint32_t times, uint32_t unused)
{
	(void)unused;
	svm_vmcb()->exception_intercepts = BIT32(X86_UD);
	for (uint32_t i = 0; i < times; i++) {
		struct svm_guest g = { .code = svm_guest_ud2 };

		svm_expect(&g, SVM_EXIT_EXCEPTION(X86_UD));
	}
}

/* A guest whose interrupt enters its handler. */
static void int_that_stays(uint32_t times, uint32_t unused)
{
	(void)unused;
	for (uint32_t i = 0; i < times; i++) {
		struct svm_guest g = { .code = svm_guest_int };

		svm_expect(&g, SVM_EXIT_VMMCALL);
	}
}

TEST(exceptions, .id = "svm.counts.exceptions", .needs = need_svm_bits,
     .source = RUNS "; " SVM_APM ", \"Exception Intercepts\"",
     .claim = "a guest's exception that leaves it is no branch of the guest, as its handler is not "
              "entered; an INT that stays is one")
{
	const uint64_t select = svm_select(AMD_EVENT_BRANCHES, SVM_GUEST_ONLY);
	uint64_t left, entered;

	svm_begin();
	left = amd_count(0, select, ud2_that_leaves, 10, 0);
	expect_between(t, "branches of ten UD2 that leave", left, 0, 10,
	               "low: neither VMRUN nor the fault counts; high: VMRUN does");
	svm_vmcb()->exception_intercepts = 0;
	entered = amd_count(0, select, int_that_stays, 10, 0);
	expect_between(t, "branches of ten INT that stay", entered - left, 10, 20,
	               "low: an INT each; high: family 15H may count it twice");
	svm_end();
}

/* ---------------------------------------------------------------------------- IRPerfCount */

static const char *need_svm_irperf(struct test_ctx *t)
{
	const char *reason = need_svm(t);

	return reason || cpuid_get(CPUID_IRPERF) ? reason
	       : test_reason(t, "CPUID.80000008H:EBX[1] (IRPerf) = 0");
}

static uint64_t irperf_of(uint32_t nops)
{
	const uint64_t before = msr_read(IRPerfCount);

	svm_nops(nops, 0);
	return msr_read(IRPerfCount) - before;
}

TEST(irperf, .id = "svm.counts.irperf", .needs = need_svm_irperf,
     .source = "APM 2, \"IRPerfCount\"; " SVM_APM,
     .claim = "IRPerfCount counts the guest's instructions, too")
{
	const uint64_t hwcr = msr_read(HWCR);
	uint64_t none, some;

	svm_begin();
	msr_write(HWCR, hwcr | HWCR_IRPERF_EN);
	none = irperf_of(0);
	some = irperf_of(GUEST_NOPS);
	msr_write(HWCR, hwcr);
	expect_exact(t, "NOPs of the guest", some - none, GUEST_NOPS, "one each");
	svm_end();
}
