/* SPDX-License-Identifier: MIT */
/* count: counts events over a piece of code, without the cost of the window. */
#include <monitor/tools/command.h>

#include <stddef.h>

#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <monitor/tools/work.h>
#include <pmu/drivers/suspend.h>
#include <pmu/events/event_spec.h>
#include <pmu/events/event_text.h>
#include <pmu/events/presets.h>

static const char cycles[] = "PAPI_TOT_CYC";

/* Holds the specs that are counted, and which of them is the cycles, requested or added. */
struct counting {
	struct pmu_chosen chosen;
	unsigned cycles;               /* index of the cycles, or chosen.count */
	unsigned repeats;
	int64_t value[PMU_SPECS_MAX];
};

/* ---------------------------------------------------------------------------- choosing */

static unsigned find_cycles(const struct pmu_chosen *c)
{
	for (unsigned i = 0; i < c->count; i++)
		if (strcmp(c->spec[i].name, cycles) == 0)
			return i;
	return c->count;
}

/* Ends an event at the comma that begins another one, and returns that one, or NULL. */
static char *cut(char *text)
{
	while ((text = strchr(text, ',')) && event_text_is_option(text + 1))
		text++;
	if (!text)
		return NULL;
	*text++ = '\0';
	return *text ? text : NULL;            /* a comma before a blank */
}

/* Splits the words before `end` into events, at blanks and commas. */
static unsigned split(const struct words *w, unsigned end, const char **texts)
{
	static char copy[MONITOR_LINE_SIZE];
	unsigned count = 0;
	size_t at = 0;

	for (unsigned i = 1; i < end; i++) {
		format_buf(copy + at, sizeof(copy) - at, "%s", w->word[i]);
		for (char *text = copy + at; text; text = cut(text))
			texts[count++] = text;
		at += strlen(w->word[i]) + 1;
	}
	return count;
}

/* Adds cycles to the user's specs if a counter is left. */
static void choose(struct counting *c, const struct words *w, unsigned end)
{
	static const char *texts[MONITOR_LINE_SIZE];
	char problem[MONITOR_LINE_SIZE];
	const unsigned count = split(w, end, texts);

	if (!pmu_choose_and(&c->chosen, texts, count, cycles, problem, sizeof(problem)))
		monitor_fail("%s", problem);
	c->cycles = find_cycles(&c->chosen);
}

/* ---------------------------------------------------------------------------- measuring */

static struct pmu_reading measure(struct counting *c, const struct work *work)
{
	struct pmu_reading r = pmu_chosen_measure_code(&c->chosen, work_get_code(work),
	                                               work->rounds, work->argument);

	c->repeats += r.repeats;
	return r;
}

/* `empty` is a RET, called from the same ring. */
static void count(struct counting *c, const struct work *work)
{
	const struct work empty = { .workload = &workload_empty, .is_user = work->is_user };
	struct pmu_reading none = measure(c, &empty);
	struct pmu_reading all = measure(c, work);

	work_end();
	pmu_reset();
	pmu_suspend_forget();
	for (unsigned i = 0; i < c->chosen.count; i++)
		c->value[i] = pmu_spec_value(&c->chosen, i, all.count)
		              - pmu_spec_value(&c->chosen, i, none.count);
}

/* ---------------------------------------------------------------------------- the table */

enum { RATIO_SIZE = 24 };

/* Divides bit by bit, because a 64-bit division would call a library that is not here. */
static uint64_t divide(uint64_t value, uint64_t divisor)
{
	uint64_t quotient = 0, rest = 0;

	for (unsigned bit = 64; bit-- > 0;) {
		rest = rest << 1 | (value >> bit & 1);
		quotient <<= 1;
		if (rest >= divisor) {
			rest -= divisor;
			quotient |= 1;
		}
	}
	return quotient;
}

