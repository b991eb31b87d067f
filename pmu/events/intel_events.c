/* SPDX-License-Identifier: MIT */
#include <pmu/events/intel_events.h>

#include <stddef.h>

#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/machine/machine.h>
#include <pmu/core/microarchitecture.h>

/*
 * Lists family 06H by DisplayModel; of two rows with a model the second one is the efficient core.
 * Sources: SDM 4, "CPUID Signature Values of DisplayFamily_DisplayModel"; the map of Intel's lists
 * of events.
 */
static const struct { uint8_t model; bool is_atom; uint32_t is; } models[] = {
	{ 0x0f, false, INTEL_IS_CORE2 },        { 0x16, false, INTEL_IS_CORE2 },
	{ 0x17, false, INTEL_IS_CORE2 },        { 0x1d, false, INTEL_IS_CORE2 },
	{ 0x1c, false, INTEL_IS_BONNELL },      { 0x26, false, INTEL_IS_BONNELL },
	{ 0x27, false, INTEL_IS_BONNELL },      { 0x35, false, INTEL_IS_BONNELL },
	{ 0x36, false, INTEL_IS_BONNELL },      { 0x37, false, INTEL_IS_SILVERMONT },
	{ 0x4a, false, INTEL_IS_SILVERMONT },   { 0x4c, false, INTEL_IS_SILVERMONT },
	{ 0x4d, false, INTEL_IS_SILVERMONT },   { 0x5a, false, INTEL_IS_SILVERMONT },
	{ 0x5c, false, INTEL_IS_GOLDMONT },     { 0x5f, false, INTEL_IS_GOLDMONT },
	{ 0x86, false, INTEL_IS_TREMONT },      { 0x96, false, INTEL_IS_TREMONT },
	{ 0x9c, false, INTEL_IS_TREMONT },      { 0xbe, false, INTEL_IS_GRACEMONT },
	{ 0x1a, false, INTEL_IS_NEHALEM },      { 0x1e, false, INTEL_IS_NEHALEM },
	{ 0x1f, false, INTEL_IS_NEHALEM },      { 0x2e, false, INTEL_IS_NEHALEM },
	{ 0x25, false, INTEL_IS_WESTMERE },     { 0x2c, false, INTEL_IS_WESTMERE },
	{ 0x2f, false, INTEL_IS_WESTMERE },     { 0x2a, false, INTEL_IS_SANDY_BRIDGE },
	{ 0x2d, false, INTEL_IS_SANDY_BRIDGE }, { 0x3a, false, INTEL_IS_IVY_BRIDGE },
	{ 0x3e, false, INTEL_IS_IVY_BRIDGE },   { 0x3c, false, INTEL_IS_HASWELL },
	{ 0x3f, false, INTEL_IS_HASWELL },      { 0x45, false, INTEL_IS_HASWELL },
	{ 0x46, false, INTEL_IS_HASWELL },      { 0x3d, false, INTEL_IS_BROADWELL },
	{ 0x47, false, INTEL_IS_BROADWELL },    { 0x4f, false, INTEL_IS_BROADWELL },
	{ 0x56, false, INTEL_IS_BROADWELL },    { 0x4e, false, INTEL_IS_SKYLAKE },
	{ 0x5e, false, INTEL_IS_SKYLAKE },      { 0x66, false, INTEL_IS_SKYLAKE },
	{ 0x8e, false, INTEL_IS_SKYLAKE },      { 0x9e, false, INTEL_IS_SKYLAKE },
	{ 0xa5, false, INTEL_IS_SKYLAKE },      { 0xa6, false, INTEL_IS_SKYLAKE },
	{ 0x55, false, INTEL_IS_SKYLAKE_X },    { 0x6a, false, INTEL_IS_ICE_LAKE },
	{ 0x6c, false, INTEL_IS_ICE_LAKE },     { 0x7d, false, INTEL_IS_ICE_LAKE },
	{ 0x7e, false, INTEL_IS_ICE_LAKE },     { 0xa7, false, INTEL_IS_ICE_LAKE },
	{ 0x8c, false, INTEL_IS_TIGER_LAKE },   { 0x8d, false, INTEL_IS_TIGER_LAKE },
	{ 0x8f, false, INTEL_IS_SAPPHIRE_RAPIDS }, { 0xcf, false, INTEL_IS_SAPPHIRE_RAPIDS },
	{ 0x97, false, INTEL_IS_GOLDEN_COVE },  { 0x97, true, INTEL_IS_GRACEMONT },
	{ 0x9a, false, INTEL_IS_GOLDEN_COVE },  { 0x9a, true, INTEL_IS_GRACEMONT },
	{ 0xb7, false, INTEL_IS_GOLDEN_COVE },  { 0xb7, true, INTEL_IS_GRACEMONT },
	{ 0xba, false, INTEL_IS_GOLDEN_COVE },  { 0xba, true, INTEL_IS_GRACEMONT },
	{ 0xbf, false, INTEL_IS_GOLDEN_COVE },  { 0xbf, true, INTEL_IS_GRACEMONT },
	{ 0xbd, false, INTEL_IS_LION_COVE },    { 0xbd, true, INTEL_IS_SKYMONT },
	{ 0xc5, false, INTEL_IS_LION_COVE },    { 0xc5, true, INTEL_IS_SKYMONT },
	{ 0xc6, false, INTEL_IS_LION_COVE },    { 0xc6, true, INTEL_IS_SKYMONT },
};

