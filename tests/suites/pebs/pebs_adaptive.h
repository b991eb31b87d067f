/* SPDX-License-Identifier: MIT */
/* Checks adaptive records: their size, and samples of NOPs with known contents. */
#ifndef TESTS_SUITES_PEBS_PEBS_ADAPTIVE_H
#define TESTS_SUITES_PEBS_PEBS_ADAPTIVE_H

#include <tests/suites/common/sampling/pebs_window.h>

#define ADAPTIVE "SDM 3B, \"Adaptive PEBS\""

const char *need_pebs_adaptive(struct test_ctx *t);

/* Run general counter 0 with this MSR_PEBS_DATA_CFG. adaptive_run() returns the number of records;
 * adaptive_judge() checks every group of each record. */
unsigned adaptive_run(struct test_ctx *t, uint64_t cfg);
void adaptive_judge(struct test_ctx *t, uint64_t cfg);

#endif
