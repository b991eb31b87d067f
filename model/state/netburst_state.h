/* SPDX-License-Identifier: MIT */
/* The state of NetBurst's PMU: the part that a core's threads share, and the part of a thread. */
#ifndef MODEL_STATE_NETBURST_STATE_H
#define MODEL_STATE_NETBURST_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/regs/netburst.h>

enum { NETBURST_THREADS = 2, NETBURST_RINGS = 2, NETBURST_NO_ESCR = 0xff };

/* A row of the table of events: netburst_shared.h. */
struct netburst_row;

/* A counter and its CCCR. All members except value and cccr follow from registers:
 * netburst_plan(). */
struct netburst_slot {
	uint64_t value;                /* 40 bits */
	uint32_t cccr;
	uint8_t escr;                  /* index of the selected ESCR; NETBURST_NO_ESCR */
	const struct netburst_row *row;        /* of its event; NULL: it counts nothing */
	uint16_t mask;                 /* ESCR_EVENT_MASK */
	bool is_on;                    /* by ENABLE, or started by another counter's overflow */
	bool is_cascaded;
	bool has_compare, is_complement, is_edge;
	uint8_t threshold;
	bool was_asserted;             /* the previous level, to detect an edge */
	bool is_due;                   /* it has overflowed: its next count raises the PMI */
	bool is_line[NETBURST_THREADS];        /* the PMI's line to this thread; until OVF is 0 */
};

/*
 * The effect of a plain instruction, which only retires (generation_netburst.c), on the counters,
 * for one thread in one ring; [1] is for a plain load. netburst_plan() invalidates it.
 */
struct netburst_fast {
	bool is_known;
	bool is_possible;              /* no counter here needs more than the plain way gives */
	uint32_t counters[2];          /* bit per counter that counts the instruction */
	uint8_t n[2][NETBURST_COUNTERS];       /* by how much each of these moves */
};

/* Holds the state of a core. */
struct netburst {
	struct netburst_slot slot[NETBURST_COUNTERS];
	uint32_t escr[NETBURST_ESCRS];         /* by index: netburst_tables.c */
	uint32_t pebs_enable;          /* bit 25: thread 0; bit 26: thread 1 */
	uint32_t pebs_matrix_vert;
	uint64_t tc_precise_event;
	uint32_t pebs;                 /* bit per counter: it records (PEBS); by netburst_plan() */
	uint32_t pebs_armed;           /* of these, those that record the next event */
	uint32_t skids;                /* number of late PMIs so far */
	/* Bit per counter: it is on and counts what this thread does in this ring. */
	uint32_t counting[NETBURST_THREADS][NETBURST_RINGS];
	uint32_t levels;               /* of these, those whose input is a level */
	uint32_t uops;                 /* of these, those that count micro-operations */
	uint32_t compares;             /* bit per counter: it is on and looks at each cycle */
	uint32_t starts;               /* bit per counter: another counter waits for its overflow */
	uint32_t running;              /* bit per counter that is on and has an event */
	struct netburst_fast fast[NETBURST_THREADS][NETBURST_RINGS];
};

/* Has memory effects of the instruction under way that struct cache_traffic does not hold. */
struct netburst_effects {
	uint32_t split_loads, split_stores;
	uint32_t partial_loads, unaligned_loads;       /* the last store cannot forward */
	uint32_t alias_loads;          /* 64 KBytes from the last store */
	uint32_t replayed_uops;        /* tagged for replay */
	uint64_t last_write;           /* linear address */
	uint32_t last_size;
};

/* Describes a transaction under way. */
struct netburst_entry {
	uint32_t cycles;               /* remaining */
	uint8_t kind;                  /* enum cache_bus */
};

enum { NETBURST_ENTRIES = 16, NETBURST_WC_BUFFERS = 6 };

/* Holds the state of a logical processor, in the open cycle. */
struct netburst_thread {
	uint8_t number;                /* 0 or 1 */
	bool is_inactive;              /* halted, or waiting for a SIPI */
	uint16_t now[NETBURST_COUNTERS];       /* inputs so far of those that compare */
	/* For the pipeline: netburst_pipeline.c. */
	uint32_t executed;             /* bit per counter: execution_event added its one */
	struct netburst_effects effects;
	struct netburst_entry entry[NETBURST_ENTRIES];
	uint8_t entry_count;
	uint64_t store_begin, store_end;       /* linear addresses of the last store's bytes */
	uint64_t wc_line[NETBURST_WC_BUFFERS];
	uint8_t wc_bytes[NETBURST_WC_BUFFERS]; /* 0: the buffer is free */
	bool is_finishing;             /* units finish their work without a cycle passing */
	bool was_tagged;               /* the last access was, for its second piece */
	uint8_t skid;                  /* instructions until a late PMI; 0: none is under way */
	uint32_t skidding;             /* bit per counter with a late PMI under way */
};

#endif
