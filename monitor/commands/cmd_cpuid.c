/* SPDX-License-Identifier: MIT */
/* cpuid: shows what CPUID reports. */
#include <monitor/tools/command.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/table.h>
#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <kernel/machine/machine.h>

/* The fields that this kernel uses, by the names in cpuid.h. */
#define NAMED(field)  { #field, CPUID_##field }

static const struct { const char *name; struct cpuid_field field; } fields[] = {
	NAMED(STEPPING), NAMED(BASE_MODEL), NAMED(BASE_FAMILY), NAMED(EXTENDED_MODEL),
	NAMED(EXTENDED_FAMILY), NAMED(LOGICAL_COUNT), NAMED(INITIAL_APIC_ID), NAMED(DTES64),
	NAMED(DS_CPL), NAMED(PDCM), NAMED(X2APIC), NAMED(HYPERVISOR), NAMED(FPU), NAMED(PSE),
	NAMED(TSC), NAMED(MSR), NAMED(APIC), NAMED(DS), NAMED(MMX), NAMED(SSE), NAMED(SSE2),
	NAMED(HTT), NAMED(CACHE_TYPE), NAMED(CORE_ID_LAST), NAMED(ARCH_LBR), NAMED(HYBRID),
	NAMED(PERFMON_VERSION), NAMED(PERFMON_GP_COUNT), NAMED(PERFMON_GP_WIDTH),
	NAMED(PERFMON_EVENT_COUNT), NAMED(PERFMON_EVENT_MISSING), NAMED(PERFMON_FIXED_MAP),
	NAMED(PERFMON_FIXED_COUNT), NAMED(PERFMON_FIXED_WIDTH),
	NAMED(PERFMON_ANYTHREAD_DEPRECATED), NAMED(X2APIC_ID), NAMED(LEVEL_SHIFT),
	NAMED(LEVEL_COUNT), NAMED(LEVEL_TYPE), NAMED(CORE_TYPE), NAMED(PERFMON_SUBLEAVES),
	NAMED(PERFMON_EQ), NAMED(PERFMON_GP_MAP), NAMED(PERFMON_FIXED_MAP_6),
	NAMED(PERFMON_EVENT_MAP_6), NAMED(PERFCTR_CORE), NAMED(PERFCTR_NB), NAMED(PERFCTR_LLC),
	NAMED(AMD_V2), NAMED(AMD_FREEZE), NAMED(AMD_COUNTERS), NAMED(AMD_FABRIC_COUNTERS),
	NAMED(AMD_PREC_RET), NAMED(IRPERF), NAMED(EFF_FREQ), NAMED(EFF_FREQ_RO),
	NAMED(TOPOLOGY_EXTENSIONS), NAMED(NC), NAMED(APIC_ID_SIZE), NAMED(THREADS_PER_CORE),
};

static const char *const registers[] = {
	[CPUID_EAX] = "EAX", [CPUID_EBX] = "EBX", [CPUID_ECX] = "ECX", [CPUID_EDX] = "EDX",
};

static void print_field(const char *name, struct cpuid_field field, struct cpuid_result r)
{
	uint32_t value = cpuid_pick(r, field);

	if (field.hi == field.lo)
		print("  %s[%u] = %" PRIu32 "  %s\n", registers[field.reg], field.lo, value, name);
	else
		print("  %s[%u:%u] = %" PRIX32 "H  %s\n", registers[field.reg], field.hi, field.lo,
		      value, name);
}

static void print_registers(uint32_t leaf, uint32_t subleaf, struct cpuid_result r)
{
	print("CPUID.%02" PRIX32 "H.%" PRIX32 "H: EAX = %08" PRIX32 "H, EBX = %08" PRIX32
	      "H, ECX = %08" PRIX32 "H, EDX = %08" PRIX32 "H\n", leaf, subleaf, r.eax, r.ebx, r.ecx,
	      r.edx);
}

static void print_leaf(uint32_t leaf, uint32_t subleaf)
{
	struct cpuid_result r = cpuid_execute(leaf, subleaf);
	uint32_t highest = cpuid_execute(leaf & 0xffff0000u, 0).eax;

	print_registers(leaf, subleaf, r);
	if (highest >> 16 != leaf >> 16 || leaf > highest) {
		print("This processor has no such leaf: its answer means nothing.\n");
		return;
	}
	for (size_t i = 0; i < COUNT_OF(fields); i++)
		if (fields[i].field.leaf == leaf && fields[i].field.subleaf == subleaf)
			print_field(fields[i].name, fields[i].field, r);
}

/* Asks only for those subleaves that concern this kernel. */
static void print_range(uint32_t first)
{
	uint32_t highest = cpuid_execute(first, 0).eax;

	if (highest >> 16 != first >> 16)
		return;
	for (uint32_t leaf = first; leaf <= highest && leaf - first < 64; leaf++)
		print_registers(leaf, 0, cpuid_execute(leaf, 0));
}

COMMAND(cpuid, .syntax = "[LEAF [SUBLEAF]]", .summary = "shows what CPUID reports",
        .text = "With a leaf it also shows the fields that concern counting.\n"
                "Alone it shows all leaves.\n",
        .example = "cpuid 1")
{
	const struct cpu_identity *cpu = machine_cpu();
	uint32_t leaf, subleaf;

	words_expect(w, 0, 2);
	if (!has_cpuid())
		monitor_fail("this processor has no CPUID: EFLAGS.ID cannot be changed");
	if (w->count == 1) {
		print("%s, family %XH, model %XH, stepping %XH %s\n", cpu->vendor_name,
		      cpu->family, cpu->model, cpu->stepping, cpu->brand);
		print_range(0);
		print_range(0x80000000u);
		return;
	}
	leaf = (uint32_t)words_number(w, 1, "the leaf", 0, UINT32_MAX);
	subleaf = w->count > 2 ? (uint32_t)words_number(w, 2, "the subleaf", 0, UINT32_MAX) : 0;
	print_leaf(leaf, subleaf);
}
