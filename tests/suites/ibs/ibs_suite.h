/* SPDX-License-Identifier: MIT */
/* Declares what the suites of instruction-based sampling share. */
#ifndef TESTS_SUITES_IBS_IBS_SUITE_H
#define TESTS_SUITES_IBS_IBS_SUITE_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/run/test.h>
#include <pmu/sampling/ibs.h>
#include <tests/suites/common/amd/amd_suite.h>
#include <tests/suites/common/amd/ibs_needs.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/ibs/ibs_code.h>

#define IBS_APM    "APM 2, \"Instruction-Based Sampling\""
#define IBS_FETCH  "APM 2, \"IBS Fetch Sampling\""
#define IBS_LVT    "APM 2, \"Extended Interrupts\""

/* Returns whether the address is within the code from first up to end. */
static inline bool ibs_is_in(uint64_t ip, const void *first, const void *end)
{
	return ip >= (uintptr_t)first && ip < (uintptr_t)end;
}

/* Returns the rounds of ibs_mix() for about so many samples of one in 16 * maximum. */
uint32_t ibs_mix_rounds(unsigned samples, uint32_t maximum);

/* Runs ibs_mix() with op sampling by NMI, in periods that vary, so that all instructions get their
 * turn; *buffer is where its data are. */
const struct ibs_log *ibs_sample_mix(unsigned samples, uintptr_t *buffer);
enum { IBS_MIX_MAXIMUM = 0x0d };

/* Returns the row of ibs_mix() that a sample is of, or NULL: its RIP is no instruction there. */
const struct ibs_row *ibs_row_of(const struct ibs_sample *s);

/* Runs for each op's sample of ibs_mix() that is in the log, with its row. */
#define FOR_EACH_IBS_ROW(s, row, log) \
	for (const struct ibs_sample *s = (log)->sample; \
	     s < (log)->sample + ((log)->count < IBS_SAMPLES ? (log)->count : IBS_SAMPLES); s++) \
		for (const struct ibs_row *row = ibs_row_of(s); row; row = NULL)

#endif
