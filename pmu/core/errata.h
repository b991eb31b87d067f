/* SPDX-License-Identifier: MIT */
/*
 * Names the published errata that make a test of ours fail on a sound chip. Such a failure is not
 * the tester's news: it is counted apart. dangers.h has the errata that no test may provoke.
 */
#ifndef PMU_CORE_ERRATA_H
#define PMU_CORE_ERRATA_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/cpu/cpuid.h>
#include <kernel/run/result.h>

enum { ERRATUM_TESTS = 8, ERRATUM_MODELS = 8 };

/* What else must hold; threads share a core's counters, so their number shows in CPUID. */
enum erratum_condition { ALWAYS, WITH_THREADS, WITHOUT_THREADS, WITH_TSX };

/* Holds one erratum under the name of one specification update; a slash is between two names. */
struct erratum {
	const char *id;
	uint8_t family;                /* CPUID's DisplayFamily and DisplayModel */
	uint8_t models[ERRATUM_MODELS];        /* and 0 after the last one, which may be 0 itself */
	uint32_t on;                   /* or AMD's processors with this core, a PMU_ON_... */
	uint16_t steppings;            /* bit n: stepping n */
	enum erratum_condition condition;
	const char *tests[ERRATUM_TESTS];      /* globs of ids */
	const char *what;              /* a glob of what the failed check looked at */
	const char *sentence;
	const char *source;
};

extern const struct erratum errata[];
extern const unsigned erratum_count;

/* Returns whether the erratum is of this processor, whatever its condition. */
bool erratum_is_of(const struct erratum *e, const struct cpu_identity *cpu);

/* Takes whether this machine can have errata: it is silicon, or poses as a stepping of some. */
void errata_init(bool is_silicon);

/*
 * Returns NULL, or "erratum ID: SENTENCE" if each failed check of the test is one that an erratum
 * of this processor makes fail. Takes note of results for errata_seen().
 */
const char *erratum_of(const struct test_ctx *t);

/* Returns the name of an erratum of this processor that may show in the test, or NULL. */
const char *erratum_named_for(const char *id);

/*
 * Returns NULL, or on silicon what to tell of a failure that no erratum explains: that the test has
 * not been confirmed there, and how to report it.
 */
const char *errata_unconfirmed(void);

/* Returns NULL, or which errata of this processor have shown in its tests, and which have not. */
const char *errata_seen(void);

#endif
