/* SPDX-License-Identifier: MIT */
#include <kernel/run/result.h>

#include <stddef.h>

#include <arch/regs/cpu.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>

void result_init(struct test_ctx *t, const struct test *test)
{
	t->test = test;
	t->status = TEST_PASS;
	t->expectations = t->findings = t->reports = 0;
	t->reason[0] = t->sub[0] = '\0';
}

const struct test *test_that_runs(const struct test_ctx *t)
{
	return t->test;
}

static void worsen(struct test_ctx *t, enum test_status status)
{
	if (status > t->status)
		t->status = status;
}

void result_set_skip(struct test_ctx *t, const char *reason)
{
	if (reason != t->reason)
		format_buf(t->reason, sizeof(t->reason), "%s", reason);
	worsen(t, TEST_SKIP);
}

/* Returns the next finding, with `what` filled in, or a scratch one when no room is left. */
static struct finding *new_finding(struct test_ctx *t, const char *what)
{
	static struct finding no_room;
	struct finding *f = t->findings < RESULT_MAX_FINDINGS ? &t->finding[t->findings] : &no_room;

	t->findings++;
	format_buf(f->what, sizeof(f->what), "%s%s%s", t->sub, t->sub[0] ? ": " : "", what);
	f->got[0] = f->want[0] = '\0';
	f->why = NULL;
	f->at = (struct test_place){ NULL, 0 };
	return f;
}

void result_add_error(struct test_ctx *t, const char *fmt, va_list args)
{
	struct finding *f = new_finding(t, "the test did not end by itself");

	format_vbuf(f->got, sizeof(f->got), fmt, args);
	worsen(t, TEST_ERROR);
}

void result_add_error_text(struct test_ctx *t, const char *what, const char *text)
{
	struct finding *f = new_finding(t, what);

	format_buf(f->got, sizeof(f->got), "%s", text);
	worsen(t, TEST_ERROR);
}

static void merge_findings(struct test_ctx *t, const struct test_ctx *part, const char *name)
{
	for (unsigned i = 0; i < part->findings && i < RESULT_MAX_FINDINGS; i++) {
		const struct finding *from = &part->finding[i];
		struct finding *f = new_finding(t, "");

		format_buf(f->what, sizeof(f->what), "%s: %s", name, from->what);
		format_buf(f->got, sizeof(f->got), "%s", from->got);
		format_buf(f->want, sizeof(f->want), "%s", from->want);
		f->why = from->why;
		f->at = from->at;
	}
}

void result_merge(struct test_ctx *t, const struct test_ctx *part, const char *name)
{
	t->expectations += part->expectations;
	worsen(t, part->status);
	merge_findings(t, part, name);
	for (unsigned i = 0; i < part->reports && t->reports < RESULT_MAX_REPORTS; i++)
		format_buf(t->report[t->reports++], sizeof(t->report[0]), "%s: %s", name,
		           part->report[i]);
}

void result_finish(struct test_ctx *t)
{
	if (t->status == TEST_PASS && t->expectations == 0)
		result_add_error_text(t, RESULT_STATE, "the test made no expectation");
}

void doubt_begin(struct doubt *d, const struct test_ctx *t)
{
	d->runs = 1;
	d->checks = t->findings < RESULT_MAX_FINDINGS ? t->findings : RESULT_MAX_FINDINGS;
	d->first = t->finding[0];
	for (unsigned i = 0; i < d->checks; i++)
		format_buf(d->what[i], sizeof(d->what[i]), "%s", t->finding[i].what);
}

static bool has_failed(const struct test_ctx *t, const char *what)
{
	for (unsigned i = 0; i < t->findings && i < RESULT_MAX_FINDINGS; i++)
		if (strcmp(t->finding[i].what, what) == 0)
			return true;
	return t->findings > RESULT_MAX_FINDINGS;
}

bool doubt_keep(struct doubt *d, const struct test_ctx *t)
{
	unsigned kept = 0;

	d->runs++;
	for (unsigned i = 0; i < d->checks; i++)
		if (has_failed(t, d->what[i]))
			format_buf(d->what[kept++], sizeof(d->what[0]), "%s", d->what[i]);
	d->checks = kept;
	return kept > 0;
}

const char *test_reason(struct test_ctx *t, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	format_vbuf(t->reason, sizeof(t->reason), fmt, args);
	va_end(args);
	return t->reason;
}

void test_skip(struct test_ctx *t, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	format_vbuf(t->reason, sizeof(t->reason), fmt, args);
	va_end(args);
	result_set_skip(t, t->reason);
}

void test_sub(struct test_ctx *t, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	format_vbuf(t->sub, sizeof(t->sub), fmt, args);
	va_end(args);
}

void test_report(struct test_ctx *t, const char *what, const char *fmt, ...)
{
	va_list args;
	char value[sizeof(t->report[0])];

	t->expectations++;
	if (t->reports == RESULT_MAX_REPORTS)
		return;
	va_start(args, fmt);
	format_vbuf(value, sizeof(value), fmt, args);
	va_end(args);
	format_buf(t->report[t->reports++], sizeof(t->report[0]), "%s%s%s: %s", t->sub,
	           t->sub[0] ? ": " : "", what, value);
}

