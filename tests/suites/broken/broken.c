/* SPDX-License-Identifier: MIT */
/*
 * Tests that break on purpose: they show what a run does with a hang, a fault, a lost stack, or a
 * guest that prints nothing or nonsense. They run only with the word `broken`; tests/host judges
 * the output.
 */
#include <kernel/run/test.h>

#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/interrupts/local_apic.h>
#include <arch/modes/interrupt.h>
#include <arch/modes/modes.h>
#include <arch/modes/paging.h>
#include <arch/modes/segments.h>
#include <arch/regs/cpu.h>
#include <arch/regs/perfmon.h>
#include <arch/smp/smp.h>
#include <kernel/console/console.h>
#include <kernel/run/engine_hooks.h>
#include <kernel/run/panic.h>
#include <kernel/run/watchdog.h>
#include <pmu/core/pmu.h>
#include <pmu/sampling/pebs.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/snippets.h>

static volatile bool forever = true;

TEST(hang, .id = "broken.hang", .is_broken = true,
     .claim = "a hang with interrupts off ends as an error")
{
	test_report(t, "about to", "hang");
	interrupts_disable();
	while (forever)
		cpu_pause();
}

TEST(hang_if, .id = "broken.hang_with_interrupts", .is_broken = true,
     .claim = "a hang with interrupts on ends as an error")
{
	test_report(t, "about to", "hang");
	interrupts_enable();
	while (forever)
		cpu_pause();
}

static const char *hang_asking(struct test_ctx *t)
{
	hang(t);
	return NULL;
}

TEST(hang_needs, .id = "broken.hang_in_needs", .needs = hang_asking, .is_broken = true,
     .claim = "a hang in the check of what a test needs ends as an error")
{
	test_report(t, "after the hang", "this");
}

static bool is_reset_to_hang;

static void reset(void)
{
	const bool is_now = is_reset_to_hang;

	is_reset_to_hang = false;
	while (is_now)
		cpu_pause();
}

static const struct engine_hooks hooks = { .name = "broken", .reset = reset };
ENGINE_HOOKS(hooks);

TEST(hang_reset, .id = "broken.hang_in_reset", .is_broken = true,
     .claim = "a hang in the reset after a test ends as an error")
{
	is_reset_to_hang = expect_between(t, "this", 1, 1, 1, "it has an expectation");
}

/* JMP $ */
static struct mode_result hang_in(enum cpu_mode mode)
{
	static const uint8_t code[] = { 0xeb, 0xfe };
	static const struct mode_regs regs;

	return mode_run(mode, code, sizeof(code), &regs);
}

TEST(hang_cpl3, .id = "broken.hang_at_cpl3", .is_broken = true,
     .claim = "a hang at CPL 3 ends as an error")
{
	test_report(t, "about to", "hang");
	hang_in(MODE_CPL3);
}

#ifdef __i386__
TEST(hang_real, .id = "broken.hang_in_real_mode", .is_broken = true,
     .claim = "code under test that hangs in real mode ends with an NMI as its fault")
{
	struct mode_result r = hang_in(MODE_REAL);

	expect_no_fault(t, "JMP $ in real mode", r.fault, "this test fails on purpose");
}

/* The boot processor's watchdog could not end this hang, as real mode takes all of its NMIs. */
TEST(stay_real, .id = "broken.hang_real_again", .is_broken = true,
     .claim = "a processor that INIT takes out of real mode leaves low memory to the others")
{
	test_report(t, "about to", "hang in real mode again and again, on other processors");
	while (smp_self() && forever)
		hang_in(MODE_REAL);
}
#endif

static void hang_here(struct frame *f, bool is_sure)
{
	(void)f;
	(void)is_sure;
	for (;;)
		cpu_pause();
}

/* The boot processor's watchdog is an NMI itself, so it could not end this hang. */
TEST(hang_nmi, .id = "broken.hang_in_nmi", .is_broken = true,
     .claim = "INIT ends a hang that no NMI reaches on another processor, and the "
              "processor goes on")
{
	test_report(t, "about to", "hang in the handler of an NMI, on other processors");
	if (smp_self() == 0)
		return;
	nmi_set_handler(hang_here);
	apic_send_self(APIC_DELIVERY_NMI, 0);
}

TEST(fault, .id = "broken.fault", .is_broken = true,
     .claim = "a fault that the test does not expect ends it as an error")
{
	test_report(t, "about to", "execute UD2");
	snippet_ud2();
}

TEST(stack, .id = "broken.stack", .is_broken = true,
     .claim = "a fault without a usable stack ends as an error")
{
	test_report(t, "about to", "point ESP at a page that is not present");
	snippet_lose_stack();
}

/* Interrupts stay off until the test is over: the vector arrives when the engine cleans up. */
TEST(stray, .id = "broken.stray", .needs = need_local_apic, .is_broken = true,
     .claim = "an interrupt that comes between two tests is an error, and the run goes on")
{
	test_report(t, "about to", "leave an interrupt of vector 99H pending");
	apic_send_self(APIC_DELIVERY_FIXED, 0x99);
}

TEST(gives_up, .id = "broken.panic", .is_broken = true,
     .claim = "the sentence of a run that gives up names the test")
{
	(void)t;
	panic("on purpose");
}

static const char *need_programmable_pmu(struct test_ctx *t)
{
	const struct pmu *p = pmu_get();

	if (p->state == PMU_COUNTS && !p->class->driver)
		return test_reason(t, "no driver for the PMU of %s", p->class->name);
	return need_counting_pmu(t);
}

/* Waits for a tick of the watchdog, once. */
static void wait_for_tick(uint32_t rounds, uint32_t argument)
{
	static bool was_here;
	const unsigned ticks = watchdog_ticks();

	while (!was_here && watchdog_ticks() == ticks)
		cpu_pause();
	was_here = true;
	workload_loop.code(rounds, argument);
}

