/* SPDX-License-Identifier: MIT */
/* Makes setups of NetBurst's counters for tests of their overflows. */
#ifndef TESTS_SUITES_NETBURST_OVERFLOW_NETBURST_OVERFLOW_H
#define TESTS_SUITES_NETBURST_OVERFLOW_NETBURST_OVERFLOW_H

#include <stdbool.h>
#include <stdint.h>

#include <tests/suites/common/netburst_suite.h>

/* Name sections of the chapter NETBURST_SDM shortly, because many tests quote them. */
#define NETBURST_SHORT       "SDM 3B, NetBurst, "
#define NETBURST_GENERATING  NETBURST_SHORT "\"Generating an Interrupt on Overflow\""
#define NETBURST_HALTING     NETBURST_SHORT "\"Halting Event Counting\""
#define NETBURST_CCCR        NETBURST_SHORT "\"CCCR MSRs\""

/* Has every counter's bit of pmu_status(), which is OVF of all CCCRs. */
#define NETBURST_ALL  FIELD(NETBURST_COUNTERS - 1, 0)

/* Numbers the first counter of the block that counts instructions and branches at retirement. */
enum { NETBURST_IQ_FIRST = 12 };

#define FOR_EACH_COUNTER(x)     for (unsigned x = 0; x < NETBURST_COUNTERS; x++)
#define FOR_EACH_IQ_COUNTER(x)  for (unsigned x = NETBURST_IQ_FIRST; x < NETBURST_COUNTERS; x++)

/*
 * Returns a setup of the core's clock, which each of the 18 counters can count; more has further
 * bits of the CCCR. Like that of pmi_instructions(), the setup starts and stops by its ESCR, so
 * that the window's end leaves OVF as it is.
 */
struct pmu_setup overflow_clock(unsigned counter, uint32_t more, uint64_t start);

/* Returns the count of s for code(rounds), from 0 on, in the second run, when all caches are
 * warm. */
uint64_t overflow_total(struct pmu_setup s, void (*code)(uint32_t rounds, uint32_t argument),
                        uint32_t rounds);

/* Runs one window with this start value and returns the counter afterwards. overflow_is_set()
 * returns its OVF. */
uint64_t overflow_run(struct pmu_setup s, uint64_t start,
                      void (*code)(uint32_t rounds, uint32_t argument), uint32_t rounds);
bool overflow_is_set(unsigned counter);

/* Returns a setup of pmi_instructions() or of overflow_clock() with bits added to its CCCR. */
struct pmu_setup overflow_with(struct pmu_setup s, uint32_t more);

#endif
