/* SPDX-License-Identifier: MIT */
#include <kernel/run/secondaries.h>

#include <stddef.h>

#include <arch/clock/clocks.h>
#include <arch/cpu/insn.h>
#include <arch/interrupts/local_apic.h>
#include <arch/modes/low_memory.h>
#include <arch/modes/paging.h>
#include <arch/modes/segments.h>
#include <arch/smp/kinds.h>
#include <kernel/console/console.h>
#include <kernel/face/start_progress.h>
#include <kernel/input/pager.h>
#include <kernel/lib/format.h>
#include <kernel/machine/memory.h>
#include <kernel/machine/processors.h>
#include <kernel/run/engine_hooks.h>
#include <kernel/run/execute.h>
#include <kernel/run/perturb.h>
#include <kernel/run/watch.h>
#include <kernel/run/watchdog.h>

/* A processor that does not end its test this long after the NMI that asked it to never will. */
#define END_SECONDS        1

/* Holds the data of a processor in addition to smp.h's. */
struct other {
	bool is_started;
	const struct test *lost_in;     /* the last test that it did not end, or NULL */
	const struct test_ctx *result;  /* private to that processor; read with smp_private_of() */
};

static struct processors found;
static SHARED struct other others[CPUS_MAX];
static unsigned count;
static struct test_ctx lost_result;

void secondaries_find(const struct bootinfo *boot, const struct cmdline *words)
{
	if (words->is_nosmp) {
		found.source = "none";
		return;
	}
	processors_find(&found, boot, &physical_memory_identity);
	if (words->has_absent_cpu && found.count < PROCESSORS_MAX)
		found.apic_id[found.count++] = words->absent_cpu;
}

static uintptr_t take_memory(uint32_t size)
{
	uint32_t pages = perturb(PERTURB_MEMORY);

	if (pages)
		memory_take(pages * PAGE_SIZE);
	return memory_take(size);
}

void secondaries_start(const struct cmdline *words, void (*init)(void))
{
	const struct smp_plan plan = {
		.apic_ids = found.apic_id, .count = found.count,
		.limit = words->is_nosmp ? 1 : words->cpus ? words->cpus : CPUS_MAX,
		.is_low_free = memory_is_free(LOW_AP_BASE, LOW_END - LOW_AP_BASE),
		.init = init, .take_memory = take_memory, .tell = start_progress,
	};

	smp_init(&plan);
	for (unsigned cpu = 1; cpu < smp_count(); cpu++) {
		others[cpu].is_started = smp_get(cpu)->is_running;
		count += others[cpu].is_started;
	}
	kinds_find();
	if (!watchdog_has_ticks())
		watch_choose();
}

unsigned secondaries_count(void)               { return count; }
bool secondaries_has_result(unsigned cpu)      { return others[cpu].is_started; }

/* ------------------------------------------------------------------------------ the head */

static void describe_one(unsigned cpu)
{
	const struct smp_cpu *c = smp_get(cpu);
	const struct topology *t = &c->topology;

	if (!c->is_running) {
		print("# cpu %u: APIC ID %u, does not run: %s\n", cpu, c->apic_id, c->problem);
		return;
	}
	print("# cpu %u: APIC ID %u, package %u, core %u, thread %u", cpu, c->apic_id, t->package,
	      t->core, t->thread);
	if (kind_of(UINT64_C(1) << cpu))
		print(", type %s", kind_of(UINT64_C(1) << cpu)->name);
	print(t->problem ? " (%s)\n" : "\n", t->problem);
}

static struct topology_count count_topology(void)
{
	const struct topology *running[CPUS_MAX];
	unsigned number = 0;

	for (unsigned cpu = 0; cpu < smp_count(); cpu++)
		if (smp_get(cpu)->is_running)
			running[number++] = &smp_get(cpu)->topology;
	return topology_count(running, number);
}

static void describe_found(void)
{
	if (!found.count)
		print("# cpus: 1 runs, others were not looked for");
	else
		print("# cpus: %u run, of %u in the %s", count + 1, found.count, found.source);
	if (found.disabled)
		print(", %u disabled there", found.disabled);
	if (found.dropped)
		print(", %u more than can be started", found.dropped);
}

