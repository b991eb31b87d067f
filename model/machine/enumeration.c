/* SPDX-License-Identifier: MIT */
/* What CPUID says of the PMU. Source: SDM 2A, "CPUID", leaves 01H, 07H, 0AH, 1CH and 23H. */
#include <model/core/internal.h>

enum { EAX, EBX, ECX, EDX };

#define LEAF_EXTENDED  0x07u
#define LEAF_PERFMON   0x0au
#define LEAF_LBR       0x1cu
#define LEAF_PERFMON_6 0x23u
#define ECX_PDCM       BIT32(15)
#define EDX_ARCH_LBR   BIT32(19)           /* leaf 07H.0: leaf 1CH is there */
#define EAX_PERFMON_6  BIT32(8)            /* leaf 07H.1: leaf 23H is there */

static void raise_highest_leaf(const struct model_rules *r, uint32_t *highest)
{
	uint32_t needed = r->has_leaf_23 ? LEAF_PERFMON_6
	                : r->lbr_is_architectural ? LEAF_LBR : LEAF_PERFMON;

	if (*highest < needed)
		*highest = needed;
}

/* Sub-leaf 0 says which sub-leaf is the highest. */
static void announce_leaf_23(uint32_t subleaf, uint32_t *eax)
{
	if (subleaf == 0 && *eax == 0)
		*eax = 1;
	if (subleaf == 1)
		*eax |= EAX_PERFMON_6;
}

void model_cpuid(const struct model *m, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	const struct model_rules *r = rules_of(m);

	if (!r->leaf_0a[0])                    /* nothing is said of the PMU */
		return;
	switch (leaf) {
	case 0:
		raise_highest_leaf(r, &regs[EAX]);
		break;
	case 1:
		regs[ECX] = (regs[ECX] & ~ECX_PDCM) | (r->has_pdcm ? ECX_PDCM : 0);
		break;
	case LEAF_EXTENDED:
		if (r->has_leaf_23)
			announce_leaf_23(subleaf, &regs[EAX]);
		if (r->lbr_is_architectural && subleaf == 0)
			regs[EDX] |= EDX_ARCH_LBR;
		break;
	case LEAF_LBR:
		for (unsigned i = 0; r->lbr_is_architectural && i < 4; i++)
			regs[i] = r->leaf_1c[i];
		break;
	case LEAF_PERFMON:
		for (unsigned i = 0; i < 4; i++)
			regs[i] = r->leaf_0a[i];
		break;
	case LEAF_PERFMON_6:
		for (unsigned i = 0; r->has_leaf_23 && i < 4; i++)
			regs[i] = subleaf < 4 ? r->leaf_23[subleaf][i] : 0;
		break;
	default:
		break;
	}
}
