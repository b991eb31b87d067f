/* SPDX-License-Identifier: MIT */
/*
 * Describes the events of P5, P6 and AMD, and of Intel's later processors, as data: a row for each
 * event, or for each of its unit masks if these are different events. event_amounts.c interprets
 * the rows.
 *
 * Instructions retire at once and no wrong path is followed, so the events that the manual calls
 * executed or decoded count retired instructions.
 */
#ifndef MODEL_STATE_EVENT_ROWS_H
#define MODEL_STATE_EVENT_ROWS_H

#include <stddef.h>

#include <model/state/caches.h>
#include <model/state/rules.h>

enum {
	MODEL_PPRO = 1 << 0, MODEL_PII = 1 << 1, MODEL_PIII = 1 << 2, MODEL_PM = 1 << 3,
	MODEL_P54C = 1 << 4, MODEL_P55C = 1 << 5
};

enum model_event_kind {
	EVENT_NOT_MODELLED,            /* counts nothing; the table gives the reason */
	EVENT_NOTHING,                 /* counts nothing itself; the rows that add to it do */
	EVENT_SIGNAL,                  /* a signal that architectural processors count, too */
	/* The following count instructions, if their traits and the condition match. */
	EVENT_ONE,                     /* one for the instruction */
	EVENT_FIELDS,                  /* a sum of cache_traffic */
	EVENT_BUS,                     /* transactions; with unit mask 20H those of all agents */
	EVENT_L2,                      /* requests, by states: unit mask 1 I, 2 S, 4 E, 8 M */
	EVENT_L2_STROBES,              /* all requests, and lines that come in */
	EVENT_SEGMENTS,                /* segment registers loaded */
	EVENT_SEGMENTS_BY_UMASK,       /* unit mask 1 ES, 2 DS, 4 FS, 8 GS */
	EVENT_SEGMENTS_RENAMED,        /* of the same four registers */
	EVENT_SEGMENTS_BY_NUMBER,      /* unit mask: bits as in refpmu_insn.segments */
	EVENT_BLOCKED_LOADS,           /* loads that the last store blocks */
	EVENT_MMX_TYPE,                /* one, if a bit of the unit mask names its type */
	EVENT_FLOPS,                   /* floating-point operations of its operands */
	EVENT_UOPS,                    /* in the cycles in which they retire */
	EVENT_ALL_UOPS,                /* of the instruction, when it retires */
	EVENT_ENTRY,                   /* only the entries of struct model_event */
	/* The following counts cycles. */
	EVENT_CYCLES                   /* cycles in which one of the conditions in cycles holds */
};

enum model_event_condition {
	ON_ALL,
	IS_TAKEN, IS_MISSED, IS_TAKEN_AND_MISSED, IS_BRANCH_OR_SERIALIZING,
	IS_BTB_HIT, IS_BTB_MISS, IS_TAKEN_OR_BTB_HIT, IS_MISSED_OR_BTB_MISS, IS_WRONGLY_TAKEN,
	IS_FLUSH,                      /* taken and not in the BTB, or mispredicted */
	IS_IN_U_PIPE, IS_IN_V_PIPE, IS_MISSED_IN_V_PIPE, ARE_BOTH_MEMORY, IS_BANK_CONFLICT,
	IS_TO_FP, IS_TO_MMX, IS_TO_FP_OR_MMX,          /* after an instruction of the other kind */
	IS_BREAKPOINT_0, IS_BREAKPOINT_1, IS_BREAKPOINT_2, IS_BREAKPOINT_3,
	MISSED_ALL_CACHES, HIT_A_CACHE,
	IS_PREDICTED,                  /* a branch that was not mispredicted */
	IS_NOT_TAKEN, IS_RIGHTLY_TAKEN, IS_RIGHTLY_NOT_TAKEN,
	BRINGS_NO_LINE,                /* into the first data cache */
	IS_SPLIT, IS_NOT_SPLIT,        /* an access of it spans two lines, or none does */
	IS_NO_UPDATE,                  /* no access of it reads and writes */
	HAS_NO_DATA,                   /* it neither reads nor writes */
	HAS_DATA
};

