/* SPDX-License-Identifier: MIT */
/*
 * Code at CPL 3 for which each block of NetBurst's counters has an event, and counters that are
 * programmed by hand. The code that starts and stops them is at CPL 0 and is not counted, so every
 * counter that is on during the code counts all of it.
 */
#ifndef TESTS_SUITES_NETBURST_NETBURST_BLOCKS_H
#define TESTS_SUITES_NETBURST_NETBURST_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include <tests/suites/common/netburst_suite.h>

#define REGISTERS NETBURST_SDM ", ESCR MSRs, Performance Counters, CCCR MSRs"
#define MAP       NETBURST_SDM ", table of counters, CCCRs and ESCRs"

/*
 * A round is FADD, DEC, JNZ. BPU counts its cycles, MS its conditional branches, FLAME its x87
 * micro-operations, IQ its instructions. Rounds from 1.
 */
void blocks_code(uint32_t rounds, uint32_t argument);

/* What a counter must do, and the values of it and its CCCR after the code. */
struct block_counter {
	unsigned counter;
	uint64_t start;
	uint32_t cccr;                 /* all of it: blocks_cccr() and any other bits */
	uint64_t value;                /* out */
	uint32_t cccr_after;           /* out, before it was stopped */
};

/* Returns select and ACTIVE_THREAD for the block's event, without ENABLE. */
uint32_t blocks_cccr(unsigned counter);

/* Returns the ESCR of that event for CPL 3 of this thread; *msr gets its address. */
uint32_t blocks_escr(unsigned counter, uint32_t *msr);

/* Turns everything else off; writes ESCRs, counters and CCCRs in this order. */
void blocks_program(const struct block_counter *c, unsigned count);

/* Reads them, CCCRs first, and turns everything off. */
void blocks_read(struct block_counter *c, unsigned count);

/* Runs blocks_program(), blocks_code(rounds), blocks_read(). */
void blocks_run(struct block_counter *c, unsigned count, uint32_t rounds);

/* Returns how many counts the counter is from its start, modulo 2^40. */
uint64_t blocks_count(const struct block_counter *c);

#endif
