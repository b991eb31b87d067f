/* SPDX-License-Identifier: MIT */
/* What CPUID says on each processor of a hybrid, and what has to be the same on all of them. */
#include <arch/cpu/cpuid.h>
#include <arch/regs/lbr.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/machine/machine.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/arch/hybrid/hybrid_suite.h>

/* What a processor says about itself: leaves and sub-leaves, and IA32_PERF_CAPABILITIES. */
enum { SIGNATURE, FEATURES, PERFMON, CORE, RECORDS, PERFMON_0, PERFMON_1, PERFMON_3, LEAVES };
static const struct { const char *name; uint32_t leaf, subleaf; } leaves[LEAVES] = {
	[SIGNATURE] = { "CPUID.1", 0x01, 0 },       [FEATURES] = { "CPUID.7.0", 0x07, 0 },
	[PERFMON] = { "CPUID.0AH", 0x0a, 0 },       [CORE] = { "CPUID.1AH", 0x1a, 0 },
	[RECORDS] = { "CPUID.1CH", 0x1c, 0 },       [PERFMON_0] = { "CPUID.23H.0", 0x23, 0 },
	[PERFMON_1] = { "CPUID.23H.1", 0x23, 1 },   [PERFMON_3] = { "CPUID.23H.3", 0x23, 3 },
};

struct seen {
	struct cpuid_result leaf[LEAVES];
	uint64_t capabilities;
};
static SHARED struct seen seen[CPUS_MAX];

static void look_here(struct test_ctx *t, uintptr_t unused)
{
	struct seen *s = &seen[smp_self()];

	(void)t;
	(void)unused;
	for (unsigned i = 0; i < LEAVES; i++)
		s->leaf[i] = cpuid_read(leaves[i].leaf, leaves[i].subleaf);
	s->capabilities = pmu_get()->capabilities;
}

#define FOR_EACH_RUNNING(cpu) \
	for (unsigned cpu = 0; cpu < smp_count(); cpu++) \
		if (smp_get(cpu)->is_running)

/* Makes all processors look, then begins the expectations about each. */
static void look(struct test_ctx *t)
{
	look_here(t, 0);
	smp_do_on_all(t, look_here, 0);
}

static bool is_atom(unsigned cpu)
{
	return seen[cpu].leaf[CORE].eax >> 24 == CORE_TYPE_ATOM;
}

HYBRID_TEST(announced, "enumeration.announced", .needs = need_kinds, .source = HYBRID_SOURCE,
            .claim = "every processor of a hybrid says that it is one")
{
	look(t);
	FOR_EACH_RUNNING(cpu) {
		test_sub(t, "cpu %u", cpu);
		expect_bits(t, "CPUID.7.0:EDX[15]", seen[cpu].leaf[FEATURES].edx, BIT(15), BIT(15),
		            "processors of two kinds run");
	}
}

HYBRID_TEST(types, "enumeration.types", .needs = need_kinds, .source = HYBRID_SOURCE,
            .claim = "each processor has a type of core that is defined, and a native model")
{
	look(t);
	FOR_EACH_RUNNING(cpu) {
		const uint32_t core = seen[cpu].leaf[CORE].eax;

		test_sub(t, "cpu %u", cpu);
		expect_exact(t, "CPUID.1AH:EAX[31:24]", core >> 24,
		             is_atom(cpu) ? CORE_TYPE_ATOM : CORE_TYPE_CORE,
		             "20H is Atom, 40H is Core, and no other type is defined");
		expect_between(t, "CPUID.1AH:EAX[23:0]", core & 0xffffff, 1, 0xffffff,
		               "low: 1 is Alder Lake's; high: the field's width");
	}
}

