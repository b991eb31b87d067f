/* SPDX-License-Identifier: MIT */
/* Lists the generations: how to recognise each, its registers, and how to make it count once. */
#include <pmu/drivers/classes.h>

#include <stddef.h>

#include <arch/regs/amd.h>
#include <arch/regs/netburst.h>
#include <arch/regs/p5.h>
#include <arch/regs/p6.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/string.h>
#include <pmu/core/microarchitecture.h>
#include <pmu/events/event_request.h>

static const struct pmu_register p5_registers[] = {
	{ .name = "CESR", .msr = CESR, .kind = COUNT_ROW, .count = 1 },
	{ .name = "CTR0", .msr = CTR0, .kind = COUNT_ROW, .count = 2 },
};

static const struct pmu_register p6_registers[] = {
	{ .name = "PerfEvtSel0", .msr = PerfEvtSel(0), .kind = COUNT_ROW, .count = 2 },
	{ .name = "PerfCtr0",    .msr = PerfCtr(0),    .kind = COUNT_ROW, .count = 2 },
};

static const struct pmu_register netburst_registers[] = {
	{ .name = "MSR_BPU_CCCR0",    .msr = MSR_CCCR(0),      .kind = COUNT_ROW, .count = 18 },
	{ .name = "MSR_BPU_COUNTER0", .msr = MSR_COUNTER(0),   .kind = COUNT_ROW, .count = 18 },
	{ .name = "MSR_BSU_ESCR0",    .msr = MSR_ESCR_BLOCK0,  .kind = COUNT_ROW, .count = 31 },
	{ .name = "MSR_TBPU_ESCR0 block", .msr = MSR_ESCR_BLOCK1, .kind = COUNT_ROW, .count = 6 },
	{ .name = "MSR_CRU_ESCR2 block",  .msr = MSR_ESCR_BLOCK2, .kind = COUNT_ROW, .count = 6 },
	{ .name = "MSR_CRU_ESCR4 block",  .msr = MSR_ESCR_BLOCK3, .kind = COUNT_ROW, .count = 2 },
	{ .name = "MSR_PEBS_ENABLE",  .msr = MSR_PEBS_ENABLE,  .kind = COUNT_ROW, .count = 2 },
};

/* The order is that of a reset: first the registers that start counting, last the counters. */
static const struct pmu_register arch_registers[] = {
	{ .name = "IA32_PERF_GLOBAL_CTRL", .msr = IA32_PERF_GLOBAL_CTRL,
	  .kind = COUNT_ROW, .count = 1, .since_version = 2 },
	{ .name = "IA32_PERFEVTSEL0", .msr = IA32_PERFEVTSEL(0),
	  .kind = COUNT_GP },
	{ .name = "IA32_FIXED_CTR_CTRL", .msr = IA32_FIXED_CTR_CTRL,
	  .kind = COUNT_ROW, .count = 1, .since_version = 2 },
	{ .name = "IA32_PMC0", .msr = IA32_PMC(0),
	  .kind = COUNT_GP },
	{ .name = "IA32_A_PMC0", .msr = IA32_A_PMC(0),
	  .kind = COUNT_GP, .capability = IA32_PERF_CAPABILITIES_FW_WRITE },
	{ .name = "IA32_FIXED_CTR0", .msr = IA32_FIXED_CTR(0),
	  .kind = COUNT_FIXED, .since_version = 2 },
	{ .name = "IA32_PERF_METRICS", .msr = IA32_PERF_METRICS,
	  .kind = COUNT_ROW, .count = 1, .since_version = 5,
	  .capability = IA32_PERF_CAPABILITIES_PERF_METRICS },
	{ .name = "IA32_PERF_GLOBAL_OVF_CTRL", .msr = IA32_PERF_GLOBAL_OVF_CTRL,
	  .kind = COUNT_ROW, .count = 1, .since_version = 2 },
	{ .name = "IA32_PERF_GLOBAL_STATUS_SET", .msr = IA32_PERF_GLOBAL_STATUS_SET,
	  .kind = COUNT_ROW, .count = 1, .since_version = 4 },
	{ .name = "IA32_PERF_GLOBAL_STATUS", .msr = IA32_PERF_GLOBAL_STATUS,
	  .kind = COUNT_ROW, .count = 1, .since_version = 2, .is_read_only = true },
	{ .name = "IA32_PERF_GLOBAL_INUSE", .msr = IA32_PERF_GLOBAL_INUSE,
	  .kind = COUNT_ROW, .count = 1, .since_version = 4, .is_read_only = true },
};

