/* SPDX-License-Identifier: MIT */
#include <kernel/face/face.h>

#include <stddef.h>

#include <arch/cpu/self.h>
#include <arch/smp/kinds.h>
#include <arch/smp/smp.h>
#include <kernel/console/console.h>
#include <kernel/face/clock.h>
#include <kernel/lib/format.h>
#include <kernel/lib/ranges.h>
#include <kernel/lib/string.h>
#include <kernel/log/lastlog.h>

enum { RECENT = 32, RECENT_SIZE = 160, CPU_COLUMNS = 20, FAILURE_ROWS = 3 };

static SHARED struct face face;
static SHARED struct screen *screen;
static SHARED const char *test;
static SHARED struct warm_log_text machine_heading, pmu_heading;
static SHARED struct { unsigned done, bad; } cpus[CPUS_MAX];
static SHARED char recent[RECENT][RECENT_SIZE]; /* failure number n is at n modulo RECENT */
static SHARED unsigned recent_count;

const struct face *face_get(void)
{
	return &face;
}

unsigned face_bad_on(uint64_t set)
{
	unsigned bad = 0;

	for (unsigned cpu = 0; cpu < CPUS_MAX; cpu++)
		bad += set >> cpu & 1 ? cpus[cpu].bad : 0;
	return bad;
}

/* ---------------------------------------------------------------------------- drawing */

/* Takes the log's last line that begins with `start`, without as many characters as skipped. */
static bool find_heading(struct warm_log_text *heading, const char *start, unsigned skipped)
{
	const struct warm_log_text log = lastlog_own();

	if (!log.text || !warm_log_find_last(&log, start, heading)) {
		heading->text = NULL;
		return false;
	}
	heading->text += skipped;
	heading->length -= skipped;
	return true;
}

/* Once for each run: the search is long in a long log, and the log's lines stay in their place. */
static void find_headings(void)
{
	if (!find_heading(&machine_heading, "# brand: ", 9))
		find_heading(&machine_heading, "# cpu: ", 7);
	find_heading(&pmu_heading, "# pmu: ", 2);
}

static void draw_heading(struct pen *pen, const struct warm_log_text *heading)
{
	if (heading->text)
		pen_text(pen, SCREEN_GREY, heading->text, heading->length);
	else
		pen_line(pen, SCREEN_GREY, " ");
}

void face_draw_head(struct pen *pen)
{
	if (!pmu_heading.text)
		find_headings();
	draw_heading(pen, &machine_heading);
	draw_heading(pen, &pmu_heading);
}

static void draw_test(struct pen *pen)
{
	const char *dot = strchr(test, '.');

	/* A family that is skipped as a whole has a name without a dot. */
	pen_line(pen, SCREEN_GREY, "suite    %.*s", dot ? (int)(dot - test) : (int)strlen(test),
	         test);
	pen_line(pen, SCREEN_WHITE, "test     %s", test);
	pen_text(pen, SCREEN_GREY, "", 0);
}

/* Returns the results of tests that ran: those that are skipped take no time. */
static unsigned results_of_run(void)
{
	return face.done - face.count[FACE_SKIPPED];
}

static void draw_bar(struct pen *pen)
{
	const unsigned row = pen->row, width = pen->columns > 40 ? pen->columns - 20 : 20;
	const unsigned all = face.results - face.count[FACE_SKIPPED], ran = results_of_run();

	pen_line(pen, SCREEN_WHITE, "%*s %u/%u", (int)width + 2, "]", ran, all);
	pen_set(pen->screen, 0, row, '[');
	for (unsigned i = 0; i < width; i++)
		pen_set(pen->screen, 1 + i, row, i < ran * width / (all ? all : 1) ?
		        SCREEN_FULL | SCREEN_BLUE : '.');
}

/* Some of the tests that are left will be skipped, so the time left is at most this. */
static void draw_time(struct pen *pen)
{
	const uint32_t gone = clock_eighths(), left = face.results - face.done;
	const uint32_t ran = results_of_run();
	const uint32_t more = ran ? gone / ran * left + gone % ran * left / ran : 0;

	if (!clock_is_there())
		pen_line(pen, SCREEN_GREY, "elapsed  unknown: this processor has no clock");
	else
		pen_line(pen, SCREEN_GREY, "elapsed  %u:%02u, at most about %u:%02u left",
		         gone / 480, gone / 8 % 60, more / 480, more / 8 % 60);
	pen_text(pen, SCREEN_GREY, "", 0);
}

static void draw_counts(struct pen *pen)
{
	static const struct { const char *name; uint16_t colour; } kinds[FACE_KINDS] = {
		[FACE_PASSED]  = { "+ passed ", SCREEN_BLUE },
		[FACE_FAILED]  = { "! failed ", SCREEN_ORANGE },
		[FACE_BROKEN]  = { "! broken ", SCREEN_ORANGE },
		[FACE_ERRATUM] = { "~ errata ", SCREEN_GREY },
		[FACE_SKIPPED] = { "- skipped", SCREEN_GREY },
	};

	for (unsigned i = 0; i < FACE_KINDS; i++)
		pen_line(pen, face.count[i] ? kinds[i].colour : SCREEN_GREY, "%s %u",
		         kinds[i].name, face.count[i]);
	pen_text(pen, SCREEN_GREY, "", 0);
}

