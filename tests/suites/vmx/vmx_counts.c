/* SPDX-License-Identifier: MIT */
/* What counters count while a guest runs, and while it is entered and left. */
#include <tests/suites/vmx/vmx_guest.h>

#include <arch/cpu/fault.h>
#include <arch/regs/cpu.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/core/program.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>

#define RUNS    "SDM 3B, \"Architectural Performance Monitoring\"; SDM 3C, VM entries and VM " \
	        "exits do not stop counters unless they load IA32_PERF_GLOBAL_CTRL"
#define LEVELS  "SDM 3B, \"Architectural Performance Monitoring Version 1\", USR and OS"

static void nops_at_cpl0(uint32_t nops, uint32_t unused)
{
	struct guest g = { .code = guest_sled(nops) };

	(void)unused;
	guest_run(&g);
}

static void nops_at_cpl3(uint32_t nops, uint32_t unused)
{
	struct guest g = { .code = guest_sled(nops), .cpl = 3 };

	(void)unused;
	guest_run(&g);
}

static void loop(uint32_t rounds, uint32_t unused)
{
	struct guest g = { .code = vmx_guest_loop, .regs.cx = rounds };

	(void)unused;
	guest_run(&g);
}

/* The first entry is VMLAUNCH, so that all that are measured are VMRESUME. */
static void begin(void)
{
	guest_begin();
	nops_at_cpl0(0, 0);
}

static void finish(void)
{
	guest_end();
	pmu_reset();
}

/*
 * Expects on every counter of the event that the second number of rounds counts `want` more than
 * the first: entry, exit and this kernel's code are in both.
 */
struct difference {
	uint16_t event;
	unsigned flags;
	void (*code)(uint32_t rounds, uint32_t argument);
	uint32_t first, second;
	uint64_t want;
	const char *why;
};

static void expect_difference(struct test_ctx *t, const char *of, const struct difference *d)
{
	struct pmu_setup setups[PMU_SETUPS_MAX];
	const unsigned count = counting_setups(setups, d->event, d->flags);
	const struct pmu_reading a = pmu_measure_code(setups, count, d->code, d->first, 0);
	const struct pmu_reading b = pmu_measure_code(setups, count, d->code, d->second, 0);
	char name[PMU_NAME_SIZE];

	for (unsigned i = 0; i < count; i++) {
		test_sub(t, "%s, %s", of, pmu_counter_name(setups[i].counter, name));
		guest_expect_more(t, "counts of the guest", a.count[i], b.count[i], d->want, 2,
		                  d->why);
	}
	test_sub(t, "%s", "");
}

TEST(instructions, .id = "vmx.counts.instructions", .needs = need_vmx, .source = RUNS,
     .claim = "every counter of instructions counts those of the guest, one each")
{
	static const unsigned nops[] = { 1, 10, GUEST_NOPS };

	begin();
	for (unsigned i = 0; i < COUNT_OF(nops); i++)
		expect_difference(t, "NOPs", &(const struct difference){
			EVENT_INSTRUCTIONS_RETIRED, PMU_BOTH, nops_at_cpl0, 0, nops[i], nops[i],
			"NOPs that the longer guest has more" });
	finish();
}

TEST(branches, .id = "vmx.counts.branches", .needs = need_vmx, .source = RUNS,
     .claim = "every counter of branches counts those of the guest, one each")
{
	begin();
	expect_difference(t, "a loop", &(const struct difference){
		EVENT_BRANCH_INSTR_RETIRED, PMU_BOTH, loop, 1, 101, 100,
		"rounds of the loop, with a JNZ each" });
	finish();
}

/* Where the guest's NOPs count, by its level. */
static const struct level {
	void (*code)(uint32_t rounds, uint32_t argument);
	unsigned flags;
	uint64_t want;
	const char *name, *why;
} levels[] = {
	{ nops_at_cpl0, PMU_OS, GUEST_NOPS, "OS, a guest at CPL 0", "the guest's CPL is 0" },
	{ nops_at_cpl0, PMU_USR, 0, "USR, a guest at CPL 0", "the guest's CPL is 0" },
	{ nops_at_cpl3, PMU_OS, 0, "OS, a guest at CPL 3", "the guest's CPL is 3" },
	{ nops_at_cpl3, PMU_USR, GUEST_NOPS, "USR, a guest at CPL 3", "the guest's CPL is 3" },
};

