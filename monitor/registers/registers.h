/* SPDX-License-Identifier: MIT */
/*
 * Lists the model-specific registers that concern counting, by the manual's names: their addresses
 * and fields, and what of them may be written by hand.
 *
 * The tables are data, with one row per register or family of registers; bit positions are those of
 * arch/regs.
 */
#ifndef MONITOR_REGISTERS_REGISTERS_H
#define MONITOR_REGISTERS_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/core/pmu.h>

/*
 * Names what determines the number of fields or registers of a row; other values are the number
 * itself.
 */
enum monitor_count {
	MONITOR_ONE = 0, MONITOR_PER_GP = 200, MONITOR_PER_FIXED, MONITOR_PER_COUNTER,
	MONITOR_PER_ESCR, MONITOR_PER_RECORD
};

/*
 * Lists reasons why a field or a register must not be written by hand; the text is NULL if it may
 * be.
 */
enum monitor_refusal {
	MONITOR_MAY, MONITOR_READ_ONLY, MONITOR_NOT_PMU, MONITOR_TO_MEMORY, MONITOR_BY_PEBS
};
extern const char *const monitor_refusals[];

struct monitor_field {
	const char *name;              /* if there are several, "EN_PMC" stands for "EN_PMC0" ... */
	uint64_t bits;                 /* of the first field */
	uint8_t count, step;           /* enum monitor_count or a number; step bits apart */
	uint8_t since, until;          /* versions, of Intel or of AMD; until 0: no upper limit */
	const char *meaning;           /* meaning of a value other than 0; NULL: the name says it */
	const char *zero;              /* meaning of 0; NULL: none */
	const char *const *values;     /* the meaning of each value, instead of the two above */
	enum monitor_refusal refusal;
	bool (*is_here)(void);         /* a further condition, or NULL */
};

#define MONITOR_NAMED(text, mask) { .name = text, .bits = (mask) }

struct monitor_identity { const char *name; uint32_t msr; };

struct monitor_register {
	const char *name;              /* '#' stands for the number: "MSR_LASTBRANCH_#_FROM_IP" */
	const char *alias;             /* another edition's name, or NULL */
	uint32_t msr;                  /* of the first register */
	uint8_t count, stride;         /* enum monitor_count or a number; 0 means 1 */
	uint32_t has;                  /* enum pmu_facility: it needs one of these; 0: none */
	uint8_t since, until;          /* as in a field */
	uint64_t capability;           /* bits of IA32_PERF_CAPABILITIES that it needs */
	bool (*is_here)(void);         /* a further condition, or NULL */
	/* Returns name and number of register i, if they are not those of the first one plus i. */
	struct monitor_identity (*identify)(unsigned i);
	const struct monitor_field *fields;    /* name NULL ends them; NULL: it is one number */
	enum monitor_refusal refusal;
	bool is_select;                /* bits 15:0 are the unit mask and the event select */
	bool is_record;                /* a branch record: the list omits them, as there are many */
	bool reads_otherwise;          /* does not read as it was written */
};

/* These are the tables, each ended by name NULL. */
extern const struct monitor_register
	monitor_registers_arch[], monitor_registers_p5[], monitor_registers_p6[],
	monitor_registers_netburst[], monitor_registers_amd[],
	monitor_registers_amd_sampling[], monitor_registers_records[], monitor_registers_other[];
extern const struct monitor_register *const monitor_register_tables[];
extern const unsigned monitor_register_table_count;

/* Describes a register of this processor. */
enum { MONITOR_REGISTER_NAME_SIZE = 32 };
struct monitor_found {
	const struct monitor_register *row;    /* NULL if only its number is known */
	char name[MONITOR_REGISTER_NAME_SIZE];
	uint32_t msr;
	unsigned number;               /* its number in the family */
};

/*
 * Walks through all registers that this processor has. *w must be zeros at first. Returns false if
 * there are no more.
 */
struct monitor_walk { unsigned table, row, number, count; };
bool monitor_register_next(struct monitor_walk *w, struct monitor_found *r);

/*
 * Finds a register by name, ignoring case, or by number. Returns false if this processor has none
 * of that name. Any number is found, but its row may be NULL.
 */
bool monitor_register_find(const char *text, struct monitor_found *r);

/* Ends the command: no register has this name; these are like it. */
void monitor_register_fail(const char *text) __attribute__((noreturn));

/*
 * Describes the nth field of a register on this processor. The function returns false if there are
 * no more.
 */
struct monitor_field_found {
	const struct monitor_field *row;
	char name[MONITOR_REGISTER_NAME_SIZE];
	uint64_t bits;
};
bool monitor_field_at(const struct monitor_register *r, unsigned n, struct monitor_field_found *f);

/* Returns the bits without a field in this generation and version and with these capabilities. */
uint64_t monitor_unnamed_bits(const struct monitor_register *r);

/* Return the highest and the lowest bit of a mask, and the field's value in a register. */
unsigned monitor_high(uint64_t bits);
unsigned monitor_low(uint64_t bits);
static inline uint64_t monitor_get(uint64_t bits, uint64_t value)
{
	return (value & bits) >> monitor_low(bits);
}

/* Prints a register and those of its fields that have bits of `shown`, or just one line. */
void monitor_register_print(const struct monitor_found *r, uint64_t value, uint64_t shown);
void monitor_register_print_line(const struct monitor_found *r, uint64_t value);

#endif