/* Records an expectation. Returns NULL if it held, else the finding to fill with got and want. */
static struct finding *note(struct test_ctx *t, bool held, const char *what, const char *why,
                            struct test_place at)
{
	struct finding *f;

	t->expectations++;
	if (held)
		return NULL;
	f = new_finding(t, what);
	f->why = why;
	f->at = at;
	worsen(t, TEST_FAIL);
	return f;
}

/*
 * The smallest number that counts as one below zero. Nothing counts 2^40 events in the seconds that
 * a test has, so no difference of two counts is as low; addresses and registers with only some of
 * their upper bits set are below it.
 */
#define NEGATIVE_FROM  (0 - (UINT64_C(1) << 40))

static bool is_negative(uint64_t number)
{
	return number >= NEGATIVE_FROM;
}

/* Writes the number, with its sign, in decimal. */
static const char *decimal(uint64_t number, char *buffer)
{
	if (is_negative(number))
		format_buf(buffer, NUMBER_TEXT_SIZE, "%" PRId64, (int64_t)number);
	else
		format_buf(buffer, NUMBER_TEXT_SIZE, "%" PRIu64, number);
	return buffer;
}

const char *number_text(uint64_t number, char *buffer)
{
	char text[NUMBER_TEXT_SIZE];

	if (number < 10)
		return decimal(number, buffer);
	format_buf(buffer, NUMBER_TEXT_SIZE, "%s (%" PRIX64 "H)", decimal(number, text), number);
	return buffer;
}

bool expect_exact_at(struct test_ctx *t, struct test_place at, const char *what, uint64_t got,
                     uint64_t want, const char *why)
{
	struct finding *f = note(t, got == want, what, why, at);

	if (!f)
		return true;
	number_text(got, f->got);
	number_text(want, f->want);
	return false;
}

bool expect_bits_at(struct test_ctx *t, struct test_place at, const char *what, uint64_t got,
                    uint64_t mask, uint64_t want, const char *why)
{
	struct finding *f = note(t, (got & mask) == want, what, why, at);

	if (!f)
		return true;
	format_buf(f->got, sizeof(f->got), "%" PRIX64 "H", got);
	format_buf(f->want, sizeof(f->want), "%" PRIX64 "H in the bits %" PRIX64 "H", want, mask);
	return false;
}

/* Differences of counts may be negative, and so may their bounds. */
static bool is_between(uint64_t got, uint64_t low, uint64_t high)
{
	if (is_negative(low))
		return (int64_t)low <= (int64_t)got && (int64_t)got <= (int64_t)high;
	return low <= got && got <= high && !is_negative(got);
}

bool expect_between_at(struct test_ctx *t, struct test_place at, const char *what, uint64_t got,
                       uint64_t low, uint64_t high, const char *why)
{
	struct finding *f = note(t, is_between(got, low, high), what, why, at);
	char from[NUMBER_TEXT_SIZE], to[NUMBER_TEXT_SIZE];

	if (!f)
		return true;
	number_text(got, f->got);
	if (high == UINT64_MAX)
		format_buf(f->want, sizeof(f->want), "%s or more", decimal(low, from));
	else
		format_buf(f->want, sizeof(f->want), "%s to %s", decimal(low, from),
		           decimal(high, to));
	return false;
}

const char *fault_text(fault_t fault, char *buffer)
{
	static const char names[X86_EXCEPTIONS][4] = {
		"DE", "DB", "NMI", "BP",  "OF", "BR", "UD", "NM",
		"DF", "CSO", "TS", "NP",  "SS", "GP", "PF", "15",
		"MF", "AC",  "MC", "XM",  "VE", "CP", "22", "23",
		"24", "25",  "26", "27",  "HV", "VC", "SX", "31",
	};
	unsigned vector = fault_vector(fault);

	if (!is_fault(fault))
		format_buf(buffer, FAULT_TEXT_SIZE, "no fault");
	else if (vector >= X86_EXCEPTIONS)
		format_buf(buffer, FAULT_TEXT_SIZE, "interrupt %XH", vector);
	else if (X86_PUSHES_ERROR_CODE & BIT32(vector))
		format_buf(buffer, FAULT_TEXT_SIZE, "#%.3s(%X)", names[vector], fault_error(fault));
	else
		format_buf(buffer, FAULT_TEXT_SIZE, "#%.3s", names[vector]);
	return buffer;
}

bool expect_fault_at(struct test_ctx *t, struct test_place at, const char *what, fault_t got,
                     fault_t want, const char *why)
{
	struct finding *f = note(t, got.raw == want.raw, what, why, at);

	if (!f)
		return true;
	fault_text(got, f->got);
	fault_text(want, f->want);
	return false;
}
