/* SPDX-License-Identifier: MIT */
/* Sweeps an overflow past what software does to a running counter; see sweep.h. */
#include <tests/suites/common/pmi/sweep.h>

#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>

#define VERSION_1  "SDM 3B, \"Architectural Performance Monitoring Version 1\""
#define VERSION_2  "SDM 3B, \"Architectural Performance Monitoring Version 2\""
#define DEBUGCTL   VERSION_1 "; \"IA32_DEBUGCTL MSR\": LBR has no effect on counters"

SWEEP(en, SWEEP_EN, "arch", need_pmi, VERSION_1 ", EN flag", SWEEP_SAYS_en);
SWEEP(global_ctrl, SWEEP_GLOBAL_CTRL, "arch", need_pmi_v2, VERSION_2 ", IA32_PERF_GLOBAL_CTRL",
      "clearing IA32_PERF_GLOBAL_CTRL");
SWEEP(counter, SWEEP_COUNTER, "arch", need_pmi, VERSION_1 ", IA32_PMCx", SWEEP_SAYS_counter);
SWEEP(debugctl, SWEEP_DEBUGCTL, "arch", need_pmi, DEBUGCTL, SWEEP_SAYS_debugctl);
SWEEP(status, SWEEP_STATUS, "arch", need_pmi_v2, VERSION_2 ", IA32_PERF_GLOBAL_OVF_CTRL",
      "clearing the status bit");
SWEEP(rdpmc, SWEEP_RDPMC, "arch", need_pmi, "SDM 2B, \"RDPMC\"", SWEEP_SAYS_rdpmc);
SWEEP(hlt, SWEEP_HLT, "arch", need_pmi, "SDM 2A, \"HLT - Halt\"", SWEEP_SAYS_hlt);
