/* SPDX-License-Identifier: MIT */
/* Plays a machine of several processors around the model, like model_machine.h. */
#ifndef TESTS_UNIT_MODEL_CORE_MODEL_SEVERAL_H
#define TESTS_UNIT_MODEL_CORE_MODEL_SEVERAL_H

#include <tests/unit/model/core/model_cpus.h>

enum { SEVERAL_MAX = 10, SEVERAL_PACKAGES = 2 };

struct several;

struct processor {
	IN_MEMORY(refpmu_cpu, model, MODEL_BYTES);
	unsigned number, pmis;
	uint64_t ip;
	uint8_t cpl;
};

struct several {
	struct refpmu_machine machine;
	struct refpmu_package *package[SEVERAL_PACKAGES];
	struct refpmu_core *core[SEVERAL_MAX];
	struct processor cpu[SEVERAL_MAX];
	unsigned count;
	_Alignas(REFPMU_ALIGNMENT) unsigned char package_memory[SEVERAL_PACKAGES][PACKAGE_BYTES];
	_Alignas(REFPMU_ALIGNMENT) unsigned char core_memory[SEVERAL_MAX][CORE_BYTES];
};

static inline void several_raise_pmi(void *context)
{
	struct processor *p = context;

	if (refpmu_lvtpc(&p->model, LVTPC_NMI).is_delivered)
		p->pmis++;
}

/* Creates packages of cores of threads, whatever *s held. */
static inline void several_create(struct several *s, uint32_t signature, unsigned packages,
                                  unsigned cores, unsigned threads)
{
	memset(s->cpu, 0, sizeof(s->cpu));
	s->count = packages * cores * threads;
	refpmu_machine_create(&s->machine);
	for (unsigned i = 0; i < packages; i++)
		s->package[i] = refpmu_package_create(s->package_memory[i], &s->machine,
		                                      machine_identity(signature));
	for (unsigned i = 0; i < packages * cores; i++) {
		s->core[i] = refpmu_core_create(s->core_memory[i], s->package[i / cores],
		                                machine_identity(signature), threads);
		check_true("created", s->core[i]);
	}
	for (unsigned i = 0; i < s->count; i++) {
		const struct refpmu_host host = { .context = &s->cpu[i],
			.raise_pmi = several_raise_pmi, GUEST_HOST };

		s->cpu[i].number = i;
		s->cpu[i].ip = 0x100000 + i * 0x10000;
		refpmu_cpu_create(&s->cpu[i].model, s->core[i / threads], &host);
	}
}

static inline void several_nops(struct several *s, unsigned cpu, unsigned count)
{
	struct processor *p = &s->cpu[cpu];

	for (; count; count--) {
		struct refpmu_insn insn = { .ip = p->ip, .next_ip = p->ip, .length = 1,
		                            .cpl = p->cpl, .cpl_after = p->cpl };

		if (p->model.is_watched)
			refpmu_retire(&p->model, &insn);
	}
}

static inline void several_access(struct several *s, unsigned cpu, enum refpmu_access kind,
                                  uint64_t address)
{
	if (s->cpu[cpu].model.is_watched)
		refpmu_access(&s->cpu[cpu].model, kind, address, address, 4, true);
	several_nops(s, cpu, 1);
}

static inline uint64_t several_get(struct several *s, unsigned cpu, uint32_t msr)
{
	uint64_t value = 0;

	check_eq_u64("RDMSR", refpmu_rdmsr(&s->cpu[cpu].model, msr, &value), REFPMU_OK);
	return value;
}

static inline void several_put(struct several *s, unsigned cpu, uint32_t msr, uint64_t value)
{
	check_eq_u64("WRMSR", refpmu_wrmsr(&s->cpu[cpu].model, msr, value), REFPMU_OK);
}

/* Makes IA32_PMC0 count from value with these bits of its event select. */
static inline void several_count(struct several *s, unsigned cpu, uint64_t evtsel, uint64_t value)
{
	several_put(s, cpu, EVTSEL0, 0);
	several_put(s, cpu, PMC0, value);
	several_put(s, cpu, GLOBAL, 1 | ONE(32) | ONE(33));
	several_put(s, cpu, EVTSEL0, EN | evtsel);
}

#endif
