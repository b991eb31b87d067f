/* SPDX-License-Identifier: MIT */
#include <monitor/tools/histogram.h>

#include <stdbool.h>

#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <monitor/tools/work.h>

/*
 * These leave room on a screen for the lines above and below, and on a line for the columns on the
 * left.
 */
enum { ROWS_MAX = 16, BAR_MAX = 30 };

static uintptr_t kept[HISTOGRAM_MAX];
static uint32_t count;

void histogram_clear(void) { count = 0; }

uint32_t histogram_count(void) { return count; }

void histogram_add(uintptr_t address)
{
	if (count < HISTOGRAM_MAX)
		kept[count] = address;
	count++;
}

static uint32_t kept_count(void) { return count < HISTOGRAM_MAX ? count : HISTOGRAM_MAX; }

/* Sorts by Shell's method, which needs neither memory nor a stack. */
static void sort(void)
{
	for (uint32_t gap = HISTOGRAM_MAX / 2; gap; gap /= 2)
		for (uint32_t i = gap; i < kept_count(); i++) {
			const uintptr_t address = kept[i];
			uint32_t at = i;

			for (; at >= gap && kept[at - gap] > address; at -= gap)
				kept[at] = kept[at - gap];
			kept[at] = address;
		}
}

struct row { uintptr_t address; uint32_t samples; };

static bool is_before(struct row a, struct row b)
{
	return a.samples > b.samples || (a.samples == b.samples && a.address < b.address);
}

/*
 * Returns the row that follows this one in the sorted addresses; its number of samples is 0 if
 * there is none.
 */
static struct row next_row(struct row last)
{
	struct row best = { 0, 0 };

	for (uint32_t i = 0, end; i < kept_count(); i = end) {
		struct row row = { kept[i], 0 };

		for (end = i; end < kept_count() && kept[end] == kept[i]; end++)
			row.samples++;
		if (is_before(last, row) && is_before(row, best))
			best = row;
	}
	return best;
}

const char *histogram_text(uintptr_t address, char *buffer)
{
	char number[20], place[WORK_PLACE_SIZE];

	format_buf(number, sizeof(number), "%" PRIX64 "H", (uint64_t)address);
	format_buf(buffer, HISTOGRAM_TEXT_SIZE, "%-10s %s", number, work_place(address, place));
	return buffer;
}

/* most must not be 0. */
static void print_row(struct row row, uint32_t most)
{
	static const char marks[BAR_MAX + 1] = "##############################";
	const uint32_t permille = (row.samples * 1000 + kept_count() / 2) / kept_count();
	const int bar = (int)((row.samples * BAR_MAX + most - 1) / most);
	char text[HISTOGRAM_TEXT_SIZE];

	print("%7u %4u.%u%%  %-28s %.*s\n", row.samples, permille / 10, permille % 10,
	      histogram_text(row.address, text), bar, marks);
}

void histogram_print(void)
{
	struct row row = { 0, UINT32_MAX };
	uint32_t most = 0, rows = 0, shown = 0;

	if (!count)
		return;
	sort();
	print("samples  share  address    place\n");
	for (; rows < ROWS_MAX && (row = next_row(row)).samples; rows++) {
		most = rows ? most : row.samples;
		print_row(row, most);
		shown += row.samples;
	}
	if (shown < kept_count())
		print("%7u        at other addresses\n", kept_count() - shown);
	if (count > HISTOGRAM_MAX)
		print("%7u        after the first %d were only counted\n", count - HISTOGRAM_MAX,
		      HISTOGRAM_MAX);
}
