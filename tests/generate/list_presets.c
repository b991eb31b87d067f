/* SPDX-License-Identifier: MIT */
/*
 * This host program prints the presets, the microarchitectures and the rows of presets.h. Each
 * line is `preset`, `on` or `row` and cells, with tabs between; each kind begins with its keys.
 */
#include <stdio.h>

#include <arch/regs/table.h>
#include <pmu/core/microarchitecture.h>
#include <pmu/events/presets.h>

static const struct { unsigned bit; const char *family, *name; } columns[] = {
	{ PMU_MODEL_P5,         "P5", "P5" },          { PMU_MODEL_P54C, "P5", "P54C" },
	{ PMU_MODEL_P55C,       "P5", "Pentium MMX" },
	{ PMU_MODEL_PPRO,       "P6", "Pentium Pro" }, { PMU_MODEL_PII, "P6", "Pentium II" },
	{ PMU_MODEL_PIII,       "P6", "Pentium III" }, { PMU_MODEL_PM, "P6", "Pentium M" },
	{ PMU_ON_WILLAMETTE,    "NetBurst", "Willamette, Northwood" },
	{ PMU_ON_PRESCOTT,      "NetBurst", "Prescott, Cedar Mill" },
	{ PMU_ON_CORE2,         "architectural", "Core 2" },
	{ PMU_ON_BONNELL,       "architectural", "Bonnell" },
	{ PMU_ON_NEHALEM,       "architectural", "Nehalem, Westmere" },
	{ PMU_ON_SANDY_BRIDGE,  "architectural", "Sandy Bridge" },
	{ PMU_ON_IVY_BRIDGE,    "architectural", "Ivy Bridge" },
	{ PMU_ON_HASWELL,       "architectural", "Haswell, Broadwell" },
	{ PMU_ON_SKYLAKE,       "architectural", "Skylake" },
	{ PMU_ON_ICE_LAKE,      "architectural", "Ice Lake and later" },
	{ PMU_ON_TREMONT,       "architectural", "Tremont and later E-cores" },
	{ PMU_ON_ANY_ARCH,      "architectural", "others" },
	{ PMU_ON_K7,            "AMD", "K7" },         { PMU_ON_K8, "AMD", "K8, family 11H" },
	{ PMU_ON_AMD_10H,       "AMD", "10H" },        { PMU_ON_AMD_12H, "AMD", "12H" },
	{ PMU_ON_AMD_14H,       "AMD", "14H" },        { PMU_ON_AMD_15H, "AMD", "15H" },
	{ PMU_ON_AMD_16H,       "AMD", "16H" },        { PMU_ON_ZEN_1, "AMD", "Zen" },
	{ PMU_ON_ZEN_2,         "AMD", "Zen 2" },      { PMU_ON_ZEN_3, "AMD", "Zen 3" },
	{ PMU_ON_ZEN_4,         "AMD", "Zen 4" },      { PMU_ON_ZEN_5, "AMD", "Zen 5" },
};

static const char *text(const char *may_be_null)
{
	return may_be_null ? may_be_null : "";
}

static void print_row(const struct pmu_preset_row *r)
{
	printf("row\t%s\t%X\t", r->preset, r->on);
	for (unsigned i = 0; r->parts[i].event; i++)
		printf("%s%s", r->parts[i].factor < 0 ? " - " : i ? " + " : "", r->parts[i].event);
	printf("\t%s\t%s\n", text(r->note), text(r->why));
}

int main(void)
{
	printf("preset\tname\tmeaning\n");
	for (unsigned i = 0; i < pmu_preset_count; i++)
		printf("preset\t%s\t%s\n", pmu_presets[i].name, pmu_presets[i].meaning);
	printf("on\tbit\tfamily\tname\n");
	for (unsigned i = 0; i < COUNT_OF(columns); i++)
		printf("on\t%X\t%s\t%s\n", columns[i].bit, columns[i].family, columns[i].name);
	printf("row\tpreset\ton\tparts\tnote\twhy\n");
	for (unsigned i = 0; i < pmu_preset_row_count; i++)
		print_row(&pmu_preset_rows[i]);
	return 0;
}
