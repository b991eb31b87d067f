/* SPDX-License-Identifier: MIT */
/*
 * Last branch records of all generations as one stack. Source: SDM 3B, "Last Branch, Call Stack,
 * Interrupt, and Exception Recording" by microarchitecture.
 */
#ifndef PMU_LBR_H
#define PMU_LBR_H

#include <stdbool.h>
#include <stdint.h>

/* Where the records of a processor are; a row per kind. */
struct lbr_kind {
	const char *name;              /* "P6", "NetBurst, 4 entries", "Core 2", ..., "architectural" */
	unsigned depth;
	uint32_t from_msr, to_msr, info_msr;   /* of entry 0; info_msr 0: none */
	uint32_t tos_msr;              /* 0: entry 0 is the newest */
	uint32_t select_msr;           /* 0: no filter */
	bool is_packed;                /* one register an entry */
	bool has_offsets;              /* P6: the code segment's base is to be added */
	uint64_t from_address, to_address;     /* bits of the addresses; flags are the others */
	const char *source;
};

/* This processor's; NULL: none. *why: the reason, with the value that decided. */
const struct lbr_kind *lbr_kind(const char **why);

struct test_ctx;
const char *need_lbr(struct test_ctx *t);

struct lbr_record { uint64_t from, to, info; bool is_mispredicted; };

/* The record so many branches ago, 0 the newest: addresses as linear ones. */
struct lbr_record lbr_get(unsigned age);
unsigned lbr_tos(void);                        /* 0 where there is none */

/* On, with this filter (0: all); off; all entries 0 where they can be written. */
void lbr_enable(uint64_t select);
void lbr_disable(void);
bool lbr_clear(void);

#endif
