/* SPDX-License-Identifier: MIT */
/*
 * These tests check that what CPUID enumerates works: every counter counts, alone and together with
 * all others; counters are as wide, and events as available, as CPUID says; and the registers start
 * in their reset state.
 */
#include <kernel/run/test.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/regs/cpu.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/machine/machine.h>
#include <kernel/machine/machine.h>
#include <pmu/core/program.h>
#include <tests/suites/arch/arch_rules.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/silicon/silicon.h>

#define SDM "SDM 3B, Architectural Performance Monitoring"

enum { ROUNDS = ARCH_ROUNDS };

static uint64_t more_insns(uint32_t more)
{
	return workload_insns(&workload_loop, ROUNDS + more)
	       - workload_insns(&workload_loop, ROUNDS);
}

static uint64_t count_of(const struct pmu_setup *s, uint32_t rounds)
{
	return pmu_measure(s, 1, &workload_loop, rounds, 0).count[0];
}

/* Needs registers that hold what is written: the suite `pmu` judges a PMU whose registers
 * do not. */
static const char *need_registers(struct test_ctx *t)
{
	const struct pmu *p = pmu_get();

	return p->state == PMU_IS_DEAD && pmu_has(PMU_HAS_LEAF_0AH) ? NULL : need_arch(t);
}

/* A hypervisor has no such excuse. */
static bool needs_toggle(struct test_ctx *t)
{
	return !machine_cpu()->hypervisor[0]
	       && silicon_leaves_out(t, SILICON_NEEDS_TOGGLE, "instructions of 2000 more rounds");
}

TEST(alive, .id = "arch.enumeration.alive", .needs = need_registers, .source = SDM,
     .claim = "a PMU that is enumerated and whose registers hold values also counts")
{
	uint64_t one = 0, two = 0;

	expect_no_fault(t, "counting 2000 rounds", pmu_count_loop(pmu_get(), ROUNDS, &one), SDM);
	expect_no_fault(t, "counting 4000 rounds", pmu_count_loop(pmu_get(), 2 * ROUNDS, &two),
	                SDM);
	if (!needs_toggle(t))
		expect_exact(t, "IA32_PMC0, instructions of 2000 more rounds", two - one,
		             more_insns(ROUNDS), "CPUID.0AH enumerates a PMU");
}

TEST(each_counts, .id = "arch.enumeration.each_counts", .needs = need_arch, .source = SDM,
     .claim = "every enumerated counter counts, and exactly if it counts instructions")
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(c) {
		struct pmu_setup s = arch_setup(c, 0, 0);
		uint64_t count = count_of(&s, 2 * ROUNDS);

		test_sub(t, "%s alone", pmu_counter_name(c, name));
		if (arch_counts_insns(c) && !needs_toggle(t))
			expect_exact(t, "instructions of 2000 more rounds",
			             count - count_of(&s, ROUNDS), more_insns(ROUNDS),
			             "CPUID enumerates the counter, so it must count");
		else if (arch_always_moves(c))
			expect_between(t, "count of 4000 rounds", count, 1, arch_counter_max(c),
			               "low: 8000 instructions take time; high: "
			               "the counter's width");
		else
			test_report(t, "count of 4000 rounds", "%" PRId64, count);
	}
}

/* Fills s with a setup for each counter that counts instructions; returns their number. */
static unsigned all_setups(struct pmu_setup *s)
{
	unsigned n = 0;

	FOR_EACH_COUNTER(c)
		if (arch_counts_insns(c) && n < PMU_SETUPS_MAX)
			s[n++] = arch_setup(c, 0, 0);
	return n;
}

