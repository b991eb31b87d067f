/* SPDX-License-Identifier: MIT */
#include <pmu/core/microarchitecture.h>

#include <stddef.h>

#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/machine/machine.h>

/*
 * Lists family 06H by DisplayModel. Source: SDM 4, "CPUID Signature Values of
 * DisplayFamily_DisplayModel".
 */
static const struct { uint8_t model; uint32_t is; } models[] = {
	{ 0x0f, PMU_ON_CORE2 },   { 0x16, PMU_ON_CORE2 },   { 0x17, PMU_ON_CORE2 },
	{ 0x1d, PMU_ON_CORE2 },
	{ 0x1c, PMU_ON_BONNELL }, { 0x26, PMU_ON_BONNELL }, { 0x27, PMU_ON_BONNELL },
	{ 0x35, PMU_ON_BONNELL }, { 0x36, PMU_ON_BONNELL },
	{ 0x1a, PMU_ON_NEHALEM }, { 0x1e, PMU_ON_NEHALEM }, { 0x1f, PMU_ON_NEHALEM },
	{ 0x2e, PMU_ON_NEHALEM }, { 0x25, PMU_ON_NEHALEM }, { 0x2c, PMU_ON_NEHALEM },
	{ 0x2f, PMU_ON_NEHALEM },
	{ 0x2a, PMU_ON_SANDY_BRIDGE }, { 0x2d, PMU_ON_SANDY_BRIDGE },
	{ 0x3a, PMU_ON_IVY_BRIDGE },   { 0x3e, PMU_ON_IVY_BRIDGE },
	{ 0x3c, PMU_ON_HASWELL }, { 0x3f, PMU_ON_HASWELL }, { 0x45, PMU_ON_HASWELL },
	{ 0x46, PMU_ON_HASWELL }, { 0x3d, PMU_ON_HASWELL }, { 0x47, PMU_ON_HASWELL },
	{ 0x4f, PMU_ON_HASWELL }, { 0x56, PMU_ON_HASWELL },
	{ 0x4e, PMU_ON_SKYLAKE }, { 0x5e, PMU_ON_SKYLAKE }, { 0x55, PMU_ON_SKYLAKE },
	{ 0x8e, PMU_ON_SKYLAKE }, { 0x9e, PMU_ON_SKYLAKE }, { 0x66, PMU_ON_SKYLAKE },
	{ 0xa5, PMU_ON_SKYLAKE }, { 0xa6, PMU_ON_SKYLAKE },
};

/*
 * Processors with these models have only Atom cores, by the same table; on hybrids CPUID leaf 1AH
 * reports the core's type.
 */
static bool is_atom(void)
{
	static const uint8_t atoms[] = { 0x86, 0x96, 0x9c, 0xaf, 0xb6, 0xbe, 0xdd };

	for (size_t i = 0; i < sizeof(atoms); i++)
		if (atoms[i] == machine_cpu()->model)
			return true;
	return machine_cpu()->core_type == CORE_TYPE_ATOM;
}

uint32_t microarchitecture_of_arch(const struct pmu *p)
{
	if (machine_cpu()->family != 6)
		return PMU_ON_ANY_ARCH;
	if (p->capabilities & IA32_PERF_CAPABILITIES_PEBS_BASELINE)
		return is_atom() ? PMU_ON_TREMONT : PMU_ON_ICE_LAKE;
	for (size_t i = 0; i < COUNT_OF(models); i++)
		if (models[i].model == machine_cpu()->model)
			return models[i].is;
	return PMU_ON_ANY_ARCH;
}

/*
 * Gives the P6 of each model number. Source: SDM 4, "Model-Specific Registers (MSRs)", its first
 * table.
 */
static const struct { uint8_t first, last; uint32_t is; } p6_models[] = {
	{ 0x0, 0x1, PMU_MODEL_PPRO },
	{ 0x3, 0x6, PMU_MODEL_PII },
	{ 0x7, 0x8, PMU_MODEL_PIII }, { 0xa, 0xb, PMU_MODEL_PIII },
	{ 0x9, 0x9, PMU_MODEL_PM },   { 0xd, 0xd, PMU_MODEL_PM },
};

uint32_t microarchitecture_of_p6(const struct pmu *p)
{
	const unsigned model = machine_cpu()->model;

	(void)p;
	for (size_t i = 0; i < COUNT_OF(p6_models); i++)
		if (model >= p6_models[i].first && model <= p6_models[i].last)
			return p6_models[i].is;
	return 0;
}

/*
 * Gives AMD's families and models; the first row that fits holds. Source: Linux,
 * arch/x86/kernel/cpu/amd.c.
 */
static const struct { uint8_t family, first, last; uint32_t is; } amd_models[] = {
	{ 0x06, 0x00, 0xff, PMU_ON_K7 },      { 0x0f, 0x00, 0xff, PMU_ON_K8 },
	{ 0x10, 0x00, 0xff, PMU_ON_AMD_10H }, { 0x11, 0x00, 0xff, PMU_ON_K8 },
	{ 0x12, 0x00, 0xff, PMU_ON_AMD_12H }, { 0x14, 0x00, 0xff, PMU_ON_AMD_14H },
	{ 0x15, 0x00, 0xff, PMU_ON_AMD_15H }, { 0x16, 0x00, 0xff, PMU_ON_AMD_16H },
	{ 0x17, 0x00, 0x2f, PMU_ON_ZEN_1 },   { 0x17, 0x50, 0x5f, PMU_ON_ZEN_1 },
	{ 0x17, 0x00, 0xff, PMU_ON_ZEN_2 },   { 0x18, 0x00, 0xff, PMU_ON_ZEN_1 },
	{ 0x19, 0x00, 0x0f, PMU_ON_ZEN_3 },   { 0x19, 0x20, 0x5f, PMU_ON_ZEN_3 },
	{ 0x19, 0x00, 0xff, PMU_ON_ZEN_4 },   { 0x1a, 0x00, 0xff, PMU_ON_ZEN_5 },
};

uint32_t microarchitecture_of_amd_cpu(const struct cpu_identity *cpu)
{
	for (size_t i = 0; i < COUNT_OF(amd_models); i++)
		if (amd_models[i].family == cpu->family && amd_models[i].first <= cpu->model
		    && cpu->model <= amd_models[i].last)
			return amd_models[i].is;
	return 0;
}

uint32_t microarchitecture_of_amd(const struct pmu *p)
{
	(void)p;
	return microarchitecture_of_amd_cpu(machine_cpu());
}

uint32_t microarchitecture_of_p5(const struct pmu *p)
{
	(void)p;
	return machine_cpu()->model <= 1 ? PMU_MODEL_P5 : PMU_MODEL_P54C;
}

uint32_t microarchitecture_of_p5_mmx(const struct pmu *p)
{
	(void)p;
	return PMU_MODEL_P55C;
}

uint32_t microarchitecture_of_netburst(const struct pmu *p)
{
	(void)p;
	return machine_cpu()->family == 0xf && machine_cpu()->model <= 2 ? PMU_ON_WILLAMETTE
	                                                                 : PMU_ON_PRESCOTT;
}

uint32_t pmu_microarchitecture(void)
{
	const struct pmu *p = pmu_get();

	return p->class->microarchitecture ? p->class->microarchitecture(p) : 0;
}