static const struct pmu_register arch_noted[] = {
	{ .name = "IA32_MISC_ENABLE", .msr = IA32_MISC_ENABLE, .kind = COUNT_ROW, .count = 1 },
	{ .name = "IA32_DEBUGCTL", .msr = IA32_DEBUGCTL, .kind = COUNT_ROW, .count = 1,
	  .since_version = 2 },
};

static const struct pmu_register k7_registers[] = {
	{ .name = "PerfEvtSel0", .msr = PERF_LEGACY_CTL(0), .kind = COUNT_ROW, .count = 4 },
	{ .name = "PerfCtr0",    .msr = PERF_LEGACY_CTR(0), .kind = COUNT_ROW, .count = 4 },
};

/* The row of PERF_CTL0 includes PERF_CTR0 to 5. */
static const struct pmu_register amd_core_registers[] = {
	{ .name = "PerfCntrGlobalCtl", .msr = PerfCntrGlobalCtl,
	  .kind = COUNT_ROW, .count = 1, .since_version = 2 },
	{ .name = "PERF_CTL0",   .msr = PERF_CTL(0), .kind = COUNT_ROW, .count = 12 },
	{ .name = "PerfEvtSel0", .msr = PERF_LEGACY_CTL(0), .kind = COUNT_ROW, .count = 4 },
	{ .name = "PerfCtr0",    .msr = PERF_LEGACY_CTR(0), .kind = COUNT_ROW, .count = 4 },
	{ .name = "PerfCntrGlobalStatus", .msr = PerfCntrGlobalStatus,
	  .kind = COUNT_ROW, .count = 1, .since_version = 2, .is_read_only = true },
};

static bool is_intel(const struct cpu_identity *cpu) { return cpu->vendor == VENDOR_INTEL; }
static bool is_amd(const struct cpu_identity *cpu)   { return cpu->vendor == VENDOR_AMD; }

/* Geode LX data book, "CPUID Instruction Set": models of family 5 up to 0DH are K5 and K6. */
static bool is_geode(const struct cpu_identity *cpu)
{
	return is_amd(cpu) && cpu->family == 5 && cpu->model == 0xa;
}

static bool is_before(const struct cpu_identity *cpu)
{
	return cpu->family < 5 || (is_amd(cpu) && cpu->family == 5);
}

static bool is_p5(const struct cpu_identity *cpu)
{
	return is_intel(cpu) && cpu->family == 5 && !cpuid_get(CPUID_MMX);
}

static bool is_p5_mmx(const struct cpu_identity *cpu)
{
	return is_intel(cpu) && cpu->family == 5 && cpuid_get(CPUID_MMX);
}

static bool is_arch(const struct cpu_identity *cpu)
{
	return !is_amd(cpu) && cpuid_get(CPUID_PERFMON_VERSION) != 0;
}

/* Models up to Tualatin (0BH), and the two Pentium Ms before Core Duo: 09H and 0DH. */
static bool is_p6(const struct cpu_identity *cpu)
{
	return is_intel(cpu) && cpu->family == 6 && cpu->model <= 0xd;
}

static bool is_netburst(const struct cpu_identity *cpu)
{
	return is_intel(cpu) && cpu->family == 0xf;
}

static bool is_amd_core(const struct cpu_identity *cpu)
{
	return is_amd(cpu) && cpuid_get(CPUID_PERFCTR_CORE);
}

static bool is_any(const struct cpu_identity *cpu)
{
	return cpu != NULL;
}

/* Returns a bitmap of n counters, numbered from 0. */
static uint32_t first_bits(unsigned n)
{
	return n >= 32 ? UINT32_MAX : (UINT32_C(1) << n) - 1;
}

