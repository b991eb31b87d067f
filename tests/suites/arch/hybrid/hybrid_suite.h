/* SPDX-License-Identifier: MIT */
/*
 * Declares what the tests of a machine with several kinds of processors share. They run on the boot
 * processor, and give each processor its part.
 */
#ifndef TESTS_SUITES_ARCH_HYBRID_HYBRID_SUITE_H
#define TESTS_SUITES_ARCH_HYBRID_HYBRID_SUITE_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/smp/kinds.h>
#include <kernel/run/secondaries.h>
#include <kernel/run/test.h>
#include <pmu/core/program.h>
#include <tests/suites/common/smp_tests.h>

#define HYBRID_SOURCE "SDM 2A, \"CPUID\", leaf 1AH; SDM 3B, \"Performance Monitoring for Hybrid " \
                      "Microarchitecture\""
#define LINUX_CORE    "Linux, arch/x86/events/intel/core.c, "

#define HYBRID_TEST(name, id_, ...) \
	TEST(name, .id = "hybrid." id_, .runs = TEST_ON_BOOT, __VA_ARGS__)

/* Need need_kinds(), and that one of them has, and one has not, fixed counter 3; fixed counters 4
 * to 6; local APICs with LVTPC; branch records on all; PEBS on all. */
const char *need_kinds_fixed3(struct test_ctx *t);
const char *need_kinds_fixed456(struct test_ctx *t);
const char *need_kinds_pmi(struct test_ctx *t);
const char *need_kinds_lbr(struct test_ctx *t);
const char *need_kinds_pebs(struct test_ctx *t);

/* Returns whether this processor is of type Atom, by leaf 1AH. */
bool hybrid_is_atom(void);

/* Runs the part here, then on all others at once; names each by its number and kind. */
void hybrid_on_all(struct test_ctx *t, execute_part_fn part, uintptr_t argument);

/* Makes a barrier for all processors, and waits at it. */
void hybrid_barrier_begin(void);
void hybrid_barrier_wait(void);

/* Within hybrid_at_once(): each kind writes in its turn, first to last or last to first, and all
 * have written when it returns. */
void hybrid_write_in_turns(void (*write)(void), bool is_backwards);

/* Runs the part on all processors at once, this one included. */
void hybrid_at_once(struct test_ctx *t, execute_part_fn part, uintptr_t argument);

/* Returns the instructions, or what else the event is, of a longer run of the workload less those
 * of a shorter one: `rounds` more rounds. */
uint64_t hybrid_count(uint16_t event, const struct workload *w, uint32_t rounds);

/* The same of all that such rounds and the window itself count: for what may count more in a first
 * window than in a longer second one. */
uint64_t hybrid_count_all(uint16_t event, const struct workload *w, uint32_t rounds);

#endif
