/* SPDX-License-Identifier: MIT */
#include <kernel/run/tap.h>

#include <stddef.h>

#include <arch/cpu/self.h>
#include <kernel/console/console.h>
#include <kernel/lib/ranges.h>
#include <kernel/run/engine_hooks.h>

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

static void put_ranges(struct ranges r)
{
	const char *comma = "";

	for (; ranges_next(&r); comma = ",")
		print(r.first < r.last ? "%s%u-%u" : "%s%u", comma, r.first, r.last);
}

static bool has_test(const void *set, unsigned number)
{
	return id_set_has(set, number);
}

static void put_family(const struct id_set *family)
{
	print("  ---\n  tests: \"");
	put_ranges((struct ranges){ .has = has_test, .set = family, .end = ID_SET_SIZE });
	print("\"\n  ...\n");
}

static void put_unconfirmed(void)
{
	FOR_EACH_ENGINE_HOOK(h) {
		const char *text = (*h)->unconfirmed ? (*h)->unconfirmed() : NULL;

		if (text)
			put_pair("unconfirmed", text);
	}
}

static void put_bad(const struct test_ctx *t)
{
	print("  severity: %s\n", t->status == TEST_ERROR ? "error" : "fail");
	put_pair("claim", t->test->claim);
	put_first(&t->finding[0]);
	put_pair("source", t->test->source ? t->test->source : "");
	print("  repeat: \"only=%s%s\"\n", t->test->id, t->test->is_broken ? " broken" : "");
	if (t->status == TEST_FAIL)
		put_unconfirmed();
	put_others(t);
}

static void put_block(const struct test_ctx *t)
{
	bool is_bad = t->status >= TEST_ERRATUM;

	if (!is_bad && t->reports == 0)
		return;
	print("  ---\n");
	if (is_bad)
		put_bad(t);
	put_reports(t);
	print("  ...\n");
}

/* Inserts the id of a failure or error: after those with is_first if it has it, else last. */
static void add_bad(struct tap_totals *totals, const struct test *test, const struct tap_id *id)
{
	unsigned last = TAP_BAD_IDS - 1, to = test->is_first ? totals->firsts++ : totals->bads;

	for (unsigned i = totals->bads < last ? totals->bads : last; i > to; i--)
		totals->bad[i] = totals->bad[i - 1];
	if (to <= last)
		totals->bad[to] = *id;
	totals->bads++;
}

static unsigned count_cpus(uint64_t cpus)
{
	unsigned count = 0;

	for (; cpus; cpus &= cpus - 1)
		count++;
	return count;
}

static void count(const struct tap_result *r, const struct tap_id *id, struct tap_totals *totals)
{
	const struct test_ctx *t = r->t;
	unsigned *const totals_of[] = {
		[TEST_PASS] = &totals->passed, [TEST_SKIP] = &totals->skipped,
		[TEST_ERRATUM] = &totals->errata,
		[TEST_FAIL] = &totals->failed, [TEST_ERROR] = &totals->errors,
	};

	if (t->status == TEST_FAIL || t->status == TEST_ERROR)
		add_bad(totals, t->test, id);
	totals->lines++;
	*totals_of[t->status] += count_cpus(r->cpus) * (r->family ? r->family->count : 1);
}

static void print_id(const struct tap_id *id)
{
	print("%s", id->id);
	if (id->cpus == 1)
		return;
	print("@cpu");
	put_ranges((struct ranges){ .has = ranges_has_bit, .set = &id->cpus, .end = CPUS_MAX });
}

/* A family that has appeared is an error, and so has the block of one. */
void tap_print_result(const struct tap_result *r, struct tap_totals *totals)
{
	const struct test_ctx *t = r->t;
	const bool is_skipped = t->status == TEST_SKIP;
	const char *directive = is_skipped ? " # SKIP %s\n"
	                        : t->status == TEST_ERRATUM ? " # TODO %s\n" : "\n";
	const struct tap_id id = { t->test->id, r->cpus };

	count(r, &id, totals);
	console_hold();
	print("%s %u - ", is_skipped || t->status == TEST_PASS ? "ok" : "not ok", totals->lines);
	print_id(&id);
	if (r->kind)
		print(" (%s)", r->kind);
	if (is_skipped && r->family)
		print(" # SKIP %u tests: %s\n", r->family->count, t->reason);
	else
		print(directive, t->reason);
	if (is_skipped && r->family)
		put_family(r->family);
	else
		put_block(t);
	console_release();
}

static void print_bad(const struct tap_totals *totals)
{
	if (totals->bads == 0)
		return;
	print("# failed:");
	for (unsigned i = 0; i < totals->bads && i < TAP_BAD_IDS; i++) {
		print(" ");
		print_id(&totals->bad[i]);
	}
	if (totals->bads > TAP_BAD_IDS)
		print(" and %u more", totals->bads - TAP_BAD_IDS);
	print("\n");
}

void tap_print_totals(const struct tap_totals *totals)
{
	unsigned bad = totals->failed + totals->errors;
	unsigned run = totals->passed + totals->errata + bad;

	print_bad(totals);
	print("# passed %u, failed %u, errata %u, errors %u, skipped %u\n", totals->passed,
	      totals->failed, totals->errata, totals->errors, totals->skipped);
	if (run == 0)
		print("# verdict: none, every test was skipped\n");
	else if (bad == 0 && totals->errata)
		print("# verdict: PASS, %u of the %u tests that ran; the others fail by published "
		      "errata\n", totals->passed, run);
	else if (bad == 0)
		print("# verdict: PASS, all %u tests that ran\n", run);
	else
		print("# verdict: FAIL, %u of the %u tests that ran\n", bad, run);
}
