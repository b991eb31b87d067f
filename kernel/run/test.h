/* SPDX-License-Identifier: MIT */
/*
 * What a test is made of: one function, one TEST() declaration, expectations.
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
 * Where a test runs. Default: on the boot processor, then on all others at once. Alone: on one
 * after the other, as what it counts exactly depends on what they share, such as the last cache.
 * On boot: what it is about is the machine's, or it gives the others their work itself
 * (smp.h).
 */
enum test_runs { TEST_EVERYWHERE, TEST_ALONE, TEST_ON_BOOT };

struct test {
	/* Stable, lower case, dotted, general to special. First, as checks/ids.py expects. */
	const char *id;
	const char *claim;                  /* what must be true, as a sentence */
	const char *source;                 /* volume and section that say so */
	const char *(*needs)(struct test_ctx *t);  /* NULL, or why it cannot run: test_reason() */
	void (*run)(struct test_ctx *t);
	enum test_runs runs;                /* where */
	bool is_broken;                     /* breaks on purpose; runs with `broken` only */
};

#define TEST(name, ...) \
	static void name(struct test_ctx *t); \
	static const struct test test_##name = { .run = name, __VA_ARGS__ }; \
	static const struct test *const test_pointer_##name \
		__attribute__((section(".tests"), used)) = &test_##name

/* The test that runs: what one function does for many is data behind their struct test. */
const struct test *test_that_runs(const struct test_ctx *t);

/* Formats what needs() returns; it must hold the value found: "CPUID.0AH:EAX[7:0] = 0". */
const char *test_reason(struct test_ctx *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The only way to skip from inside a test; return after it. */
void test_skip(struct test_ctx *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* What the following expectations are about, put before their `what`: "CPL 3, ECX = 00000002H". */
void test_sub(struct test_ctx *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A value that nothing specifies: shown with the result, never judged; counts as an expectation. */
void test_report(struct test_ctx *t, const char *what, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Where in the tree an expectation stands. */
struct test_place { const char *file; int line; };
#define TEST_PLACE ((struct test_place){ __FILE__, __LINE__ })

/*
 * Every expectation returns whether it held, so that a test can leave early. `what` is copied;
 * `why` is not, and must outlive the test: a constant.
 */

/* got must be want; printed in decimal and hexadecimal. */
#define expect_exact(t, what, got, want, why) expect_exact_at(t, TEST_PLACE, what, got, want, why)
bool expect_exact_at(struct test_ctx *t, struct test_place at, const char *what, uint64_t got,
                     uint64_t want, const char *why);

/* The bits of mask in got must be want; printed in hexadecimal. */
#define expect_bits(t, what, got, mask, want, why) \
	expect_bits_at(t, TEST_PLACE, what, got, mask, want, why)
bool expect_bits_at(struct test_ctx *t, struct test_place at, const char *what, uint64_t got,
                    uint64_t mask, uint64_t want, const char *why);

/* low <= got <= high; why names where each bound comes from. */
#define expect_between(t, what, got, low, high, why) \
	expect_between_at(t, TEST_PLACE, what, got, low, high, why)
bool expect_between_at(struct test_ctx *t, struct test_place at, const char *what, uint64_t got,
                       uint64_t low, uint64_t high, const char *why);

/* fault must be this vector with this error code. */
#define expect_fault(t, what, fault, vector, error, why) \
	expect_fault_at(t, TEST_PLACE, what, fault, fault_make(vector, error), why)
bool expect_fault_at(struct test_ctx *t, struct test_place at, const char *what, fault_t got,
                     fault_t want, const char *why);

#define expect_no_fault(t, what, fault, why) \
	expect_fault_at(t, TEST_PLACE, what, fault, FAULT_NONE, why)

/* Ends the test as an error; does not return. */
void test_abort(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/* "#GP(0)", "#UD", "no fault"; buffer of at least FAULT_TEXT_SIZE bytes is filled and returned. */
#define FAULT_TEXT_SIZE 24
const char *fault_text(fault_t fault, char *buffer);

#endif
