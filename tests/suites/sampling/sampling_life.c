/* SPDX-License-Identifier: MIT */
/* Shows that a long run of the experiment is alive. */
#include <tests/suites/sampling/sampling.h>

#include <kernel/console/console.h>
#include <kernel/run/watchdog.h>

enum { DOTS = 40 };

static uint32_t per_dot, until_dot;     /* calls; 0: prints none */

void sampling_life_begin(uint32_t misses, uint32_t calls)
{
	char number[SAMPLING_NUMBER];

	per_dot = until_dot = 0;
	if (misses <= SAMPLING_LONG_RUN)
		return;
	per_dot = until_dot = calls / DOTS + 1;
	print("# %s misses: ", sampling_number(misses, number));
}

void sampling_life_show(void)
{
	watchdog_renew();
	if (!per_dot || --until_dot)
		return;
	print(".");
	until_dot = per_dot;
}

void sampling_life_end(void)
{
	if (per_dot)
		print("\n");
}
