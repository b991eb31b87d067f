/* SPDX-License-Identifier: MIT */
#include <kernel/run/guard.h>

#include <arch/cpu/context.h>
#include <arch/modes/interrupt.h>
#include <kernel/lib/format.h>
#include <kernel/run/execute.h>
#include <kernel/run/test.h>
#include <kernel/run/watchdog.h>

static struct context resume_point;
static bool is_on;
static const char *what;
static char noted[2 * RESULT_TEXT_SIZE], taken[2 * RESULT_TEXT_SIZE];

bool guard_is_on(void) { return is_on; }

void guard_end(const char *fmt, va_list args)
{
	format_vbuf(noted, sizeof(noted), fmt, args);
	context_resume(&resume_point, 1);
}

static void end_hang(unsigned ticks)
{
	format_buf(noted, sizeof(noted), "%s hung: ended by the watchdog after %u ticks of 55 ms",
	           what, ticks);
	context_resume(&resume_point, 1);
}

/* It is not inlined, so that no variable of a caller is in a register across the second return. */
static bool __attribute__((noinline)) has_run_to_its_end(void (*work)(void))
{
	if (context_save(&resume_point) != 0) {
		interrupt_unexpected_is_over();
		return false;
	}
	is_on = true;
	watchdog_guard(TEST_SECONDS, end_hang);
	work();
	return true;
}

bool guard_work(const char *name, void (*work)(void))
{
	bool has_ended;

	what = name;
	has_ended = has_run_to_its_end(work);
	watchdog_stop();
	is_on = false;
	return has_ended;
}

void guard_note(const char *text)
{
	if (!noted[0])
		format_buf(noted, sizeof(noted), "%s", text);
}

const char *guard_take_text(void)
{
	format_buf(taken, sizeof(taken), "%s", noted);
	noted[0] = '\0';
	return taken[0] ? taken : NULL;
}
