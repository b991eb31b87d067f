/* SPDX-License-Identifier: MIT */
/*
 * Runs the experiment that shows where samples of one event fall, by PEBS or IBS and by
 * interrupts.
 *
 * In a loop (sampling_loop.asm) one load, the guilty one, misses the first-level data cache each
 * time: it walks in turn over twice as many addresses as the cache has ways, all in one set. The
 * many loads that follow it always hit. The loop runs at CPL 3, and its misses are counted at CPL 3
 * only: the handlers of the samples add nothing.
 *
 * Distances are in instructions from the guilty load; the load itself has distance 0.
 */
#ifndef TESTS_SUITES_SAMPLING_SAMPLING_H
#define TESTS_SUITES_SAMPLING_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/cpu/cache.h>
#include <kernel/run/test.h>

enum {
	SAMPLING_SAMPLES = 800,        /* by default */
	SAMPLING_INSNS_MAX = 96,       /* of the loop; later ones count as "elsewhere" */
	SAMPLING_ADDRESSES_MAX = 128,
	SAMPLING_THRESHOLD = 50,       /* records per interrupt of the buffer */
};

/* Holds the parameters, from words of the command line or else the machine's defaults. */
struct sampling_plan {
	uint32_t misses, period, stride;
	unsigned ways, addresses;      /* addresses: twice the ways */
	struct cache_shape cache;
	bool is_overflowing;           /* the addresses share a set, which has fewer ways */
	uintptr_t base;                /* the first address */
	uintptr_t hits;                /* the line that always hits */
};

/* Counts samples by distance. */
struct sampling_places {
	uint32_t samples;
	uint32_t at[SAMPLING_INSNS_MAX];
	uint32_t elsewhere;            /* not in the loop */
};

struct sampling {
	struct sampling_plan plan;
	uint32_t rounds;               /* done; each is one miss of the guilty load */
	uint32_t counted;              /* misses, by the counter of PEBS */
	uint32_t ticks;                /* of the watchdog, which delay interrupts */
	uint32_t others;               /* other loads that may have missed: those at a window's end,
	                                  and those that always hit, after a tick of the watchdog */
	struct sampling_places pebs, interrupts;
	/* IBS: all ops at CPL 3 that were sampled, and those whose load missed. */
	struct sampling_places ops, ibs;
	uint32_t loads;                /* of the guilty load's ops, those that have an address */
	uint32_t buffer_interrupts;    /* of the threshold */
	bool is_second_run;            /* interrupts were taken in a run of their own */
	/* The data address profile: samples by element of the ring, and of other addresses. */
	uint32_t by_address[SAMPLING_ADDRESSES_MAX], other_address;
	uint32_t undecoded;            /* no load was found at the record's IP */
	uint32_t wrong_address;        /* the record has the data's address, but another one */
	const char *base_register;     /* with which the sampled instruction addresses: "RBX" */
	bool has_fault;                /* the loop did not come to its end */
};

/* Returns NULL, or why the experiment is impossible: it needs PEBS, an event of L1 misses, CPL 3,
 * LVTPC, and a cache of known shape. */
const char *need_sampling(struct test_ctx *t);
/* The same for IBS, with interrupts, and LVTPC. */
const char *need_sampling_ibs(struct test_ctx *t);

/* Returns the plan by the words of the command line; misses and period replace the words' values
 * unless they are 0. Ends the test if the plan is impossible. */
struct sampling_plan sampling_plan(uint32_t misses, uint32_t period);

/* Runs the plan, with interrupts if requested. If shows_life, a long run prints a line of dots. */
void sampling_run(struct sampling *s, bool has_interrupts, bool shows_life);

/* Does the same by IBS, and then by interrupts in a run of their own. Ends the test if no event of
 * this processor counts the misses. */
void sampling_run_ibs(struct sampling *s, bool shows_life);

/* Runs with fewer misses need no dots, as they are soon over. */
enum { SAMPLING_LONG_RUN = 500000 };

/* Begins and ends a line of some 40 dots for a long run, in which the handlers of interrupts call
 * show so often: code that the counters see prints nothing. show renews the watchdog. */
void sampling_life_begin(uint32_t misses, uint32_t calls);
void sampling_life_show(void);
void sampling_life_end(void);

/* Returns the whole experiment. The first call runs it and prints its figure. */
const struct sampling *sampling_experiment(void);

/* The number of instructions of the loop. */
extern const uint32_t sampling_loop_length;

/* Returns the index of the loop's instruction at this address, or -1. */
int sampling_index(uintptr_t ip);

/* Print the experiment on the console. */
void sampling_print_figure(const struct sampling *s);
void sampling_print_profile(const struct sampling *s);
void sampling_print_ibs(const struct sampling *s);

/* Formats 8005600 as "8,005,600" in a buffer of SAMPLING_NUMBER bytes, which is returned. */
enum { SAMPLING_NUMBER = 16 };
const char *sampling_number(uint32_t value, char *buffer);

uint32_t sampling_gcd(uint32_t a, uint32_t b);

#endif
