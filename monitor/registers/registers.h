/* SPDX-License-Identifier: MIT */
/*
 * The model-specific registers that have to do with counting, by the manual's names: where each is,
 * its fields, and what of it may be written by hand.
 *
 * The tables are data, one row a register or a family of registers; bit positions are those of
 * arch/regs.
 */
#ifndef MONITOR_REGISTERS_REGISTERS_H
#define MONITOR_REGISTERS_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/core/pmu.h>

/* How many there are of a field or a register; or a number. */
enum monitor_count {
	MONITOR_ONE = 0, MONITOR_PER_GP = 200, MONITOR_PER_FIXED, MONITOR_PER_COUNTER,
	MONITOR_PER_ESCR, MONITOR_PER_RECORD
};

/* Why a field or a register is not to be written by hand: a reason; NULL: it may be. */
enum monitor_refusal {
	MONITOR_MAY, MONITOR_READ_ONLY, MONITOR_NOT_PMU, MONITOR_TO_MEMORY, MONITOR_BY_PEBS
};
extern const char *const monitor_refusals[];

struct monitor_field {
	const char *name;              /* of several: the number follows: "EN_PMC" is "EN_PMC0" */
	uint64_t bits;                 /* of the first one */
	uint8_t count, step;           /* enum monitor_count or so many; step bits apart */
	uint8_t since, until;          /* versions of architectural PMUs; until 0: to the last */
	const char *meaning;           /* of what is not 0; NULL: the name says it */
	const char *zero;              /* of 0; NULL: nothing is to be said */
	const char *const *values;     /* the meaning of each value, in place of the two */
	enum monitor_refusal refusal;
};

#define MONITOR_NAMED(text, mask) { .name = text, .bits = (mask) }

struct monitor_register {
	const char *name;              /* '#' stands for the number: "MSR_LASTBRANCH_#_FROM_IP" */
	const char *alias;             /* another edition's; or NULL */
	uint32_t msr;                  /* of the first one */
	uint8_t count, stride;         /* enum monitor_count or so many; 0 is 1 */
	uint32_t generations;          /* bit n: enum pmu_generation n; 0: all */
	uint8_t since, until;          /* as in a field */
	uint64_t capability;           /* bits of IA32_PERF_CAPABILITIES that it needs */
	bool (*is_here)(void);         /* and what else it needs; NULL: nothing */
	/* Number i, where name and number are not the first one's plus i. */
	const char *(*name_of)(unsigned i);
	uint32_t (*msr_of)(unsigned i);
	const struct monitor_field *fields;    /* ended by name NULL; NULL: one number */
	enum monitor_refusal refusal;
	bool is_select;                /* bits 15:0 are the unit mask and the event select */
	bool is_record;                /* of branches: many, which the list leaves out */
	bool reads_otherwise;          /* it does not read as it was written */
};

#define MONITOR_ON(generation)  (1u << (generation))
#define MONITOR_P5       (MONITOR_ON(PMU_P5) | MONITOR_ON(PMU_P5_MMX))
#define MONITOR_P6       MONITOR_ON(PMU_P6)
#define MONITOR_NETBURST MONITOR_ON(PMU_NETBURST)
#define MONITOR_ARCH     MONITOR_ON(PMU_ARCH)
#define MONITOR_AMD      (MONITOR_ON(PMU_AMD_K7) | MONITOR_ON(PMU_AMD_CORE))

/* The tables, each ended by name NULL. */
extern const struct monitor_register
	monitor_registers_arch[], monitor_registers_p5[], monitor_registers_p6[],
	monitor_registers_netburst[], monitor_registers_records[], monitor_registers_other[];
extern const struct monitor_register *const monitor_register_tables[];
extern const unsigned monitor_register_table_count;

/* A register of this processor. */
enum { MONITOR_REGISTER_NAME_SIZE = 32 };
struct monitor_found {
	const struct monitor_register *row;    /* NULL: only its number is known */
	char name[MONITOR_REGISTER_NAME_SIZE];
	uint32_t msr;
	unsigned number;               /* of its family */
};

/* All that this processor has, one after the other; *w is zeros at first. False: no more. */
struct monitor_walk { unsigned table, row, number, count; };
bool monitor_register_next(struct monitor_walk *w, struct monitor_found *r);

/* By name, whatever the capitals, or by number. False: no register of this processor is called so.
 * By a number any is found; only its row may be NULL. */
bool monitor_register_find(const char *text, struct monitor_found *r);

/* For the tab key: the name of the nth one; the next call overwrites it. NULL: no more. */
const char *monitor_register_name(unsigned n);

/* The nth field of a register on this processor, and its name; false: no more. */
struct monitor_field_found {
	const struct monitor_field *row;
	char name[MONITOR_REGISTER_NAME_SIZE];
	uint64_t bits;
};
bool monitor_field_at(const struct monitor_register *r, unsigned n, struct monitor_field_found *f);

/* Bits that a generation, version and capabilities leave without a field. */
uint64_t monitor_unnamed_bits(const struct monitor_register *r);

/* The highest and the lowest bit of a mask; its value in a register. */
unsigned monitor_high(uint64_t bits);
unsigned monitor_low(uint64_t bits);
static inline uint64_t monitor_get(uint64_t bits, uint64_t value)
{
	return (value & bits) >> monitor_low(bits);
}

/* Prints a register and those of its fields that have bits of shown, or a line alone. */
void monitor_register_print(const struct monitor_found *r, uint64_t value, uint64_t shown);
void monitor_register_print_line(const struct monitor_found *r, uint64_t value);

#endif