TEST(all_count, .id = "arch.enumeration.all_count", .needs = need_arch_v2,
     .source = "SDM 3B, Architectural Performance Monitoring Version 2, IA32_PERF_GLOBAL_CTRL",
     .claim = "all counters, started and stopped at once, count the same instructions")
{
	struct pmu_setup s[PMU_SETUPS_MAX];
	char name[PMU_NAME_SIZE];
	unsigned n = all_setups(s);
	struct pmu_reading few = pmu_measure(s, n, &workload_loop, ROUNDS, 0);
	struct pmu_reading many = pmu_measure(s, n, &workload_loop, 2 * ROUNDS, 0);

	for (unsigned i = 0; i < n; i++) {
		test_sub(t, "%s with all others", pmu_counter_name(s[i].counter, name));
		expect_exact(t, "instructions", many.count[i], many.count[0],
		             "one write of IA32_PERF_GLOBAL_CTRL starts and stops all of them");
		expect_exact(t, "instructions of 2000 more rounds", many.count[i] - few.count[i],
		             more_insns(ROUNDS), "every instruction retired is counted once");
	}
}

/* In version 1 counters start one after the other, so only differences between two
 * windows can be equal. */
TEST(all_count_1, .id = "arch.enumeration.all_count_differences", .needs = need_arch, .source = SDM,
     .claim = "with all counters running, each counts every instruction of a longer window")
{
	struct pmu_setup s[PMU_SETUPS_MAX];
	char name[PMU_NAME_SIZE];
	unsigned n = all_setups(s);
	struct pmu_reading few = pmu_measure(s, n, &workload_nops, 0, 0);
	struct pmu_reading many = pmu_measure(s, n, &workload_nops, 4096, 0);

	for (unsigned i = 0; i < n; i++) {
		test_sub(t, "%s with all others", pmu_counter_name(s[i].counter, name));
		expect_exact(t, "instructions of 4096 NOPs", many.count[i] - few.count[i], 4096,
		             "every instruction retired is counted once");
	}
}

static uint32_t counter_msr(unsigned c)
{
	return c < PMU_FIXED ? IA32_PMC(c) : IA32_FIXED_CTR(c - PMU_FIXED);
}

/* Writes all ones to the width, which is -1: one count later the counter is 0 if CPUID gives the
 * width correctly. */
static void check_width(struct test_ctx *t, unsigned c)
{
	struct pmu_setup s = arch_setup(c, 0, 0);
	uint64_t from_0 = pmu_measure(&s, 1, &workload_loop, ROUNDS, 0).value[0];

	pmu_reset();
	if (!expect_no_fault(t, "WRMSR of all ones of the width",
	                     msr_try_write(counter_msr(c), arch_counter_max(c)),
	                     "the value fits into the width that CPUID.0AH enumerates"))
		return;
	expect_exact(t, "all ones of the width, read back", pmu_read(c), arch_counter_max(c),
	             "the value fits into the width that CPUID.0AH enumerates");
	s.start = arch_counter_max(c);
	if (arch_counts_insns(c))
		expect_exact(t, "value after counting from all ones",
		             pmu_measure(&s, 1, &workload_loop, ROUNDS, 0).value[0], from_0 - 1,
		             "the counter wraps to 0 at its width: it holds one less than after "
		             "counting from 0");
	else if (arch_always_moves(c))
		expect_between(t, "value after counting from all ones",
		               pmu_measure(&s, 1, &workload_loop, ROUNDS, 0).value[0], 0,
		               arch_counter_max(c) / 2,
		               "low: the counter wrapped; high: a short window counts little");
}

TEST(width, .id = "arch.enumeration.width", .needs = need_arch,
     .source = "SDM 2A, CPUID.0AH:EAX[23:16] and EDX[12:5]",
     .claim = "counters hold as many bits as CPUID says, and wrap at that width")
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(c) {
		test_sub(t, "%s", pmu_counter_name(c, name));
		check_width(t, c);
	}
}

/* Reads so many lines of memory, each for the first time in this window. */
static void walk(uint32_t rounds, uint32_t argument)
{
	uint32_t size;
	uint32_t base = (uint32_t)(uintptr_t)pmu_workload_arena(&size);

	(void)argument;
	workload_walk.code(rounds, base);
}

static void loop(uint32_t rounds, uint32_t argument)
{
	workload_loop.code(rounds, argument);
}

