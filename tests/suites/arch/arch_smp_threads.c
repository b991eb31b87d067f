/* SPDX-License-Identifier: MIT */
/*
 * These tests show what two threads of a core share, and what two cores share. The thread that
 * works runs at CPL 3 while the thread that counts waits at CPL 0, so that a counter of CPL 3
 * distinguishes them.
 */
#include <stddef.h>

#include <arch/cpu/insn.h>
#include <arch/regs/perfmon.h>
#include <kernel/lib/format.h>
#include <pmu/events/intel_events.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/common/siblings.h>
#include <tests/suites/common/silicon/silicon.h>
#include <tests/suites/common/smp_tests.h>

#define ANY_SOURCE "SDM 3B, \"Architectural Performance Monitoring Version 3\": AnyThread"

enum { ROUNDS = 2000 };

static const char *need_threads(struct test_ctx *t)
{
	const char *reason = need_arch(t);

	if (!reason)
		reason = need_modes(t);
	return reason ? reason : need_siblings(t);
}

static NEED_BOTH(need_any_threads, need_threads, need_any_thread)

/* ------------------------------------------------------------------------ a sibling at work */

static SHARED volatile uint64_t own_count;

/* Works once at CPL 3 when asked; reports what its own counter says. */
static void work_once(struct test_ctx *t, uintptr_t argument)
{
	const struct pmu_setup s = {
		.counter = 0, .event = EVENT_INSTRUCTIONS_RETIRED, .flags = PMU_USR,
	};

	(void)argument;
	pmu_program(&s, 1);
	sibling_wait();
	pmu_window(user_loop, ROUNDS, 0);
	own_count = pmu_read(0);
	sibling_done();
	expect_between(t, "IA32_PMC0 of the thread itself", own_count, 2 * ROUNDS,
	               2 * ROUNDS + 3,
	               "low: DEC and JNZ of each round; high: also the INT at the end, and the "
	               "IRET to CPL 3 where a processor counts it as CPL 3's, on some twice");
	pmu_reset();
}

/* Measures with this thread's counters while the sibling works. */
static void watch(struct test_ctx *t, const struct pmu_setup *setups, unsigned count)
{
	sibling_window(t, setups, count, work_once, 0, NULL, 0, 0);
}

static unsigned user_setups(struct pmu_setup *setups, unsigned flags)
{
	return counting_setups(setups, EVENT_INSTRUCTIONS_RETIRED, PMU_USR | flags);
}

TEST(threads_apart, .id = "arch.smp.threads_apart", .runs = TEST_ON_BOOT, .needs = need_threads,
     .claim = "without AnyThread a counter does not count what the core's other thread retires",
     .source = ANY_SOURCE)
{
	struct pmu_setup setups[PMU_SETUPS_MAX];
	unsigned count = user_setups(setups, 0);
	char name[PMU_NAME_SIZE];

	watch(t, setups, count);
	for (unsigned i = 0; i < count; i++)
		expect_exact(t, pmu_counter_name(setups[i].counter, name),
		             pmu_read(setups[i].counter), 0,
		             "this thread stayed at CPL 0, and the counter counts CPL 3 only");
}

/* Events of Intel's lists that user_loop moves. */
static const char *const own_events[] = {
	"BR_INST_RETIRED.NEAR_TAKEN", "BR_INST_RETIRED.CONDITIONAL", "BR_INST_RETIRED.COND",
	"BR_INST_RETIRED.TAKEN",
};

static const struct intel_row *own_event(unsigned i)
{
	const struct intel_row *e = intel_event_find(own_events[i]);

	return e && intel_event_exists(e) && !e->umask2 && !intel_event_msr(e)
	       && (intel_event_counters(e) & 1) ? e : NULL;
}

static const char *need_own_event(struct test_ctx *t)
{
	for (unsigned i = 0; i < COUNT_OF(own_events); i++)
		if (own_event(i))
			return NULL;
	return test_reason(t, "this processor's list has no %s", own_events[0]);
}

static NEED_BOTH(need_threads_and_event, need_threads, need_own_event)