uint32_t intel_processor(void)
{
	const struct cpu_identity *cpu = machine_cpu();
	const bool is_atom = cpu->core_type == CORE_TYPE_ATOM;
	uint32_t is = 0;

	if (cpu->family != 6 || !(pmu_microarchitecture() & PMU_ON_ARCH))
		return 0;
	for (size_t i = 0; i < COUNT_OF(models); i++)
		if (models[i].model == cpu->model && (!is || models[i].is_atom == is_atom))
			is = models[i].is;
	return is;
}

const char *intel_processor_name(void)
{
	static const char names[][15] = {
		"Core2", "Bonnell", "Silvermont", "Goldmont", "Tremont", "Gracemont", "Skymont",
		"Nehalem", "Westmere", "SandyBridge", "IvyBridge", "Haswell", "Broadwell",
		"Skylake", "SkylakeX", "IceLake", "TigerLake", "SapphireRapids", "GoldenCove",
		"LionCove"
	};
	uint32_t is = intel_processor();

	return is ? names[__builtin_ctz(is)] : "";
}

/* ---------------------------------------------------------------------------- rows */

static const char *text(uint16_t place) { return intel_table.texts + place; }

bool intel_event_exists(const struct intel_row *e)
{
	return e->head.on & intel_processor();
}

const struct intel_row *intel_event_at(unsigned n)
{
	return (const void *)packed_at(&intel_table, n, intel_processor());
}

const struct intel_row *intel_event_find(const char *name)
{
	return (const void *)packed_find_joined(&intel_table, name, intel_processor());
}

static uint64_t select_of(const struct intel_row *e)
{
	return FIELD_PUT(IA32_PERFEVTSEL_EVENT_SELECT, e->code)
	       | FIELD_PUT(IA32_PERFEVTSEL_UMASK, e->umask)
	       | FIELD_PUT(IA32_PERFEVTSEL_UMASK2, e->umask2)
	       | FIELD_PUT(IA32_PERFEVTSEL_CMASK, e->cmask)
	       | (e->flags & INTEL_INV ? IA32_PERFEVTSEL_INV : 0)
	       | (e->flags & INTEL_EDGE ? IA32_PERFEVTSEL_E : 0)
	       | (e->flags & INTEL_ANY ? IA32_PERFEVTSEL_ANY : 0);
}

const struct intel_row *intel_event_of(uint64_t select)
{
	const uint64_t fields = IA32_PERFEVTSEL_EVENT_SELECT | IA32_PERFEVTSEL_UMASK
	                        | IA32_PERFEVTSEL_UMASK2 | IA32_PERFEVTSEL_CMASK
	                        | IA32_PERFEVTSEL_INV | IA32_PERFEVTSEL_E
	                        | IA32_PERFEVTSEL_ANY;
	const uint32_t here = intel_processor();
	const struct intel_row *e;

	for (unsigned i = 0; (e = (const void *)packed_row(&intel_table, i)) != NULL; i++)
		if ((e->head.on & here) && select_of(e) == (select & fields))
			return e;
	return NULL;
}

const char *intel_event_name(const struct intel_row *e, char *buffer)
{
	const char *member = text(e->head.more);

	format_buf(buffer, INTEL_NAME_SIZE, "%s%s%s", text(e->head.name), *member ? "." : "",
	           member);
	return buffer;
}

const char *intel_event_errata(const struct intel_row *e) { return text(e->errata); }

const struct intel_msr *intel_event_msr(const struct intel_row *e)
{
	return intel_msrs[e->msr].number ? &intel_msrs[e->msr] : NULL;
}

uint32_t intel_event_counters(const struct intel_row *e)
{
	return intel_counters[e->counters] & ((1u << pmu_get()->gp_count) - 1);
}

struct pmu_setup intel_event_setup(const struct intel_row *e, unsigned counter, unsigned flags)
{
	return (struct pmu_setup){
		.counter = counter, .event = (uint16_t)EVENT(e->code, e->umask), .cmask = e->cmask,
		.event_high = e->umask2,
		.flags = flags | (e->flags & INTEL_INV ? PMU_INV : 0)
		         | (e->flags & INTEL_EDGE ? PMU_EDGE : 0)
		         | (e->flags & INTEL_ANY ? PMU_ANY : 0),
	};
}