/* Branches on random bits; argument is the seed. */
static void toss(uint32_t rounds, uint32_t argument)
{
	workload_random.code(rounds, argument);
}

/* An architectural event, and code that must make it count. */
struct stimulus {
	const char *name;
	uint16_t event;
	void (*code)(uint32_t rounds, uint32_t argument);
	const char *why;
	bool is_doubtful;              /* judged only where the machine is exact */
};

/* A cache that was not emptied may hold all lines of a walk, or a prefetcher may run ahead of the
 * walk. */
static const struct stimulus stimuli[] = {
	{ .name = "core cycles", .event = EVENT_UNHALTED_CORE_CYCLES, .code = loop,
	  .why = "low: 8000 instructions take time" },
	{ .name = "instructions", .event = EVENT_INSTRUCTIONS_RETIRED, .code = loop,
	  .why = "low: 8000 instructions" },
	{ .name = "reference cycles", .event = EVENT_UNHALTED_REFERENCE_CYCLES, .code = loop,
	  .why = "low: 8000 instructions take time" },
	{ .name = "LLC references", .event = EVENT_LLC_REFERENCE, .code = walk,
	  .is_doubtful = true, .why = "low: the walk reads 4000 lines that no cache held" },
	{ .name = "LLC misses", .event = EVENT_LLC_MISSES, .code = walk,
	  .is_doubtful = true, .why = "low: the walk reads 4000 lines that no cache held" },
	{ .name = "branches", .event = EVENT_BRANCH_INSTR_RETIRED, .code = loop,
	  .why = "low: 4000 branches" },
	{ .name = "mispredicted branches", .event = EVENT_BRANCH_MISSES_RETIRED, .code = toss,
	  .why = "low: nothing predicts 4000 random directions" },
	{ .name = "slots", .event = EVENT_TOPDOWN_SLOTS, .code = loop,
	  .why = "low: 8000 instructions take slots" },
	{ .name = "backend bound", .event = EVENT_TOPDOWN_BACKEND_BOUND, .code = walk,
	  .is_doubtful = true, .why = "low: the walk reads 4000 lines that no cache held" },
	{ .name = "bad speculation", .event = EVENT_TOPDOWN_BAD_SPECULATION, .code = toss,
	  .why = "low: nothing predicts 4000 random directions" },
	{ .name = "frontend bound", .event = EVENT_TOPDOWN_FRONTEND_BOUND, .code = toss,
	  .why = "low: after each misprediction fetching starts again" },
	{ .name = "retiring", .event = EVENT_TOPDOWN_RETIRING, .code = loop,
	  .why = "low: 8000 instructions" },
};

/* Reports an event that counts without being available: nothing forbids that, as
 * codes may be shared. */
static void check_event(struct test_ctx *t, const struct stimulus *row)
{
	bool is_there = pmu_has_event(row->event);
	struct pmu_setup s = arch_setup(0, 0, 0);
	uint64_t count;

	s.event = row->event;
	count = pmu_measure_code(&s, 1, row->code, 4000, 0xace1).count[0];
	test_sub(t, "event %02XH, unit mask %02XH (%s)", row->event & 0xff, row->event >> 8,
	         row->name);
	if (row->event == EVENT_UNHALTED_REFERENCE_CYCLES
	    && silicon_leaves_out(t, SILICON_NO_REFERENCE_CYCLES, "count"))
		return;
	if (is_there && (pmu_is_exact() || !row->is_doubtful))
		expect_between(t, "count", count, 1, arch_counter_max(0), row->why);
	else
		test_report(t, "count", "%" PRId64 ", %s", count,
		            is_there ? "available" : "not available");
}

