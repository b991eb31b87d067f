/* SPDX-License-Identifier: MIT */
#include <arch/clock/one_shot.h>

#include <stddef.h>

static const struct one_shot *timer;
static volatile bool is_starting, was_hit, is_due, is_seen;

void one_shot_select(const struct one_shot *wanted)
{
	timer = wanted;
	is_due = is_seen = false;
}

/*
 * The timer may end while it is being programmed. The interrupt handler then finds it running
 * again, or half programmed. Both count as an end, and the timer is started again until no end
 * interferes. If it has ended before the start and no code has seen that, its interrupt is under
 * way, which takes long in an emulator on a busy host.
 */
void one_shot_start(uint32_t us)
{
	if (!timer || is_starting)
		return;                 /* the loop that was interrupted starts again */
	is_due = !is_seen && timer->is_over();
	is_seen = false;
	do {
		was_hit = false;
		is_starting = true;
		timer->program(us);
		is_starting = false;
		us = ONE_SHOT_US_MAX;
	} while (was_hit);
}

bool one_shot_has_expired(void)
{
	if (!timer)
		return false;
	if (!is_starting && !is_due) {
		is_seen = timer->is_over();
		return is_seen;
	}
	was_hit = is_starting;
	is_due = false;
	return true;
}
