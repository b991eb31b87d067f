/* SPDX-License-Identifier: MIT */
/*
 * Runs code at every level of privilege and checks how the filters of levels count it: OS and USR,
 * on P5 CC[0] and CC[1].
 *
 * The code under test has the same bytes at both lengths, so that only its rounds differ: the
 * kernel's own work around the code, at CPL 0, cancels out.
 */
#ifndef TESTS_SUITES_COMMON_COUNTS_RINGS_H
#define TESTS_SUITES_COMMON_COUNTS_RINGS_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/modes/modes.h>
#include <kernel/run/test.h>
#include <pmu/core/program.h>

/* Both numbers of rounds are below 64 K, because 16-bit code counts in CX. */
enum { RINGS_FEW = 100, RINGS_MANY = 600, RINGS_MORE = RINGS_MANY - RINGS_FEW };

/* Execute in each round DEC ECX, JNZ in an enum cpu_mode, for pmu_window(); rings_int() has an INT
 * n before them, rings_fault() a UD2. The handler of INT n is an IRET; that of UD2 skips the UD2 by
 * ADD, IRET. Both need rings_open_gates(). */
void rings_loop(uint32_t rounds, uint32_t mode);
void rings_int(uint32_t rounds, uint32_t mode);
void rings_fault(uint32_t rounds, uint32_t mode);
void rings_open_gates(void);

/* Executes FADD, DEC ECX, JNZ in each round; must be called between pmu_workload_begin() and
 * pmu_workload_end(). */
void rings_x87(uint32_t rounds, uint32_t mode);

/* Returns whether PMU_OS counts this level: CPL 0; on P5 CPL 0, 1 and 2. */
bool rings_is_os(unsigned cpl);

/* Holds what RINGS_MORE rounds count at levels of PMU_OS, and at those of PMU_USR. */
struct rings { uint32_t os, usr; };

/* Measures what RINGS_MORE more rounds of code count on each of these counters. */
void rings_measure(const struct pmu_setup *setups, unsigned count,
                   void (*code)(uint32_t rounds, uint32_t mode), enum cpu_mode mode,
                   uint64_t more[]);

/* Checks all four filters on every counter. */
void rings_check(struct test_ctx *t, void (*code)(uint32_t rounds, uint32_t mode), uint16_t event,
                 enum cpu_mode mode, const struct rings *more, const char *why);

/* Checks the same with rings_loop(), each round of which counts `each`. */
void rings_check_mode(struct test_ctx *t, uint16_t event, uint32_t each, enum cpu_mode mode);

/* Checks instructions and, where they can be counted, branches of that loop. */
void rings_check_both(struct test_ctx *t, enum cpu_mode mode);

/* Checks that with CR4.PCE = 1 RDPMC reads counters 0 and 1 in every mode. This is a whole test. */
void rings_check_rdpmc(struct test_ctx *t);

/* Only one processor at a time can be in real mode: the others would count while they wait for
 * it. */
#define RINGS_RUNS(mode) ((mode) == MODE_REAL ? TEST_ALONE : TEST_EVERYWHERE)

/* Makes the test family.NAME, for the rows of mode_tests.h. */
#define RINGS_MODE_TEST(name, mode, family, needs_, source_, where, filter) \
	static void name(struct test_ctx *t) { rings_check_both(t, mode); } \
	TEST_OF(name, .id = family "." #name, .needs = needs_, .source = source_, \
	     .runs = RINGS_RUNS(mode), \
	     .claim = where " instructions and branches count with " filter " = 1 only")

#endif
