/* SPDX-License-Identifier: MIT */
#include <kernel/end/end_screen.h>

#include <stddef.h>

#include <arch/cpu/insn.h>
#include <arch/cpu/self.h>
#include <arch/smp/kinds.h>
#include <kernel/console/console.h>
#include <kernel/console/screen.h>
#include <kernel/console/text_rows.h>
#include <kernel/end/end_code.h>
#include <kernel/end/end_page.h>
#include <kernel/face/big_word.h>
#include <kernel/face/face.h>
#include <kernel/input/keys.h>
#include <kernel/lib/format.h>
#include <kernel/lib/ranges.h>
#include <kernel/lib/string.h>
#include <kernel/lib/version.h>
#include <kernel/log/lastlog.h>

enum {
	NEEDLE_SIZE = 33,
	HINT_SIZE = 81,
	FAILURE_SIZE = 160,
	SENTENCE_SIZE = 320,
	ROWS_MIN = 10,
};

static SHARED struct screen *screen;
static SHARED struct warm_log_text log;
static SHARED unsigned last_status;
static SHARED bool may_interact;
static SHARED enum view { VERDICT, LOG, PAGE } view;
static SHARED unsigned page;            /* of the kinds of processors, from 0 on */

/* ---------------------------------------------------------------------------- drawing */

