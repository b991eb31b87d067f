/* SPDX-License-Identifier: MIT */
/*
 * Judges how OS and USR count code that crosses between levels of privilege. The manuals do not say
 * at which level an instruction counts that changes the level. So the sum of both levels is judged
 * on every processor, and the level of IRET only on those where it was measured; the level of the
 * others is reported.
 */
#ifndef TESTS_SUITES_COMMON_COUNTS_CROSSINGS_H
#define TESTS_SUITES_COMMON_COUNTS_CROSSINGS_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/modes/modes.h>
#include <kernel/run/test.h>

/* Lists what was measured of processors, by the one that runs. */
enum crossing_fact {
	CROSSING_IRET,                 /* IRET counts at the level that it returns to */
	CROSSING_ENTRY                 /* entering a handler is a branch, of its level */
};
bool crossing_was_measured(enum crossing_fact fact);

/*
 * Describes what a round of code counts: `usr` at CPL 1 to 3 and `os` at CPL 0; `open` at one of
 * them, whichever it is. A processor may count `extra` more than these, on a general counter also
 * `extra_general`.
 */
struct crossing {
	const char *what;              /* "instructions" */
	uint16_t event;
	void (*code)(uint32_t rounds, uint32_t mode);
	unsigned usr, os, open, extra, extra_general;
	const char *why;
};

/* Measures rings.h's two numbers of rounds with all four filters on every counter that counts the
 * event, and checks each difference. Returns how many of `open` a round counts with USR alone. */
unsigned expect_crossing(struct test_ctx *t, const struct crossing *c, enum cpu_mode mode);

/* Do so for rings_int() and rings_fault(), in every mode of CPL 1 to 3: instructions, and branches
 * where they can be counted. */
void expect_crossings_of_int(struct test_ctx *t);
void expect_crossings_of_fault(struct test_ctx *t);

/* Checks the branches of rings_fault() in a mode: JNZ, IRET and perhaps the entry. */
void expect_branches_of_fault(struct test_ctx *t, enum cpu_mode mode);

/* Returns how many instructions an interrupt's return to CPL 3 adds to a counter with USR alone, as
 * a fault's does: 1 where IRET counts at CPL 3. V. Weaver's Pentium D counts no interrupt. */
unsigned crossing_of_return(unsigned counter);

#endif
