/* SPDX-License-Identifier: MIT */
/* Declares what the suites of AMD's PMU share: counters of 48 bits with an enable each. */
#ifndef TESTS_SUITES_COMMON_AMD_AMD_SUITE_H
#define TESTS_SUITES_COMMON_AMD_AMD_SUITE_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/cpu/fault.h>
#include <arch/regs/amd.h>
#include <arch/regs/table.h>
#include <kernel/run/test.h>
#include <pmu/core/program.h>

#define AMD_APM    "APM 2, \"Performance Monitoring Counters\""
#define AMD_MSRS   "APM 2, \"Performance-Monitoring MSR Cross-Reference\""
#define AMD_RDPMC  "APM 3, \"RDPMC\""

#define AMD_COUNTER_MASK  FIELD(PERF_CTR_WIDTH - 1, 0)
#define AMD_COUNTER_SIGN  BIT(PERF_CTR_WIDTH - 1)

/* Return the MSRs of counter i: the core's if the processor has them, else the legacy ones. */
uint32_t amd_ctl(unsigned i);
uint32_t amd_ctr(unsigned i);
unsigned amd_counters(void);
unsigned amd_counters_of(uint16_t event);      /* a bit per counter that counts the event */
unsigned amd_nb_counters(void);                /* of the northbridge or the data fabric */
unsigned amd_l3_counters(void);                /* of L2I or L3 */
bool amd_is_17h(void);                         /* family 17H, or Hygon's 18H */
bool amd_has_core(void);           /* the addresses of six counters */
bool amd_has_v2(void);             /* PerfMonV2 */
unsigned amd_family(void);

/* Returns a value that RDMSR reads, or 0 if it faults. */
uint64_t amd_read(uint32_t msr);

/* Returns the control's value for an event of 12 bits in all rings, with EN. */
uint64_t amd_select(uint16_t event, uint8_t umask);

/*
 * Returns what `code` adds to counter i from 0 on if its control is `select`: between the WRMSR of
 * the control and one that clears it. With PerfMonV2 the counter is enabled in PerfCntrGlobalCtl.
 */
uint64_t amd_count(unsigned i, uint64_t select, void (*code)(uint32_t rounds, uint32_t argument),
                   uint32_t rounds, uint32_t argument);

/* Returns by how much 1000 more rounds of the code change that. */
uint64_t amd_more(unsigned i, uint64_t select, void (*code)(uint32_t rounds, uint32_t argument),
                  uint32_t argument);
enum { AMD_FEW = 100, AMD_MORE = 1000 };

/*
 * Returns the processors whose stored bits somebody wrote down (VirtualBox's tables, Linux
 * 9b026073db2f): K8, families 10H, 15H, 17H models 0 to 2FH and Hygon, and 19H below model 10H.
 */
bool amd_is_known(void);
enum { AMD_K8 = 0x0f, AMD_10H = 0x10, AMD_15H = 0x15, AMD_17H = 0x17, AMD_19H = 0x19 };

/* Need this PMU, and more: what the name says. */
const char *need_amd_modes(struct test_ctx *t);
const char *need_amd_pmi(struct test_ctx *t);
const char *need_amd_apic(struct test_ctx *t);
const char *need_amd_core(struct test_ctx *t);
const char *need_amd_v2(struct test_ctx *t);
const char *need_amd_v2_pmi(struct test_ctx *t);
const char *need_amd_before_v2(struct test_ctx *t);
const char *need_amd_exact(struct test_ctx *t);
const char *need_amd_since_10h(struct test_ctx *t);
const char *need_amd_since_17h(struct test_ctx *t);
const char *need_amd_merge_pmi(struct test_ctx *t);
const char *need_amd_nb(struct test_ctx *t);
const char *need_amd_l3(struct test_ctx *t);

#endif
