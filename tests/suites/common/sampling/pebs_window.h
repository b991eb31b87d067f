/* SPDX-License-Identifier: MIT */
/* Runs windows in which counters write records, and checks the records, for the suites of PEBS. */
#ifndef TESTS_SUITES_COMMON_SAMPLING_PEBS_WINDOW_H
#define TESTS_SUITES_COMMON_SAMPLING_PEBS_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/run/test.h>
#include <pmu/sampling/pebs.h>
#include <tests/suites/common/counts/counting.h>

#define PEBS_SDM "SDM 3B, \"Processor Event Based Sampling (PEBS)\""

struct pebs_window {
	const struct pmu_setup *setups;
	unsigned count, sampled;       /* the first `sampled` of them write records; 0: all */
	const uint64_t *resets;        /* NULL: those of the setups */
	unsigned records, threshold;   /* 0: as many as fit into the buffer; never */
	unsigned extra;                /* as in struct ds_buffer, with what follows */
	bool has_plus_one;
	void (*code)(uint32_t rounds, uint32_t argument);
	uint32_t rounds, argument;
	void (*prepare)(void);         /* NULL, or is run just before the window */
};

/* Sets the area up, programs, runs the code, switches PEBS off; returns the number of records. */
unsigned pebs_window_run(const struct pebs_window *w);

/* Do the same in parts, for callers that do something in between. */
void pebs_window_begin(const struct pebs_window *w);
unsigned pebs_window_end(void);

/* Returns the number of events: the first counter's count in the same window when no record is
 * due. */
uint32_t pebs_window_events(const struct pebs_window *w);

/* Checks the number of records of so many events, one for every (missing + 1)th. The number is
 * exact; on silicon, which may record a later event, it is from 1 to this number. */
bool expect_records(struct test_ctx *t, const char *what, uint64_t got, uint32_t events,
                    uint32_t missing);

/* Checks that nothing was written except records. */
void expect_no_damage(struct test_ctx *t);

/* Returns a field of record i; ends the test if these records do not have the field. */
uint64_t pebs_value(unsigned i, enum pebs_field field);

/* Return a setup of an event that PEBS records on every generation (instructions, or on NetBurst
 * loads), on its first counter; and how many such events a round of pebs_rounds() has. */
struct pmu_setup pebs_any(struct pebs_use *use, unsigned flags, uint32_t missing);
unsigned pebs_any_each(void);
const char *need_pebs_any(struct test_ctx *t);

/* Executes in each round a load, a NOP, DEC ECX, JNZ, for pmu_window(), in an enum cpu_mode of 32
 * or 64 bits. The code begins at pebs_rounds_start() with the load of PEBS_ROUND_LOAD bytes. */
void pebs_rounds(uint32_t rounds, uint32_t mode);
uintptr_t pebs_rounds_start(void);
enum { PEBS_ROUND_SIZE = 7, PEBS_ROUND_LOAD = 2, PEBS_ROUND_INSNS = 4 };

/* Returns the number of records of pebs_rounds(). */
unsigned pebs_rounds_records(void);

/* Returns whether record i was caused by the instruction that lies from `guilty` up to `next`. */
bool pebs_is_guilty(unsigned i, uintptr_t guilty, uintptr_t next);

/* Returns whether record i is of this code. If records hold only the next instruction's IP, `end`
 * counts as well. */
bool pebs_is_within(unsigned i, uintptr_t first, uintptr_t end);

#endif