HYBRID_TEST(model, "enumeration.native_model", .needs = need_kinds,
            .source = LINUX_CORE "intel_pmu_init(), by leaf 1AH: 1 is Golden Cove and Gracemont, "
                      "2 Redwood Cove and Crestmont, 3 Lion Cove and Skymont",
            .claim = "the native models of the kinds are of one generation, except that low-power "
                     "cores may be older (judged on an exact machine)")
{
	look(t);
	FOR_EACH_RUNNING(cpu) {
		test_sub(t, "cpu %u", cpu);
		expect_bounds(t, "CPUID.1AH:EAX[23:0]", seen[cpu].leaf[CORE].eax & 0xffffff,
		              if_exact(seen[0].leaf[CORE].eax & 0xffffff,
		                       "the boot processor's, and no low-power core is here"),
		              ELSE_SHOWN);
	}
}

HYBRID_TEST(rest, "enumeration.reserved", .needs = need_kinds, .source = HYBRID_SOURCE,
            .claim = "the other registers of leaf 1AH are reserved, and 0 (judged on an exact "
                     "machine)")
{
	look(t);
	FOR_EACH_RUNNING(cpu) {
		const struct cpuid_result *r = &seen[cpu].leaf[CORE];

		test_sub(t, "cpu %u", cpu);
		expect_bounds(t, "CPUID.1AH:EBX, ECX, EDX together", r->ebx | r->ecx | r->edx,
		              if_exact(0, "they are reserved"), ELSE_SHOWN);
	}
}

static void expect_same_leaf(struct test_ctx *t, unsigned leaf, unsigned cpu, unsigned other,
                             const char *why)
{
	const struct cpuid_result *a = &seen[cpu].leaf[leaf], *b = &seen[other].leaf[leaf];
	/* CPUID.1:EBX has the APIC ID. */
	const uint64_t differ = (a->eax ^ b->eax) | (leaf == SIGNATURE ? 0 : a->ebx ^ b->ebx)
	                        | (a->ecx ^ b->ecx) | (a->edx ^ b->edx);

	expect_exact(t, leaves[leaf].name, differ, 0, why);
}

/* Silicon has been seen to do so, and no manual promises it. */
HYBRID_TEST(common, "enumeration.leaf_0a", .needs = need_kinds,
            .source = LINUX_CORE "intel_pmu_init(): leaf 0AH has what the types have in common",
            .claim = "leaf 0AH is the same on every processor (judged on an exact machine)")
{
	look(t);
	FOR_EACH_OTHER(cpu) {
		test_sub(t, "cpu %u, bits that differ from cpu 0", cpu);
		if (pmu_is_exact())
			expect_same_leaf(t, PERFMON, cpu, 0, "it has what both types have");
		else
			test_report(t, "CPUID.0AH:EAX, EBX", "%" PRIX32 "H, %" PRIX32 "H",
			            seen[cpu].leaf[PERFMON].eax, seen[cpu].leaf[PERFMON].ebx);
	}
	expect_between(t, "general counters in common",
	               seen[0].leaf[PERFMON].eax >> 8 & 0xff, 1, 32,
	               "low: there is a PMU; high: bits of IA32_PERF_GLOBAL_CTRL");
}

HYBRID_TEST(alike, "enumeration.same_kind", .needs = need_kinds, .source = HYBRID_SOURCE,
            .claim = "processors of one kind have the same leaves about their PMU, and the same "
                     "IA32_PERF_CAPABILITIES")
{
	look(t);
	FOR_EACH_RUNNING(cpu) {
		const struct kind *k = kind_of(UINT64_C(1) << cpu);

		test_sub(t, "cpu %u, bits that differ from the first of its kind", cpu);
		for (unsigned leaf = PERFMON; k && leaf < LEAVES; leaf++)
			expect_same_leaf(t, leaf, cpu, k->first, "they are of one kind");
		if (k)
			expect_exact(t, "IA32_PERF_CAPABILITIES",
			             seen[cpu].capabilities ^ seen[k->first].capabilities, 0,
			             "they are of one kind");
	}
}

HYBRID_TEST(signature, "enumeration.signature", .needs = need_kinds,
            .source = "Intel, \"Hybrid Architecture\" guides: one package has one family, model "
                      "and stepping; dumps of Alder Lake to Wildcat Lake",
            .claim = "all kinds of processors of a package have one family, model and stepping "
                     "(judged on an exact machine)")
{
	look(t);
	FOR_EACH_RUNNING(cpu) {
		test_sub(t, "cpu %u", cpu);
		expect_bounds(t, "CPUID.1:EAX", seen[cpu].leaf[SIGNATURE].eax,
		              if_exact(seen[0].leaf[SIGNATURE].eax, "the boot processor's"),
		              ELSE_SHOWN);
	}
}

