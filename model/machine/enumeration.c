/* SPDX-License-Identifier: MIT */
/* CPUID's description of the PMU. Source: SDM 2A, "CPUID", leaves 01H, 07H, 0AH, 1AH, 1CH and
 * 23H. */
#include <model/core/internal.h>

enum { EAX, EBX, ECX, EDX };

#define LEAF_EXTENDED  0x07u
#define LEAF_PERFMON   0x0au
#define LEAF_HYBRID    0x1au
#define LEAF_LBR       0x1cu
#define LEAF_PERFMON_6 0x23u
#define ECX_PDCM       BIT32(15)
#define EDX_HYBRID     BIT32(15)           /* leaf 07H.0: leaf 1AH exists */
#define EDX_ARCH_LBR   BIT32(19)           /* leaf 07H.0: leaf 1CH exists */
#define EAX_PERFMON_6  BIT32(8)            /* leaf 07H.1: leaf 23H exists */

static void raise_highest_leaf(const struct model_rules *r, uint32_t *highest)
{
	uint32_t needed = r->registers.has_leaf_23 ? LEAF_PERFMON_6
	                : r->lbr.is_architectural ? LEAF_LBR : LEAF_PERFMON;

	if (*highest < needed)
		*highest = needed;
}

/* Leaf 07H announces leaves 1AH, 1CH and 23H. Its sub-leaf 0 says which sub-leaf is the highest. */
static void announce(const struct model_rules *r, uint32_t subleaf, uint32_t regs[4])
{
	if (r->lbr.is_architectural && subleaf == 0)
		regs[EDX] |= EDX_ARCH_LBR;
	if (r->registers.leaf_1a && subleaf == 0)
		regs[EDX] |= EDX_HYBRID;
	if (r->registers.has_leaf_23 && subleaf == 0 && regs[EAX] == 0)
		regs[EAX] = 1;
	if (r->registers.has_leaf_23 && subleaf == 1)
		regs[EAX] |= EAX_PERFMON_6;
}

/* An emulator's processor may be newer than the one that it poses as, which lacks the leaf of
 * architectural PMUs, and all leaves behind it. */
static void hide_perfmon(uint32_t leaf, uint32_t regs[4])
{
	if (leaf == 0 && regs[EAX] >= LEAF_PERFMON)
		regs[EAX] = LEAF_PERFMON - 1;
	else if (leaf == 1)
		regs[ECX] &= ~ECX_PDCM;
	else if (leaf == LEAF_PERFMON)
		regs[EAX] = regs[EBX] = regs[ECX] = regs[EDX] = 0;
}

static void answer(uint32_t regs[4], const uint32_t leaf[4])
{
	for (unsigned i = 0; i < 4; i++)
		regs[i] = leaf[i];
}

static void show_perfmon(const struct refpmu_cpu *m, uint32_t leaf, uint32_t subleaf,
                         uint32_t regs[4])
{
	static const uint32_t nothing[4];
	const struct model_rules *r = rules_of(m);

	if (leaf == 0)
		raise_highest_leaf(r, &regs[EAX]);
	else if (leaf == 1)
		regs[ECX] |= ECX_PDCM;
	else if (leaf == LEAF_EXTENDED)
		announce(r, subleaf, regs);
	else if (leaf == LEAF_PERFMON)
		answer(regs, r->registers.leaf_0a);
	else if (leaf == LEAF_HYBRID && r->registers.leaf_1a)
		answer(regs, (const uint32_t[4]){ r->registers.leaf_1a, 0, 0, 0 });
	else if (leaf == LEAF_LBR && r->lbr.is_architectural)
		answer(regs, r->lbr.leaf_1c);
	else if (leaf == LEAF_PERFMON_6 && r->registers.has_leaf_23)
		answer(regs, subleaf < 4 ? r->registers.leaf_23[subleaf] : nothing);
}

void refpmu_cpuid(const struct refpmu_cpu *m, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	const struct model_rules *r = rules_of(m);

	if (m->generation->cpuid)
		m->generation->cpuid(r, leaf, regs);
	else if (r->registers.leaf_0a[0])
		show_perfmon(m, leaf, subleaf, regs);
	else
		hide_perfmon(leaf, regs);
}
