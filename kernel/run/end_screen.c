/* SPDX-License-Identifier: MIT */
#include <kernel/run/end_screen.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/insn.h>
#include <arch/cpu/self.h>
#include <kernel/console/console.h>
#include <kernel/console/qr.h>
#include <kernel/console/screen.h>
#include <kernel/console/text_rows.h>
#include <kernel/input/keys.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <kernel/log/lastlog.h>
#include <kernel/log/summary.h>
#include <kernel/machine/machine.h>
#include <kernel/run/version.h>

enum {
	TEXT_COLUMNS_MIN = 30,          /* fits "# end of run: status 0" beside the QR code */
	GAP_COLUMNS = 1,
	HINT_SIZE = 81,
	HEAD_SIZE = 64,
};

static SHARED struct screen *screen;
static SHARED struct warm_log_text log;
static SHARED struct qr qr;             /* size is 0 if there is no QR code */

/* ---------------------------------------------------------------------------- drawing */

static void set(unsigned column, unsigned row, uint8_t is)
{
	if (column < screen->columns && row < screen->rows)
		screen_set(screen, column, row, is);
}

/* Draws text into the leftmost columns and fills them up with blanks. */
static void draw_text(unsigned row, unsigned columns, const char *text, unsigned length)
{
	for (unsigned column = 0; column < columns; column++) {
		const char c = column < length ? text[column] : ' ';

		set(column, row, c >= ' ' && c <= '~' ? (uint8_t)c : SCREEN_REPLACEMENT);
	}
}

/*
 * Draws all rows except the last, which is for the hint. Returns the row after the last one drawn.
 */
static uint32_t draw_rows(const struct text_rows *rows, uint32_t from)
{
	for (unsigned row = 0; row + 1 < screen->rows; row++) {
		draw_text(row, rows->columns, rows->text + from, text_rows_length(rows, from));
		from = text_rows_after(rows, from, 1);
	}
	return from;
}

static void draw_hint(unsigned columns, const char *hint)
{
	draw_text(screen->rows - 1, columns, hint, (unsigned)strlen(hint));
}

/* ---------------------------------------------------------------------------- the QR code */

static unsigned code_columns(void)
{
	return qr.size ? qr.size + 2 * QR_QUIET : 0;
}

/*
 * Returns the largest version that leaves room for text, or 0 if not even the smallest does. A cell
 * is two modules high.
 */
static unsigned largest_version(void)
{
	const unsigned taken = TEXT_COLUMNS_MIN + GAP_COLUMNS;
	const unsigned wide = screen->columns > taken ? screen->columns - taken : 0;
	const unsigned high = 2 * screen->rows, side = wide < high ? wide : high;

	return side < 21 + 2 * QR_QUIET ? 0 : (side - 2 * QR_QUIET - 17) / 4;
}

static void make_code(void)
{
	static SHARED char text[SUMMARY_SIZE];
	const unsigned version = largest_version();
	char head[HEAD_SIZE];

	qr.size = 0;
	if (!version)
		return;
	format_buf(head, sizeof(head), "Barecount " BARECOUNT_VERSION " %u-bit %s %X",
	           (unsigned)sizeof(void *) * 8, machine_cpu()->vendor_name, cpuid_read(1, 0).eax);
	if (!summary_write(text, qr_capacity(version < QR_VERSION_MAX ? version : QR_VERSION_MAX,
	                                     QR_L), head, &log) ||
	    !qr_encode(&qr, text, (unsigned)strlen(text), version))
		qr.size = 0;
}

/* Draws the code in the top right corner, light on dark: unlit cells are its dark modules. */
static void draw_code(void)
{
	static const uint8_t cells[] = { SCREEN_BLANK, SCREEN_UPPER, SCREEN_LOWER, SCREEN_FULL };
	const unsigned side = code_columns(), left = screen->columns - side;

	for (unsigned row = 0; row < screen->rows; row++)
		set(left - 1, row, SCREEN_BLANK);
	for (unsigned row = 0; row < screen->rows; row++)
		for (unsigned column = 0; column < side; column++) {
			const int x = (int)column - QR_QUIET, y = (int)(2 * row) - QR_QUIET;
			const bool is_upper = 2 * row < side && !qr_is_dark(&qr, x, y);
			const bool is_lower = 2 * row + 1 < side && !qr_is_dark(&qr, x, y + 1);

			set(left + column, row, cells[is_upper | is_lower << 1]);
		}
}

/* ---------------------------------------------------------------------------- views */

static uint32_t last_page(const struct text_rows *rows)
{
	return text_rows_before(rows, log.length, screen->rows - 1);
}

static void show_summary(void)
{
	const struct text_rows rows = {
		log.text, log.length,
		screen->columns - (qr.size ? code_columns() + GAP_COLUMNS : 0),
	};

	draw_rows(&rows, last_page(&rows));
	draw_hint(rows.columns, "-- Enter: the whole log --");
	if (qr.size)
		draw_code();
}

static void show_log(const struct text_rows *rows, uint32_t top)
{
	char hint[HINT_SIZE];
	const uint32_t end = draw_rows(rows, top);
	const uint32_t kb = log.length / 1024 + 1;      /* the log has at most 4 MB: products fit */

	format_buf(hint, sizeof(hint), "-- %u%%: arrows, PgUp, PgDn, Home, End; Enter: summary --",
	           end == log.length ? 100 : end / 1024 * 100 / kb);
	draw_hint(rows->columns, hint);
}

/*
 * Returns the row to which this key scrolls, or top if the key does not scroll or nothing is left.
 */
static uint32_t scroll(const struct text_rows *rows, uint32_t top, int key)
{
	const uint32_t last = last_page(rows);
	uint32_t to = top;

	switch (key) {
	case KEY_UP:        return text_rows_before(rows, top, 1);
	case KEY_PAGE_UP:   return text_rows_before(rows, top, screen->rows - 1);
	case KEY_HOME:      return 0;
	case KEY_END:       return last;
	case KEY_DOWN:      to = text_rows_after(rows, top, 1); break;
	case ' ':
	case KEY_PAGE_DOWN: to = text_rows_after(rows, top, screen->rows - 1); break;
	}
	return to < last ? to : last;
}

static bool is_toggle(int key)
{
	return key == KEY_ENTER || key == '\n' || key == KEY_ESCAPE;
}

/* Does not use keys_wait(), which shows a cursor, because nothing is typed here. */
static int wait_for_key(void)
{
	int key;

	while ((key = keys_get()) == KEY_NONE)
		cpu_pause();
	return key;
}

static void follow_keys(void)
{
	const struct text_rows rows = { log.text, log.length, screen->columns };
	uint32_t top = last_page(&rows);
	bool is_summary = true;

	show_summary();
	for (;;) {
		const int key = wait_for_key();
		const uint32_t to = scroll(&rows, top, key);

		if (is_toggle(key))
			is_summary = !is_summary;
		else if (to != top)
			is_summary = false;
		else
			continue;
		top = to;
		if (is_summary)
			show_summary();
		else
			show_log(&rows, top);
	}
}

/*
 * A fault in this file ends in machine_end(), which calls this again: the screen is then left as it
 * is.
 */
void end_screen_run(void)
{
	static SHARED bool was_here;
	bool is_alone;

	screen = console_screen(&is_alone);
	log = lastlog_own();
	if (was_here || !screen || !log.text || screen->rows < 2)
		return;
	was_here = true;
	screen_show_cursor(screen, false);
	make_code();
	keys_use_keyboard();
	follow_keys();
}