/* SDM 3B, "Architectural Performance Monitoring Version 5": present if ECX[i] or EDX[4:0] > i. */
static void enumerate_arch(struct pmu *p)
{
	uint32_t gp_map = cpuid_get(CPUID_PERFMON_GP_MAP);
	uint32_t fixed_map = cpuid_get(CPUID_PERFMON_FIXED_MAP_6);

	p->version = cpuid_get(CPUID_PERFMON_VERSION);
	p->gp_count = gp_map ? pmu_map_span(gp_map) : cpuid_get(CPUID_PERFMON_GP_COUNT);
	p->gp_width = cpuid_get(CPUID_PERFMON_GP_WIDTH);
	if (p->version >= 2) {
		p->fixed_map = first_bits(cpuid_get(CPUID_PERFMON_FIXED_COUNT));
		p->fixed_width = cpuid_get(CPUID_PERFMON_FIXED_WIDTH);
	}
	if (p->version >= 5)
		p->fixed_map |= cpuid_get(CPUID_PERFMON_FIXED_MAP);
	if (fixed_map)
		p->fixed_map = fixed_map;
	p->is_common = !gp_map && p->version >= 5 && cpuid_get(CPUID_HYBRID)
	               && cpuid_get(CPUID_CORE_TYPE) == CORE_TYPE_CORE;
	if (cpuid_get(CPUID_PDCM))
		msr_try_read(IA32_PERF_CAPABILITIES, &p->capabilities);
}

/* APM 3, CPUID leaf 80000022H: EAX[0] is PerfMonV2, and EBX[3:0] then the number of counters. */
static void enumerate_amd(struct pmu *p)
{
	if (!cpuid_get(CPUID_AMD_V2))
		return;
	p->version = 2;
	p->gp_count = cpuid_get(CPUID_AMD_COUNTERS);
}

#define FREEZE_BITS (IA32_DEBUGCTL_FREEZE_LBRS_ON_PMI | IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI \
                     | IA32_DEBUGCTL_FREEZE_WHILE_SMM)
#define ARCH_BITS   (IA32_DEBUGCTL_LBR | IA32_DEBUGCTL_BTF | IA32_DEBUGCTL_TR | IA32_DEBUGCTL_BTS \
                     | IA32_DEBUGCTL_BTINT | IA32_DEBUGCTL_BTS_OFF_OS | IA32_DEBUGCTL_BTS_OFF_USR)

/* Others than the PMU's counters set these bits, at any time; arch.status.at_rest judges them. */
#define SET_BY_OTHERS (IA32_PERF_GLOBAL_STATUS_COND_CHGD | IA32_PERF_GLOBAL_STATUS_ASCI \
                       | IA32_PERF_GLOBAL_STATUS_OVF_UNCORE | IA32_PERF_GLOBAL_STATUS_TRACE_TOPA)

#define ARCH_INSTRUCTIONS \
	(IA32_PERFEVTSEL_EN | IA32_PERFEVTSEL_OS | IA32_PERFEVTSEL_USR \
	 | FIELD_PUT(IA32_PERFEVTSEL_EVENT_SELECT, EVENT_INSTRUCTIONS_RETIRED))

#define P6_INSTRUCTIONS \
	(PerfEvtSel_EN | PerfEvtSel_OS | PerfEvtSel_USR \
	 | FIELD_PUT(PerfEvtSel_EVENT_SELECT, P6_EVENT_INST_RETIRED))

#define NETBURST_ESCR(os, usr) \
	(FIELD_PUT(ESCR_EVENT_SELECT, NETBURST_EVENT_INSTR_RETIRED) | (os) | (usr) \
	 | FIELD_PUT(ESCR_EVENT_MASK, INSTR_RETIRED_NBOGUSNTAG | INSTR_RETIRED_NBOGUSTAG))

#define NETBURST_CCCR \
	(CCCR_ENABLE | FIELD_PUT(CCCR_ESCR_SELECT, CRU_ESCR0_SELECT) | CCCR_ACTIVE_THREAD)

#define WRITE(register, bits)  { .msr = (register), .value = (bits) }

