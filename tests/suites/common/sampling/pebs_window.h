/* SPDX-License-Identifier: MIT */
/* Windows in which counters write records, and what the suites of PEBS say of these. */
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
	unsigned count, sampled;       /* the first so many write records; 0: all */
	const uint64_t *resets;        /* NULL: those of the setups */
	unsigned records, threshold;   /* 0: as many as the buffer has room for; never */
	unsigned extra;                /* as in struct ds_buffer, with what follows */
	bool has_plus_one;
	void (*code)(uint32_t rounds, uint32_t argument);
	uint32_t rounds, argument;
	void (*prepare)(void);         /* NULL, or what happens just before the window */
};

/* Sets the area up, programs, runs the code, switches PEBS off; the records that are there. */
unsigned pebs_window_run(const struct pebs_window *w);

/* The same in parts, for who does something in between. */
void pebs_window_begin(const struct pebs_window *w);
unsigned pebs_window_end(void);

/* What its first counter counts in the same window when no record is due: the events. */
uint32_t pebs_window_events(const struct pebs_window *w);

/* Records of so many events, one for every (missing + 1)th: exact, or on silicon, where the event
 * that is recorded may be a later one, 1 to so many. */
bool expect_records(struct test_ctx *t, const char *what, uint64_t got, uint32_t events,
                    uint32_t missing);

/* Nothing was written but records. */
void expect_no_damage(struct test_ctx *t);

/* Field of record i; ends the test where these records have none. */
uint64_t pebs_value(unsigned i, enum pebs_field field);

/* An event that PEBS records on every generation: instructions, on NetBurst loads; on its first
 * counter. And how many of them a round of pebs_rounds() is. */
struct pmu_setup pebs_any(struct pebs_use *use, unsigned flags, uint32_t missing);
unsigned pebs_any_each(void);
const char *need_pebs_any(struct test_ctx *t);

/* For pmu_window(), in an enum cpu_mode of 32 or 64 bits: a load, a NOP, DEC ECX, JNZ a round, from
 * pebs_rounds_start() on; the load is so long. */
void pebs_rounds(uint32_t rounds, uint32_t mode);
uintptr_t pebs_rounds_start(void);
enum { PEBS_ROUND_SIZE = 7, PEBS_ROUND_LOAD = 2, PEBS_ROUND_INSNS = 4 };

/* Records of pebs_rounds(). */
unsigned pebs_rounds_records(void);

/* The instruction that caused record i stands at `guilty`, which is so long. */
bool pebs_is_guilty(unsigned i, uintptr_t guilty, uintptr_t next);

/* It is one of this code; where only the next one's IP is there, that of the end is one, too. */
bool pebs_is_within(unsigned i, uintptr_t first, uintptr_t end);

#endif
