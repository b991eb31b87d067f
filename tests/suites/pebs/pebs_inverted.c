/* SPDX-License-Identifier: MIT */
/*
 * PEBS of cycles, which INV and CMASK make of an event. The manual calls an event valid only while
 * both are 0, but perf's precise cycles are INST_RETIRED with INV = 1, CMASK = 16 on Core 2 to
 * Skylake, and these chips record: silicon goes before the manual.
 */
#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/modes/modes.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/core/microarchitecture.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/sampling/pebs_window.h>
#include <tests/suites/common/silicon/silicon.h>

/*
 * No processor retires 16 instructions a cycle, so the event is every cycle. The period is one that
 * errata leave alone: above 1000 (CML094) and with zeros in its low six bits (BDM055). A round has
 * at least a cycle for its taken branch.
 */
enum { CMASK = 16, PERIOD = 4096, ROUNDS = 12 * PERIOD };

/* IA32_FIXED_CTR3; periods that a window of a few cycles can end in, at any of their events. */
enum { SLOTS = 3, MOST_MISSING = 40 };

static NEED_BOTH(need_inverted, need_arch_v2, need_pebs_any)

/* perf takes UOPS_RETIRED.ALL on Sandy Bridge, and has no such event from Ice Lake on. */
static bool is_known_to_record(void)
{
	return !pebs_layout()->is_adaptive && !(pmu_microarchitecture() & PMU_ON_SANDY_BRIDGE);
}

TEST(inverted, .id = "pebs.period.inverted", .needs = need_inverted,
     .source = "Linux, arch/x86/events/intel/core.c: intel_pebs_aliases_core2(), "
               "intel_pebs_aliases_precdist(); the notes of SDM 3B, \"PEBS Performance "
               "Events\", ask for zeros",
     .claim = "retired instructions with INV = 1 and CMASK = 16, which are cycles, write records, "
              "as perf relies on from Core 2 to Skylake")
{
	struct pebs_use use;
	struct pmu_setup s = pebs_any(&use, PMU_USR, PERIOD - 1);
	unsigned count;

	s.flags |= PMU_INV;
	s.cmask = CMASK;
	count = pebs_window_run(&(const struct pebs_window){ .setups = &s, .count = 1,
	                        .code = pebs_rounds, .rounds = ROUNDS, .argument = MODE_CPL3 });
	expect_bounds(t, "records", count,
	              if_exact_in(1, ds_room(DS_PEBS), "low: the code has several periods of "
	                          "cycles; high: the buffer"),
	              is_known_to_record() ? else_in(1, ds_room(DS_PEBS), "low: chips record "
	                                             "perf's precise cycles; high: the buffer")
	                                   : ELSE_SHOWN);
	expect_bounds(t, "records of the code", pebs_rounds_records(),
	              if_exact_in(count ? count - 1 : 0, count,
	                          "low: one may be that of the INT that ends the code; high: all "
	                          "are of code at CPL 3, which alone counts"), ELSE_SHOWN);
	expect_no_damage(t);
}

/* ------------------------------------------------------------------------ perf's own event */

/* Lists what perf programs for precise cycles, with INV = 1 and CMASK = 16. */
static const struct { uint32_t on; uint16_t event; } precise_cycles[] = {
	{ PMU_ON_CORE2 | PMU_ON_BONNELL | PMU_ON_NEHALEM | PMU_ON_SKYLAKE,
	  EVENT_INSTRUCTIONS_RETIRED },
	{ PMU_ON_SNB_TO_BDW, EVENT(0xc2, 0x01) },      /* UOPS_RETIRED.ALL */
};

static uint16_t perf_event(void)
{
	for (unsigned i = 0; i < COUNT_OF(precise_cycles); i++)
		if (precise_cycles[i].on & pmu_microarchitecture())
			return precise_cycles[i].event;
	return 0;
}

static const char *need_perf_event(struct test_ctx *t)
{
	const char *reason = need_inverted(t);

	if (reason || perf_event())
		return reason;
	return test_reason(t, "perf has no event of its own for precise cycles: CPUID.1:EAX = %"
	                   PRIX32 "H", cpuid_read(1, 0).eax);
}

TEST(perf_cycles, .id = "pebs.period.perf_cycles", .needs = need_perf_event,
     .source = "Linux, arch/x86/events/intel/core.c: intel_pebs_aliases_core2(), "
               "intel_pebs_aliases_snb(), intel_pebs_aliases_skl()",
     .claim = "the event that perf selects for precise cycles, C0H/00H or on Sandy Bridge to "
              "Broadwell C2H/01H with INV = 1 and CMASK = 16, records one of as many cycles as "
              "its period has")
{
	struct pebs_use use;
	struct pmu_setup s = pebs_any(&use, PMU_USR, PERIOD - 1);
	const struct pebs_window w = { .setups = &s, .count = 1, .code = pebs_rounds,
	                               .rounds = ROUNDS, .argument = MODE_CPL3 };
	uint32_t events;

	s.event = perf_event();
	s.flags |= PMU_INV;
	s.cmask = CMASK;
	events = pebs_window_events(&w);
	expect_between(t, "cycles counted", events, ROUNDS, UINT32_MAX,
	               "low: a round has a taken branch, and a cycle at least; high: none");
	expect_records(t, "records", pebs_window_run(&w), events, PERIOD - 1);
	expect_no_damage(t);
}

/* ------------------------------------------------------------------------ after its end */

static bool can_record_slots(void)
{
	const bool can = pebs_layout()->is_adaptive && (pmu_get()->fixed_map >> SLOTS & 1)
	                 && !is_fault(msr_try_write(IA32_PEBS_ENABLE, BIT(PMU_FIXED_CTR(SLOTS))));

	msr_write(IA32_PEBS_ENABLE, 0);
	return can;
}

/* Returns a setup of cycles; of slots, several of which are in a cycle, where they can record. */
static struct pmu_setup cycles(struct pebs_use *use, uint32_t missing)
{
	struct pmu_setup s = pebs_any(use, PMU_BOTH, missing);

	if (can_record_slots()) {
		s.counter = PMU_FIXED_CTR(SLOTS);
		return s;
	}
	s.flags |= PMU_INV;
	s.cmask = CMASK;
	return s;
}

/* The periods are short. */
static const char *need_short(struct test_ctx *t)
{
	const char *reason = need_inverted(t);

	return reason ? reason : silicon_need_not(t, SILICON_PDIR_SHORT);
}

/* Erratum HSD159 and others: a record may come after PEBS was disabled. So silicon is shown. */
TEST(left_over, .id = "pebs.nothing.left_over", .needs = need_short, .source = PEBS_SDM,
     .claim = "a record that was due when PEBS was switched off is not written later, when another "
              "counter records")
{
	for (uint32_t missing = 1; missing <= MOST_MISSING; missing++) {
		struct pebs_use use;
		const struct pmu_setup first = cycles(&use, missing);
		const struct pmu_setup second = pebs_any(&use, PMU_BOTH, ROUNDS);

		pebs_window_run(&(const struct pebs_window){ .setups = &first, .count = 1,
		                .code = pebs_rounds, .rounds = 1, .argument = MODE_CPL0 });
		pebs_window_run(&(const struct pebs_window){ .setups = &second, .count = 1,
		                .code = pebs_rounds, .rounds = 1, .argument = MODE_CPL0 });
		test_sub(t, "after records of every %u. event", missing + 1);
		expect_bounds(t, "records of a counter that does not overflow", ds_index(DS_PEBS),
		              if_exact(0, "nothing is due any more"), ELSE_SHOWN);
		expect_no_damage(t);
	}
}
