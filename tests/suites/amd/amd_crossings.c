/* SPDX-License-Identifier: MIT */
/*
 * What crossings between levels count with USR alone, as V. Weaver measured it ("deterministic
 * events", static/results): a fault or a SYSCALL adds one to retired instructions and branches on
 * families 10H, 14H, 15H, 16H and 17H, and on 17H one to far transfers. An interrupt adds as much,
 * but on 15H two to each, and on 16H two to instructions.
 */
#include <tests/suites/common/amd/amd_suite.h>

#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/counts/rings.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/fast_calls.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/self_interrupts.h>

#define MEASURED  "V. Weaver, \"deterministic events\", static/results"

static bool was_measured(uint16_t event)
{
	if (amd_is_17h())
		return true;
	return event != AMD_EVENT_FAR && (amd_family() == AMD_10H || amd_family() == 0x14
	                                  || amd_family() == AMD_15H || amd_family() == 0x16);
}

struct crossed { const char *what; uint16_t event; unsigned each; };

/* Counts at CPL 1 to 3 alone: DEC and JNZ of each round, and one for the crossing. */
static void check(struct test_ctx *t, const struct crossed *c, unsigned crossing,
                  void (*code)(uint32_t rounds, uint32_t mode))
{
	for (unsigned i = 0; i < amd_counters(); i++) {
		const struct pmu_setup s = { .counter = i, .event = c->event, .flags = PMU_USR };
		uint64_t more, want = (uint64_t)(c->each + crossing) * RINGS_MORE;

		rings_measure(&s, 1, code, MODE_CPL3, &more);
		test_sub(t, "%s, counter %u", c->what, i);
		expect_bounds(t, "5000 more rounds", more,
		              if_exact(want, "the code's own, and the crossing"),
		              was_measured(c->event) ? else_exact(want, "the code's own, and one "
		                                                  "for the crossing") : ELSE_SHOWN);
	}
}

static const struct crossed events[] = {
	{ "instructions", AMD_EVENT_INST_RETIRED, 2 },         /* DEC, JNZ */
	{ "branches", AMD_EVENT_BRANCHES, 1 },
	{ "taken branches", AMD_EVENT_TAKEN, 1 },
	{ "far transfers", AMD_EVENT_FAR, 0 },
};

TEST(user_faults, .id = "amd.exact.user_faults", .needs = need_amd_modes, .source = MEASURED,
     .claim = "with USR alone a fault at CPL 3 counts once as an instruction, a branch and a far "
              "transfer")
{
	rings_open_gates();
	for (unsigned n = 0; n < COUNT_OF(events); n++)
		check(t, &events[n], 1, rings_fault);
}

#ifdef __x86_64__

static const char *need_syscall(struct test_ctx *t)
{
	const char *reason = need_amd_modes(t);

	return reason ? reason : need_cpu_syscall(t);
}

TEST(user_syscalls, .id = "amd.exact.user_syscalls", .needs = need_syscall, .source = MEASURED,
     .claim = "with USR alone SYSCALL counts once as an instruction, a branch and a far transfer")
{
	fast_calls_open_syscall();
	for (unsigned n = 0; n < COUNT_OF(events); n++)
		check(t, &events[n], 1, fast_calls_by_syscall);
	fast_calls_close_syscall();
}

#endif

/* ---------------------------------------------------------------------------- interrupts */

static uint64_t interrupts(unsigned counter, uint16_t event, uint32_t sent)
{
	return amd_count(counter, amd_select(event, 0), arch_interrupts_send, sent,
	                 ARCH_INTERRUPT_FIXED);
}

/* CFH up to family 16H, 2CH from 17H on. */
TEST(irqs, .id = "amd.exact.interrupts", .needs = need_amd_apic, .source = AMD_APM
     "; the event lists of libpfm4 and of Linux' perf",
     .claim = "the event of interrupts counts each interrupt once, and no exception")
{
	const uint16_t event = amd_family() < AMD_17H ? 0xcf : 0x2c;
	const struct workload *faults = workload_find("fault");

	arch_interrupts_prepare(ARCH_INTERRUPT_FIXED);
	for (unsigned i = 0; i < amd_counters(); i++) {
		uint64_t few = interrupts(i, event, 2);

		test_sub(t, "event %03XH, counter %u", event, i);
		expect_exact(t, "of six more interrupts", interrupts(i, event, 8) - few, 6,
		             "each is delivered once");
	}
	pmu_workload_gates();
	test_sub(t, "event %03XH", event);
	expect_exact(t, "of 1000 more faults",
	             amd_more(0, amd_select(event, 0), faults->code, 0), 0,
	             "a fault is no interrupt");
}

/* With OS and USR, because the interrupts come at CPL 0, where nobody measured them. */
TEST(entries, .id = "amd.exact.interrupt_entries", .needs = need_amd_apic, .source = MEASURED,
     .claim = "an interrupt counts as an instruction and a branch, on family 15H twice, on 16H as "
              "two instructions")
{
	const struct arch_interrupt_counts c = arch_interrupts_prepare(ARCH_INTERRUPT_FIXED);
	const unsigned branch = amd_family() == AMD_15H ? 2 : 1;
	const struct { uint16_t event; uint32_t each; } rows[] = {
		{ AMD_EVENT_INST_RETIRED, c.insns_each + c.handler_insns
		                          + (amd_family() == 0x16 ? 2 : branch) },
		{ AMD_EVENT_BRANCHES, c.branches_each + c.handler_branches + branch },
	};

	for (unsigned r = 0; r < COUNT_OF(rows); r++)
		for (unsigned i = 0; i < amd_counters(); i++) {
			const uint64_t few = interrupts(i, rows[r].event, 2);

			test_sub(t, "event %03XH, counter %u", rows[r].event, i);
			expect_bounds(t, "six more interrupts",
			              interrupts(i, rows[r].event, 8) - few,
			              if_exact(UINT64_C(6) * rows[r].each, "the code, the handler, "
			                       "and the entry"), ELSE_SHOWN);
		}
}
