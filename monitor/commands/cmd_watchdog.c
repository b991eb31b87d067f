/* SPDX-License-Identifier: MIT */
/*
 * watchdog: ends code that hangs as an operating system's NMI watchdog does. A counter of cycles
 * interrupts every N of them, and the handler checks whether a heartbeat has moved since the last
 * interrupt.
 */
#include <monitor/tools/command.h>

#include <stddef.h>

#include <arch/cpu/context.h>
#include <arch/cpu/insn.h>
#include <arch/regs/table.h>
#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <kernel/run/watchdog.h>
#include <monitor/tools/sampler.h>

/*
 * A handler takes a few thousand cycles on NetBurst, where it reads 18 CCCRs twice. The maximum
 * keeps two periods within a command's time limit in an emulator.
 */
enum { PERIOD_MIN = 10000, PERIOD_MAX = 10000000 };

static struct context way_out;
static volatile uint32_t heartbeat;

static struct {
	unsigned counter, ticks, unsure;
	uint32_t period, last;         /* the heartbeat at the last interrupt */
	uintptr_t ip;
	uint64_t late;                 /* counts from the overflow to the handler */
	uint64_t reload;
} seen;

static void judge_heartbeat(const struct frame *f)
{
	seen.ticks++;
	seen.ip = f->ip;
	seen.late = pmu_read(seen.counter);
	if (heartbeat == seen.last) {
		pmi_set_mask(true);
		context_resume(&way_out, 1);
	}
	seen.last = heartbeat;
}

/*
 * The NMI comes whether interrupts are on or off, and context_resume() ends it. Other NMIs may come
 * from the 8254; they must end nothing here.
 */
static void on_tick(struct frame *f)
{
	const unsigned unsure = pmi_get_log()->unsure;

	if (unsure == seen.unsure)
		judge_heartbeat(f);
	seen.unsure = unsure;
	pmi_acknowledge();
	pmu_write(seen.counter, seen.reload);
}

/*
 * Beats once, then never again. If no NMI ends it, the time-stamp counter does, after so many ticks
 * that no processor's clocks differ by that factor. One copy, because report() shows where in
 * it the NMI came.
 */
static void PMU_ONE_COPY hang(uint32_t period, uint32_t argument)
{
	const uint64_t start = tsc_read(), most = UINT64_C(64) * period + (1u << 24);

	(void)argument;
	interrupts_disable();
	heartbeat++;
	while (tsc_read() - start < most)
		cpu_pause();
}

/*
 * Returns true if an NMI ended the code. It is not inlined, so that no variable is in a register
 * across the return.
 */
static bool __attribute__((noinline)) has_been_ended(void)
{
	const struct sampler_code code = { hang, seen.period, 0 };

	if (context_save(&way_out) != 0)
		return true;
	sampler_window(&code, pmi_start(seen.period), on_tick);
	return false;
}

/* Chooses an event that continues to count in an endless loop. */
static const char *choose(void)
{
	static const char *const events[] = { "PAPI_TOT_CYC", "PAPI_TOT_INS" };
	const char *problem = NULL;

	for (size_t i = 0; i < COUNT_OF(events); i++) {
		problem = sampler_try(events[i]);
		if (!problem)
			return events[i];
	}
	monitor_fail("%s", problem);
}

static void report(const char *event)
{
	const uint32_t offset = (uint32_t)(seen.ip - (uintptr_t)hang);

	print("Tick 1: the heartbeat has moved. Tick %u: it has not, so this hangs.\n",
	      seen.ticks);
	print("It hung at %" PRIX64 "H, ", (uint64_t)seen.ip);
	if (offset < 128)
		print("%u bytes into the endless loop, ", offset);
	print("with interrupts off,\n%u periods of %u and %" PRIu64 " more of %s after its "
	      "start.\n", seen.ticks, seen.period, seen.late, event);
	print("The NMI's handler ended it and came back here.\n");
}

static void show(uint32_t period)
{
	const char *event;
	bool is_ended;
	char name[PMU_NAME_SIZE];
	const uintptr_t flags = flags_read();

	sampler_need_pmi();
	event = choose();
	memset(&seen, 0, sizeof(seen));
	heartbeat = 0;
	seen.counter = sampler_setup()->counter;
	sampler_want_pmi();
	seen.period = period;
	seen.reload = pmi_start(period) & sampler_mask();
	print("%s counts %s, with an NMI every %u.\n", pmu_counter_name(seen.counter, name), event,
	      period);
	is_ended = has_been_ended();
	sampler_stop();
	flags_write(flags);
	if (is_ended)
		report(event);
	else
		print("No NMI ended it: after %u ticks the loop ended by itself.\n", seen.ticks);
	sampler_end();
}

COMMAND(watchdog, .syntax = "[every N]",
        .summary = "shows how a counter's NMI ends code that hangs with interrupts off",
        .text =
	"Alone it says what ends commands and tests that hang here: a timer. With\n"
	"\"every\" it does as operating systems do: a counter of cycles raises an\n"
	"NMI every N; code then loops for ever with interrupts off; the handler sees\n"
	"that a heartbeat does not move, says where the code hangs, and ends it.\n",
        .example = "watchdog every 100000")
{
	words_expect(w, 0, 2);
	if (w->count == 1) {
		print("Code that hangs is ended after %d s by %s.\n", MONITOR_SECONDS,
		      watchdog_describe());
		return;
	}
	if (strcmp(w->word[1], "every") != 0)
		words_fail(w);
	show((uint32_t)words_number(w, 2, "N", PERIOD_MIN, PERIOD_MAX));
}
