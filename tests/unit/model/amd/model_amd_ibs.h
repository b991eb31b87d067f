/* SPDX-License-Identifier: MIT */
/* Names the registers of instruction-based sampling, typed from APM 2, and arms it. */
#ifndef TESTS_UNIT_MODEL_AMD_MODEL_AMD_IBS_H
#define TESTS_UNIT_MODEL_AMD_MODEL_AMD_IBS_H

#include <tests/unit/model/amd/model_amd.h>

enum { FETCH_CTL = 0xc0011030, FETCH_LIN = 0xc0011031, FETCH_PHYS = 0xc0011032,
       OP_CTL = 0xc0011033, OP_RIP = 0xc0011034, OP_DATA = 0xc0011035, OP_DATA2 = 0xc0011036,
       OP_DATA3 = 0xc0011037, DC_LIN = 0xc0011038, DC_PHYS = 0xc0011039, CONTROL = 0xc001103a,
       TARGET = 0xc001103b, FETCH_EXTD = 0xc001103c, OP_DATA4 = 0xc001103d,
       ZEN5 = SIGN(0xb40f40) };
#define OP_EN     ONE(17)
#define OP_VAL    ONE(18)
#define BY_OPS    ONE(19)
#define FETCH_EN  ONE(48)
#define FETCH_VAL ONE(49)
/* Of IbsOpData3: load, store, both addresses are valid. */
enum { LD = 1, ST = 2, ADDRESSES = 3 << 17 };

/* A load's own op follows the one that reads. Caches are empty when counting begins. */
enum { OPS_OF_LOAD = 2 };

/* Samples the op that this many ops come before. */
static inline void arm(struct machine *m, unsigned before, uint64_t others)
{
	m->ibs = 0;
	put(m, OP_CTL, 0);
	put(m, OP_CTL, OP_EN | BY_OPS | 1 | others | (uint64_t)(16 - before) << 32);
}

static inline void load(struct machine *m, uint64_t address, unsigned size)
{
	machine_access(m, REFPMU_READ, address, size);
	machine_nops(m, 1);
}

/* Lets a counter run, too, so that the caches stay filled between two writes of IbsOpCtl. */
static inline struct machine *begin_counting(uint32_t signature)
{
	struct machine *m = begin(signature);

	put(m, LEGACY_CTL, EN | OS | RETIRED);
	return m;
}

/* Returns the fields of a register that the manuals call high to low. */
static inline uint64_t field(struct machine *m, uint32_t msr, unsigned high, unsigned low)
{
	return get(m, msr) >> low & ONES(high - low + 1);
}

#endif
