/* SPDX-License-Identifier: MIT */
/* Counting architectural events: tests/counting.h, and whether there is an event. */
#ifndef TESTS_ARCH_MEASURE_H
#define TESTS_ARCH_MEASURE_H

#include <tests/counting.h>

/* Needs: an architectural PMU with this event. */
const char *need_event(struct test_ctx *t, uint16_t event);

#endif