void secondaries_describe(void)
{
	struct topology_count c = count_topology();

	describe_found();
	print(": packages %u, cores %u, threads %u, by %s\n", c.packages, c.cores, c.threads,
	      smp_get(0)->topology.source);
	if (found.problem[0])
		print("# cpus problem: %s\n", found.problem);
	if (smp_problem() && found.count > 1)
		print("# cpus problem: no other processor is started: %s\n", smp_problem());
	for (unsigned cpu = 0; smp_count() > 1 && cpu < smp_count(); cpu++)
		describe_one(cpu);
}

/* ------------------------------------------------------------------------------ tests */

/* Runs on the other processor. */
static void execute_here(uintptr_t test)
{
	others[smp_self()].result = execute_test((const struct test *)test, NULL);
}

/*
 * The end of a wait. Where ticks end a HLT, they give the time, and GRACE_MS more in which the one
 * that waits runs, too: a busy host may have run an emulator's processors for a part of it only.
 */
#define GRACE_MS           500

struct end { unsigned start, ticks; struct clock_limit limit; };

static struct end end_after(unsigned seconds)
{
	return (struct end){ watchdog_ticks(), seconds * WATCHDOG_TICKS_PER_SECOND,
	                     clock_limit_ms(watchdog_has_ticks() ? GRACE_MS : seconds * 1000) };
}

static bool has_ticks_left(const struct end *end)
{
	return watchdog_has_ticks() && watchdog_ticks() - end->start <= end->ticks;
}

/*
 * Halts for a millisecond, which is what clock_is_over() counts at most, or until the next
 * interrupt. The APIC's timer may be a test's, which then has this processor pause.
 */
static void sleep_unless_done(unsigned cpu)
{
	if (!apic_get_state()->is_present || apic_read(APIC_TIMER_INITIAL)) {
		cpu_pause();
		return;
	}
	apic_timer_start(VECTOR_WAKE, apic_timer_clocks(1000));
	smp_sleep_unless(smp_is_done, cpu);
	apic_timer_stop();
}

/* Halts until the processor is done, or pauses if nothing would end the HLT. */
static bool wait_for(unsigned cpu, const struct end *given, unsigned seconds)
{
	struct end end = *given;

	while (!smp_is_done(cpu)) {
		if (pager_is_waiting() || watchdog_has_renewed(cpu))
			end = end_after(seconds);
		if (has_ticks_left(&end))
			smp_sleep_unless(smp_is_done, cpu);
		else if (clock_is_over(&end.limit))
			return false;
		else
			sleep_unless_done(cpu);
	}
	return true;
}

/* Gives work to a processor. */
static void give(unsigned cpu, void (*work)(uintptr_t argument), uintptr_t argument)
{
	watch_leave(cpu);
	smp_start(cpu, work, argument);
}

/* Waits for the processors from first to last together, and asks all that take too long to end.
 * They may share a host's few cores: each four more processors get a test's time once more. */
static void wait_or_ask(unsigned first, unsigned last)
{
	const unsigned seconds = TEST_SECONDS * (1 + (last - first) / 4);
	const struct end end = end_after(seconds);

	for (unsigned cpu = first; cpu <= last; cpu++)
		if (smp_get(cpu)->is_running && !wait_for(cpu, &end, seconds))
			smp_ask_to_end(cpu);
}

static void clean_up_here(uintptr_t unused)
{
	(void)unused;
	execute_clean_up();
}

static bool ends_within(unsigned cpu, unsigned seconds)
{
	const struct end end = end_after(seconds);

	return wait_for(cpu, &end, seconds);
}

static bool has_ended(unsigned cpu, unsigned seconds)
{
	if (ends_within(cpu, seconds))
		return true;
	smp_ask_to_end(cpu);
	return ends_within(cpu, END_SECONDS);
}

static void give_up(unsigned cpu, const struct test *test, const char *why)
{
	smp_give_up(cpu, why);
	others[cpu].lost_in = test;
}

/* Makes a processor that had a test, or a part of it, idle and clean; if need be by INIT. */
static void clean_up_after(unsigned cpu, const struct test *test)
{
	console_forget_holds(cpu);
	if (smp_is_done(cpu)) {
		smp_finish(cpu);
	} else if (!smp_reset(cpu)) {
		give_up(cpu, test, "it did not end a test, not even by NMI, and does not start "
		                   "again after INIT");
		return;
	}
	give(cpu, clean_up_here, 0);
	if (has_ended(cpu, TEST_SECONDS))
		smp_finish(cpu);
	else
		give_up(cpu, test, "it did not end a reset between two tests, not even by NMI");
}

