/* SPDX-License-Identifier: MIT */
/* Counts what page faults and interrupts add to events of CPL 3 alone. */
#include <stdbool.h>
#include <tests/linux/init.h>
#include <tests/linux/system.h>

enum {
	MAP_PRIVATE_ANONYMOUS = 0x22, MADVISE_DONTNEED = 4,
	BLOCKS = 100, BLOCK_PAGES = 10, /* so few that most tries have no tick */
	BLOCK_TIMES = 12,
	TICKED_TURNS = 4000 * 1000,     /* of some ticks */
	GROUP = 3,                      /* events that are counted and read together */
};

void touch_pages(char *first, unsigned long pages);

/* ---------------------------------------------------------------------------------- page faults */

/* Returns the least of some counts of touching a block of pages, which fault if they are fresh.
 * An interrupt at CPL 3 adds to a count as a page fault does, but most tries have none. */
static uint64_t count_touches(int file, char *block, bool is_fresh)
{
	uint64_t least = UINT64_MAX, before, after;

	for (int i = 0; i < BLOCK_TIMES; i++) {
		if (is_fresh)
			system_call(__NR_madvise, (long)block, BLOCK_PAGES * PAGE,
			            MADVISE_DONTNEED, 0, 0);
		before = count_now(file);
		touch_pages(block, BLOCK_PAGES);
		after = count_now(file);
		if (before == UINT64_MAX || after == UINT64_MAX)
			return UINT64_MAX;
		least = after - before < least ? after - before : least;
	}
	return least;
}

/* Counts an event while the pages of all blocks are touched: fresh ones, then the same again. */
static void say_faults(const char *name, struct perf_event_attr attributes)
{
	static char *pages;
	uint64_t fresh = 0, again = 0;
	int file = event_open(&attributes, ALONE);

	if (file < 0) {
		say("fault %s error %x\n", name, (unsigned int)-file);
		return;
	}
	if (!pages)
		pages = (char *)system_call(SYSTEM_MMAP, 0, BLOCK_PAGES * PAGE, PROT_READ_WRITE,
		                            MAP_PRIVATE_ANONYMOUS, -1);
	system_call(__NR_ioctl, file, PERF_EVENT_IOC_ENABLE, 0, 0, 0);
	for (int i = 0; i < BLOCKS; i++) {
		fresh += count_touches(file, pages, true);
		again += count_touches(file, pages, false);
	}
	say("fault %s %" PRIx64 " %" PRIx64 "\n", name, fresh, again);
	system_call(__NR_close, file, 0, 0, 0, 0);
}

/* Conditional branches are C4H/01H from Nehalem to Skylake, later C4H/11H: see cpus.csv. */
void say_all_faults(void)
{
	struct perf_event_attr conditional = event(0x1c4), later = event(0x11c4);

	say("faults %x\n", BLOCKS * BLOCK_PAGES);
	say_faults("instructions", event(PERF_COUNT_HW_INSTRUCTIONS));
	say_faults("branches", event(PERF_COUNT_HW_BRANCH_INSTRUCTIONS));
	conditional.type = later.type = PERF_TYPE_RAW;
	say_faults("1c4", conditional);
	say_faults("11c4", later);
}

/* ----------------------------------------------------------------------------------- interrupts */

struct group { uint64_t events, count[GROUP]; };

/* Returns what so many turns and the call add to the group's counts; 0 if they cannot be read. */
static struct group added(int leader, unsigned long turns)
{
	struct group before = { 0 }, after = { 0 };

	system_call(__NR_read, leader, (long)&before, sizeof before, 0, 0);
	loop_turns(turns);
	system_call(__NR_read, leader, (long)&after, sizeof after, 0, 0);
	for (int i = 0; i < GROUP; i++)
		after.count[i] -= before.count[i];
	return after;
}

/* Prints what a loop of some ticks adds beyond its turns to instructions and branches of CPL 3, and
 * how many interrupts it had. */
static void say_interrupts(const char *name, uint64_t config)
{
	struct perf_event_attr attributes[GROUP] = {
		event(PERF_COUNT_HW_INSTRUCTIONS), event(PERF_COUNT_HW_BRANCH_INSTRUCTIONS),
		event(config),
	};
	struct group quiet, busy;
	int file[GROUP] = { ALONE, ALONE, ALONE };

	attributes[0].read_format = PERF_FORMAT_GROUP;
	attributes[GROUP - 1].type = PERF_TYPE_RAW;
	for (int i = 0; i < GROUP; i++) {
		attributes[i].pinned = attributes[i].disabled = i == 0;
		file[i] = event_open(&attributes[i], file[0]);
	}
	system_call(__NR_ioctl, file[0], PERF_EVENT_IOC_ENABLE, 0, 0, 0);
	for (int i = 0; i < TIMES && (quiet = added(file[0], TURNS)).count[GROUP - 1]; i++)
		;
	busy = added(file[0], TICKED_TURNS);
	say("interrupt %s %" PRIx64 " %" PRIx64 " %" PRIx64 "\n", name,
	    busy.count[0] - quiet.count[0] - (TICKED_TURNS - TURNS) * TURN_INSTRUCTIONS,
	    busy.count[1] - quiet.count[1] - (TICKED_TURNS - TURNS) * TURN_BRANCHES, busy.count[2]);
	for (int i = GROUP; i-- > 0;)
		system_call(__NR_close, file[i], 0, 0, 0, 0);
}

void say_all_interrupts(void)
{
	say_interrupts("cf", 0xcf);
	say_interrupts("2c", 0x2c);
}
