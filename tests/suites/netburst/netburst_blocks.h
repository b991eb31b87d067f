/* SPDX-License-Identifier: MIT */
/*
 * One code at CPL 3 that each block of NetBurst's counters has an event for, and counters that are
 * programmed by hand: what starts and stops them is at CPL 0 and is not counted, so that whatever
 * is on during the code sees all of it, and the same.
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

/* What a counter is to do, and what it and its CCCR were behind the code. */
struct block_counter {
	unsigned counter;
	uint64_t start;
	uint32_t cccr;                 /* all of it: blocks_cccr() and what is wanted else */
	uint64_t value;                /* out */
	uint32_t cccr_after;           /* out, before it was stopped */
};

/* Select and ACTIVE_THREAD for the block's event; without ENABLE. */
uint32_t blocks_cccr(unsigned counter);

/* The ESCR of that event: its address, and its value for CPL 3 of this thread. */
uint32_t blocks_escr(unsigned counter, uint32_t *msr);

/* Everything else off; ESCRs, counters, CCCRs in this order. */
void blocks_program(const struct block_counter *c, unsigned count);

/* Reads them, CCCRs first, and turns everything off. */
void blocks_read(struct block_counter *c, unsigned count);

/* blocks_program(), blocks_code(rounds), blocks_read(). */
void blocks_run(struct block_counter *c, unsigned count, uint32_t rounds);

/* How many counts the counter is from its start on, modulo 2^40. */
uint64_t blocks_count(const struct block_counter *c);

#endif
