/* SPDX-License-Identifier: MIT */
/* Names the published errata by which a test of ours can take the whole machine down. */
#ifndef PMU_CORE_DANGERS_H
#define PMU_CORE_DANGERS_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/cpu/cpuid.h>

enum { DANGER_TESTS = 4 };

/* The id of what all PEBS tests have in common, for danger_reason(). */
#define DANGER_PEBS_BUFFER "a PEBS buffer of more than a page"

/*
 * Holds one erratum, or those steppings of it that share a signature. A processor has the erratum
 * if its CPUID.1:EAX is the signature in the bits of the mask, its stepping is in the set, and its
 * microcode is older than the repair.
 */
struct danger {
	const char *erratum;           /* the name in the specification update */
	const char *effect;            /* a sentence that follows "because" */
	uint32_t signature, mask;
	uint16_t steppings;            /* bit n: stepping n */
	uint32_t repaired_by;          /* the first microcode revision without it; 0: none */
	/* Globs of the ids of what provokes it: tests, commands of the monitor, DANGER_... */
	const char *tests[DANGER_TESTS];
	const char *source;
};

extern const struct danger dangers[];
extern const unsigned danger_count;

/* Returns the first erratum that this test provokes on such a processor, or NULL. */
const struct danger *danger_find(enum cpu_vendor vendor, uint32_t signature, uint32_t microcode,
                                 const char *id);

/*
 * Takes the words `errata` and `smi`; with `exact` both are true. The user accepts the danger, or
 * there is no silicon.
 */
void dangers_init(bool is_accepted, bool may_raise_smi);

/*
 * Returns NULL, or the reason why this processor must not run the test or command, with the
 * erratum's name and what identifies the processor. A hypervisor or an emulator that says that it
 * is one runs everything.
 */
const char *danger_reason(const char *id);

/*
 * Returns NULL, or the reason why this kernel must not raise an SMI: firmware's handler then runs,
 * on what this kernel has taken over, and nobody can say that it comes back.
 */
const char *danger_of_smi(void);

#endif
