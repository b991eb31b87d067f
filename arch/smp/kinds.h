/* SPDX-License-Identifier: MIT */
/*
 * Groups the running processors by their type of core: a hybrid processor has two or three. Source:
 * SDM 2A, "CPUID", leaf 1AH, "Hybrid Information Enumeration".
 */
#ifndef ARCH_SMP_KINDS_H
#define ARCH_SMP_KINDS_H

#include <stdbool.h>
#include <stdint.h>

enum { KINDS_MAX = 4, KIND_NAME_SIZE = 16 };

struct kind {
	uint32_t core;                  /* CPUID.1AH:EAX; 0 if the processor is no hybrid */
	uint64_t cpus;                  /* bit n: processor n */
	unsigned first;                 /* the lowest of them */
	char name[KIND_NAME_SIZE];      /* "Core", "Atom"; "Atom-2" by the model if two are Atom */
};

/* Groups the running processors. Called on the boot processor when all have started. */
void kinds_find(void);

/* Returns the number of kinds, 1 or more, and one of them, in the order of their first processor.
 * Processors of a fifth kind belong to none. */
unsigned kinds_count(void);
const struct kind *kind_at(unsigned i);

/* Returns the one kind that all these processors are of; NULL if they are of several, and on a
 * machine with one kind. */
const struct kind *kind_of(uint64_t cpus);

/* Returns the number of this processor's kind. */
unsigned kind_of_this(void);

#endif
