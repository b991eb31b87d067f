/* SPDX-License-Identifier: MIT */
/*
 * Runs code at every level of privilege and checks how the filters of levels count it: OS and USR,
 * on P5 CC[0] and CC[1].
 *
 * The code under test has the same bytes at both lengths, so that only its rounds differ: all that
 * the kernel does around it, at CPL 0, cancels out.
 */
#ifndef TESTS_SUITES_COMMON_COUNTS_RINGS_H
#define TESTS_SUITES_COMMON_COUNTS_RINGS_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/modes/modes.h>
#include <kernel/run/test.h>
#include <pmu/core/program.h>

/* Both are below 64 K, as 16-bit code counts in CX. */
enum { RINGS_FEW = 100, RINGS_MANY = 5100, RINGS_MORE = RINGS_MANY - RINGS_FEW };

/* For pmu_window(), in an enum cpu_mode: each round executes DEC ECX, JNZ; rings_int() has an INT n
 * before them, rings_fault() a UD2. The handler of INT n is an IRET; that of UD2 skips it by ADD,
 * IRET. Both need rings_open_gates(). */
void rings_loop(uint32_t rounds, uint32_t mode);
void rings_int(uint32_t rounds, uint32_t mode);
void rings_fault(uint32_t rounds, uint32_t mode);
void rings_open_gates(void);

/* Executes FADD, DEC ECX, JNZ a round; call it between pmu_workload_begin() and
 * pmu_workload_end(). */
void rings_x87(uint32_t rounds, uint32_t mode);

/* Returns whether PMU_OS counts this level: CPL 0; on P5 CPL 0, 1 and 2. */
bool rings_is_os(unsigned cpl);

/* What RINGS_MORE rounds count at levels of PMU_OS, and at those of PMU_USR. */
struct rings { uint32_t os, usr; };

/* Measures what RINGS_MORE more rounds of code count on each of these counters. */
void rings_measure(const struct pmu_setup *setups, unsigned count,
                   void (*code)(uint32_t rounds, uint32_t mode), enum cpu_mode mode,
                   uint64_t more[]);

/* Checks all four filters on every counter. */
void rings_check(struct test_ctx *t, void (*code)(uint32_t rounds, uint32_t mode), uint16_t event,
                 enum cpu_mode mode, const struct rings *more, const char *why);

/* Checks the same with rings_loop(), of which a round counts `each`. */
void rings_check_mode(struct test_ctx *t, uint16_t event, uint32_t each, enum cpu_mode mode);

/* Checks that with CR4.PCE = 1 RDPMC reads counters 0 and 1 in every mode. This is a whole test. */
void rings_check_rdpmc(struct test_ctx *t);

/*
 * Declares a test for each mode of this kernel by ONE(name, mode, claim), which its family defines.
 * cpl0, cpl12 and cpl3 name the filters that count these levels; filters names all of them.
 */
#define RINGS_MODE_TESTS(ONE, filters, cpl0_, cpl12_, cpl3_) \
	ONE(cpl0, MODE_CPL0, "at CPL 0 instructions and branches count with " cpl0_ " = 1 only"); \
	ONE(cpl1, MODE_CPL1, "at CPL 1 instructions and branches count with " cpl12_ " = 1 only"); \
	ONE(cpl2, MODE_CPL2, "at CPL 2 instructions and branches count with " cpl12_ " = 1 only"); \
	ONE(cpl3, MODE_CPL3, "at CPL 3 instructions and branches count with " cpl3_ " = 1 only"); \
	ONE(cpl0_16bit, MODE_CPL0_16BIT, "the " filters " work the same in 16-bit code at CPL 0"); \
	ONE(cpl3_16bit, MODE_CPL3_16BIT, "the " filters " work the same in 16-bit code at CPL 3"); \
	RINGS_MODE_TESTS_OF_WIDTH(ONE, filters, cpl0_, cpl3_)

#ifdef __x86_64__
#define RINGS_MODE_TESTS_OF_WIDTH(ONE, filters, cpl0_, cpl3_) \
	ONE(cpl3_compat, MODE_CPL3_COMPAT, \
	    "the " filters " work the same in 32-bit code of a 64-bit kernel")
#else
#define RINGS_MODE_TESTS_OF_WIDTH(ONE, filters, cpl0_, cpl3_) \
	ONE(vm86, MODE_VM86, \
	    "virtual-8086 mode has CPL 3, so it counts with " cpl3_ " = 1 only"); \
	ONE(real, MODE_REAL, "real mode has CPL 0, so it counts with " cpl0_ " = 1 only")
#endif

/* Only one processor at a time can be in real mode: the others would count how they wait for it. */
#define RINGS_RUNS(mode) ((mode) == MODE_REAL ? TEST_ALONE : TEST_EVERYWHERE)

#endif
