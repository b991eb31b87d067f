/* SPDX-License-Identifier: MIT */
/*
 * Describes the PMU's MSRs in tables: a row for each register or array of equal ones. A generation
 * lists its tables (generation.h). An access is #GP if the register belongs to the PMU on some
 * processor of the generation, but does not exist on this one.
 */
#ifndef MODEL_CORE_MSRS_H
#define MODEL_CORE_MSRS_H

#include <model/core/internal.h>

/* Declare the handlers; n is the register's number in its row. */
#define MSR_READ(name)  enum refpmu_status name##_read(struct refpmu_cpu *m, unsigned n, \
                                                       uint64_t *value)
#define MSR_WRITE(name) enum refpmu_status name##_write(struct refpmu_cpu *m, unsigned n, \
                                                        uint64_t value)

/* Defines MSR_READ(name), which shows an expression of m and n. */
#define MSR_SHOWS(name, shown) \
	MSR_READ(name) \
	{ \
		(void)m, (void)n; \
		*value = (shown); \
		return REFPMU_OK; \
	}

/* Defines MSR_WRITE(name), which stores an expression of value. */
#define MSR_TAKES(name, place, taken) \
	static MSR_WRITE(name) \
	{ \
		(void)n; \
		(place) = (taken); \
		return REFPMU_OK; \
	}

struct model_msr_row {
	uint32_t first;
	uint16_t count;                /* claimed by the PMU, even if absent; 0 ends the table */
	uint8_t stride;
	/* Returns whether register n of the row exists on this processor. NULL: all do. */
	bool (*is_there)(const struct model_rules *r, const struct model_msr_row *row, unsigned n);
	enum refpmu_status (*read)(struct refpmu_cpu *m, unsigned n, uint64_t *value);
	/* NULL: it cannot be written. */
	enum refpmu_status (*write)(struct refpmu_cpu *m, unsigned n, uint64_t value);
};

/* Defines a function for is_there. */
#define MSR_IS_THERE(name, condition) \
	bool name(const struct model_rules *r, const struct model_msr_row *row, unsigned n) \
	{ \
		(void)r, (void)row, (void)n; \
		return condition; \
	}

/* Writes a control register and makes the plan; REFPMU_GP if a bit outside bits is set. */
enum refpmu_status model_store(struct refpmu_cpu *m, uint64_t *target, uint64_t value,
                               uint64_t bits);

/* ----------------------------------- general counters, of P6 and since (counters.c) */

/* Return whether general counter n exists; whether there are registers of all counters, which
 * version 2 brought, Intel's and AMD's. */
bool model_has_gp(const struct model_rules *r, const struct model_msr_row *row, unsigned n);
bool model_is_v2(const struct model_rules *r, const struct model_msr_row *row, unsigned n);

MSR_READ(perfevtsel);       MSR_WRITE(perfevtsel);
MSR_READ(pmc);              MSR_WRITE(pmc);

/* Reads a general or a fixed counter, as struct model_generation.read_counter. */
bool model_read_counter(struct refpmu_cpu *m, uint32_t ecx, uint64_t *value);

#endif
