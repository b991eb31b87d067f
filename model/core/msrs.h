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
#define MSR_READ(name)  enum refpmu_status name##_read(struct refpmu_cpu *m, unsigned n, \
                                                       uint64_t *value)
#define MSR_WRITE(name) enum refpmu_status name##_write(struct refpmu_cpu *m, unsigned n, \
                                                        uint64_t value)

struct model_msr_row {
	uint32_t first;
	uint16_t count;                /* that the PMU claims, there or not; 0 ends the table */
	uint8_t stride;
	/* Is number n of the row there on this processor? NULL: all are. */
	bool (*is_there)(const struct model_rules *r, const struct model_msr_row *row, unsigned n);
	enum refpmu_status (*read)(struct refpmu_cpu *m, unsigned n, uint64_t *value);
	enum refpmu_status (*write)(struct refpmu_cpu *m, unsigned n, uint64_t value);
};

/* A function for is_there. */
#define MSR_IS_THERE(name, condition) \
	static bool name(const struct model_rules *r, const struct model_msr_row *row, unsigned n) \
	{ \
		(void)r, (void)row, (void)n; \
		return condition; \
	}

/* Writes a control register unless a bit outside bits is set, then sees who runs. */
enum refpmu_status model_store(struct refpmu_cpu *m, uint64_t *target, uint64_t value,
                               uint64_t bits);

/* ----------------------------------- general counters, of P6 and since (msr_general.c) */

/* Is there a general counter n? */
bool model_has_gp(const struct model_rules *r, const struct model_msr_row *row, unsigned n);

MSR_READ(perfevtsel);       MSR_WRITE(perfevtsel);
MSR_READ(pmc);              MSR_WRITE(pmc);
MSR_READ(refuse);           MSR_WRITE(refuse);

/* As struct model_generation.read_counter: a general or a fixed counter. */
bool model_read_counter(struct refpmu_cpu *m, uint32_t ecx, uint64_t *value);

#endif
