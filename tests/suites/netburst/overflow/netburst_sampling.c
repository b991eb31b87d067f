/* SPDX-License-Identifier: MIT */
/*
 * PMIs with both threads of a core, which share the counters: OVF_PMI_T0 and OVF_PMI_T1 select the
 * thread that an overflow interrupts, whichever thread's events it counts. One thread programs, the
 * other one works.
 */
#include <stddef.h>

#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/bounded_wait.h>
#include <tests/suites/common/pmi/pmi_snippets.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/common/smp_tests.h>
#include <tests/suites/netburst/overflow/netburst_overflow.h>

#define ROUTES  NETBURST_SHORT "\"CCCR MSRs\" with Hyper-Threading: OVF_PMI_T0, OVF_PMI_T1 flags"

static SHARED struct smp_barrier barrier;

static void meet(void) { smp_barrier_wait(&barrier, 2); }

/* Returns a thread's counter as operating systems divide them: even ESCRs are thread 0's. */
static unsigned counter_of(unsigned thread) { return thread ? 14 : 12; }

/* Returns a setup of instructions of this thread at CPL 3; ovf_pmi has bits of its CCCR. */
static struct pmu_setup events_of(struct netburst_use *use, unsigned thread, uint32_t ovf_pmi,
                                  uint64_t start)
{
	struct pmu_setup s = netburst_setup(use, netburst_event_find("instr_retired"),
	                                    "NBOGUSNTAG+NBOGUSTAG", counter_of(thread), 0);

	use->escr_value |= netburst_qualifiers(thread, PMU_USR);
	use->cccr_value |= ovf_pmi;
	use->is_by_escr = true;
	s.start = start;
	return s;
}

/* LVTPC masks itself and stays masked, so there is one PMI or none; their number is limited
 * in case it does not. */
static void stay_masked(struct frame *f)
{
	(void)f;
	if (pmi_get_log()->count > 20)
		pmi_set_mask(true);
}

/* ------------------------------------------------------------------------ whose PMI */

enum { MISSING = 100, NOPS = 500 };

/* The action of the thread that did not program, and the PMIs that both expect. */
struct route { bool is_worker, is_reported; };

static SHARED struct route other_route;

static unsigned pmis(void)
{
	return pmi_get_log()->count - pmi_get_log()->unsure;
}

static void expect_route(struct test_ctx *t, bool is_reported)
{
	expect_exact(t, "PMIs here", pmis(), is_reported,
	             "OVF_PMI of this thread alone interrupts this thread");
}

static void listen_beside(struct test_ctx *t, uintptr_t argument)
{
	(void)argument;
	pmi_listen(PMI_NMI, stay_masked);
	meet();
	if (other_route.is_worker)
		user_nops(NOPS, 0);
	meet();
	wait_silence();
	pmi_stop();
	expect_route(t, other_route.is_reported);
}

/* For pmu_window(): meets the other thread, then works. */
static void meet_and_work(uint32_t nops, uint32_t argument)
{
	(void)argument;
	meet();
	if (nops)
		user_nops(nops, 0);
	meet();
}

static void judge_route(struct test_ctx *t, unsigned events, uint32_t ovf_pmi)
{
	const unsigned own = netburst_thread();
	const unsigned cpu = netburst_sibling();
	struct netburst_use use;
	const struct pmu_setup s = events_of(&use, events, ovf_pmi, 0 - (uint64_t)MISSING);

	barrier = (struct smp_barrier){ 0, 0 };
	other_route = (struct route){ events != own, (ovf_pmi & netburst_ovf_pmi(!own)) != 0 };
	pmu_program(&s, 1);
	pmi_listen(PMI_NMI, stay_masked);
	secondaries_begin(t, cpu, listen_beside, 0);
	pmu_window(meet_and_work, events == own ? NOPS : 0, 0);
	wait_silence();
	pmi_stop();
	secondaries_join(t, cpu);
	test_sub(t, "events of thread %u", events);
	expect_route(t, (ovf_pmi & netburst_ovf_pmi(own)) != 0);
	expect_exact(t, "OVF", overflow_is_set(s.counter), 1, "it wrapped");
}

