/* SPDX-License-Identifier: MIT */
/* Handlers of registers that only show a number of the state. */
#ifndef MODEL_SAMPLING_MSR_SHOWS_H
#define MODEL_SAMPLING_MSR_SHOWS_H

#include <model/core/msrs.h>

/* Defines name_read(), for register n of the row: it returns shown, an expression of m and n. */
#define MSR_SHOWS(name, shown) \
	static enum refpmu_status name##_read(struct refpmu_cpu *m, unsigned n, uint64_t *value) \
	{ \
		(void)m, (void)n; \
		*value = (shown); \
		return REFPMU_OK; \
	}

/* Defines name_write(), for register n of the row: it stores taken, an expression of value. */
#define MSR_TAKES(name, place, taken) \
	static enum refpmu_status name##_write(struct refpmu_cpu *m, unsigned n, uint64_t value) \
	{ \
		(void)n; \
		(place) = (taken); \
		return REFPMU_OK; \
	}

#endif
