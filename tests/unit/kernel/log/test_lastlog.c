/* SPDX-License-Identifier: MIT */
/* Logs are kept in free memory that nothing else gets, at the same address each time. */
/* LINK: kernel/log/lastlog.c kernel/log/warm_log.c kernel/lib/check.c kernel/machine/memory.c */
/* LINK: kernel/lib/format.c */
#define _DEFAULT_SOURCE
#include <kernel/log/lastlog.h>

#include <sys/mman.h>

#include <arch/modes/paging.h>
#include <kernel/console/console.h>
#include <kernel/machine/memory.h>
#include <tests/unit/unit.h>

#define MB           (UINT64_C(1) << 20)
#define PLACE        (32 * MB)
#define PLACE_SIZE   (4 * MB)

static uintptr_t uncached;
static struct console_output output;
static struct bootinfo boot;

unsigned smp_self(void)                                          { return 0; }
void paging_set_uncached(uintptr_t base)                         { uncached = base; }
void console_add_output(const struct console_output *o)          { output = *o; }
void console_put(char c)                                         { (void)c; }
void console_hold(void)                                          { }
void console_release(void)                                       { }
void print(const char *fmt, ...)                                 { (void)fmt; }

static void begin(uint64_t memory)
{
	boot.range[0] = (struct memory_range){ 1 * MB, memory - 1 * MB, 1 };
	boot.range_count = memory ? 1 : 0;
	memory_init(&boot, 0);
	lastlog_init(true);
}

static uint64_t take(uint64_t start, uint32_t size)
{
	memory_init(&boot, start);
	return memory_take(size);
}

/* Without the memory no log is kept, and no memory is withheld. */
UNIT_TEST(a_machine_without_the_memory_keeps_nothing)
{
	begin(0);
	begin(12 * MB);
	check_true("no output", output.put == NULL);
	check_true("no log", lastlog_own().text == NULL);
	for (uint64_t start = 1 * MB; start < 64 * MB; start += MB / 2)
		check_eq_u64("as it was asked for", take(start, 1 << 20),
		             start < 12 * MB - MB / 2 ? start : 0);
}

UNIT_TEST(this_memory_is_never_given_away)
{
	void *const place = mmap((void *)PLACE, PLACE_SIZE, PROT_READ | PROT_WRITE,
	                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (!check_true("the host has this address free", place == (void *)PLACE))
		return;
	begin(64 * MB);
	check_true("an output", output.put != NULL);
	check_eq_u64("not cached", uncached, PLACE);
	output.put(output.ctx, 'x');
	check_eq_u64("its text", lastlog_own().length, 1);
	for (uint64_t start = 1 * MB; start < 64 * MB; start += MB / 2)
		for (uint32_t size = 1 << 12; size <= 16u << 20; size *= 2) {
			const uint64_t given = take(start, size);
			const bool is_free = start + size <= PLACE || start >= PLACE + PLACE_SIZE;
			const uint64_t want = is_free ? start : PLACE + PLACE_SIZE;

			check_eq_u64("where it may lie", given, want + size <= 64 * MB ? want : 0);
		}
}

UNIT_MAIN()
