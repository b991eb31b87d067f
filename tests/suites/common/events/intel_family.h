/* SPDX-License-Identifier: MIT */
/* The families core2.*, nehalem.* and so on, each of which is about some of Intel's processors. */
#ifndef TESTS_SUITES_COMMON_EVENTS_INTEL_FAMILY_H
#define TESTS_SUITES_COMMON_EVENTS_INTEL_FAMILY_H

#include <kernel/run/test.h>

/* Returns NULL on a processor that the test's family is about, or why this is none. */
const char *need_intel_family(struct test_ctx *t);

#endif