HYBRID_TEST(metrics, "enumeration.metrics", .needs = need_kinds,
            .source = LINUX_CORE "the type cpu_atom has no PERF_METRICS",
            .claim = "a core of type Atom announces no IA32_PERF_METRICS")
{
	look(t);
	FOR_EACH_RUNNING(cpu) {
		const uint64_t bit = IA32_PERF_CAPABILITIES_PERF_METRICS;

		test_sub(t, "cpu %u", cpu);
		if (is_atom(cpu))
			expect_bits(t, "IA32_PERF_CAPABILITIES[15]", seen[cpu].capabilities, bit, 0,
			            "no Atom counts the slots that the metrics divide");
		else
			test_report(t, "IA32_PERF_CAPABILITIES", "%" PRIX64 "H",
			            seen[cpu].capabilities);
	}
}

/* PEBS differs in kind, by DS or by the architectural buffer, on no package that is known. */
HYBRID_TEST(formats, "enumeration.pebs_format", .needs = need_kinds,
            .source = LINUX_CORE "init_hybrid_pmu(): on all types, or on none",
            .claim = "all kinds write PEBS records of one format (judged on an exact machine)")
{
	look(t);
	FOR_EACH_RUNNING(cpu) {
		test_sub(t, "cpu %u", cpu);
		expect_bounds(t, "IA32_PERF_CAPABILITIES[11:8]",
		              FIELD_GET(IA32_PERF_CAPABILITIES_PEBS_FMT, seen[cpu].capabilities),
		              if_exact(FIELD_GET(IA32_PERF_CAPABILITIES_PEBS_FMT,
		                                 seen[0].capabilities),
		                       "the boot processor's"), ELSE_SHOWN);
	}
}

HYBRID_TEST(depths, "enumeration.lbr_depth", .needs = need_kinds_lbr,
            .source = "SDM 2A, \"CPUID\", leaf 1CH; dumps of Arrow Lake and Wildcat Lake",
            .claim = "all kinds have branch records of the same depths (judged on an exact "
                     "machine)")
{
	look(t);
	FOR_EACH_RUNNING(cpu) {
		test_sub(t, "cpu %u", cpu);
		expect_bounds(t, "CPUID.1CH:EAX[7:0]", seen[cpu].leaf[RECORDS].eax & 0xff,
		              if_exact(seen[0].leaf[RECORDS].eax & 0xff, "the boot processor's"),
		              ELSE_SHOWN);
	}
}

HYBRID_TEST(maps, "enumeration.leaf_23", .needs = need_kinds,
            .source = "SDM 2A, \"CPUID\", leaf 23H; dumps of Arrow Lake and Wildcat Lake",
            .claim = "leaf 23H has at least the counters of leaf 0AH on every processor, and no "
                     "fixed counter 3 on one of type Atom")
{
	look(t);
	FOR_EACH_RUNNING(cpu) {
		const struct cpuid_result *own = &seen[cpu].leaf[PERFMON_1];
		const uint64_t common = FIELD_PUT(FIELD(31, 0), UINT32_MAX)
		                        >> (32 - (seen[cpu].leaf[PERFMON].eax >> 8 & 0xff));

		test_sub(t, "cpu %u", cpu);
		test_report(t, "CPUID.23H.1:EAX, EBX", "%" PRIX32 "H, %" PRIX32 "H", own->eax,
		            own->ebx);
		if (!own->eax)
			continue;
		expect_bits(t, "CPUID.23H.1:EAX", own->eax, common, common,
		            "leaf 0AH has what all kinds have");
		if (is_atom(cpu))
			expect_bits(t, "CPUID.23H.1:EBX", own->ebx, BIT(3), 0,
			            "fixed counter 3 counts slots, as no Atom does");
	}
}
