/* SPDX-License-Identifier: MIT */
/* What an emulator answers by CPUID besides the PMU's own leaves, by a processor's rules. */
#include <model/core/internal.h>
#include <model/refpmu_kinds.h>

enum { ECX = 2, EDX = 3 };
#define EDX_DS      BIT32(21)
#define ECX_DTES64  BIT32(2)
#define ECX_DS_CPL  BIT32(4)
#define EDX_MMX     BIT32(23)
#define PENTIUM     0x520u
#define LEAF_1A_TYPE FIELD(31, 24)

const char *refpmu_processor(unsigned n, struct refpmu_identity *identity)
{
	const struct model_rules *r = model_rules_at(n);

	if (!r)
		return NULL;
	*identity = (struct refpmu_identity){
		.cpuid_1_eax = r->cpuid_1_eax & ~MODEL_AMD,
		.cpuid_1_edx = r->cpuid_1_eax == PENTIUM ? 0 : EDX_MMX,
		.vendor = r->cpuid_1_eax & MODEL_AMD ? REFPMU_AMD : REFPMU_INTEL,
		.core_type = (uint8_t)FIELD_GET(LEAF_1A_TYPE, r->registers.leaf_1a),
	};
	return r->name;
}

bool refpmu_cache(const struct refpmu_cpu *m, unsigned level, bool is_code,
                  struct refpmu_cache_shape *shape)
{
	const struct cache_geometry *g = &rules_of(m)->caches;
	bool has_l2 = g->l2.ways != 0;
	const struct cache_shape *found = level == 1 ? is_code ? &g->l1i : &g->l1d
	                                : level == 2 && has_l2 ? &g->l2
	                                : level == (has_l2 ? 3u : 2u) ? &g->llc : NULL;

	if (!found || !found->ways || (is_code && level != 1))
		return false;
	*shape = (struct refpmu_cache_shape){ found->sets, found->ways, g->line_bytes };
	return true;
}

void refpmu_debug_store(const struct refpmu_cpu *m, uint32_t regs[4])
{
	const struct model_rules *r = rules_of(m);
	unsigned off_os = r->ds.bts_bit + 3u;   /* after BTS and BTINT */

	regs[EDX] &= ~EDX_DS;
	regs[ECX] &= ~(ECX_DTES64 | ECX_DS_CPL);
	if (!r->ds.bts_bit)
		return;
	regs[EDX] |= EDX_DS;
	if (r->ds.has_dtes64)
		regs[ECX] |= ECX_DTES64;
	if (r->registers.debugctl_bits >> off_os & 1)
		regs[ECX] |= ECX_DS_CPL;
}
