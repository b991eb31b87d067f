/* SPDX-License-Identifier: MIT */
/* What the examples have in common: a machine of one package, one core, one thread. */
#ifndef MODEL_EXAMPLE_HASWELL_H
#define MODEL_EXAMPLE_HASWELL_H

#include <refpmu.h>

#include <stdlib.h>

/* Creates it. The memory lives as long as the program. */
static inline struct refpmu_cpu *haswell_create(void *context, void (*raise_pmi)(void *context))
{
	const struct refpmu_identity haswell = { .cpuid_1_eax = 0x306c3 };
	const struct refpmu_host host = { .context = context, .raise_pmi = raise_pmi };
	struct refpmu_machine *machine = refpmu_machine_create(malloc(refpmu_machine_size()));
	struct refpmu_package *package = refpmu_package_create(malloc(refpmu_package_size(haswell)),
	                                                       machine, haswell);
	struct refpmu_core *core = refpmu_core_create(malloc(refpmu_core_size(haswell)), package,
	                                              haswell, 1);

	return refpmu_cpu_create(malloc(refpmu_cpu_size(core)), core, &host);
}

#endif
