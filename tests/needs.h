/* SPDX-License-Identifier: MIT */
/* Needs that several suites share; each returns NULL, or why the test cannot run. */
#ifndef TESTS_NEEDS_H
#define TESTS_NEEDS_H

#include <kernel/test.h>

/* A PMU that counts; else its verdict. */
const char *need_counting_pmu(struct test_ctx *t);

#endif