#define P5_PROBE \
	{ .on = { WRITE(CESR, FIELD_PUT(CESR_CC0, CESR_CC_ANY_CPL) \
	                      | FIELD_PUT(CESR_ES0, P5_EVENT_INSTRUCTIONS)) }, \
	  .counter = CTR0, .name = "CTR0" }

/* The same on other counters, for the verdict on a PMU whose first counter is dead. */
static const struct pmu_probe p5_others[] = {
	{ .on = { WRITE(CESR, FIELD_PUT(CESR_CC1, CESR_CC_ANY_CPL)
	                      | FIELD_PUT(CESR_ES1, P5_EVENT_INSTRUCTIONS)) },
	  .counter = CTR0 + 1, .name = "CTR1" },
};

static const struct pmu_probe p6_others[] = {
	{ .on = { WRITE(PerfEvtSel(1), P6_INSTRUCTIONS & ~PerfEvtSel_EN),
	          WRITE(PerfEvtSel(0), PerfEvtSel_EN) },
	  .counter = PerfCtr(1), .name = "PerfCtr1" },
};

#define ARCH_PROBE(i) \
	{ .on = { WRITE(IA32_PERFEVTSEL(i), ARCH_INSTRUCTIONS) }, .counter = IA32_PMC(i), \
	  .name = "IA32_PMC" #i, .global = IA32_PERF_GLOBAL_CTRL_EN_PMC(i) }

static const struct pmu_probe arch_others[] = {
	ARCH_PROBE(1), ARCH_PROBE(2), ARCH_PROBE(3),
	{ .on = { WRITE(IA32_FIXED_CTR_CTRL, IA32_FIXED_CTR_CTRL_EN_OS(0)
	                                     | IA32_FIXED_CTR_CTRL_EN_USR(0)) },
	  .counter = IA32_FIXED_CTR(0), .name = "IA32_FIXED_CTR0",
	  .global = IA32_PERF_GLOBAL_CTRL_EN_FIXED(0) },
};

#define NETBURST_PROBE(i) \
	{ .on = { { .msr = MSR_CRU_ESCR0, .value = NETBURST_ESCR(ESCR_T0_OS, ESCR_T0_USR), \
	            .second = NETBURST_ESCR(ESCR_T1_OS, ESCR_T1_USR) }, \
	          WRITE(MSR_IQ_CCCR0 + (i), NETBURST_CCCR) }, \
	  .counter = MSR_IQ_COUNTER0 + (i), .name = "MSR_IQ_COUNTER" #i }

static const struct pmu_probe netburst_others[] = { NETBURST_PROBE(1) };

#define AMD_INSTRUCTIONS \
	(PERF_CTL_EN | PERF_CTL_OS | PERF_CTL_USR | AMD_EVENT_INST_RETIRED)

#define AMD_CORE_PROBE(i) \
	{ .on = { WRITE(PERF_CTL(i), AMD_INSTRUCTIONS) }, .counter = PERF_CTR(i), \
	  .name = "PERF_CTR" #i, .global = PerfCntrGlobalCtl_EN(i) }
#define K7_PROBE(i) \
	{ .on = { WRITE(PERF_LEGACY_CTL(i), AMD_INSTRUCTIONS) }, .counter = PERF_LEGACY_CTR(i), \
	  .name = "PerfCtr" #i }

static const struct pmu_probe amd_core_others[] = {
	AMD_CORE_PROBE(1), AMD_CORE_PROBE(2), AMD_CORE_PROBE(3), AMD_CORE_PROBE(4),
	AMD_CORE_PROBE(5),
};
static const struct pmu_probe k7_others[] = { K7_PROBE(1), K7_PROBE(2), K7_PROBE(3) };

#define OTHERS(table) .others = (table), .other_count = COUNT_OF(table)
#define REGISTERS(table) .registers = (table), .register_count = COUNT_OF(table)

/* The oldest come first: a row is checked only if no earlier one matched. */
const struct pmu_class pmu_classes[] = {
	{ .name = "Geode LX", .matches = is_geode,
	  .because = "AMD family 5, model 0AH: it has two counters at C1H with events of its own, "
	             "for which there is no driver",
	  .source = "AMD Geode LX Processors Data Book, \"Performance Event Counter\"" },
	{ .name = "none", .matches = is_before, .has = PMU_IS_TOO_EARLY,
	  .because = "the family is older than performance counters",
	  .source = "SDM 3B, Performance Monitoring; AMD-K6 data sheets" },
	{ .name = "P5", .word = "p5", .matches = is_p5,
	  .has = PMU_HAS_CESR, .count = 2, .width = 40,
	  .instructions = P5_EVENT_INSTRUCTIONS, .branches = P5_EVENT_BRANCHES,
	  .microarchitecture = microarchitecture_of_p5,
	  .no_pmi = "the Pentium's counters raise no interrupt when they overflow",
	  .because = "Intel family 5 without MMX", REGISTERS(p5_registers),
	  .probe = P5_PROBE,
	  OTHERS(p5_others), .driver = &pmu_driver_p5, .events = &event_source_p5,
	  .source = "SDM 3B, Performance Monitoring (Pentium Processors)" },
	{ .name = "P5 with MMX", .word = "p5_mmx", .matches = is_p5_mmx,
	  .has = PMU_HAS_CESR | PMU_HAS_RDPMC, .count = 2, .width = 40,
	  .instructions = P5_EVENT_INSTRUCTIONS, .branches = P5_EVENT_BRANCHES,
	  .microarchitecture = microarchitecture_of_p5_mmx,
	  .no_pmi = "the Pentium's counters raise no interrupt when they overflow",
	  .because = "Intel family 5 with MMX", REGISTERS(p5_registers),
	  .probe = P5_PROBE,
	  OTHERS(p5_others), .driver = &pmu_driver_p5, .events = &event_source_p5,
	  .source = "SDM 3B, Performance Monitoring (Pentium Processors)" },
	{ .name = "architectural", .word = "arch", .matches = is_arch,
	  .because = "CPUID.0AH:EAX[7:0] is not 0", REGISTERS(arch_registers),
	  .noted = arch_noted, .noted_count = COUNT_OF(arch_noted),
	  .has = PMU_HAS_RDPMC | PMU_HAS_LEAF_0AH | PMU_HAS_SIGNED_WRITES,
	  .enumerate = enumerate_arch, .together_since = 2,
	  .instructions = EVENT_INSTRUCTIONS_RETIRED, .cycles = EVENT_UNHALTED_CORE_CYCLES,
	  .branches = EVENT_BRANCH_INSTR_RETIRED,
	  .microarchitecture = microarchitecture_of_arch,
	  .debugctl = ARCH_BITS, .debugctl_2 = FREEZE_BITS,
	  .bts = IA32_DEBUGCTL_TR | IA32_DEBUGCTL_BTS, .status_of_others = SET_BY_OTHERS,
	  .status_name = "IA32_PERF_GLOBAL_STATUS, cleared after this test",
	  .probe = ARCH_PROBE(0), OTHERS(arch_others),
	  .driver = &pmu_driver_arch, .events = &event_source_arch,
	  .global_ctrl = IA32_PERF_GLOBAL_CTRL,
	  .source = "SDM 3B, Architectural Performance Monitoring" },
	{ .name = "P6", .word = "p6", .matches = is_p6,
	  .because = "Intel family 6, model up to 0DH", REGISTERS(p6_registers),
	  .has = PMU_HAS_RDPMC | PMU_HAS_ONE_ENABLE | PMU_HAS_SIGNED_WRITES,
	  .count = 2, .width = 40, .instructions = P6_EVENT_INST_RETIRED,
	  .cycles = P6_EVENT_CPU_CLK_UNHALTED, .branches = EVENT_BRANCH_INSTR_RETIRED,
	  .microarchitecture = microarchitecture_of_p6,
	  .debugctl = IA32_DEBUGCTL_LBR | IA32_DEBUGCTL_BTF,
	  .probe = { .on = { WRITE(PerfEvtSel(0), P6_INSTRUCTIONS) },
	             .counter = PerfCtr(0), .name = "PerfCtr0" },
	  OTHERS(p6_others), .driver = &pmu_driver_p6, .events = &event_source_p6,
	  .source = "SDM 3B, Performance Monitoring (P6 Family Processor)" },
	{ .name = "NetBurst", .word = "netburst", .matches = is_netburst,
	  .because = "Intel family 0FH", REGISTERS(netburst_registers),
	  .has = PMU_HAS_RDPMC | PMU_HAS_CCCRS | PMU_HAS_PERFMON_BIT,
	  .count = 18, .width = 40, .together_since = UINT8_MAX, .pmi_lag = 1,
	  .instructions = EVENT_INSTRUCTIONS_RETIRED, .cycles = EVENT_UNHALTED_CORE_CYCLES,
	  .branches = EVENT_BRANCH_INSTR_RETIRED,
	  .microarchitecture = microarchitecture_of_netburst,
	  .debugctl = FIELD(6, 0), .bts = MSR_DEBUGCTLA_TR | MSR_DEBUGCTLA_BTS,
	  .status_name = "OVF of the CCCRs, cleared after this test",
	  .probe = NETBURST_PROBE(0),
	  OTHERS(netburst_others), .driver = &pmu_driver_netburst, .events = &event_source_netburst,
	  .source = "SDM 3B, Performance Monitoring (NetBurst)" },
	{ .name = "AMD, six counters", .word = "amd_core", .matches = is_amd_core,
	  .because = "AMD, CPUID.80000001H:ECX[23] = 1", REGISTERS(amd_core_registers),
	  .has = PMU_HAS_RDPMC | PMU_HAS_LEGACY_CTLS | PMU_HAS_CORE_CTLS,
	  .count = 6, .width = 48, .enumerate = enumerate_amd, .together_since = 2,
	  .instructions = AMD_EVENT_INST_RETIRED, .cycles = AMD_EVENT_CYCLES,
	  .branches = AMD_EVENT_BRANCHES, .microarchitecture = microarchitecture_of_amd,
	  .status_name = "PerfCntrGlobalStatus, cleared after this test",
	  .probe = AMD_CORE_PROBE(0), OTHERS(amd_core_others),
	  .driver = &pmu_driver_amd_core, .events = &event_source_amd,
	  .global_ctrl = PerfCntrGlobalCtl,
	  .source = "APM 2, Performance Monitoring Counters" },
	{ .name = "AMD, four counters", .word = "amd_k7", .matches = is_amd,
	  .because = "AMD family 6 or later, CPUID.80000001H:ECX[23] = 0", REGISTERS(k7_registers),
	  .has = PMU_HAS_RDPMC | PMU_HAS_LEGACY_CTLS, .count = 4, .width = 48,
	  .together_since = 2, .instructions = AMD_EVENT_INST_RETIRED,
	  .cycles = AMD_EVENT_CYCLES, .branches = AMD_EVENT_BRANCHES,
	  .microarchitecture = microarchitecture_of_amd,
	  .probe = K7_PROBE(0), OTHERS(k7_others),
	  .driver = &pmu_driver_amd_k7, .events = &event_source_amd,
	  .source = "APM 2, Performance Monitoring Counters" },
	{ .name = "none", .matches = is_intel, .has = PMU_IS_HIDDEN,
	  .because = "CPUID.0AH:EAX[7:0] = 0 on a processor that is not P5, P6 or NetBurst",
	  .source = "SDM 3B, Architectural Performance Monitoring" },
	{ .name = "none known", .matches = is_any,
	  .because = "neither Intel nor AMD, and CPUID.0AH:EAX[7:0] = 0", .source = "none" },
};

const unsigned pmu_class_count = COUNT_OF(pmu_classes);

const struct pmu_class *pmu_class_find(const char *word)
{
	for (unsigned i = 0; i < pmu_class_count; i++)
		if (pmu_classes[i].word && strcmp(pmu_classes[i].word, word) == 0)
			return &pmu_classes[i];
	return NULL;
}

void pmu_detect(const struct cpu_identity *cpu, const struct pmu_class *forced)
{
	const struct pmu_class *class = forced ? forced : pmu_classes;

	while (!forced && !class->matches(cpu))    /* the last row matches everything */
		class++;
	pmu_examine(class, forced != NULL);
}
