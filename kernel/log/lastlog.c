/* SPDX-License-Identifier: MIT */
#include <kernel/log/lastlog.h>

#include <stddef.h>

#include <arch/cpu/self.h>
#include <arch/modes/paging.h>
#include <arch/regs/table.h>
#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <kernel/machine/memory.h>

#define MB (UINT32_C(1) << 20)

/*
 * The places for logs, in the order of preference. The kernel and its buffers are below them. Boot
 * loaders and firmware allocate memory from its end downwards (GRUB, SeaBIOS, UEFI's allocator),
 * except OVMF, which keeps volumes from 8 to 21 MB. The place must be the same each time, or else
 * no run would find the log. With paging on it is in an uncached page of 4 MB, because RESET
 * discards what caches have not written back.
 */
static const struct { uint32_t base, size; } places[] = {
	{ 32 * MB, 4 * MB },
	{ 12 * MB, 1 * MB },            /* machines with 16 MB; the rest of the page is unused */
};

enum { PAGE_SIZE_LARGE = 4 << 20, LAST_LINE_SHOWN = 72 };

static SHARED struct warm_log warm_log;
static SHARED uint32_t place;           /* 0 if nothing is kept */

static void put(void *ctx, char c)
{
	warm_log_put(ctx, c);
}

void lastlog_init(bool is_recorded)
{
	for (unsigned i = 0; i < COUNT_OF(places) && !place; i++) {
		if (!memory_is_free(places[i].base, places[i].size))
			continue;
		place = places[i].base;
		warm_log_open(&warm_log, (void *)(uintptr_t)place, places[i].size, is_recorded);
	}
	if (!place)
		return;
	memory_reserve(place, PAGE_SIZE_LARGE);
	paging_set_uncached(place);
	console_add_output(&(struct console_output){
		.name = "memory", .put = put, .ctx = &warm_log,
	});
}

const struct warm_log_text *lastlog_previous(void)
{
	return &warm_log.previous;
}

struct warm_log_text lastlog_own(void)
{
	return place ? warm_log_own(&warm_log) : (struct warm_log_text){ NULL, 0, 0, false };
}

const char *lastlog_missing(void)
{
	if (!place)
		return "there is no log of a previous run: the machine has too little memory for "
		       "it";
	return "there is no log of a previous run: the machine was off, or its firmware cleared "
	       "memory";
}

/* ---------------------------------------------------------------------------- the head's line */

/* Prints at most `most` characters, with others in place of those that are not text. */
static void print_text(const struct warm_log_text *line, uint32_t from, uint32_t most)
{
	for (uint32_t i = from; i < line->length && i - from < most; i++)
		console_put(line->text[i] >= ' ' && line->text[i] <= '~' ? line->text[i] : '?');
}

/* Prints the verdict of a complete run, or why it ended. */
static void print_outcome(const struct warm_log_text *log)
{
	static const char *const endings[] = { "# verdict: ", "Bail out! " };
	const uint32_t skip[] = { 11, 0 };
	struct warm_log_text line;

	for (unsigned i = 0; i < COUNT_OF(endings); i++) {
		if (!warm_log_find_last(log, endings[i], &line))
			continue;
		print_text(&line, skip[i], LAST_LINE_SHOWN);
		return;
	}
	print("no verdict");
}

/*
 * Returns the last result, or else the last line: the block that follows a result says less than
 * the result's id.
 */
static struct warm_log_text how_far(const struct warm_log_text *log)
{
	struct warm_log_text good, bad;
	const bool is_good = warm_log_find_last(log, "ok ", &good);
	const bool is_bad = warm_log_find_last(log, "not ok ", &bad);

	if (is_good && (!is_bad || good.text > bad.text))
		return good;
	return is_bad ? bad : warm_log_last_line(log);
}

void lastlog_describe(void)
{
	const struct warm_log_text *log = &warm_log.previous;
	struct warm_log_text last, end;

	if (!log->text)
		return;
	console_hold();
	print("# previous run: ");
	last = warm_log_last_line(log);
	if (!log->is_sound) {
		print("its log in memory was damaged");
	} else if (warm_log_find_last(&last, "# end of run: status ", &end)) {
		print("complete, %u lines: ", log->lines);
		print_outcome(log);
	} else {
		print("cut off after %u lines: ", log->lines);
		last = how_far(log);
		print_text(&last, 0, LAST_LINE_SHOWN);
	}
	print("\n");
	console_release();
}

void lastlog_print(void)
{
	const struct warm_log_text *log = &warm_log.previous;
	bool is_start = true;

	if (!log->text)
		print("# %s\n", lastlog_missing());
	for (uint32_t i = 0; i < log->length; i++) {
		if (is_start)
			print("# | ");
		is_start = log->text[i] == '\n';
		console_put(log->text[i]);
	}
	print("1..0 # SKIP lastlog\n");
}
