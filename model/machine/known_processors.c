/* SPDX-License-Identifier: MIT */
/* What an emulator answers by CPUID besides the PMU's own leaves, by a processor's rules. */
#include <arch/regs/amd.h>
#include <arch/regs/table.h>
#include <model/core/internal.h>
#include <model/refpmu_kinds.h>

enum { EAX, EBX, ECX, EDX };
#define EDX_DS      BIT32(21)
#define ECX_DTES64  BIT32(2)
#define ECX_DS_CPL  BIT32(4)
#define EDX_MMX     BIT32(23)
#define PENTIUM     0x520u
#define FAMILY      0xf00u
#define NETBURST    0xf00u
#define LEAF_1A_TYPE FIELD(31, 24)
#define LEAF_4       0x04u
#define LEAF_4_TYPE  FIELD(4, 0)
#define LEAF_4_LEVEL FIELD(7, 5)
#define TYPE_CODE    2u

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

struct refpmu_needs refpmu_needs(const struct refpmu_cpu *m)
{
	const struct model_rules *r = rules_of(m);
	const bool is_amd = r->cpuid_1_eax & MODEL_AMD;
	const uint32_t family = r->cpuid_1_eax & FAMILY;
	const bool has_details = !r->registers.leaf_0a[0];

	return (struct refpmu_needs){
		.details = has_details,
		.all_details = has_details && (is_amd || family != NETBURST),
		.breakpoints = is_amd || family == (PENTIUM & FAMILY),
	};
}

/* Returns the cache of a level, from 1 on; NULL: there is none, or code has none of its own. */
static const struct cache_shape *cache_of(const struct cache_geometry *g, unsigned level,
                                          bool is_code)
{
	bool has_l2 = g->l2.ways != 0;
	const struct cache_shape *found = level == 1 ? is_code ? &g->l1i : &g->l1d
	                                : level == 2 && has_l2 ? &g->l2
	                                : level == (has_l2 ? 3u : 2u) ? &g->llc : NULL;

	return found && found->ways && (level == 1 || !is_code) ? found : NULL;
}

static uint32_t kilobytes(const struct cache_geometry *g, const struct cache_shape *c)
{
	return c->sets * c->ways * g->line_bytes >> 10;
}

/* SDM 2A, "CPUID", leaf 04H. */
static void answer_leaf_4(const struct cache_geometry *g, uint32_t regs[4])
{
	const unsigned type = (unsigned)FIELD_GET(LEAF_4_TYPE, regs[EAX]);
	const unsigned level = (unsigned)FIELD_GET(LEAF_4_LEVEL, regs[EAX]);
	const struct cache_shape *c = type ? cache_of(g, level, type == TYPE_CODE) : NULL;

	if (c) {
		regs[EBX] = (g->line_bytes - 1) | (c->ways - 1) << 22;
		regs[ECX] = c->sets - 1;
	} else {
		regs[EAX] = regs[EBX] = regs[ECX] = regs[EDX] = 0;
	}
}

/* APM 3, "Fn8000_0005 L1 Cache and TLB Information". */
static void answer_first_level(const struct cache_geometry *g, uint32_t regs[4])
{
	for (unsigned is_code = 0; is_code < 2; is_code++) {
		const struct cache_shape *c = cache_of(g, 1, is_code);

		if (c)
			regs[ECX + is_code] = kilobytes(g, c) << 24 | c->ways << 16 | 1 << 8
			                      | g->line_bytes;
	}
}

/* APM 3, "Fn8000_0006 L2 Cache and TLB and L3 Cache Information", which has a code for the ways. */
static void answer_second_level(const struct cache_geometry *g, uint32_t regs[4])
{
	static const uint8_t WAYS[] = { [1] = 1, 2, 0, 4, [8] = 6, [16] = 8 };
	const struct cache_shape *c = cache_of(g, 2, false);

	if (c && c->ways < COUNT_OF(WAYS) && WAYS[c->ways])
		regs[ECX] = kilobytes(g, c) << 16 | (uint32_t)WAYS[c->ways] << 12 | 1 << 8
		            | g->line_bytes;
}

void refpmu_cpuid_caches(const struct refpmu_cpu *m, uint32_t leaf, uint32_t regs[4])
{
	const struct cache_geometry *g = &rules_of(m)->caches;
	const bool is_amd = rules_of(m)->cpuid_1_eax & MODEL_AMD;

	if (leaf == LEAF_4 && !is_amd)
		answer_leaf_4(g, regs);
	else if (leaf == CPUID_AMD_L1 && is_amd)
		answer_first_level(g, regs);
	else if (leaf == CPUID_AMD_L2 && is_amd)
		answer_second_level(g, regs);
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
