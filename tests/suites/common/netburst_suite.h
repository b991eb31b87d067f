/* SPDX-License-Identifier: MIT */
/* Declares what the suites of NetBurst's PMU share: 18 counters, 45 ESCRs, the threads of a
 * core. */
#ifndef TESTS_SUITES_COMMON_NETBURST_SUITE_H
#define TESTS_SUITES_COMMON_NETBURST_SUITE_H

#include <stdint.h>

#include <arch/regs/netburst.h>
#include <kernel/run/test.h>
#include <pmu/core/pmu.h>
#include <pmu/core/program.h>
#include <pmu/events/netburst_pmu.h>
#include <tests/suites/common/needs.h>

#define NETBURST_SDM \
	"SDM 3B, \"Performance Monitoring (Processors Based on Intel NetBurst Microarchitecture)\""

/* Needs need_netburst() (needs.h), and code in every mode. */
const char *need_netburst_modes(struct test_ctx *t);

/* Needs this PMU, a local APIC with LVTPC, and code at CPL 3. */
const char *need_netburst_pmi(struct test_ctx *t);

/* Need this PMU and a running other thread of the boot processor's core; the second function also
 * needs PMIs. */
const char *need_netburst_threads(struct test_ctx *t);
const char *need_netburst_thread_pmis(struct test_ctx *t);

/* Needs this PMU with extended cascading: bit 11 of CCCRs. */
const char *need_netburst_extended(struct test_ctx *t);

/* Returns the number of the processor that is the other thread of the boot processor's
 * core, or 0. */
unsigned netburst_sibling(void);

/*
 * Returns one counter's count of an event around code(rounds, argument), including the window's own
 * instructions; netburst_net() subtracts the count around workload_empty. masks is NULL for all
 * masks; flags are PMU_OS and PMU_USR of this thread.
 */
uint64_t netburst_count(const char *event, const char *masks, unsigned counter, unsigned flags,
                        void (*code)(uint32_t rounds, uint32_t argument), uint32_t rounds,
                        uint32_t argument);
uint64_t netburst_net(const char *event, const char *masks, unsigned counter, unsigned flags,
                      void (*code)(uint32_t rounds, uint32_t argument), uint32_t rounds,
                      uint32_t argument);

#endif
