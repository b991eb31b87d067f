/* SPDX-License-Identifier: MIT */
/*
 * The experiment: where samples of one event fall, by PEBS and by interrupts.
 *
 * A loop (sampling_loop.asm) in which one load, the guilty one, misses the first-level data
 * cache each time: it walks in turn over twice as many addresses as the cache has ways, all in one
 * set. A long stretch of loads behind it always hits. It runs at CPL 3, and what counts its misses
 * counts CPL 3 alone: the handlers of the samples add nothing.
 *
 * Distances are in instructions behind the guilty load: its own address is 0.
 */
#ifndef TESTS_SUITES_SAMPLING_SAMPLING_H
#define TESTS_SUITES_SAMPLING_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/cpu/cache.h>
#include <kernel/run/test.h>

enum {
	SAMPLING_SAMPLES = 800,        /* by default */
	SAMPLING_INSNS_MAX = 96,       /* of the loop; those behind it mean "elsewhere" */
	SAMPLING_ADDRESSES_MAX = 128,
	SAMPLING_THRESHOLD = 50,       /* records per interrupt of the buffer */
};

/* What is to be done: by the words of the command line, else as the machine has it. */
struct sampling_plan {
	uint32_t misses, period, stride;
	unsigned ways, addresses;      /* addresses: twice the ways */
	struct cache_shape cache;
	bool is_overflowing;           /* the addresses share a set, which has less ways */
	uintptr_t base;                /* the first address */
	uintptr_t hits;                /* the line that always hits */
};

/* Samples by distance. */
struct sampling_places {
	uint32_t samples;
	uint32_t at[SAMPLING_INSNS_MAX];
	uint32_t elsewhere;            /* not in the loop */
};

struct sampling {
	struct sampling_plan plan;
	uint32_t rounds;               /* done: each is one miss of the guilty load */
	uint32_t counted;              /* misses, by the counter of PEBS */
	uint32_t others;               /* other loads that may have missed: the end's of a window,
	                                  those that always hit behind a tick of the watchdog */
	struct sampling_places pebs, interrupts;
	uint32_t buffer_interrupts;    /* of the threshold */
	bool is_second_run;            /* interrupts: in a run of their own */
	/* The data address profile: samples by element of the ring; of other addresses. */
	uint32_t by_address[SAMPLING_ADDRESSES_MAX], other_address;
	uint32_t undecoded;            /* no load was found at the record's IP */
	uint32_t wrong_address;        /* the record has the data's address, and another one */
	const char *base_register;     /* that the sampled instruction addresses with: "RBX" */
	bool has_fault;                /* the loop did not come to its end */
};

/* NULL, or why it cannot be done here: PEBS, an event of L1 misses, CPL 3, LVTPC, the cache. */
const char *need_sampling(struct test_ctx *t);

/* By the words, but for misses and period: 0 means the words'. Ends the test if it cannot be. */
struct sampling_plan sampling_plan(uint32_t misses, uint32_t period);

/* Runs it; interrupts, too, if asked for. shows_life: a long run prints a line of dots. */
void sampling_run(struct sampling *s, bool has_interrupts, bool shows_life);

/* The whole experiment, its figure on the console: run by the first test that asks. */
const struct sampling *sampling_experiment(void);

/* How many instructions the loop has; which of them is at this address: -1 means none. */
unsigned sampling_insns(void);
int sampling_index(uintptr_t ip);

/* The console's part. */
void sampling_print_figure(const struct sampling *s);
void sampling_print_profile(const struct sampling *s);

/* 8005600 as "8,005,600": buffer of SAMPLING_NUMBER bytes, returned. */
enum { SAMPLING_NUMBER = 16 };
const char *sampling_number(uint32_t value, char *buffer);

uint32_t sampling_gcd(uint32_t a, uint32_t b);

#endif
