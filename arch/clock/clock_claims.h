/* SPDX-License-Identifier: MIT */
/* What processors and hypervisors say about the TSC's rate, without a measurement. */
#ifndef ARCH_CLOCK_CLOCK_CLAIMS_H
#define ARCH_CLOCK_CLOCK_CLAIMS_H

#include <stdint.h>

/* Return the TSC's rate in kHz, or 0 if it is not said. */
uint32_t claim_cpuid_15h(void);
uint32_t claim_cpuid_16h(void);
uint32_t claim_cpuid_40000010h(void);
uint32_t claim_pvclock(void);
uint32_t claim_hyper_v(void);

#endif
