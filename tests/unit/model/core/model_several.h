/* SPDX-License-Identifier: MIT */
/* A machine of several processors around the model: like model_machine.h, with more of them. */
#ifndef TESTS_UNIT_MODEL_CORE_MODEL_SEVERAL_H
#define TESTS_UNIT_MODEL_CORE_MODEL_SEVERAL_H

#include <tests/unit/model/core/model_cpus.h>

enum { SEVERAL_MAX = 4, SEVERAL_PACKAGES = 2 };

struct several;

struct processor {
	IN_MEMORY(model, model, MODEL_BYTES);
	unsigned number, pmis;
	uint64_t ip;
	uint8_t cpl;
};

struct several {
	struct model_machine machine;
	struct model_package *package[SEVERAL_PACKAGES];
	struct model_core *core[SEVERAL_MAX];
	struct processor cpu[SEVERAL_MAX];
	unsigned count;
	_Alignas(MODEL_ALIGNMENT) unsigned char package_memory[SEVERAL_PACKAGES][PACKAGE_BYTES];
	_Alignas(MODEL_ALIGNMENT) unsigned char core_memory[SEVERAL_MAX][CORE_BYTES];
};

static inline void several_raise_pmi(void *context)
{
	struct processor *p = context;

	if (model_lvtpc(&p->model, LVTPC_NMI).is_delivered)
		p->pmis++;
}

/* Creates packages of cores of threads; what is in *s before does not matter. */
static inline void several_create(struct several *s, uint32_t signature, const char *quirk,
                                  unsigned packages, unsigned cores, unsigned threads)
{
	memset(s->cpu, 0, sizeof(s->cpu));
	s->count = packages * cores * threads;
	model_machine_create(&s->machine);
	for (unsigned i = 0; i < packages; i++)
		s->package[i] = model_package_create(s->package_memory[i], &s->machine,
		                                     machine_identity(signature));
	for (unsigned i = 0; i < packages * cores; i++) {
		enum model_created created;

		s->core[i] = model_core_create(s->core_memory[i], s->package[i / cores],
		                               machine_identity(signature), threads, quirk,
		                               &created);
		check_eq_u64("created", created, MODEL_CREATED);
	}
	for (unsigned i = 0; i < s->count; i++) {
		const struct model_host host = { .context = &s->cpu[i],
			.raise_pmi = several_raise_pmi, GUEST_HOST };

		s->cpu[i].number = i;
		s->cpu[i].ip = 0x100000 + i * 0x10000;
		model_create(&s->cpu[i].model, s->core[i / threads], &host);
	}
}

static inline void several_nops(struct several *s, unsigned cpu, unsigned count)
{
	struct processor *p = &s->cpu[cpu];

	for (; count; count--) {
		struct model_insn insn = { .ip = p->ip, .next_ip = p->ip, .length = 1,
		                           .cpl = p->cpl, .cpl_after = p->cpl };

		if (p->model.is_watched)
			model_retire(&p->model, &insn);
	}
}

static inline void several_access(struct several *s, unsigned cpu, enum model_access kind,
                                  uint64_t address)
{
	if (s->cpu[cpu].model.is_watched)
		model_access(&s->cpu[cpu].model, kind, address, address, 4, true);
	several_nops(s, cpu, 1);
}

static inline uint64_t several_get(struct several *s, unsigned cpu, uint32_t msr)
{
	uint64_t value = 0;

	check_eq_u64("RDMSR", model_rdmsr(&s->cpu[cpu].model, msr, &value), MODEL_OK);
	return value;
}

static inline void several_put(struct several *s, unsigned cpu, uint32_t msr, uint64_t value)
{
	check_eq_u64("WRMSR", model_wrmsr(&s->cpu[cpu].model, msr, value), MODEL_OK);
}

/* IA32_PMC0 counts from value with these bits of its event select. */
static inline void several_count(struct several *s, unsigned cpu, uint64_t evtsel, uint64_t value)
{
	several_put(s, cpu, EVTSEL0, 0);
	several_put(s, cpu, PMC0, value);
	several_put(s, cpu, GLOBAL, 1 | ONE(32) | ONE(33));
	several_put(s, cpu, EVTSEL0, EN | evtsel);
}

#endif
