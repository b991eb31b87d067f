/* SPDX-License-Identifier: MIT */
/* The state of NetBurst's PMU: what the threads of a core share, and what each has of its own. */
#ifndef MODEL_STATE_NETBURST_STATE_H
#define MODEL_STATE_NETBURST_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/regs/netburst.h>

enum { NETBURST_THREADS = 2, NETBURST_RINGS = 2, NETBURST_NO_ESCR = 0xff };

/* What an ESCR says is counted: netburst_events.h. */
struct netburst_row;

/* A counter and its CCCR. All but value and cccr follow from registers: netburst_plan(). */
struct netburst_slot {
	uint64_t value;                /* 40 bits */
	uint32_t cccr;
	uint8_t escr;                  /* index of the selected ESCR; NETBURST_NO_ESCR */
	const struct netburst_row *row;        /* of its event; NULL: it counts nothing */
	uint16_t mask;                 /* ESCR_EVENT_MASK */
	bool is_on;                    /* by ENABLE, or started by another one's overflow */
	bool is_cascaded;
	bool has_compare, is_complement, is_edge;
	uint8_t threshold;
	bool was_asserted;             /* the level before, for the edge */
	bool is_due;                   /* it has overflowed: its next count raises the PMI */
	bool is_line[NETBURST_THREADS];        /* the PMI's line to this thread, until OVF is 0 */
};

/*
 * What is counted of a plain instruction, which does nothing but retire (netburst_plain.c), of a
 * thread in a ring; [1]: of a plain load. netburst_plan() forgets it.
 */
struct netburst_plain {
	bool is_known;
	bool is_possible;              /* nothing that counts here asks for more */
	uint32_t counters[2];          /* bit per counter that counts it ... */
	uint8_t n[2][NETBURST_COUNTERS];       /* ... so many */
};

/* Per core. */
struct netburst {
	struct netburst_slot slot[NETBURST_COUNTERS];
	uint32_t escr[NETBURST_ESCRS];         /* by index: netburst_tables.c */
	uint32_t pebs_enable;          /* bit 25: thread 0; bit 26: thread 1 */
	uint32_t pebs_matrix_vert;
	uint64_t tc_precise_event;
	uint32_t pebs;                 /* bit per counter: it records, of PEBS; netburst_plan() */
	uint32_t pebs_armed;           /* of these: overflowed, the next event is recorded */
	uint32_t skids;                /* PMIs that came late, so far */
	/* Bit per counter: it is on and counts what this thread does in this ring. */
	uint32_t counting[NETBURST_THREADS][NETBURST_RINGS];
	uint32_t levels;               /* of these, those whose input is a level, no events */
	uint32_t uops;                 /* and those that count micro-operations */
	uint32_t compares;             /* bit per counter: it is on and looks at each cycle */
	uint32_t starts;               /* bit per counter: another one waits for its overflow */
	uint32_t running;              /* bit per counter: it is on, its ESCR selects an event */
	struct netburst_plain plain[NETBURST_THREADS][NETBURST_RINGS];
};

/* What the instruction under way did to memory and struct cache_traffic does not tell. */
struct netburst_deeds {
	uint32_t split_loads, split_stores;
	uint32_t partial_loads, unaligned_loads;       /* the last store could not give the data */
	uint32_t alias_loads;          /* 64 KBytes from the last store */
	uint32_t replayed_uops;        /* tagged so */
	uint64_t last_write;           /* linear address */
	uint32_t last_size;
};

/* A transaction under way. */
struct netburst_entry {
	uint32_t cycles;               /* to go */
	uint8_t kind;                  /* enum cache_bus */
};

enum { NETBURST_ENTRIES = 16, NETBURST_WC_BUFFERS = 6 };

/* Per logical processor: of the cycle that is open. */
struct netburst_thread {
	uint8_t number;                /* 0 or 1 */
	bool is_inactive;              /* halted, or waiting for a SIPI */
	uint16_t now[NETBURST_COUNTERS];       /* inputs of counters that compare, so far */
	/* For the pipeline: netburst_pipeline.c. */
	uint32_t executed;             /* bit per counter: execution_event added its one */
	struct netburst_deeds deeds;
	struct netburst_entry entry[NETBURST_ENTRIES];
	uint8_t entry_count;
	uint64_t store_begin, store_end;       /* linear addresses of the last store's bytes */
	uint64_t wc_line[NETBURST_WC_BUFFERS];
	uint8_t wc_bytes[NETBURST_WC_BUFFERS]; /* 0: it is free */
	bool is_finishing;             /* units work, and no cycles go by */
	bool was_tagged;               /* the last access, for its second piece */
	uint8_t skid;                  /* instructions until a late PMI; 0: none is on its way */
	uint32_t skidding;             /* bit per counter: its PMI */
};

#endif
