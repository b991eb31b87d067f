/* SPDX-License-Identifier: MIT */
/* Handlers of registers that show a number of the state, and do no more. */
#ifndef MODEL_SAMPLING_MSR_SHOWS_H
#define MODEL_SAMPLING_MSR_SHOWS_H

#include <model/core/msrs.h>

/* name_read(), of register n of the row: it returns what is shown, of m and n. */
#define MSR_SHOWS(name, shown) \
	static enum refpmu_status name##_read(struct refpmu_cpu *m, unsigned n, uint64_t *value) \
	{ \
		(void)m, (void)n; \
		*value = (shown); \
		return REFPMU_OK; \
	}

/* name_write(), of register n of the row: a place gets what is taken of value. */
#define MSR_TAKES(name, place, taken) \
	static enum refpmu_status name##_write(struct refpmu_cpu *m, unsigned n, uint64_t value) \
	{ \
		(void)n; \
		(place) = (taken); \
		return REFPMU_OK; \
	}

#endif
