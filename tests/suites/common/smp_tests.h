/* SPDX-License-Identifier: MIT */
/* Declares what the tests with several processors share; secondaries.h runs the other processors'
 * parts. */
#ifndef TESTS_SUITES_COMMON_SMP_TESTS_H
#define TESTS_SUITES_COMMON_SMP_TESTS_H

#include <stdbool.h>

#include <kernel/run/secondaries.h>
#include <kernel/run/test.h>

/* Need a processor besides the one that booted; a second thread of a core; two cores. */
const char *need_secondaries(struct test_ctx *t);
const char *need_siblings(struct test_ctx *t);
const char *need_two_cores(struct test_ctx *t);

/* Needs an architectural PMU, and processors of two kinds, as a hybrid has them. */
const char *need_kinds(struct test_ctx *t);

/* Returns the first running processor from 1 on, or 0. */
unsigned smp_first_other(void);

/* Returns the first running processor that is, or is not, another thread of the boot
 * processor's core, or 0. */
unsigned smp_find(bool is_sibling);

#define FOR_EACH_OTHER(cpu) \
	for (unsigned cpu = 1; cpu < smp_count(); cpu++) \
		if (smp_get(cpu)->is_running)

/* Begins the part on all the others, then joins them. */
void smp_do_on_all(struct test_ctx *t, execute_part_fn part, uintptr_t argument);

#endif
