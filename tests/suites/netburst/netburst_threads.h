/* SPDX-License-Identifier: MIT */
/* Declares the needs of the tests about a thread's own bits in ESCRs and CCCRs. */
#ifndef TESTS_SUITES_NETBURST_NETBURST_THREADS_H
#define TESTS_SUITES_NETBURST_NETBURST_THREADS_H

#include <tests/suites/common/netburst_suite.h>

/* Needs need_netburst_threads() and code in every mode. */
const char *need_netburst_thread_modes(struct test_ctx *t);

/* Needs this PMU without Hyper-Threading, where those bits are reserved. */
const char *need_netburst_no_threads(struct test_ctx *t);

#endif