static void expect_apart(struct test_ctx *t, const struct intel_row *e)
{
	const struct pmu_setup setup = intel_event_setup(e, 0, PMU_USR);

	watch(t, &setup, 1);
	expect_exact(t, "IA32_PMC0 while the other thread works", pmu_read(0), 0,
	             "this thread stayed at CPL 0, and the counter counts CPL 3 only");
	pmu_program(&setup, 1);
	pmu_window(user_loop, ROUNDS, 0);
	expect_between(t, "IA32_PMC0 while this thread works", pmu_read(0), 1, UINT32_MAX,
	               "low: the event is in the loop; high: other tests judge how often");
	pmu_reset();
}

TEST(own_events_apart, .id = "arch.smp.own_events_apart", .runs = TEST_ON_BOOT,
     .needs = need_threads_and_event, .source = ANY_SOURCE "; Intel's lists of events",
     .claim = "without AnyThread an event of the processor's own list is this thread's alone")
{
	for (unsigned i = 0; i < COUNT_OF(own_events); i++)
		if (own_event(i)) {
			test_sub(t, "%s", own_events[i]);
			expect_apart(t, own_event(i));
		}
}

/* There is one IRET to CPL 3. */
static void expect_equal(struct test_ctx *t, unsigned counter, uint64_t want, const char *why)
{
	char name[PMU_NAME_SIZE];

	pmu_counter_name(counter, name);
	if (!silicon_leaves_out(t, SILICON_ANY_INEXACT, name))
		silicon_expect_same(t, name, pmu_read(counter), want, 1, why);
}

/* The fixed counters of clocks have no counter of the other thread to be compared with. */
static void watch_clocks(struct test_ctx *t)
{
	struct pmu_setup clocks[2];
	unsigned count = 0;
	char name[PMU_NAME_SIZE];

	for (unsigned i = 1; i <= 2; i++)
		if (pmu_has_counter(PMU_FIXED_CTR(i)))
			clocks[count++] = (struct pmu_setup){ .counter = PMU_FIXED_CTR(i),
			                                      .flags = PMU_USR | PMU_ANY };
	if (!count)
		return;
	watch(t, clocks, count);
	for (unsigned i = 0; i < count; i++)
		expect_between(t, pmu_counter_name(clocks[i].counter, name),
		               pmu_read(clocks[i].counter), 1, UINT32_MAX,
		               "low: the other thread spent clocks at CPL 3; high: a second");
}

TEST(any_thread, .id = "arch.smp.any_thread", .runs = TEST_ON_BOOT, .needs = need_any_threads,
     .claim = "with AnyThread a counter counts both threads of the core, each by its own CPL",
     .source = ANY_SOURCE)
{
	struct pmu_setup setups[PMU_SETUPS_MAX];
	unsigned count = user_setups(setups, PMU_ANY);
	uint64_t alone;

	watch(t, setups, count);
	test_sub(t, "the other thread at CPL 3");
	for (unsigned i = 0; i < count; i++)
		expect_equal(t, setups[i].counter, own_count,
		             "the other thread's own counter says the same");
	watch_clocks(t);
	setups[0].flags = PMU_USR;
	pmu_program(setups, count);
	pmu_window(user_loop, ROUNDS, 0);
	alone = pmu_read(setups[0].counter);
	test_sub(t, "this thread at CPL 3, the other one halted");
	for (unsigned i = 1; i < count; i++)
		expect_equal(t, setups[i].counter, alone,
		             "the counter beside it says the same without AnyThread");
}

/* ------------------------------------------------------------------------ a PMI ends HLT */

static SHARED volatile uint32_t is_awake;

/* Works at CPL 3 when asked, without a counter of its own, as its end would wake the other
 * thread. */
static void work_uncounted(struct test_ctx *t, uintptr_t rounds)
{
	(void)t;
	sibling_wait();
	user_loop((uint32_t)rounds, 0);
	while (!is_awake)
		cpu_pause();
	sibling_done();
}

/* For pmu_window(): halts until the PMI comes or the timer ends the wait. */
static void sleep_meanwhile(uint32_t rounds, uint32_t argument)
{
	(void)rounds;
	(void)argument;
	sibling_go();
	while (pmi_get_log()->count == 0 && wake_count() == 0) {
		interrupts_enable_and_halt();  /* the watchdog's NMI ends it as well */
		interrupts_disable();
	}
	wake_stop();
	is_awake = 1;
	sibling_join();
}

