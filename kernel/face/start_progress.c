/* SPDX-License-Identifier: MIT */
#include <kernel/face/start_progress.h>

#include <kernel/console/console.h>
#include <kernel/face/clock.h>

#define TOLD_WITHOUT_CLOCK 8

/*
 * A processor that does not start takes a sixth of a second; one that does takes 10 ms, and longer
 * in an emulator.
 */
void start_progress(unsigned tried)
{
	static unsigned seconds_told;

	if (!tried)
		clock_start();
	else if (!clock_is_there() && tried % TOLD_WITHOUT_CLOCK == 0)
		print("# cpus wait: %u other processors were tried so far\n", tried);
	else if (clock_has_moved() && clock_eighths() / 8 > seconds_told) {
		seconds_told = clock_eighths() / 8;
		print("# cpus wait: %u other processors were tried after %u s\n", tried,
		      seconds_told);
	}
}
