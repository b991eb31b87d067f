/* SPDX-License-Identifier: MIT */
/* PMIs of the architectural PMU: pmi_windows.h, and what their tests need. */
#ifndef TESTS_SUITES_COMMON_PMI_ARCH_PMI_H
#define TESTS_SUITES_COMMON_PMI_ARCH_PMI_H

#include <tests/suites/common/pmi/pmi_windows.h>

/* An architectural PMU, code at CPL 3, and a local APIC to deliver the PMI. */
const char *need_pmi(struct test_ctx *t);
const char *need_pmi_gp2(struct test_ctx *t);
const char *need_pmi_v2(struct test_ctx *t);
const char *need_pmi_v4(struct test_ctx *t);

#endif