enum { ENTRY_INTERRUPT = 1 << 0, ENTRY_EXCEPTION = 1 << 1 };

/* Lists conditions of a cycle: the reasons why nothing retires, then the flags, then busy units. */
enum {
	CYCLE_ITLB = 1 << 0, CYCLE_FETCH = 1 << 1, CYCLE_MISPREDICT = 1 << 2,
	CYCLE_DTLB = 1 << 3, CYCLE_READ = 1 << 4, CYCLE_MMX_READ = 1 << 5,
	CYCLE_DRAIN = 1 << 6, CYCLE_STORE_DRAIN = 1 << 7,
	CYCLE_IF_CLEAR = 1 << 8, CYCLE_PENDING = 1 << 9,
	/* The following are NetBurst's. */
	CYCLE_STORE_FULL = 1 << 10, CYCLE_RUNNING = 1 << 11, CYCLE_OTHERS_ON_BUS = 1 << 12,
	CYCLE_FIRST_UNIT = 1 << 16
};
/* Lists units of P5, P6 and NetBurst that continue to work while instructions retire. */
enum model_unit {
	UNIT_DIVIDER, UNIT_STORE_BUFFER, UNIT_L1_MISS, UNIT_L2_READ, UNIT_L2_WRITE,
	UNIT_BUS_REQUEST, UNIT_BUS_IN, UNIT_BUS_OUT, UNIT_BUS_ANY, UNIT_LOCK, UNIT_LOCK_ANY,
	UNIT_CLEAR,                    /* NetBurst: the pipeline, after an interrupt or exception */
	MODEL_UNITS
};
#define CYCLE_UNIT(unit) ((uint32_t)CYCLE_FIRST_UNIT << (unit))

enum { EVENT_FIELDS_MAX = 3 };

struct model_event {
	uint16_t select;
	uint8_t umask_bits, umask;     /* the row applies if these bits equal umask */
	bool adds;                     /* the row adds to those before it with the same select */
	uint16_t counters;             /* bit n: counter n can count it */
	uint16_t models;
	uint8_t kind;                  /* enum model_event_kind */
	uint8_t signal;                /* enum model_signal */
	uint8_t rings;                 /* counts in these alone; 0: in those that are enabled */
	uint8_t condition;             /* enum model_event_condition */
	uint8_t entries;               /* bits of ENTRY_: the event counts these entries, too ... */
	uint8_t interrupt_weight;      /* ... an interrupt so many times; 0: once */
	bool counts_tables;            /* EVENT_SEGMENTS: also GDTR, IDTR, LDTR, TR */
	bool is_bus_clock;             /* counts clocks of the bus, not of the core */
	uint16_t bus;                  /* bit per enum cache_bus */
	uint8_t requests;              /* bit per enum cache_request ... */
	uint8_t states;                /* ... and per enum cache_state; 0: those of the unit mask */
	uint8_t weight;                /* counts for each; 0: one */
	uint32_t branches;             /* bit per enum refpmu_branch; 0: any instruction */
	uint32_t cycles;               /* CYCLE_ */
	uint64_t traits, also, without;        /* one of these (or 0); all; none */
	uint16_t field[EVENT_FIELDS_MAX];      /* offset in struct cache_traffic plus 1 */
};

extern const struct model_event model_events[];        /* the last one has no counters */

#define FIELD_OF(name) (offsetof(struct cache_traffic, name) + 1)

/* Returns the field of a struct at this offset plus 1. */
static inline uint32_t model_field_at(const void *object, uint16_t offset_plus_1)
{
	uint32_t field;

	__builtin_memcpy(&field, (const char *)object + offset_plus_1 - 1, sizeof(field));
	return field;
}

#endif
