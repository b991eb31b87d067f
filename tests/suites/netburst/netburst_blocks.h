/* SPDX-License-Identifier: MIT */
/*
 * Runs code at CPL 3 for which each block of NetBurst's counters has an event, on counters that are
 * programmed by hand. The code that starts and stops them is at CPL 0 and is not counted, so every
 * counter that is on meanwhile counts the whole code.
 */
#ifndef TESTS_SUITES_NETBURST_NETBURST_BLOCKS_H
#define TESTS_SUITES_NETBURST_NETBURST_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include <tests/suites/common/netburst_suite.h>

#define REGISTERS NETBURST_SDM ", ESCR MSRs, Performance Counters, CCCR MSRs"
#define MAP       NETBURST_SDM ", table of counters, CCCRs and ESCRs"

/*
 * Executes FADD, DEC, JNZ in each round. BPU counts the cycles, MS the conditional branches, FLAME
 * the x87 micro-operations, IQ the instructions. rounds is at least 1.
 */
void blocks_code(uint32_t rounds, uint32_t argument);

/* Holds the setting of a counter, and the values of the counter and its CCCR after the code. */
struct block_counter {
	unsigned counter;
	uint64_t start;
	uint32_t cccr;                 /* the whole value: blocks_cccr() and any other bits */
	uint64_t value;                /* out */
	uint32_t cccr_after;           /* out, before it was stopped */
};

/* Returns select and ACTIVE_THREAD for the block's event, without ENABLE. */
uint32_t blocks_cccr(unsigned counter);

/* Returns the ESCR of that event for CPL 3 of this thread; *msr gets its address. */
uint32_t blocks_escr(unsigned counter, uint32_t *msr);

/* Turns everything else off; writes ESCRs, counters and CCCRs in this order. */
void blocks_program(const struct block_counter *c, unsigned count);

/* Reads the counters, CCCRs first, and turns everything off. */
void blocks_read(struct block_counter *c, unsigned count);

/* Runs blocks_program(), blocks_code(rounds), blocks_read(). */
void blocks_run(struct block_counter *c, unsigned count, uint32_t rounds);

/* Returns by how many counts the counter differs from its start, modulo 2^40. */
uint64_t blocks_count(const struct block_counter *c);

#endif