/* Handles a processor that even the NMI did not stop. INIT also stops code that blocks NMIs. */
static void lose(unsigned cpu, const struct test *test)
{
	others[cpu].lost_in = test;
	others[cpu].result = NULL;
	clean_up_after(cpu, test);
}

static void finish(unsigned first, unsigned last, const struct test *test)
{
	struct end asked;

	wait_or_ask(first, last);
	asked = end_after(END_SECONDS);
	for (unsigned cpu = first; cpu <= last; cpu++) {
		if (!smp_get(cpu)->is_running)
			continue;
		if (wait_for(cpu, &asked, END_SECONDS))
			smp_finish(cpu);
		else
			lose(cpu, test);
	}
}

static bool runs_alone(const struct test *test)
{
	FOR_EACH_ENGINE_HOOK(h)
		if ((*h)->runs_alone && (*h)->runs_alone())
			return true;
	return test->runs == TEST_ALONE || test->runs == TEST_BY_KIND;
}

void secondaries_execute(const struct test *test)
{
	const bool is_alone = runs_alone(test);

	result_init(&lost_result, test);
	for (unsigned cpu = 1; cpu < smp_count(); cpu++) {
		if (!secondaries_runs(test, cpu))
			continue;
		if (smp_get(cpu)->is_running)
			give(cpu, execute_here, (uintptr_t)test);
		if (is_alone)
			finish(cpu, cpu, test);
	}
	if (!is_alone)
		finish(1, smp_count() - 1, test);
}

const struct test_ctx *secondaries_result(unsigned cpu)
{
	const struct other *o = &others[cpu];

	if (o->result)
		return smp_private_of(cpu, o->result);
	result_init(&lost_result, lost_result.test);
	if (o->lost_in == lost_result.test)
		result_add_error_text(&lost_result, RESULT_STATE, smp_get(cpu)->is_running
		                      ? "it did not end the test, not even by NMI: ended by INIT"
		                      : smp_get(cpu)->problem);
	else
		result_set_skip(&lost_result, test_reason(&lost_result,
		                "this processor was lost in %s", o->lost_in->id));
	return &lost_result;
}

/* ------------------------------------------------------------------------------ parts of tests */

/* The work for a processor, and its result, in that processor's private memory. */
struct job {
	const struct test *test;
	execute_part_fn part;
	uintptr_t argument;
	const struct test_ctx *result;
	bool is_used;
};

static SHARED struct job jobs[CPUS_MAX];

static void execute_job(uintptr_t unused)
{
	struct job *j = &jobs[smp_self()];

	(void)unused;
	j->result = execute_part(j->test, j->part, j->argument);
}

void secondaries_begin(struct test_ctx *t, unsigned cpu, execute_part_fn part, uintptr_t argument)
{
	if (!smp_get(cpu)->is_running)
		test_abort("cpu %u does not run: %s", cpu, smp_get(cpu)->problem);
	jobs[cpu] = (struct job){ t->test, part, argument, NULL, true };
	give(cpu, execute_job, 0);
}

void secondaries_join(struct test_ctx *t, unsigned cpu)
{
	char name[16];

	if (!ends_within(cpu, TEST_SECONDS))
		test_abort("cpu %u has not ended its part of the test", cpu);
	smp_finish(cpu);
	format_buf(name, sizeof(name), "cpu %u", cpu);
	result_merge(t, smp_private_of(cpu, jobs[cpu].result), name);
}

void secondaries_do(struct test_ctx *t, unsigned cpu, execute_part_fn part, uintptr_t argument)
{
	secondaries_begin(t, cpu, part, argument);
	secondaries_join(t, cpu);
}

void secondaries_clean_up(void)
{
	for (unsigned cpu = 1; cpu < smp_count(); cpu++) {
		if (jobs[cpu].is_used && smp_get(cpu)->is_running)
			clean_up_after(cpu, jobs[cpu].test);
		jobs[cpu].is_used = false;
	}
}

/* -------------------------------------------------------------------------- work without a test */

bool secondaries_work(const struct test *work, unsigned cpu, void (*run)(uintptr_t argument),
                      uintptr_t argument, unsigned seconds)
{
	watchdog_pet();                 /* from here on ticks end the waits */
	give(cpu, run, argument);
	if (!has_ended(cpu, seconds)) {
		clean_up_after(cpu, work);
		return false;
	}
	smp_finish(cpu);
	return true;
}
