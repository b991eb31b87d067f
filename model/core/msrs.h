/* SPDX-License-Identifier: MIT */
/*
 * The PMU's MSRs: tables with a row for each register or row of equal registers. A generation lists
 * its tables (generation.h). A register that is the PMU's on some processor of the generation but
 * not there on this one is #GP.
 */
#ifndef MODEL_CORE_MSRS_H
#define MODEL_CORE_MSRS_H

#include <model/core/internal.h>

/* The handlers. n: which one of the row. */
#define MSR_READ(name)  enum model_status name##_read(struct model *m, unsigned n, uint64_t *value)
#define MSR_WRITE(name) enum model_status name##_write(struct model *m, unsigned n, uint64_t value)

struct model_msr_row {
	uint32_t first;
	uint16_t count;                /* that the PMU claims, there or not; 0 ends the table */
	uint8_t stride;
	/* Is number n of the row there on this processor? NULL: all are. */
	bool (*is_there)(const struct model_rules *r, const struct model_msr_row *row, unsigned n);
	enum model_status (*read)(struct model *m, unsigned n, uint64_t *value);
	enum model_status (*write)(struct model *m, unsigned n, uint64_t value);
};

/* A function for is_there. */
#define MSR_IS_THERE(name, condition) \
	static bool name(const struct model_rules *r, const struct model_msr_row *row, unsigned n) \
	{ \
		(void)r, (void)row, (void)n; \
		return condition; \
	}

/* Writes a control register unless a bit outside bits is set, then sees who runs. */
enum model_status model_store(struct model *m, uint64_t *target, uint64_t value, uint64_t bits);

/* ----------------------------------- general counters, of P6 and since (msr_general.c) */

/* Is there a general counter n? */
bool model_has_gp(const struct model_rules *r, const struct model_msr_row *row, unsigned n);

MSR_READ(perfevtsel);       MSR_WRITE(perfevtsel);
MSR_READ(pmc);              MSR_WRITE(pmc);
MSR_READ(refuse);           MSR_WRITE(refuse);

/* What a write of such a value to IA32_PMCx stores; a counter takes a value. */
uint64_t model_legacy_value(const struct model_rules *r, const struct model_counter *c,
                            uint64_t value);
void model_pmc_set(struct model *m, unsigned index, uint64_t value);

/* As struct model_generation.read_counter: a general or a fixed counter. */
bool model_read_counter(struct model *m, uint32_t ecx, unsigned cpl, uint64_t *value);

#endif
