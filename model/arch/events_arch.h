/* SPDX-License-Identifier: MIT */
/* Events by microarchitecture, of processors with architectural performance monitoring. */
#ifndef MODEL_ARCH_EVENTS_ARCH_H
#define MODEL_ARCH_EVENTS_ARCH_H

#include <model/core/internal.h>

/* struct model_rules.model: whose events. */
enum { MODEL_CORE2 = 1, MODEL_BONNELL = 2, MODEL_NEHALEM = 4, MODEL_SANDY_BRIDGE = 8,
       MODEL_IVY_BRIDGE = 16, MODEL_HASWELL = 32, MODEL_SKYLAKE = 64, MODEL_ICE_LAKE = 128 };

struct model_event_arch {
	uint16_t event;                /* EVENT() */
	uint8_t signal;
	uint8_t models;
	uint16_t precise;              /* bit per general counter that can record it, if PEBS can */
};

/* NULL: there is none, or it is no more than an architectural event. */
const struct model_event_arch *model_event_arch_find(const struct model_rules *r, uint32_t event);

/* By what the instruction under way does to memory: only while something counts it. */
bool model_is_memory_signal(unsigned signal);

static inline void model_note_access(struct refpmu_cpu *m, enum refpmu_access kind, uint64_t linear)
{
	struct model_pebs *p = &m->pebs;

	p->loads += kind != REFPMU_WRITE;
	p->stores += kind != REFPMU_READ;
	p->has_both |= kind == REFPMU_READ_WRITE;
	p->address = linear;
}

static inline void model_forget_accesses(struct refpmu_cpu *m)
{
	m->pebs.loads = m->pebs.stores = 0;
	m->pebs.has_both = false;
}

void model_count_memory(struct refpmu_cpu *m, const struct cache_cost *cost);

#endif
