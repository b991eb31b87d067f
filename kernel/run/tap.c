/* SPDX-License-Identifier: MIT */
#include <kernel/run/tap.h>

#include <stddef.h>

#include <kernel/console/console.h>

void tap_print_plan(unsigned count)
{
	print("1..%u\n", count);
}

/* Prints a YAML double-quoted scalar; our texts hold printable ASCII only. */
static void put_quoted(const char *text)
{
	console_put('"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			console_put('\\');
		console_put(*text);
	}
	console_put('"');
}

static void put_pair(const char *key, const char *value)
{
	print("  %s: ", key);
	put_quoted(value);
	print("\n");
}

static void put_first(const struct finding *f)
{
	put_pair("what", f->what);
	put_pair("got", f->got);
	put_pair("want", f->want);
	if (f->why)
		put_pair("why", f->why);
	if (f->at.file)
		print("  at: \"%s:%d\"\n", f->at.file, f->at.line);
}

static void put_entry_pair(const char *lead, const char *key, const char *value)
{
	print("    %s %s: ", lead, key);
	put_quoted(value);
	print("\n");
}

static void put_other(const struct finding *f)
{
	put_entry_pair("-", "what", f->what);
	put_entry_pair(" ", "got", f->got);
	put_entry_pair(" ", "want", f->want);
	if (f->why)
		put_entry_pair(" ", "why", f->why);
	print("      at: \"%s:%d\"\n", f->at.file ? f->at.file : "?", f->at.line);
}

static void put_others(const struct test_ctx *t)
{
	unsigned kept = t->findings < RESULT_MAX_FINDINGS ? t->findings : RESULT_MAX_FINDINGS;

	if (t->findings < 2)
		return;
	print("  also:\n");
	for (unsigned i = 1; i < kept; i++)
		put_other(&t->finding[i]);
	if (t->findings > kept)
		print("  not_shown: %u\n", t->findings - kept);
}

static void put_reports(const struct test_ctx *t)
{
	if (t->reports == 0)
		return;
	print("  reported:\n");
	for (unsigned i = 0; i < t->reports; i++)
		put_entry_pair("-", "what", t->report[i]);
}

static void put_block(const struct test_ctx *t)
{
	bool is_bad = t->status == TEST_FAIL || t->status == TEST_ERROR;

	if (!is_bad && t->reports == 0)
		return;
	print("  ---\n");
	if (is_bad) {
		print("  severity: %s\n", t->status == TEST_FAIL ? "fail" : "error");
		put_pair("claim", t->test->claim);
		put_first(&t->finding[0]);
		put_pair("source", t->test->source ? t->test->source : "");
		print("  repeat: \"only=%s%s\"\n", t->test->id,
		      t->test->is_broken ? " broken" : "");
		put_others(t);
	}
	put_reports(t);
	print("  ...\n");
}

/* Inserts the id of a failure or error: behind those with is_first if it has it, else last. */
static void add_bad(struct tap_totals *totals, const struct test *test, const struct tap_id *id)
{
	unsigned bad = totals->failed + totals->errors, last = TAP_BAD_IDS - 1;
	unsigned to = test->is_first ? totals->firsts++ : bad;

	for (unsigned i = bad < last ? bad : last; i > to; i--)
		totals->bad[i] = totals->bad[i - 1];
	if (to <= last)
		totals->bad[to] = *id;
}

static void count(const struct test_ctx *t, const struct tap_id *id, struct tap_totals *totals)
{
	unsigned *const totals_of[] = {
		[TEST_PASS] = &totals->passed, [TEST_SKIP] = &totals->skipped,
		[TEST_FAIL] = &totals->failed, [TEST_ERROR] = &totals->errors,
	};

	if (t->status == TEST_FAIL || t->status == TEST_ERROR)
		add_bad(totals, t->test, id);
	++*totals_of[t->status];
}

static void print_id(const struct tap_id *id)
{
	print("%s", id->id);
	if (id->cpu)
		print("@cpu%u", id->cpu);
}

void tap_print_result(const struct test_ctx *t, unsigned cpu, struct tap_totals *totals)
{
	bool is_ok = t->status == TEST_PASS || t->status == TEST_SKIP;
	const struct tap_id id = { t->test->id, cpu };

	count(t, &id, totals);
	console_hold();
	print("%s %u - ", is_ok ? "ok" : "not ok", ++totals->results);
	print_id(&id);
	if (t->status == TEST_SKIP)
		print(" # SKIP %s", t->reason);
	print("\n");
	put_block(t);
	console_release();
}

static void print_bad(const struct tap_totals *totals, unsigned bad)
{
	if (bad == 0)
		return;
	print("# failed:");
	for (unsigned i = 0; i < bad && i < TAP_BAD_IDS; i++) {
		print(" ");
		print_id(&totals->bad[i]);
	}
	if (bad > TAP_BAD_IDS)
		print(" and %u more", bad - TAP_BAD_IDS);
	print("\n");
}

void tap_print_totals(const struct tap_totals *totals)
{
	unsigned bad = totals->failed + totals->errors, run = totals->passed + bad;

	print_bad(totals, bad);
	print("# passed %u, failed %u, errors %u, skipped %u\n", totals->passed, totals->failed,
	      totals->errors, totals->skipped);
	if (run == 0)
		print("# verdict: none, every test was skipped\n");
	else if (bad == 0)
		print("# verdict: PASS, all %u tests that ran\n", run);
	else
		print("# verdict: FAIL, %u of the %u tests that ran\n", bad, run);
}