/* Writes value * times / divisor with two decimals, or "-" if there is no result. */
static const char *ratio(int64_t value, uint32_t times, int64_t divisor, char *buffer)
{
	uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value, hundredths, whole;

	if (divisor <= 0)
		return "-";
	hundredths = divide(size * times * 100, (uint64_t)divisor);
	whole = divide(hundredths, 100);
	format_buf(buffer, RATIO_SIZE, "%s%" PRIu64 ".%02u", value < 0 ? "-" : "", whole,
	           (unsigned)(hundredths - whole * 100));
	return buffer;
}

/* Writes "CTR0 - CTR1". */
static void name_counters(const struct pmu_chosen *c, const struct pmu_event_spec *spec,
                          char *buffer, size_t size)
{
	char name[PMU_NAME_SIZE];
	int at = 0;

	for (unsigned i = 0; i < spec->count && (size_t)at < size; i++)
		at += format_buf(buffer + at, size - (size_t)at, "%s%s",
		                 spec->factor[i] < 0 ? " - " : i ? " + " : "",
		                 pmu_counter_name(c->setup[spec->first + i].counter, name));
}

/* Returns the width of the first column. */
static int width(const struct counting *c)
{
	size_t longest = sizeof("PAPI_TOT_INS:u");

	for (unsigned i = 0; i < c->chosen.count; i++)
		if (strlen(c->chosen.spec[i].name) > longest)
			longest = strlen(c->chosen.spec[i].name);
	return (int)longest;
}

static void print_row(const struct counting *c, unsigned i, uint32_t rounds)
{
	char each[RATIO_SIZE], rate[RATIO_SIZE], counters[64];

	name_counters(&c->chosen, &c->chosen.spec[i], counters, sizeof(counters));
	print("%-*s  %-17s  %12lld  %12s", width(c), c->chosen.spec[i].name, counters,
	      (long long)c->value[i], ratio(c->value[i], 1, rounds, each));
	if (c->cycles < c->chosen.count)
		print("  %15s", ratio(c->value[i], 1000, c->value[c->cycles], rate));
	print("\n");
}

static void print_table(const struct counting *c, uint32_t rounds)
{
	print("%-*s  %-17s  %12s  %12s%s\n", width(c), "event", "counter", "count", "per round",
	      c->cycles < c->chosen.count ? "  per 1000 cycles" : "");
	for (unsigned i = 0; i < c->chosen.count; i++)
		print_row(c, i, rounds);
	if (c->repeats >= PMU_REPEATS_MAX)
		print("SMIs fell into %u windows, and into the last one, too: the counts include "
		      "their handler.\n", c->repeats);
	else if (c->repeats)
		print("SMIs fell into %u windows: those were discarded and repeated.\n",
		      c->repeats);
}

COMMAND(count, .syntax = "EVENT[:MASK...][:u][:k][,cmask=N][,inv][,edge][,any]... [on] WORK",
        .summary = "counts events while code runs",
        .text =
	"EVENT is a preset, an event by the manual's name (\"events\" lists both), one\n"
	"of perf's names as cycles or branch-misses, or rUUEE, its unit mask and\n"
	"select in hexadecimal. Several, between blanks or commas, are counted at\n"
	"once, in one window; the cost of the window itself, measured around a RET,\n"
	"is subtracted. :u counts only CPL 3, :k only CPL 0. Cycles are counted, too, if\n"
	"a counter is left. What was programmed before is lost.\n",
        .example = "count PAPI_TOT_INS PAPI_BR_INS on loop:1000", .completion = COMPLETE_EVENTS)
{
	static struct counting c;
	unsigned end;
	const unsigned first = work_find(w, 1, &end);
	struct work work;

	c = (struct counting){ .repeats = 0 };
	if (end == 1)
		monitor_fail("the events are missing: count EVENT... on WORK; \"events\" lists "
		             "them");
	work_parse(w, first, &work);
	choose(&c, w, end);
	count(&c, &work);
	print_table(&c, work.rounds);
}