/* Draws text into the leftmost columns and fills them up with blanks. */
static void draw_text(unsigned row, unsigned columns, const char *text, unsigned length)
{
	struct pen pen = { screen, columns, screen->rows, row };

	pen_text(&pen, SCREEN_GREY, text, length);
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

/* ---------------------------------------------------------------------------- views */

static uint32_t last_page(const struct text_rows *rows)
{
	return text_rows_before(rows, log.length, screen->rows - 1);
}

/* Returns " (Atom)" if these processors of a hybrid are of one kind. */
static const char *kind_text(uint64_t cpus)
{
	static SHARED char text[KIND_NAME_SIZE + 4];
	const struct kind *k = kind_of(cpus);

	text[0] = '\0';
	if (k)
		format_buf(text, sizeof(text), " (%s)", k->name);
	return text;
}

/* Draws each failed id once, as many as fit above the last two rows. */
static void draw_failures(struct pen *pen, const struct face *face)
{
	const unsigned kept = face->failures < FACE_FAILURES_MAX ? face->failures
	                                                         : FACE_FAILURES_MAX;
	char line[FAILURE_SIZE], cpus[RANGES_SIZE];
	unsigned i;

	for (i = 0; i < kept && pen->row + 3 < pen->end; i++) {
		const struct face_failure *f = &face->failure[i];

		if (face->processors < 2)
			format_buf(line, sizeof(line), "! %s", f->id);
		else if (kinds_count() > 1)
			format_buf(line, sizeof(line), "! %s on cpu%s%s", f->id,
			           ranges_text(f->cpus, cpus), kind_text(f->cpus));
		else
			format_buf(line, sizeof(line), "! %s on %u of %u processors", f->id,
			           f->processors, face->processors);
		pen_wrap(pen, SCREEN_ORANGE, line);
	}
	if (i < face->failures)
		pen_line(pen, SCREEN_ORANGE, "! and %u more", face->failures - i);
}

static const char *plural(unsigned count)
{
	return count == 1 ? "" : "s";
}

/* Says how many tests failed, or passed, and on how many processors if there are several. */
static void draw_sentence(struct pen *pen, const struct face *face)
{
	char text[SENTENCE_SIZE];
	unsigned used;

	if (face->reason)
		pen_wrap(pen, SCREEN_WHITE, face->reason);
	if (face->is_text)
		return;
	if (face->failures)
		used = (unsigned)format_buf(text, sizeof(text), "%u of %u test%s failed",
		                            face->failures, face->tests_run,
		                            plural(face->tests_run));
	else if (face->tests_run == 0)
		used = (unsigned)format_buf(text, sizeof(text), "No test ran");
	else
		used = (unsigned)format_buf(text, sizeof(text), "%u test%s passed",
		                            face->tests_run, plural(face->tests_run));
	if (face->processors > 1)
		used += (unsigned)format_buf(text + used, sizeof(text) - used, " on %u processors",
		                             face->processors);
	format_buf(text + used, sizeof(text) - used, "; %u skipped.", face->tests_skipped);
	pen_wrap(pen, SCREEN_WHITE, text);
}

/* A run that broke has no word; its log says why. */
static void draw_broken(struct pen *pen)
{
	char text[SENTENCE_SIZE];
	struct warm_log_text line;

	if (log.text && warm_log_find_last(&log, "Bail out! ", &line))
		format_buf(text, sizeof(text), "%.*s", (int)line.length, line.text);
	else
		format_buf(text, sizeof(text), "The run broke, and there is no log of it.");
	pen_wrap(pen, SCREEN_WHITE, text);
}

static const char advice[] =
	"Check the firmware's settings (performance monitoring, PMU); under a hypervisor, whether "
	"guests get a PMU: KVM -cpu host,pmu=on, VMware vpmc.enable, Xen vpmu=on.";

static bool is_word(const char *word)
{
	return face_get()->word && strcmp(face_get()->word, word) == 0;
}

static uint16_t colour_of_word(void)
{
	return is_word("PASS") || face_get()->is_text ? SCREEN_BLUE : SCREEN_ORANGE;
}

static void show_verdict(void)
{
	const struct face *face = face_get();
	struct pen pen = {
		screen, screen->columns - end_code_columns(),
		screen->rows - 2, 0,
	};

	pen_line(&pen, SCREEN_WHITE, "Barecount " BARECOUNT_VERSION ", %u-bit",
	         (unsigned)sizeof(void *) * 8);
	face_draw_head(&pen);
	pen_text(&pen, SCREEN_GREY, "", 0);
	big_word_draw(&pen, screen->rows / 4, colour_of_word(),
	              face->word ? face->word : "BROKEN");
	pen_text(&pen, SCREEN_GREY, "", 0);
	if (face->word)
		draw_sentence(&pen, face);
	else
		draw_broken(&pen);
	if (is_word("NO PMU"))
		pen_wrap(&pen, SCREEN_GREY, advice);
	draw_failures(&pen, face);
	pen_clear(&pen);
	pen.row = pen.end;
	pen.end = screen->rows;
	pen_line(&pen, SCREEN_GREY, "# end of run: status %u", last_status);
	pen_line(&pen, SCREEN_WHITE, may_interact ? "Enter:log n:fail / s:pmu m:mon"
	                                          : "Enter:log n:fail /:find s:pmu");
	end_code_draw(screen);
}

static void show_log(const struct text_rows *rows, uint32_t top)
{
	char hint[HINT_SIZE];
	const uint32_t end = draw_rows(rows, top);
	const uint32_t kb = log.length / 1024 + 1;      /* the log has at most 4 MB: products fit */

	format_buf(hint, sizeof(hint), "-- %u%%: arrows, PgUp, PgDn, Home, End; n: failure; "
	           "/: find; Enter: summary --", end == log.length ? 100 : end / 1024 * 100 / kb);
	draw_hint(rows->columns, hint);
}

static void show_page(void)
{
	struct pen pen = { screen, screen->columns, screen->rows - 1, 0 };

	if (end_page_count(&log) > 1)
		pen_line(&pen, SCREEN_WHITE, "cores of type %s", kind_at(page)->name);
	end_page_draw(&pen, &log, page);
	draw_hint(screen->columns, end_page_count(&log) > 1
	          ? "-- s: the other cores; Enter: summary; n: failure; /: find --"
	          : "-- Enter: summary; n: failure; /: find --");
}

/* ---------------------------------------------------------------------------- keys */

/* Does not use keys_wait(), which shows a cursor, because nothing is typed here. */
static int wait_for_key(void)
{
	int key;

	while ((key = keys_get()) == KEY_NONE)
		cpu_pause();
	return key;
}

/* Returns the next line after the row `top` that has the text (at its start), or `top`. */
static uint32_t find(uint32_t top, const char *text, bool is_at_start)
{
	const uint32_t to = warm_log_find_next(&log, top, text, is_at_start);

	return to < log.length ? to : top;
}

/* In the log of a previous run each line has a mark (lastlog.h). */
static uint32_t find_failure(uint32_t top)
{
	const uint32_t to = find(top, "not ok ", true);

	return to != top ? to : find(top, "# | not ok ", true);
}

/* Lets the user type what to look for. */
static uint32_t search(uint32_t top)
{
	static SHARED char needle[NEEDLE_SIZE];
	char hint[HINT_SIZE];
	size_t length = 0;
	int key = KEY_NONE;

	while (key != KEY_ENTER && key != '\n' && key != KEY_ESCAPE) {
		format_buf(hint, sizeof(hint), "find: %.*s_", (int)length, needle);
		draw_hint(screen->columns - (view == VERDICT ? end_code_columns() : 0), hint);
		key = wait_for_key();
		if (key == KEY_BACKSPACE && length)
			length--;
		else if (key >= ' ' && key <= '~' && length + 1 < sizeof(needle))
			needle[length++] = (char)key;
	}
	needle[length] = '\0';
	return key == KEY_ESCAPE ? top : find(top, needle, false);
}

/*
 * Returns the row to which this key leads, or top if the key does not move or nothing is left.
 */
static uint32_t scroll(const struct text_rows *rows, uint32_t top, int key)
{
	const uint32_t last = last_page(rows), from = view == LOG ? top : 0;
	uint32_t to = top;

	switch (key) {
	case KEY_UP:        return text_rows_before(rows, top, 1);
	case KEY_PAGE_UP:   return text_rows_before(rows, top, screen->rows - 1);
	case KEY_HOME:      return 0;
	case KEY_END:       return last;
	case 'n':           return find_failure(from);
	case '/':           return search(from);
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

/* A list is read from its start, every other text from its end. */
static uint32_t first_page(const struct text_rows *rows)
{
	return is_word("LIST") ? find(0, "# test ", true) : last_page(rows);
}

/* Chooses what the end shows first: what the words of the run asked for. */
static enum view first_view(void)
{
	if (face_get()->is_text && log.text)
		return LOG;
	return face_get()->results == 1 && end_page_is_there(&log) ? PAGE : VERDICT;
}

static void show(const struct text_rows *rows, uint32_t top)
{
	if (view == VERDICT)
		show_verdict();
	else if (view == LOG)
		show_log(rows, top);
	else
		show_page();
}

/* Returns the view to which this key leads, which also moves through the log or does not. */
static enum view next_view(int key, bool moves)
{
	if (is_toggle(key) && log.text)
		return view == VERDICT ? LOG : VERDICT;
	if (key == 's' && end_page_is_there(&log))
		return PAGE;
	return moves || key == 'n' ? LOG : view;
}

/* On a hybrid the key of the page leads from one kind's page to the next one's. */
static bool turn_page(int key)
{
	if (key != 's' || view != PAGE || end_page_count(&log) < 2)
		return false;
	page = (page + 1) % end_page_count(&log);
	return true;
}

/* Returns when the user asks for the monitor. */
static void follow_keys(void)
{
	const struct text_rows rows = { log.text, log.length, screen->columns };
	uint32_t top = first_page(&rows), to;
	int key;

	view = first_view();
	show(&rows, top);
	while ((key = wait_for_key()) != 'm' || !may_interact) {
		to = log.text ? scroll(&rows, top, key) : top;
		const bool turns = turn_page(key);
		const enum view next = next_view(key, to != top);

		if (next == view && to == top && key != '/' && !turns)
			continue;
		view = next;
		top = to;
		show(&rows, top);
	}
}

/*
 * A fault in this file ends in machine_end(), which calls this again: the screen is then left as it
 * is.
 */
bool end_screen_run(unsigned status, bool has_monitor)
{
	static SHARED bool was_here;

	if (was_here)
		return false;
	was_here = true;
	screen = console_take_screen();
	log = lastlog_own();
	if (!screen || screen->rows < ROWS_MIN || screen->columns < END_TEXT_COLUMNS_MIN)
		return false;
	last_status = status;
	may_interact = has_monitor;
	end_code_make(screen);
	keys_use_keyboard();
	follow_keys();
	was_here = false;
	console_return_screen();
	return true;
}
