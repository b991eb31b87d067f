/* SPDX-License-Identifier: MIT */
/* Chooses the registers that the small emulator of saving_world.h reads and writes. */
#ifndef TESTS_UNIT_MODEL_SAVING_SAVING_REGISTERS_H
#define TESTS_UNIT_MODEL_SAVING_SAVING_REGISTERS_H

#include <arch/regs/table.h>
#include <model/refpmu.h>

enum world_kind { WORLD_P5, WORLD_P6, WORLD_NETBURST, WORLD_ARCH };

enum { WORLD_BASE = 0x400000 };        /* of the guest's memory */

/* Returns a random number below bound, by the generator of Numerical Recipes, whose upper bits are
 * the better ones. */
static inline uint32_t random_below(uint64_t *seed, uint32_t bound)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*seed >> 33) % bound;
}

/* Returns a CCCR, an ESCR, a counter or another register of NetBurst, with a value. Most events are
 * instr_retired, uops_retired and branches. */
static inline uint32_t world_netburst(uint64_t *seed, uint64_t *value)
{
	static const uint32_t events[] = { 0x0400060c, 0x0200020c, 0x0c001e0f, 0x1000020f,
	                                   0x1200020f, 0x2600020c, 0x0a0f9e0c, 0x1800020c };
	static const uint32_t others[] = { 0x3f1, 0x3f2, 0x600, 0x1d9, 0x3f0, 0x1a0 };
	unsigned n = random_below(seed, 18);

	switch (random_below(seed, 4)) {
	case 0:
		*value = (UINT64_C(1) << 40) - 1 - random_below(seed, 200);
		return 0x300 + n;
	case 1:
		*value = 0x30000u | random_below(seed, 8) << 13 |
		         (random_below(seed, 4) ? 0x1000 : 0) |
		         random_below(seed, 0x100) << 18 | random_below(seed, 64) << 25;
		return 0x360 + n;
	case 2:
		*value = events[random_below(seed, 8)] | random_below(seed, 16);
		return 0x3a0 + random_below(seed, 66);
	default:
		n = random_below(seed, 6);
		*value = others[n] == 0x600 ? WORLD_BASE :
		         others[n] == 0x3f1 ? UINT64_C(0x02000000) * random_below(seed, 4) | 1 :
		         random_below(seed, 256);
		return others[n];
	}
}

/* Returns a register that switches sampling or branch records on, with a value; architectural LBR
 * also has a depth. */
static inline uint32_t world_sampling(uint64_t *seed, uint64_t *value)
{
	static const uint32_t msrs[] = { 0x600, 0x3f1, 0x1d9, 0x1c8, 0x390, 0x1c9, 0x14ce, 0x14cf,
	                                 0x329, 0x3f2 };
	static const uint32_t debugctl[] = { 0, 1, 1, 0x801, 0x1801, 0xc1, 0x1c1, 0x2c1 };
	uint32_t msr = msrs[random_below(seed, 10)];

	switch (msr) {
	case 0x600:  *value = WORLD_BASE + 0x100; break;
	case 0x3f1:  *value = random_below(seed, 2); break;
	case 0x1d9:  *value = debugctl[random_below(seed, 8)]; break;
	case 0x14ce: *value = 0x7f0007; break;
	case 0x14cf: *value = 8 * (1 + random_below(seed, 4)); break;
	default:     *value = random_below(seed, 0x200); break;
	}
	return msr;
}

/* Returns a register to be read, which only some processors have. */
static inline uint32_t world_any(uint64_t *seed)
{
	static const struct { uint16_t first, count; } ranges[] = {
		{ 0x680, 32 }, { 0x6c0, 32 }, { 0x1500, 32 }, { 0x1600, 32 }, { 0x1200, 32 },
		{ 0x40, 8 }, { 0x60, 8 }, { 0x1d7, 8 }, { 0x1c8, 2 }, { 0x14ce, 2 }, { 0x3f0, 8 },
		{ 0x329, 1 }, { 0x38d, 6 }, { 0x186, 4 }, { 0x1a0, 1 }, { 0x600, 1 }, { 0xc1, 4 },
		{ 0x309, 4 }, { 0x300, 18 }, { 0x360, 18 }, { 0x3a0, 66 }, { 0x11, 3 },
	};
	unsigned i = random_below(seed, COUNT_OF(ranges));

	return ranges[i].first + random_below(seed, ranges[i].count);
}

static inline uint32_t world_arch(uint64_t *seed, uint64_t *value)
{
	static const uint16_t events[] = { 0x3c, 0xc0, 0xc0, 0x13c, 0x4f2e, 0x412e, 0xc4, 0xc5 };
	unsigned n = random_below(seed, 4);

	*value = UINT64_C(0xffffffff) - random_below(seed, 300);
	switch (random_below(seed, 6)) {
	case 0:  return 0xc1 + n;
	case 1:  return 0x309 + n;
	case 2:
		*value = events[random_below(seed, 8)] |
		         (uint64_t)(0x40 | random_below(seed, 64)) << 16 |
		         (random_below(seed, 4) ? 0 : UINT64_C(1) << 24);
		return 0x186 + n;
	case 3:
		*value = random_below(seed, random_below(seed, 2) ? 0x1000 : 0x10000);
		return 0x38d;
	case 4:
		*value = random_below(seed, 4) | (uint64_t)random_below(seed, 16) << 32 |
		         (uint64_t)random_below(seed, 2) << 48;
		return 0x38f;
	default:
		return world_sampling(seed, value);
	}
}

/* Returns a counter or a control of P5 or P6, with a value; events are arbitrary. */
static inline uint32_t world_old(uint64_t *seed, enum world_kind kind, uint64_t *value)
{
	unsigned n = random_below(seed, 3);

	*value = (UINT64_C(1) << 32) - random_below(seed, 300);
	if (kind == WORLD_P5) {
		if (n == 2)
			*value = random_below(seed, 0x400) | random_below(seed, 0x400) << 16;
		return n == 2 ? 0x11 : 0x12 + n;
	}
	if (random_below(seed, 2))
		return 0xc1 + n % 2;
	*value = random_below(seed, 256) | (random_below(seed, 256) << 8) |
	         (0x40 | random_below(seed, 64)) << 16 | (random_below(seed, 3) ? 0 : 1u << 24);
	if (random_below(seed, 8) == 0) {
		*value &= 3;
		return 0x1d9;
	}
	return 0x186 + n % 2;
}

#endif
