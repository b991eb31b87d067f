/* SPDX-License-Identifier: MIT */
/*
 * Splits a line, finds its command and runs it, here or on the processor that `cpu` chose. Ensures
 * that nothing remains that could harm the next command.
 */
#include <monitor/prompt/dispatch.h>

#include <stddef.h>

#include <arch/cpu/control.h>
#include <arch/cpu/insn.h>
#include <arch/interrupts/local_apic.h>
#include <arch/modes/interrupt.h>
#include <arch/modes/segments.h>
#include <arch/regs/cpu.h>
#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <kernel/run/engine_hooks.h>
#include <kernel/run/execute.h>
#include <kernel/run/secondaries.h>
#include <kernel/run/result.h>
#include <kernel/run/watchdog.h>
#include <monitor/tools/work.h>

static SHARED unsigned chosen;                 /* the processor that runs commands */
static SHARED char line_typed[MONITOR_LINE_SIZE];
static SHARED struct words typed;              /* the words of line_typed */

static const struct test the_monitor = { .id = "monitor", .claim = "a command's work" };

void monitor_clean_up(void)
{
	nmi_set_default(NULL);
	execute_clean_up();
}

/* ---------------------------------------------------------------------------- interrupts */

/*
 * The number of LVTPC's interrupts while no command listens, on this processor. They are reported,
 * but are no faults.
 */
static volatile unsigned stray_count;

enum { STRAYS_MOST = 100 };

/*
 * Leaves LVTPC as the PMI left it, because `apic` is to show what the processor does: an Intel APIC
 * masks it, AMD's do not. Masks it only if so many PMIs come that the command would never end.
 */
static void count_stray(void)
{
	if (++stray_count > STRAYS_MOST)
		apic_write(APIC_LVTPC, apic_read(APIC_LVTPC) | (uint32_t)APIC_LVT_MASK);
}

static void on_stray_nmi(void)
{
	if (apic_get_state()->is_present
	    && FIELD_GET(APIC_LVT_DELIVERY, apic_read(APIC_LVTPC)) == APIC_DELIVERY_NMI)
		count_stray();
}

static void on_stray_interrupt(struct frame *f)
{
	(void)f;
	count_stray();
	apic_end_of_interrupt();
}

static void catch_strays(void)
{
	nmi_set_handler(NULL);
	nmi_set_default(on_stray_nmi);
	interrupt_set_handler(VECTOR_PMI, on_stray_interrupt);
}

static void expect_strays(void)
{
	catch_strays();
	stray_count = 0;
}

/*
 * Takes interrupts that wait until interrupts are on, and counts those that came while the command
 * ran.
 */
static void take_strays(void)
{
	catch_strays();
	interrupts_enable();
	cpu_pause();                    /* after this instruction STI's shadow is over */
	interrupts_disable();
}

static void tell_strays(void)
{
	if (stray_count)
		print("%u PMI%s came that no command waited for%s; LVTPC = %XH now.\n", stray_count,
		      stray_count == 1 ? "" : "s",
		      stray_count > STRAYS_MOST ? ", so the monitor masked LVTPC" : "",
		      apic_read(APIC_LVTPC));
}

struct monitor_aside monitor_step_aside(void)
{
	const struct monitor_aside aside = { has_cr4() ? cr4_read() : 0 };

	if (has_cr4())
		cr4_write(aside.cr4 & ~(uintptr_t)CR4_PCE);
	monitor_clean_up();
	return aside;
}

void monitor_step_back(const struct monitor_aside *aside)
{
	if (has_cr4())
		cr4_write(aside->cr4);
	expect_strays();
}

/* ---------------------------------------------------------------------------- one line */

/* Before its first command a processor is reset, as before a test. */
static void get_ready(void)
{
	static bool is_ready;

	if (!is_ready)
		monitor_clean_up();
	is_ready = true;
	expect_strays();
}

static void run_part(struct test_ctx *t, uintptr_t words)
{
	const struct words *w = (const struct words *)words;

	(void)t;
	w->command->run(w);
	work_end();                     /* before anything checks what the command left changed */
}

/*
 * Reports what ended the command, a fault or a hang, after which nothing that it programmed
 * remains.
 */
static void tell_errors(const struct test_ctx *t)
{
	for (unsigned i = 0; i < t->findings && i < RESULT_MAX_FINDINGS; i++)
		print("%s.\n", t->finding[i].got);
	monitor_clean_up();
	print("The command was ended, and the PMU reset.\n");
	monitor_has_failed = true;
}

static void stop_running(void)
{
	FOR_EACH_ENGINE_HOOK(h) {
		const char *left = (*h)->left_running ? (*h)->left_running() : NULL;

		if (!left)
			continue;
		print("%s; the PMU was reset.\n", left);
		monitor_clean_up();
		return;
	}
}

/*
 * Runs on the chosen processor. Afterwards nothing counts, and no handler listens for interrupts.
 */
static void run_here(uintptr_t words)
{
	const bool is_unbounded = ((const struct words *)words)->command->is_unbounded;
	const struct test_ctx *t;

	get_ready();
	t = execute_work(&the_monitor, run_part, words, is_unbounded ? 0 : MONITOR_SECONDS);
	work_end();                     /* also after a command that failed */
	take_strays();
	tell_strays();
	if (t->status == TEST_ERROR && !monitor_has_failed)
		tell_errors(t);
	else
		stop_running();
	expect_strays();
}

static void run_there(uintptr_t words)
{
	if (secondaries_work(&the_monitor, chosen, run_here, words, MONITOR_SECONDS))
		return;
	monitor_has_failed = true;
	print("cpu %u hung, and did not even answer an NMI: it was stopped by INIT", chosen);
	if (smp_get(chosen)->is_running) {
		print(", and runs again; its PMU was reset.\n");
		return;
	}
	print(", and is lost; commands run on cpu 0 from now on.\n");
	chosen = 0;
}

bool monitor_run(const struct words *w)
{
	monitor_has_failed = false;
	if (chosen && !w->command->is_mine && !w->command->is_unbounded)
		run_there((uintptr_t)w);
	else
		run_here((uintptr_t)w);
	return !monitor_has_failed;
}

void monitor_run_line(const char *line)
{
	format_buf(line_typed, sizeof(line_typed), "%s", line);
	if (!words_split(&typed, line_typed)) {
		print("a line has at most %d words.\n", MONITOR_WORDS_MAX);
		return;
	}
	if (typed.count)
		typed.command = monitor_command_or_tell(typed.word[0]);
	if (typed.command)
		monitor_run(&typed);
}

unsigned monitor_cpu(void)            { return chosen; }
void monitor_choose_cpu(unsigned cpu) { chosen = cpu; }