/* Each processor alone: another one that walks at the same time brings the lines into their LLC. */
TEST(events, .id = "arch.enumeration.events", .needs = need_arch, .runs = TEST_ALONE,
     .source = SDM ", Pre-defined Architectural Performance Events; CPUID.0AH:EAX[31:24], EBX; "
               "CPUID.23H.3:EAX",
     .claim = "every event that CPUID makes available counts; others are reported")
{
	test_report(t, "CPUID.0AH", "EAX[31:24] = %u, EBX = %" PRIX32 "H",
	            cpuid_read(0x0a, 0).eax >> 24, cpuid_read(0x0a, 0).ebx);
	test_report(t, "event E4H, unit mask 01H (LBR inserts)", "%s",
	            pmu_has_event(EVENT_LBR_INSERTS) ? "available" : "not available");
	for (unsigned i = 0; i < COUNT_OF(stimuli); i++)
		check_event(t, &stimuli[i]);
}

/* Nehalem and Westmere: models 1AH, 1EH, 1FH, 2EH; 25H, 2CH, 2FH. */
static const char *need_shared_code(struct test_ctx *t)
{
	static const uint8_t models[] = { 0x1a, 0x1e, 0x1f, 0x2e, 0x25, 0x2c, 0x2f };
	const char *reason = need_arch(t);

	for (unsigned i = 0; i < sizeof(models); i++)
		if (!reason && machine_cpu()->family == 6 && machine_cpu()->model == models[i])
			return pmu_has_event(EVENT_UNHALTED_REFERENCE_CYCLES)
			       ? test_reason(t, "CPUID.0AH:EBX[2] = 0: the event is architectural")
			       : NULL;
	return reason ? reason : test_reason(t, "model %XH is not one of Nehalem or Westmere",
	                                     machine_cpu()->model);
}

TEST(shared_code, .id = "arch.enumeration.model_event", .needs = need_shared_code,
     .source = "SDM 3B, tables of performance events, Nehalem and Westmere: 3CH, 01H, "
               "CPU_CLK_UNHALTED.REF_P",
     .claim = "a processor's own event counts even where CPUID says that the architectural event "
              "of the same code is not available")
{
	struct pmu_setup s = arch_setup(0, 0, 0);

	s.event = EVENT_UNHALTED_REFERENCE_CYCLES;
	expect_between(t, "CPU_CLK_UNHALTED.REF_P",
	               pmu_measure(&s, 1, &workload_loop, 4000, 0).count[0], 1, arch_counter_max(0),
	               "low: 8000 instructions take time; high: the counter's width");
}

/* Returns false for registers on which the manuals differ, for those that take commands, whose
 * reads mean nothing, and for features. */
static bool is_judged(uint32_t msr)
{
	return msr != IA32_PERF_GLOBAL_CTRL && msr != IA32_PERF_GLOBAL_OVF_CTRL
	       && msr != IA32_PERF_GLOBAL_STATUS_SET && msr != IA32_MISC_ENABLE;
}

TEST(reset_values, .id = "arch.enumeration.reset_values", .is_static = true, .needs = need_arch,
     .source = "SDM 3A, table \"IA-32 and Intel 64 Processor States Following Power-up, Reset, or "
               "INIT\"",
     .claim = "after power-up controls, counters and status are 0, except where manuals disagree")
{
	unsigned count, changed = 0;
	const struct pmu_initial *found = pmu_get_initial(&count);

	for (unsigned i = 0; i < count; i++) {
		const struct pmu_initial *f = &found[i];

		if (pmu_is_exact() && f->msr == IA32_PERF_GLOBAL_CTRL)
			expect_bits(t, f->name, f->value, FIELD(47, 32), 0,
			            "no manual enables a fixed counter at reset");
		if (!is_judged(f->msr)) {
			test_report(t, f->name, "%" PRIX64 "H", f->value);
		} else if (pmu_is_exact()) {
			expect_no_fault(t, f->name, f->is_there ? FAULT_NONE
			                : fault_make(X86_GP, 0), "CPUID enumerates the register");
			expect_exact(t, f->name, f->value, 0, "the machine starts in reset state");
		} else if (f->value) {
			changed++;
			test_report(t, f->name, "%" PRIX64 "H", f->value);
		}
	}
	if (!pmu_is_exact())
		test_report(t, "registers that were not 0, not judged: firmware may have run",
		            "%u", changed);
}