TEST(rings, .id = "vmx.counts.rings", .needs = need_vmx, .source = LEVELS,
     .claim = "OS and USR go by the guest's CPL, not by VMX root operation")
{
	begin();
	for (unsigned i = 0; i < COUNT_OF(levels); i++) {
		const struct level *l = &levels[i];

		expect_difference(t, l->name, &(const struct difference){
			EVENT_INSTRUCTIONS_RETIRED, l->flags, l->code, 0, GUEST_NOPS, l->want,
			l->why });
	}
	finish();
}

/* ---------------------------------------------------------------------------- by the controls */

static const struct pmu_setup insns = {
	.counter = 0, .event = EVENT_INSTRUCTIONS_RETIRED, .flags = PMU_BOTH,
};

/* Counts with IA32_PERF_GLOBAL_CTRL[0] = 1 in the guest alone, or in the host alone. */
static uint64_t count_event_by_controls(const struct pmu_setup *setup, bool is_guest,
                                        void (*code)(uint32_t, uint32_t), unsigned rounds)
{
	begin();
	guest_set(VMX_ENTRY, VMX_ENTRY_LOAD_PERF);
	guest_set(VMX_EXIT, VMX_EXIT_LOAD_PERF);
	guest_write(VMCS_GUEST_PERF_GLOBAL_CTRL, is_guest);
	guest_write(VMCS_HOST_PERF_GLOBAL_CTRL, !is_guest);
	pmu_program(setup, 1);
	msr_write(IA32_PERF_GLOBAL_CTRL, !is_guest);
	code(rounds, 0);
	msr_write(IA32_PERF_GLOBAL_CTRL, 0);
	return pmu_read(0);
}

static uint64_t count_by_controls(bool is_guest, void (*code)(uint32_t, uint32_t), unsigned rounds)
{
	return count_event_by_controls(&insns, is_guest, code, rounds);
}

TEST(guest_only, .id = "vmx.counts.guest_only", .needs = need_vmx_both_perf, .source = RUNS,
     .claim = "with IA32_PERF_GLOBAL_CTRL on by the entry and off by the exit, the guest alone is "
              "counted")
{
	const uint64_t none = count_by_controls(true, nops_at_cpl0, 0);
	const uint64_t some = count_by_controls(true, nops_at_cpl0, GUEST_NOPS);

	guest_expect_more(t, "NOPs of the guest", none, some, GUEST_NOPS, 2,
	                  "instructions of the guest");
	guest_expect_in(t, "instructions besides the NOPs", none, 0, 2, 2,
	                "low: neither VMRESUME nor VMCALL need count; high: both do");
	test_report(t, "instructions besides the NOPs", "%" PRIu64, none);
	finish();
}

TEST(host_only, .id = "vmx.counts.host_only", .needs = need_vmx_both_perf, .source = RUNS,
     .claim = "with IA32_PERF_GLOBAL_CTRL off by the entry and on by the exit, the guest is not "
              "counted")
{
	const uint64_t none = count_by_controls(false, nops_at_cpl0, 0);
	const uint64_t some = count_by_controls(false, nops_at_cpl0, GUEST_NOPS);

	guest_expect_more(t, "NOPs of the guest that count", none, some, 0, 2,
	                  "the counter is off in the guest");
	expect_between(t, "instructions of this kernel", some, 1, UINT64_MAX,
	               "low: it counts in the host; high: no bound");
	finish();
}

/* ---------------------------------------------------------------------------- exceptions */