/* A window that nothing measures: only the engine can repeat it, with the test. */
TEST(disturbed, .id = "broken.tick", .needs = need_programmable_pmu, .is_broken = true,
     .claim = "a test that fails because a tick fell into its window is repeated")
{
	const struct pmu_setup s = { .counter = pmu_counter_for(EVENT_INSTRUCTIONS_RETIRED, 0),
	                             .event = EVENT_INSTRUCTIONS_RETIRED, .flags = PMU_BOTH };

	pmu_program(&s, 1);
	pmu_window(wait_for_tick, 100, 0);
	expect_between(t, "instructions", pmu_read(s.counter), 200, 300,
	               "low: the loop; high: far fewer than in 55 ms");
}

static void faulting_handler(struct frame *f)
{
	(void)f;
	snippet_ud2();
}

TEST(handler, .id = "broken.handler", .is_broken = true,
     .claim = "a handler that faults in itself without end ends as an error")
{
	test_report(t, "about to", "execute UD2 in the handler of #UD");
	interrupt_set_handler(X86_UD, faulting_handler);
	snippet_ud2();
}

TEST(no_expectation, .id = "broken.no_expectation", .is_broken = true,
     .claim = "a test without an expectation is an error")
{
	(void)t;
}

TEST(leftover, .id = "broken.leftover", .is_broken = true,
     .claim = "a test that leaves a control register changed is an error")
{
	test_report(t, "about to", "leave CR0.AM changed");
	cr0_write(cr0_read() ^ CR0_AM);
}

TEST(running, .id = "broken.running", .needs = need_programmable_pmu, .is_broken = true,
     .claim = "a test that leaves a counter running is an error")
{
	const struct pmu_write *on = pmu_get()->class->probe.on;

	test_report(t, "about to", "leave counter 0 running");
	for (unsigned i = 0; i < PMU_PROBE_WRITES && on[i].msr; i++)
		msr_write(on[i].msr, on[i].value);
	if (pmu_get()->version >= 2)
		msr_write(IA32_PERF_GLOBAL_CTRL, IA32_PERF_GLOBAL_CTRL_EN_PMC(0));
}

TEST(records, .id = "broken.pebs", .needs = need_pebs, .is_broken = true,
     .claim = "a test that leaves PEBS on is an error")
{
	test_report(t, "about to", "leave PEBS on");
	msr_write(IA32_PEBS_ENABLE, pmu_has(PMU_HAS_CCCRS)
	                            ? PEBS_ENABLE_MY_THR : IA32_PEBS_ENABLE_PMC(0));
}

TEST(branch_records, .id = "broken.bts", .needs = need_bts, .is_broken = true,
     .claim = "a test that leaves BTS on is an error")
{
	const struct ds_plan plan = { .buffer[DS_BTS] = { .records = 8, .threshold = 9 } };

	test_report(t, "about to", "leave BTS on");
	ds_set_up(&plan);
	msr_write(IA32_DEBUGCTL, pmu_get()->class->bts);
}

TEST(fails, .id = "broken.fails", .is_broken = true, .claim = "two is three", .source = "none")
{
	expect_exact(t, "two", 2, 3, "this test fails on purpose");
	expect_exact(t, "sixteen", 16, 17, "so does its second expectation");
}

TEST(silence, .id = "broken.silence", .is_broken = true,
     .claim = "a guest that prints nothing more is ended from outside")
{
	(void)t;
	watchdog_stop();
	interrupts_disable();
	for (;;)
		cpu_halt();
}

TEST(triple_fault, .id = "broken.triple_fault", .is_broken = true,
     .claim = "a triple fault is a broken run")
{
	static const struct table_descriptor no_idt = { 0, 0 };

	(void)t;
	idt_load(&no_idt);
	snippet_ud2();
}

TEST(truncate, .id = "broken.truncate", .is_broken = true,
     .claim = "output without its end is a broken run")
{
	(void)t;
	console_flush();
	machine_leave(RUN_PASSED);
}

TEST(garbage, .id = "broken.garbage", .is_broken = true,
     .claim = "a line that is not TAP is a broken run")
{
	test_report(t, "about to", "print a line that is not TAP");
	print("all is well, trust me\n");
}

TEST(extra, .id = "broken.extra", .is_broken = true,
     .claim = "a result beyond the plan is a broken run")
{
	test_report(t, "about to", "print a result too many");
	print("ok 99 - broken.one_too_many\n");
}

TEST(all_skipped, .id = "broken.skipped", .is_broken = true,
     .claim = "a run of skipped tests is a broken run")
{
	test_skip(t, "broken = 1: skipped on purpose");
}

/* On other PMUs such a fault only loses the record. */
static const char *need_netburst_pebs(struct test_ctx *t)
{
	const char *problem = need_pebs(t);

	if (!problem && !pmu_has(PMU_HAS_CCCRS))
		return test_reason(t, "the PMU of %s is not NetBurst's", pmu_get()->class->name);
	return problem;
}

TEST(ds_fault, .id = "broken.ds_fault", .needs = need_netburst_pebs, .is_broken = true,
     .claim = "a fault in the debug store area shuts NetBurst down: a broken run",
     .source = "SDM 4, MSR_MCG_MISC")
{
	const struct pebs_event *loads = pebs_find("loads");
	struct pebs_use use;
	struct pmu_setup s = pebs_setup(&use, loads, pebs_counter(loads, 0), PMU_OS, 1);

	test_report(t, "about to", "let IA32_DS_AREA point at page 0, which is not present");
	ds_tear_down();
	pmu_program(&s, 1);
	pebs_enable(&s, 1);
	pmu_window(workload_call.code, 10, 0);
}
