/* SPDX-License-Identifier: MIT */
/* Counting architectural events: counting.h, and whether there is an event. */
#ifndef TESTS_SUITES_COMMON_COUNTS_ARCH_MEASURE_H
#define TESTS_SUITES_COMMON_COUNTS_ARCH_MEASURE_H

#include <tests/suites/common/counts/counting.h>

/* Needs: an architectural PMU with this event. */
const char *need_event(struct test_ctx *t, uint16_t event);

#endif