/* Draws "Atom    480 !2   cpu2-5" for each kind of processors of a hybrid. */
static void draw_kinds(struct pen *pen)
{
	char range[RANGES_SIZE];

	for (unsigned i = 0; i < kinds_count(); i++) {
		const struct kind *k = kind_at(i);
		unsigned done = 0;

		for (unsigned cpu = 0; cpu < CPUS_MAX; cpu++)
			done += k->cpus >> cpu & 1 ? cpus[cpu].done : 0;
		pen_line(pen, SCREEN_GREY, "%-7s %6u !%-5u cpu%s", k->name, done,
		         face_bad_on(k->cpus), ranges_text(k->cpus, range));
	}
	pen_text(pen, SCREEN_GREY, "", 0);
}

/* Draws "cpu 3   120 !2" for each processor, as many in a line as fit. */
static void draw_processors(struct pen *pen)
{
	const unsigned each = pen->columns / CPU_COLUMNS ? pen->columns / CPU_COLUMNS : 1;
	char line[CPU_COLUMNS * 12 + 1];

	if (face.processors < 2)
		return;
	for (unsigned cpu = 0, used = 0; cpu < face.processors && cpu < CPUS_MAX; cpu++) {
		used += (unsigned)format_buf(line + used, sizeof(line) - used,
		                             "cpu %-3u %5u !%-5u ", cpu, cpus[cpu].done,
		                             cpus[cpu].bad);
		if ((cpu + 1) % each && cpu + 1 < face.processors)
			continue;
		if (pen->row + FAILURE_ROWS < pen->end)
			pen_line(pen, SCREEN_GREY, "%s", line);
		used = 0;
	}
	pen_text(pen, SCREEN_GREY, "", 0);
}

static void draw_failures(struct pen *pen)
{
	const unsigned rows = pen->end > pen->row ? pen->end - pen->row : 0;
	unsigned kept = recent_count < RECENT ? recent_count : RECENT;

	if (kept + 1 > rows)
		kept = rows ? rows - 1 : 0;
	if (kept)
		pen_line(pen, SCREEN_WHITE, "last failures");
	for (unsigned i = recent_count - kept; i < recent_count; i++)
		pen_line(pen, SCREEN_ORANGE, "! %s", recent[i % RECENT]);
}

static void draw(void)
{
	struct pen pen = { screen, screen->columns, screen->rows, 0 };

	face_draw_head(&pen);
	pen_text(&pen, SCREEN_GREY, "", 0);
	draw_test(&pen);
	draw_bar(&pen);
	draw_time(&pen);
	draw_counts(&pen);
	if (kinds_count() > 1)
		draw_kinds(&pen);
	else
		draw_processors(&pen);
	draw_failures(&pen);
}

/* ---------------------------------------------------------------------------- the run */

void face_begin(unsigned results, unsigned processors)
{
	face.is_begun = true;
	face.results = results;
	face.processors = processors;
	find_headings();
	clock_start();
	screen = console_take_screen();
}

void face_test(const char *id)
{
	test = id;
	if (clock_has_moved() && screen)
		draw();
}

void face_skip(unsigned count, unsigned cpu)
{
	face.done += count;
	if (cpu < CPUS_MAX)
		cpus[cpu].done += count;
	face.count[FACE_SKIPPED] += count;
	if (cpu == 0)
		face.tests_skipped += count;
}

/* Counts tests: the results of one on several processors come one after the other. */
static void count_test(enum face_kind kind, const char *id, unsigned cpu)
{
	static SHARED const char *last;

	if (kind == FACE_SKIPPED)
		face.tests_skipped += cpu == 0;
	else
		face.tests_run += id != last;
	last = id;
}

/*
 * Counts a failure with the others of its id: results of one test on several processors come one
 * after the other. Returns false if the id has failed before.
 */
static bool is_new(const char *id, unsigned cpu)
{
	struct face_failure *last = face.failures ? &face.failure[face.failures - 1] : NULL;

	if (last && face.failures <= FACE_FAILURES_MAX && last->id == id) {
		last->processors++;
		last->cpus |= UINT64_C(1) << cpu;
		return false;
	}
	if (face.failures < FACE_FAILURES_MAX)
		face.failure[face.failures] = (struct face_failure){
			id, 1, UINT64_C(1) << cpu };
	face.failures++;
	return true;
}

void face_result(enum face_kind kind, const char *id, unsigned cpu, const char *what,
                 const char *got, const char *want)
{
	const bool is_bad = kind == FACE_FAILED || kind == FACE_BROKEN;

	face.done++;
	face.count[kind]++;
	count_test(kind, id, cpu);
	if (cpu < CPUS_MAX) {
		cpus[cpu].done++;
		cpus[cpu].bad += is_bad;
	}
	if (!is_bad || !is_new(id, cpu))
		return;
	format_buf(recent[recent_count++ % RECENT], RECENT_SIZE, "%s: %s: got %s, want %s", id,
	           what, got, want);
}

void face_end(const char *word, const char *reason)
{
	face.word = word;
	face.reason = reason;
}

void face_end_text(const char *word, const char *reason)
{
	face_end(word, reason);
	face.is_text = true;
}