static void judge_routes(struct test_ctx *t, uint32_t ovf_pmi)
{
	for (unsigned events = 0; events < 2; events++)
		judge_route(t, events, ovf_pmi);
}

#define ROUTE(name, bits, text) \
	TEST(name, .id = "netburst.sampling.route." #name, .runs = TEST_ON_BOOT, \
	     .needs = need_netburst_thread_pmis, .source = ROUTES, .claim = text) \
	{ judge_routes(t, bits); }

ROUTE(t0, CCCR_OVF_PMI_T0,
      "OVF_PMI_T0 interrupts thread 0 only, whichever thread's events overflow")
ROUTE(t1, CCCR_OVF_PMI_T1,
      "OVF_PMI_T1 interrupts thread 1 only, whichever thread's events overflow")
ROUTE(both, CCCR_OVF_PMI_T0 | CCCR_OVF_PMI_T1,
      "with both flags an overflow interrupts both threads")
ROUTE(none, 0, "with neither flag an overflow interrupts no thread")

/* ------------------------------------------------------------------------ both sample at once */

/* Without skid periods are short, as in arch.smp.storm, so that handlers run all the time. */
#define SHORT_PERIOD  7u
#define LONG_PERIOD   1500u
#define PERIODS       200u

static SHARED uint32_t period;
static SHARED uint64_t totals[2];      /* of each thread, without PMIs */
static unsigned entries;

static uint32_t rounds(void) { return period * PERIODS / 2 + 3; }

/* Handles its own counter only: the other one's OVF belongs to the other thread. */
static void take_period(struct frame *f)
{
	unsigned x = counter_of(netburst_thread());

	(void)f;
	pmu_write(x, (pmu_read(x) - period) & NETBURST_COUNTER_VALUE);
	msr_write(MSR_CCCR(x), msr_read(MSR_CCCR(x)) & ~CCCR_OVF);
	pmi_set_mask(++entries > PERIODS + 100);
}

static void expect_sampled(struct test_ctx *t)
{
	const unsigned thread = netburst_thread(), x = counter_of(thread);
	const uint64_t total = totals[thread];

	test_sub(t, "thread %u", thread);
	expect_between(t, "events without PMIs", total, 2 * rounds(), 2 * rounds() + 2,
	               "low: DEC and JNZ of each round; high: also the INT, and the IRET to CPL 3");
	expect_exact(t, "PMIs", entries, (uint32_t)total / period,
	             "one PMI for each full period in the whole count");
	expect_exact(t, "events accounted for",
	             (pmu_read(x) + (uint64_t)period * (entries + 1) - pmi_lag())
	             & NETBURST_COUNTER_VALUE, total,
	             "the periods and what is in the counter add up to the count without PMIs");
}

static void sample_beside(struct test_ctx *t, uintptr_t is_counted)
{
	entries = 0;
	if (is_counted)
		pmi_listen(PMI_NMI, take_period);
	meet();
	user_loop(rounds(), 0);
	meet();
	pmi_stop();
	if (is_counted)
		expect_sampled(t);
	meet();
}

/* For pmu_window(): meets the other thread, then runs the loop. */
static void loop_together(uint32_t times, uint32_t argument)
{
	(void)argument;
	meet();
	user_loop(times, 0);
	meet();
}

