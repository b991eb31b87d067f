/* SPDX-License-Identifier: MIT */
/* OS and USR: APM 2, "Performance Monitoring Counters": USR is CPL > 0, OS is CPL 0. */
#include <tests/suites/common/amd/amd_suite.h>

#include <tests/suites/common/counts/rings.h>
#include <tests/suites/common/mode_tests.h>

#define SOURCE AMD_APM ", table of USR and OS"

#define COUNTS_WITH(name, mode, where, filter) \
	RINGS_MODE_TEST(name, mode, "amd.filters", need_amd_modes, SOURCE, where, filter)
MODE_TESTS(COUNTS_WITH, "OS", "USR", "USR");
