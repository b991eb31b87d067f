/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/events/intel_family.h>

#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <kernel/machine/machine.h>
#include <pmu/events/intel_events.h>
#include <tests/suites/common/needs.h>

static const struct { const char *id, *name; uint32_t processors; } families[] = {
	{ "core2", "Core 2", INTEL_IS_CORE2 },
	{ "bonnell", "Bonnell", INTEL_IS_BONNELL },
	{ "nehalem", "Nehalem or Westmere", INTEL_IS_NEHALEM | INTEL_IS_WESTMERE },
	{ "sandybridge", "Sandy Bridge", INTEL_IS_SANDY_BRIDGE },
	{ "ivybridge", "Ivy Bridge", INTEL_IS_IVY_BRIDGE },
	{ "haswell", "Haswell", INTEL_IS_HASWELL },
	{ "broadwell", "Broadwell", INTEL_IS_BROADWELL },
	{ "skylake", "Skylake", INTEL_IS_SKYLAKE | INTEL_IS_SKYLAKE_X },
	{ "icelake", "Ice Lake", INTEL_IS_ICE_LAKE },
	{ "tigerlake", "Tiger Lake", INTEL_IS_TIGER_LAKE },
	{ "sapphirerapids", "Golden Cove", INTEL_IS_SAPPHIRE_RAPIDS | INTEL_IS_GOLDEN_COVE },
	{ "lioncove", "Lion Cove", INTEL_IS_LION_COVE },
	{ "gracemont", "Gracemont", INTEL_IS_GRACEMONT },
	{ "skymont", "Skymont", INTEL_IS_SKYMONT },
};

static bool is_in(const char *id, const char *family)
{
	const size_t length = strlen(family);

	return strncmp(id, family, length) == 0 && (id[length] == '.' || !id[length]);
}

const char *need_intel_family(struct test_ctx *t)
{
	const struct cpu_identity *cpu = machine_cpu();
	const char *id = test_that_runs(t)->id, *problem = need_arch(t);

	for (unsigned i = 0; !problem && i < COUNT_OF(families); i++)
		if (is_in(id, families[i].id) && !(families[i].processors & intel_processor()))
			return test_reason(t, "the processor is not %s: family %" PRIX32
			                   "H, model %" PRIX32 "H", families[i].name,
			                   (uint32_t)cpu->family, (uint32_t)cpu->model);
	return problem;
}
