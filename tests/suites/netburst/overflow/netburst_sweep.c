/* SPDX-License-Identifier: MIT */
/* Sweeps an overflow past what software does to a running MSR_IQ_COUNTER0; see sweep.h. */
#include <tests/suites/common/pmi/sweep.h>

#include <tests/suites/netburst/overflow/netburst_overflow.h>

SWEEP(cccr, SWEEP_EN, "netburst", need_netburst_pmi, NETBURST_HALTING "; " NETBURST_CCCR,
      "clearing the CCCR");
SWEEP(counter, SWEEP_COUNTER, "netburst", need_netburst_pmi, NETBURST_GENERATING,
      SWEEP_SAYS_counter);
SWEEP(debugctl, SWEEP_DEBUGCTL, "netburst", need_netburst_pmi, NETBURST_GENERATING
      "; MSR_DEBUGCTLA: LBR has no effect on counters", "writing MSR_DEBUGCTLA");
SWEEP(rdpmc, SWEEP_RDPMC, "netburst", need_netburst_pmi, "SDM 2B, \"RDPMC\"", SWEEP_SAYS_rdpmc);
SWEEP(hlt, SWEEP_HLT, "netburst", need_netburst_pmi, "SDM 2A, \"HLT - Halt\"", SWEEP_SAYS_hlt);
