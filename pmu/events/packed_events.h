/* SPDX-License-Identifier: MIT */
/*
 * Reads the tables of a vendor's events, which make packs from tables/amd_events.csv and
 * tables/intel_events.csv by tests/generate/events-pack. They have no pointers, and texts share
 * their ends. All functions take the bits of a processor, as in the column `on`.
 */
#ifndef PMU_EVENTS_PACKED_EVENTS_H
#define PMU_EVENTS_PACKED_EVENTS_H

#include <stddef.h>
#include <stdint.h>

/* Begins each row. */
struct packed_head {
	uint16_t name, more;             /* places in the table's texts */
	uint32_t on;                     /* the processors that have the event, a bit each */
};

struct packed_table {
	const char *texts;
	const void *rows;
	uint32_t size;                   /* of a row */
	uint32_t count;
};

/* Returns row i of all, or the nth row of this processor, or NULL if there are no more. */
const struct packed_head *packed_row(const struct packed_table *table, unsigned i);
const struct packed_head *packed_at(const struct packed_table *table, unsigned n, uint32_t here);

/* Returns the number of rows of this processor. */
unsigned packed_count(const struct packed_table *table, uint32_t here);

/*
 * Finds a row by its name, or by its name, a dot and its other text if is_joined, ignoring case:
 * one of this processor, otherwise of another one. Returns NULL if no processor has the name.
 */
const struct packed_head *packed_find(const struct packed_table *table, const char *name,
                                      uint32_t here);
const struct packed_head *packed_find_joined(const struct packed_table *table, const char *name,
                                             uint32_t here);

#endif
