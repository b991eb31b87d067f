/* SPDX-License-Identifier: MIT */
/*
 * The overflow's PMI on AMD: the claims of pmi_claims.h. LVTPC does not mask itself: Linux,
 * arch/x86/events/amd/core.c.
 */
#include <tests/suites/common/pmi/pmi_claims.h>

#include <tests/suites/common/amd/amd_suite.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/common/pmi/sweep.h>

#define OVERFLOW  AMD_APM ", INT"

static NEED_BOTH(need_exact_pmi, need_amd_pmi, need_no_skid)

PMI_SELECT_CLAIMS("amd", need_amd_pmi, need_exact_pmi, OVERFLOW, OVERFLOW, AMD);
PMI_CLAIM_OWN(every_counter, "amd", need_amd_pmi, OVERFLOW, "every_counter",
              "each counter raises a PMI when it overflows");

SWEEP(en, SWEEP_EN, "amd", need_amd_pmi, AMD_APM ", EN", SWEEP_SAYS_en);
SWEEP(counter, SWEEP_COUNTER, "amd", need_amd_pmi, AMD_APM ", PERF_CTRx", SWEEP_SAYS_counter);
SWEEP(debugctl, SWEEP_DEBUGCTL, "amd", need_amd_pmi, AMD_APM "; DebugCtl: LBR has no effect on "
      "counters", "writing DebugCtl");
SWEEP(rdpmc, SWEEP_RDPMC, "amd", need_amd_pmi, AMD_RDPMC, SWEEP_SAYS_rdpmc);
SWEEP(hlt, SWEEP_HLT, "amd", need_amd_pmi, "APM 3, \"HLT\"", SWEEP_SAYS_hlt);
SWEEP(global_ctrl, SWEEP_GLOBAL_CTRL, "amd", need_amd_v2_pmi, AMD_APM ", PerfCntrGlobalCtl",
      "writing PerfCntrGlobalCtl");
SWEEP(status, SWEEP_STATUS, "amd", need_amd_v2_pmi, AMD_APM ", PerfCntrGlobalStatusClr",
      "writing PerfCntrGlobalStatusClr");