/* A guest whose UD2 leaves it. */
static void ud2_that_exits(uint32_t times, uint32_t unused)
{
	(void)unused;
	guest_write(VMCS_EXCEPTION_BITMAP, BIT(X86_UD));
	for (uint32_t i = 0; i < times; i++) {
		struct guest g = { .code = vmx_guest_ud2 };

		guest_expect(&g, VMX_REASON_EXCEPTION_OR_NMI);
	}
}

TEST(exceptions, .id = "vmx.counts.exceptions", .needs = need_vmx_both_perf,
     .source = RUNS "; SDM 3C, \"Architectural State Before a VM Exit\": an exception that "
               "exits is not delivered in the guest",
     .claim = "a guest's exception that exits is no branch of the guest, as its "
              "handler is not entered")
{
	struct pmu_setup branches_retired = insns;
	uint64_t none, some;

	branches_retired.event = EVENT_BRANCH_INSTR_RETIRED;
	none = count_event_by_controls(&branches_retired, true, ud2_that_exits, 1);
	some = count_event_by_controls(&branches_retired, true, ud2_that_exits, 11);
	guest_expect_more(t, "branches of ten more UD2 that exit", none, some, 0, 22,
	                  "neither the fault's entry nor UD2 happens in the guest");
	finish();
}

/* A guest that is entered through its handler of #UD. */
static void injected_ud(uint32_t unused, uint32_t bitmap)
{
	struct guest g = { .code = guest_sled(10), .is_injected = true };

	(void)unused;
	guest_write(VMCS_EXCEPTION_BITMAP, bitmap);
	guest_write(VMCS_ENTRY_INFO, VMCS_INFO_VALID | X86_UD |
	            FIELD_PUT(VMCS_INFO_TYPE, VMCS_INFO_TYPE_EXCEPTION));
	guest_try(&g);
}

static void ud_that_is_free(uint32_t rounds, uint32_t unused)
{
	(void)unused;
	injected_ud(rounds, 0);
}

static void ud_that_would_exit(uint32_t rounds, uint32_t unused)
{
	(void)unused;
	injected_ud(rounds, (uint32_t)BIT(X86_UD));
}

TEST(injected, .id = "vmx.counts.injected", .needs = need_vmx_both_perf,
     .source = RUNS "; SDM 3C, \"Event Injection\": the exception bitmap has no effect on it",
     .claim = "the branches of an injected exception count alike whether or not the exception "
              "would exit if the guest raised it")
{
	struct pmu_setup branches_retired = insns;
	uint64_t free, exiting;

	branches_retired.event = EVENT_BRANCH_INSTR_RETIRED;
	free = count_event_by_controls(&branches_retired, true, ud_that_is_free, 0);
	exiting = count_event_by_controls(&branches_retired, true, ud_that_would_exit, 0);
	guest_expect_more(t, "branches with #UD in the exception bitmap", free, exiting, 0, 2,
	                  "as many as without it: the exception is delivered");
	finish();
}

/* ---------------------------------------------------------------------------- many exits */

/* XOR, DEC, JNZ; the CPUID that leaves the guest; the VMRESUME that enters it again. */
enum { ROUND_MIN = 3, ROUND_MAX = 5 };

TEST(exits, .id = "vmx.counts.exits", .needs = need_vmx_both_perf, .source = RUNS,
     .claim = "a counter keeps its count over any number of VM exits, and each round of the guest "
              "adds the same to it")
{
	const uint64_t few = count_by_controls(true, guest_cpuid_exits, 10);
	const uint64_t more = count_by_controls(true, guest_cpuid_exits, 110);
	const uint64_t most = count_by_controls(true, guest_cpuid_exits, 210);

	guest_expect_in(t, "instructions of 100 rounds", more - few, 100 * ROUND_MIN,
	                100 * ROUND_MAX, 200, "low: XOR, DEC and JNZ; high: with them the CPUID "
	                "that exits and the VMRESUME");
	guest_expect_more(t, "instructions of the next 100 rounds", more, most, more - few, 200,
	                  "each round is like the one before it");
	test_report(t, "instructions of a round", "%u", (unsigned)(more - few) / 100);
	finish();
}
