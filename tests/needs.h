/* SPDX-License-Identifier: MIT */
/* Needs that several suites share; each returns NULL, or why the test cannot run. */
#ifndef TESTS_NEEDS_H
#define TESTS_NEEDS_H

#include <kernel/test.h>

/* The services that run code in any mode: mode_run(). */
const char *need_modes(struct test_ctx *t);

const char *need_local_apic(struct test_ctx *t);

/* A PMU that counts; else its verdict. */
const char *need_counting_pmu(struct test_ctx *t);

#endif