/* The overflow comes after far more than it takes to halt; the timer comes long after the
 * overflow. */
enum { LONG_WORK = 20000, BOUND_MS = 10 };

static NEED_BOTH(need_any_pmi, need_any_threads, need_pmi)

TEST(any_thread_wakes, .id = "arch.smp.any_thread_wakes", .runs = TEST_ON_BOOT,
     .needs = need_any_pmi,
     .claim = "the PMI of an overflow that the other thread causes ends this thread's HLT",
     .source = ANY_SOURCE "; SDM 2A, \"HLT - Halt\"")
{
	struct pmu_setup s = user_instructions(0, LONG_WORK);
	uintptr_t flags = flags_read();

	s.flags |= PMU_ANY;
	is_awake = 0;
	interrupts_disable();
	pmi_listen(PMI_NMI, NULL);
	wake_after(BOUND_MS);
	sibling_window(t, &s, 1, work_uncounted, LONG_WORK, sleep_meanwhile, 0, 0);
	pmi_stop();
	flags_write(flags);
	expect_exact(t, "PMIs", pmi_get_log()->count, 1, "the counter overflowed once");
	expect_exact(t, "timer interrupts", wake_count(), 0,
	             "the PMI ends the HLT, not the timer 10 ms later");
}

/* ------------------------------------------------------------------------ a line between cores */

enum { BOUNCES = 200, LINE = 64 };

static SHARED volatile uint32_t turn __attribute__((aligned(LINE)));
static SHARED volatile uint32_t alone_turn __attribute__((aligned(LINE)));
static SHARED uint32_t after_them __attribute__((aligned(LINE)));

/* Answers each odd number with the next even one. */
static void answer(struct test_ctx *t, uintptr_t argument)
{
	(void)argument;
	for (uint32_t i = 1; i <= 2 * BOUNCES; i += 2) {
		while (turn != i)
			cpu_pause();
		turn = i + 1;
	}
	expect_exact(t, "the last turn", turn, 2 * BOUNCES, "the other processor writes no more");
}

/* For pmu_window(): writes a line in turns with another processor. */
static void bounce(uint32_t rounds, uint32_t argument)
{
	(void)argument;
	for (uint32_t i = 1; i <= 2 * rounds; i += 2) {
		turn = i;
		while (turn != i + 1)
			cpu_pause();
	}
}

/* Writes as often to a line that no other processor touches. */
static void stay(uint32_t rounds, uint32_t argument)
{
	(void)argument;
	for (uint32_t i = 1; i <= 2 * rounds; i += 2) {
		alone_turn = i;
		if (alone_turn != i)
			return;
	}
}

static const char *need_ping_pong(struct test_ctx *t)
{
	const char *reason = need_arch(t);

	if (!reason)
		reason = need_event(t, EVENT_LLC_REFERENCE);
	return reason ? reason : need_two_cores(t);
}

TEST(ping_pong, .id = "arch.smp.ping_pong", .runs = TEST_ON_BOOT, .needs = need_ping_pong,
     .claim = "after another core wrote a line, reading it asks the last cache again, each time",
     .source = "SDM 3A, \"Cache Control Protocol\": a write invalidates the other caches' copies; "
               "SDM 3B, Pre-defined Architectural Performance Events, Last Level Cache References")
{
	const struct pmu_setup s = {
		.counter = 0, .event = EVENT_LLC_REFERENCE, .flags = PMU_BOTH,
	};
	unsigned cpu = smp_find(false);
	uint64_t alone, together;

	after_them = 0;
	stay(1, 0);
	alone = pmu_measure_code(&s, 1, stay, BOUNCES, 0).count[0];
	turn = 0;
	secondaries_begin(t, cpu, answer, 0);
	together = pmu_measure_code(&s, 1, bounce, BOUNCES, 0).count[0];
	secondaries_join(t, cpu);
	expect_between(t, "LLC references, a line of its own", alone, 0, BOUNCES - 1,
	               "low: no count is negative; high: less than one for each write, "
	               "as the line stays");
	expect_between(t, "LLC references, a line written in turns", together, BOUNCES, UINT64_MAX,
	               "low: in each turn the other core's write took the line away; high: no "
	               "bound, as the line may be taken away again while this core "
	               "waits for its turn");
}
