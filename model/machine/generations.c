/* SPDX-License-Identifier: MIT */
/*
 * All generations, by their tables of processors: the only file that knows them. A processor is
 * looked up here by its CPUID.1, and its row of rules names its generation.
 */
#include <arch/regs/table.h>
#include <model/amd/amd_shared.h>
#include <model/arch/arch.h>
#include <model/netburst/netburst_shared.h>
#include <model/p5_p6/legacy.h>

#include <arch/regs/bits.h>

/* CPUID.1:EAX without type and stepping. SDM 2A, CPUID, "Version Information Returned by EAX". */
#define SIGNATURE UINT32_C(0x0fff0ff0)

/* Family 5: model 4 is a Pentium with MMX; one without (CPUID.1:EDX[23]) is a model 2. */
#define PENTIUM     UINT32_C(0x520)
#define PENTIUM_MMX UINT32_C(0x540)
#define EDX_MMX     BIT32(23)

static const struct model_rules *const tables[] = {
	model_rules_arch, model_rules_legacy, model_rules_netburst, model_rules_amd
};

const struct model_rules *model_rules_at(unsigned i)
{
	for (unsigned t = 0; t < COUNT_OF(tables); t++)
		for (const struct model_rules *r = tables[t]; r->name; r++)
			if (i-- == 0)
				return r;
	return NULL;
}

static bool has_signature(const struct model_rules *r, uint32_t signature)
{
	for (unsigned i = 0; i < MODEL_ALSO && r->also[i]; i++)
		if (r->also[i] == signature)
			return true;
	return r->cpuid_1_eax == signature;
}

/* The two types of cores of a hybrid processor have the same signature. */
static bool is_of_type(const struct model_rules *r, uint8_t core_type)
{
	return !core_type || r->registers.leaf_1a >> 24 == core_type;
}

const struct model_rules *model_rules_find(struct refpmu_identity identity)
{
	uint32_t signature = identity.cpuid_1_eax & SIGNATURE;
	const struct model_rules *r;
	unsigned i = 0;

	if (identity.vendor == REFPMU_AMD)
		signature |= MODEL_AMD;
	else if (signature == PENTIUM_MMX && !(identity.cpuid_1_edx & EDX_MMX))
		signature = PENTIUM;
	do
		r = model_rules_at(i++);
	while (r && !(has_signature(r, signature) && is_of_type(r, identity.core_type)));
	return r;
}
