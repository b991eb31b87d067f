/* SPDX-License-Identifier: MIT */
/*
 * Sources: Linux, tools/perf/util/parse-events.c (the generic names), arch/x86/events (what they
 * mean on each generation), and tools/perf/pmu-events/arch/x86/amdzen* (AMD's names).
 */
#include <pmu/events/presets.h>

#include <stddef.h>

#include <arch/regs/table.h>
#include <pmu/core/microarchitecture.h>

#define EVERYWHERE  UINT32_MAX
#define ZEN_1_2     (PMU_ON_ZEN_1 | PMU_ON_ZEN_2)

/* A name has the first row that matches this processor. */
const struct pmu_perf_name pmu_perf_names[] = {
	{ "instructions",            EVERYWHERE,  "PAPI_TOT_INS" },
	{ "cycles",                  EVERYWHERE,  "PAPI_TOT_CYC" },
	{ "cpu-cycles",              EVERYWHERE,  "PAPI_TOT_CYC" },
	{ "ref-cycles",              EVERYWHERE,  "PAPI_REF_CYC" },
	{ "branches",                EVERYWHERE,  "PAPI_BR_INS" },
	{ "branch-instructions",     EVERYWHERE,  "PAPI_BR_INS" },
	{ "branch-misses",           PMU_ON_AMD,  "rC3" },
	{ "branch-misses",           EVERYWHERE,  "PAPI_BR_MSP" },
	{ "cache-references",        PMU_ON_ARCH, "LLC_REFERENCE" },
	{ "cache-references",        PMU_ON_ZEN,  "rFF60" },
	{ "cache-references",        EVERYWHERE,  "PAPI_L2_TCA" },
	{ "cache-misses",            PMU_ON_ARCH, "LLC_MISSES" },
	{ "cache-misses",            PMU_ON_ZEN,  "r0964" },
	{ "cache-misses",            EVERYWHERE,  "PAPI_L2_TCM" },
	{ "ex_ret_instr",            PMU_ON_ZEN,  "RETIRED_INSTRUCTIONS" },
	{ "ex_ret_cops",             ZEN_1_2,     "RETIRED_UOPS" },
	{ "ex_ret_ops",              ZEN_1_2,     "RETIRED_UOPS" },
	{ "ex_ret_ops",              PMU_ON_ZEN,  "RETIRED_OPS" },
	{ "ex_ret_brn",              PMU_ON_ZEN,  "RETIRED_BRANCH_INSTRUCTIONS" },
	{ "ex_ret_brn_misp",         PMU_ON_ZEN,  "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED" },
	{ "ex_ret_brn_tkn",          PMU_ON_ZEN,  "RETIRED_TAKEN_BRANCH_INSTRUCTIONS" },
	{ "ex_ret_brn_tkn_misp",     PMU_ON_ZEN,
	  "RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED" },
	{ "ex_ret_brn_far",          PMU_ON_ZEN,  "RETIRED_FAR_CONTROL_TRANSFERS" },
	{ "ex_ret_near_ret",         PMU_ON_ZEN,  "RETIRED_NEAR_RETURNS" },
	{ "ex_ret_near_ret_mispred", PMU_ON_ZEN,  "RETIRED_NEAR_RETURNS_MISPREDICTED" },
	{ "ex_ret_brn_ind_misp",     PMU_ON_ZEN,
	  "RETIRED_INDIRECT_BRANCH_INSTRUCTIONS_MISPREDICTED" },
	{ "ex_ret_cond",             PMU_ON_ZEN,  "RETIRED_CONDITIONAL_BRANCH_INSTRUCTIONS" },
	{ "ls_not_halted_cyc",       PMU_ON_ZEN,  "CYCLES_NOT_IN_HALT" },
};

const unsigned pmu_perf_name_count = COUNT_OF(pmu_perf_names);