static void run_both(struct test_ctx *t, bool is_counted)
{
	struct netburst_use uses[2];
	struct pmu_setup both[2];

	for (unsigned thread = 0; thread < 2; thread++)
		both[thread] = events_of(&uses[thread], thread,
		                         is_counted ? netburst_ovf_pmi(thread) : 0,
		                         is_counted ? pmi_start(period) : 0);
	barrier = (struct smp_barrier){ 0, 0 };
	entries = 0;
	pmu_program(both, 2);
	if (is_counted)
		pmi_listen(PMI_NMI, take_period);
	secondaries_begin(t, netburst_sibling(), sample_beside, is_counted);
	pmu_window(loop_together, rounds(), 0);
	pmi_stop();
	if (is_counted)
		expect_sampled(t);
	meet();
	secondaries_join(t, netburst_sibling());
}

TEST(at_once, .id = "netburst.sampling.both_at_once", .runs = TEST_ON_BOOT,
     .needs = need_netburst_thread_pmis, .source = ROUTES,
     .claim = "both threads sample at the same time, each with its own counter, and lose nothing")
{
	period = pmu_is_exact() ? SHORT_PERIOD : LONG_PERIOD;
	run_both(t, false);
	for (unsigned thread = 0; thread < 2; thread++)
		totals[thread] = pmu_read(counter_of(thread));
	run_both(t, true);
}

/* ------------------------------------------------------------------------ out of HLT */

#define BOUND_MS  20u

static SHARED volatile uint32_t is_asleep, is_awake;

/* For pmu_window(): halts until the PMI of the other thread's events comes. */
static void sleep(uint32_t nops, uint32_t argument)
{
	is_asleep = 1;
	pmi_hlt(nops, argument);
	is_awake = 1;
}

/* Starts once the other thread certainly sleeps; then this thread does nothing
 * until the other is awake. */
static void work(uint32_t nops, uint32_t argument)
{
	while (!is_asleep)
		cpu_pause();
	wait_silence();
	user_nops(nops, argument);
	while (!is_awake)
		cpu_pause();
}

static void run_and_expect(struct test_ctx *t, bool is_sleeper, bool is_window)
{
	void (*code)(uint32_t, uint32_t) = is_sleeper ? sleep : work;
	uintptr_t flags = flags_read();

	pmi_listen(PMI_NMI, stay_masked);
	if (is_sleeper) {
		wake_after(BOUND_MS);
		interrupts_enable();
	}
	if (is_window)
		pmu_window(code, NOPS, 0);
	else
		code(NOPS, 0);
	flags_write(flags);
	pmi_stop();
	expect_exact(t, "PMIs here", pmis(), is_sleeper, "OVF_PMI is that of the halted thread");
	if (!is_sleeper)
		return;
	expect_exact(t, "timer interrupts", wake_count(), 0, "the PMI ends the HLT");
	wake_stop();
}

static void halt_beside(struct test_ctx *t, uintptr_t is_sleeper)
{
	run_and_expect(t, is_sleeper, false);
}

static void judge_halt(struct test_ctx *t, bool is_sleeper)
{
	const unsigned own = netburst_thread();
	struct netburst_use use;
	const unsigned worker = is_sleeper ? !own : own;
	const struct pmu_setup s = events_of(&use, worker, netburst_ovf_pmi(!worker),
	                                     0 - (uint64_t)MISSING);

	is_asleep = is_awake = 0;
	pmu_program(&s, 1);
	secondaries_begin(t, netburst_sibling(), halt_beside, !is_sleeper);
	run_and_expect(t, is_sleeper, true);
	secondaries_join(t, netburst_sibling());
}

TEST(halted_here, .id = "netburst.sampling.halt.programmer", .runs = TEST_ON_BOOT,
     .needs = need_netburst_thread_pmis, .source = ROUTES,
     .claim = "an overflow of the other thread's events ends the HLT of this thread")
{ judge_halt(t, true); }

TEST(halted_there, .id = "netburst.sampling.halt.other", .runs = TEST_ON_BOOT,
     .needs = need_netburst_thread_pmis, .source = ROUTES,
     .claim = "an overflow of this thread's events ends the HLT of the other thread")
{ judge_halt(t, false); }
