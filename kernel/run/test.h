/* SPDX-License-Identifier: MIT */
/*
 * Declares what a test consists of: TEST(), which opens its function's body, and expectations.
 *
 * A test passes, fails (the processor contradicts the claim), is skipped (with the value that
 * caused it), or is an error (the test or the kernel is broken). A test that makes no expectation
 * is an error. Tests hold no state and do not depend on their order.
 */
#ifndef KERNEL_RUN_TEST_H
#define KERNEL_RUN_TEST_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/cpu/fault.h>

struct test_ctx;

/*
 * Says where a test runs. TEST_EVERYWHERE, the default, means on the boot processor, then on all
 * others at once. TEST_ALONE means on one after the other, because an exact count depends on
 * something that processors share, such as the last cache. TEST_ON_BOOT suits tests of the machine,
 * and tests that give the others their work themselves (smp.h). TEST_BY_KIND means on the boot
 * processor, and on a hybrid also on the first processor of each other kind.
 */
enum test_runs { TEST_EVERYWHERE, TEST_ALONE, TEST_ON_BOOT, TEST_BY_KIND };

struct test {
	/*
	 * The id is stable, lower case, dotted, general to special. It must be the first member, as
	 * checks/ids.py expects.
	 */
	const char *id;
	const char *claim;                  /* what must be true, as a sentence */
	const char *source;                 /* volume and section that demand it */
	const char *(*needs)(struct test_ctx *t);  /* NULL, or why it cannot run (test_reason()) */
	void (*run)(struct test_ctx *t);
	enum test_runs runs : 8;            /* all three are one word: there are many tests */
	bool is_broken;                     /* fails on purpose; runs with `broken` only */
	bool is_first;                      /* its failure may explain failures and skips of many
	                                     * others: it runs, and the totals name it, first */
	bool is_static;                     /* it counts nothing: it runs on a PMU that is dead,
	                                     * too, and may name the reason */
};

/*
 * TEST(name, .id = "family.subject", .needs = need_it, .source = "SDM ...", .claim = "...")
 * {
 *	expect_exact(t, ...);
 * }
 *
 * TEST_OF() is for macros whose functions are written elsewhere.
 */
#define TEST(name, ...) \
	TEST_OF(name, __VA_ARGS__); \
	static void name(struct test_ctx *t)
#define TEST_OF(name, ...) \
	static void name(struct test_ctx *t); \
	static const struct test test_##name = { .run = name, __VA_ARGS__ }; \
	static const struct test *const test_pointer_##name \
		__attribute__((section(".tests"), used)) = &test_##name

/*
 * Returns the running test. A function that serves many tests finds its data next to their struct
 * test.
 */
const struct test *test_that_runs(const struct test_ctx *t);

/*
 * Formats the reason that needs() returns. It must hold the value found: "CPUID.0AH:EAX[7:0] = 0".
 */
const char *test_reason(struct test_ctx *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Skips a test while it runs. The test must return after this call. */
void test_skip(struct test_ctx *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Names the subject of the following expectations, as a prefix of their `what`: "CPL 3, ECX =
 * 00000002H".
 */
void test_sub(struct test_ctx *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Shows a value that nothing specifies with the result. It is never judged, but counts as an
 * expectation.
 */
void test_report(struct test_ctx *t, const char *what, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Locates an expectation in the source. */
struct test_place { const char *file; int line; };
#define TEST_PLACE ((struct test_place){ __FILE__, __LINE__ })

/*
 * Every expectation returns whether it held, so that a test can leave early. `what` is copied;
 * `why` is not and must be a constant.
 */

/* Expects got to equal want; prints both in decimal, with their signs, and hexadecimal. */
#define expect_exact(t, what, got, want, why) expect_exact_at(t, TEST_PLACE, what, got, want, why)
bool expect_exact_at(struct test_ctx *t, struct test_place at, const char *what, uint64_t got,
                     uint64_t want, const char *why);

/* Expects the bits of mask in got to equal want; prints in hexadecimal. */
#define expect_bits(t, what, got, mask, want, why) \
	expect_bits_at(t, TEST_PLACE, what, got, mask, want, why)
bool expect_bits_at(struct test_ctx *t, struct test_place at, const char *what, uint64_t got,
                    uint64_t mask, uint64_t want, const char *why);

/*
 * Expects low <= got <= high, where UINT64_MAX is no bound; why must justify both bounds. A
 * difference below zero is below every low that is not.
 */
#define expect_between(t, what, got, low, high, why) \
	expect_between_at(t, TEST_PLACE, what, got, low, high, why)
bool expect_between_at(struct test_ctx *t, struct test_place at, const char *what, uint64_t got,
                       uint64_t low, uint64_t high, const char *why);

/* Expects this fault vector with this error code. */
#define expect_fault(t, what, fault, vector, error, why) \
	expect_fault_at(t, TEST_PLACE, what, fault, fault_make(vector, error), why)
bool expect_fault_at(struct test_ctx *t, struct test_place at, const char *what, fault_t got,
                     fault_t want, const char *why);

#define expect_no_fault(t, what, fault, why) \
	expect_fault_at(t, TEST_PLACE, what, fault, FAULT_NONE, why)

/* Ends the test as an error; does not return. */
void test_abort(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/*
 * Fills and returns buffer, of at least NUMBER_TEXT_SIZE bytes: "7", "16 (10H)". A number just
 * below 2^64 is a difference below zero and has its sign: "-2 (FFFFFFFFFFFFFFFEH)".
 */
#define NUMBER_TEXT_SIZE 48
const char *number_text(uint64_t number, char *buffer);

/* Fills and returns buffer, of at least FAULT_TEXT_SIZE bytes: "#GP(0)", "#UD", "no fault". */
#define FAULT_TEXT_SIZE 24
const char *fault_text(fault_t fault, char *buffer);

#endif
