/* SPDX-License-Identifier: MIT */
/* Counts the events of NetBurst one by one, on thread 0, for the model's unit tests. */
#ifndef TESTS_UNIT_MODEL_NETBURST_MODEL_NETBURST_EVENTS_H
#define TESTS_UNIT_MODEL_NETBURST_MODEL_NETBURST_EVENTS_H

#include <tests/unit/model/netburst/model_netburst.h>

/* Holds an ESCR, a counter that it reaches, and the ESCR's number in that counter's CCCR. */
struct escr {
	uint32_t msr, counter, select;
};
#define EVENT(number, mask) ((uint32_t)(number) << 25 | (uint32_t)(mask) << 9 | T0)
#define TAGGED(value)       ((uint32_t)(value) << 5 | 1u << 4)

static inline void turn_on(struct escr at, uint32_t escr)
{
	put_msr(at.msr, escr);
	put_msr(COUNTER + at.counter, 0);
	put_msr(CCCR + at.counter, ACTIVE(3) | SELECT(at.select) | ENABLE);
}

static inline uint64_t turn_off(struct escr at)
{
	put_msr(CCCR + at.counter, ACTIVE(3));
	return counted(at.counter);
}

/* Retires a four-byte instruction. */
static inline void act(uint64_t traits, enum refpmu_branch branch, bool is_taken)
{
	struct processor *p = &s.cpu[0];
	struct refpmu_insn insn = { .ip = p->ip, .next_ip = p->ip + (is_taken ? 0x40 : 4),
		.length = 4, .cpl = p->cpl, .cpl_after = p->cpl, .traits = traits,
		.branch = (uint8_t)branch, .is_taken = is_taken };

	if (p->model.is_watched)
		refpmu_retire(&p->model, &insn);
}

static inline void kind(uint64_t traits)
{
	act(traits, REFPMU_NO_BRANCH, false);
}

static inline void touch(enum refpmu_access access, uint64_t address, unsigned size)
{
	struct refpmu_cpu *m = &s.cpu[0].model;

	if (m->is_watched)
		refpmu_access(m, access, address, address, size, true);
	kind(0);
}

#endif
