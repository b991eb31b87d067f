/* SPDX-License-Identifier: MIT */
/* Sweeps an overflow past what software does to a running PerfCtr0; see sweep.h. */
#include <tests/suites/common/pmi/sweep.h>

#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/p6/p6_suite.h>

SWEEP(en, SWEEP_EN, "p6", need_p6_pmi, P6_SDM ", EN flag", SWEEP_SAYS_en);
SWEEP(counter, SWEEP_COUNTER, "p6", need_p6_pmi, P6_SDM ", PerfCtr0", SWEEP_SAYS_counter);
SWEEP(debugctl, SWEEP_DEBUGCTL, "p6", need_p6_pmi, P6_SDM "; DebugCtlMSR: LBR has no effect on "
      "counters", SWEEP_SAYS_debugctl);
SWEEP(rdpmc, SWEEP_RDPMC, "p6", need_p6_pmi, "SDM 2B, \"RDPMC\"", SWEEP_SAYS_rdpmc);
SWEEP(hlt, SWEEP_HLT, "p6", need_p6_pmi, "SDM 2A, \"HLT - Halt\"", SWEEP_SAYS_hlt);
