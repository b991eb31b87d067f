/* SPDX-License-Identifier: MIT */
/*
 * The overflow's PMI on AMD: the claims of pmi_claims.h. LVTPC does not mask itself: Linux,
 * arch/x86/events/amd/core.c.
 */
#include <tests/suites/common/pmi/pmi_claims.h>

#include <tests/suites/amd/amd_suite.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/common/pmi/sweep.h>

#define OVERFLOW  AMD_APM ", INT"

static NEED_BOTH(need_exact_pmi, need_amd_pmi, need_no_skid)

PMI_CLAIM(period_user, "amd", need_amd_pmi, OVERFLOW);
PMI_CLAIM(period_kernel, "amd", need_amd_pmi, OVERFLOW);
PMI_CLAIM(period_long, "amd", need_amd_pmi, OVERFLOW);
PMI_CLAIM_OWN(every_counter, "amd", need_amd_pmi, OVERFLOW, "every_counter",
              "each counter raises a PMI when it overflows");
PMI_CLAIM(skid_user, "amd", need_amd_pmi, OVERFLOW);
PMI_CLAIM(skid_kernel, "amd", need_amd_pmi, OVERFLOW);
PMI_CLAIM(reload_short, "amd", need_exact_pmi, OVERFLOW);
PMI_CLAIM(reload_long, "amd", need_amd_pmi, OVERFLOW);
PMI_CLAIM(reload_witness, "amd", need_amd_pmi, OVERFLOW);
PMI_CLAIM(two_apart, "amd", need_amd_pmi, OVERFLOW);
PMI_CLAIM(nested, "amd", need_amd_pmi, "APM 2, \"NMI\"");
PMI_CLAIM_OWN(without_int, "amd", need_amd_pmi, OVERFLOW, "none_without_int",
              "an overflow with INT = 0 raises no PMI");
PMI_CLAIM(only_overflow, "amd", need_amd_pmi, OVERFLOW);
PMI_CLAIM(masked, "amd", need_amd_pmi, LVT ", mask");
PMI_CLAIM(as_nmi, "amd", need_amd_pmi, LVT ", delivery mode NMI");
PMI_CLAIM(fixed_pending, "amd", need_amd_pmi, LVT);
PMI_CLAIM(fixed, "amd", need_amd_pmi, LVT ", delivery mode fixed");
PMI_CLAIM(fixed_eoi, "amd", need_amd_pmi, "APM 2, \"End of Interrupt\"");
PMI_CLAIM(halt_fixed, "amd", need_amd_pmi, "APM 3, \"HLT\"");
PMI_CLAIM(halt_nmi, "amd", need_amd_pmi, "APM 3, \"HLT\"");

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
