/* SPDX-License-Identifier: MIT */
/* Builds a program of UNIT_TESTs that runs on the host and prints TAP 13 for prove. */
#ifndef TESTS_UNIT_UNIT_H
#define TESTS_UNIT_UNIT_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A test program is one file, test_NAME.c; it names the sources that it tests in a
 * comment `LINK: kernel/a.c kernel/b.c`:
 *
 *	UNIT_TEST(an_empty_pattern_matches_nothing)
 *	{
 *		check_true("a pattern without characters", !glob_is_match("", "x"));
 *	}
 *
 *	UNIT_MAIN()
 *
 * A test fails if one of its checks fails, or if it makes no check. A check returns true if it
 * passed, so that a test can leave: if (!check_true(...)) return;
 */
#define check_eq_u64(what, got, want) \
	unit_check_u64(what, (uint64_t)(got), (uint64_t)(want), __FILE__, __LINE__)
#define check_str(what, got, want)    unit_check_str(what, got, want, __FILE__, __LINE__)
#define check_true(what, cond)        unit_check_true(what, cond, #cond, __FILE__, __LINE__)

#define UNIT_TEST(name) \
	static void unit_body_##name(void); \
	static struct unit_test unit_test_##name = \
		{ #name, __FILE__, __LINE__, unit_body_##name, NULL }; \
	__attribute__((constructor)) static void unit_register_##name(void) \
	{ \
		unit_register(&unit_test_##name); \
	} \
	static void unit_body_##name(void)

#define UNIT_MAIN() \
	int main(void) \
	{ \
		return unit_run_all(); \
	}

/* The following serves the macros; test files do not call it. */

struct unit_test {
	const char *name;
	const char *file;
	int line;
	void (*body)(void);
	struct unit_test *next;
};

struct unit_state {
	struct unit_test *first;
	const struct unit_test *running;
	unsigned number;                /* of the running test, from 1 */
	unsigned checks, failures;      /* of the running test */
};

enum { UNIT_FAILURES_SHOWN = 10 };      /* per test: a loop may fail each time */

static struct unit_state unit;

/* Adds a test in the order of the file, because compilers disagree on the order of constructors. */
static inline void unit_register(struct unit_test *test)
{
	struct unit_test **place = &unit.first;

	while (*place && (*place)->line < test->line)
		place = &(*place)->next;
	test->next = *place;
	*place = test;
}

static inline void unit_print_quoted(const char *text)
{
	if (!text) {
		fputs("~", stdout);
		return;
	}
	putchar('"');
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			printf("\\%c", c);
		else if (c < 0x20 || c >= 0x7f)
			printf("\\x%02x", c);
		else
			putchar(c);
	}
	putchar('"');
}

/* Counts one check. Returns false if there is nothing to print: it passed, or enough is printed. */
static inline bool unit_fails_visibly(bool is_passed, const char *what)
{
	unit.checks++;
	if (is_passed)
		return false;
	if (unit.failures == 0)
		printf("not ok %u - %s\n  ---\n", unit.number, unit.running->name);
	if (++unit.failures > UNIT_FAILURES_SHOWN)
		return false;
	fputs("  - what: ", stdout);
	unit_print_quoted(what);
	return true;
}

static inline bool unit_check_u64(const char *what, uint64_t got, uint64_t want,
                                  const char *file, int line)
{
	if (unit_fails_visibly(got == want, what))
		printf("\n    got: %" PRIu64 "  # %" PRIX64 "H\n    want: %" PRIu64 "  # %" PRIX64
		       "H\n    at: %s:%d\n", got, got, want, want, file, line);
	return got == want;
}

static inline bool unit_check_str(const char *what, const char *got, const char *want,
                                  const char *file, int line)
{
	bool is_same = got && want ? strcmp(got, want) == 0 : got == want;

	if (unit_fails_visibly(is_same, what)) {
		fputs("\n    got: ", stdout);
		unit_print_quoted(got);
		fputs("\n    want: ", stdout);
		unit_print_quoted(want);
		printf("\n    at: %s:%d\n", file, line);
	}
	return is_same;
}

static inline bool unit_check_true(const char *what, bool cond, const char *expression,
                                   const char *file, int line)
{
	if (unit_fails_visibly(cond, what)) {
		fputs("\n    got: false\n    want: ", stdout);
		unit_print_quoted(expression);
		printf("\n    at: %s:%d\n", file, line);
	}
	return cond;
}

static inline bool unit_run_one(const struct unit_test *test)
{
	unit.running = test;
	unit.number++;
	unit.checks = 0;
	unit.failures = 0;
	test->body();
	if (unit.checks == 0)
		unit_check_u64("checks made by this test", 0, 1, test->file, test->line);
	if (unit.failures > UNIT_FAILURES_SHOWN)
		printf("  - more: %u\n", unit.failures - UNIT_FAILURES_SHOWN);
	if (unit.failures)
		puts("  ...");
	else
		printf("ok %u - %s\n", unit.number, test->name);
	fflush(stdout);
	return unit.failures == 0;
}

static inline int unit_run_all(void)
{
	const struct unit_test *test;
	unsigned count = 0;
	bool is_passed = true;

	for (test = unit.first; test; test = test->next)
		count++;
	printf("TAP version 13\n1..%u\n", count);
	for (test = unit.first; test; test = test->next)
		is_passed = unit_run_one(test) && is_passed;
	return is_passed && count ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
