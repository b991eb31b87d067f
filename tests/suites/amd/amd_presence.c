/* SPDX-License-Identifier: MIT */
/* What CPUID says, and which registers are not there. */
#include <tests/suites/common/amd/amd_suite.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/p6.h>
#include <arch/regs/perfmon.h>
#include <kernel/lib/format.h>
#include <kernel/machine/machine.h>
#include <tests/suites/common/absent_msrs.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>

TEST(leaf_0a, .id = "amd.cpuid.leaf_0a", .is_static = true,
     .needs = need_amd, .source = "APM 3, \"CPUID\"",
     .claim = "leaf 0AH, which is Intel's, is all zeros")
{
	struct cpuid_result r = cpuid_read(0x0a, 0);

	expect_exact(t, "EAX", r.eax, 0, "AMD has no architectural performance monitoring");
	expect_exact(t, "EBX", r.ebx, 0, "it has no such events");
	expect_exact(t, "ECX and EDX", r.ecx | r.edx, 0, "it has no fixed counters");
}

TEST(v2, .id = "amd.cpuid.perfmon_v2", .is_static = true,
     .needs = need_amd, .source = "APM 3, \"CPUID\", 80000022H",
     .claim = "PerfMonV2 comes with the extended counters, and with four to eight of them")
{
	struct cpuid_result r = cpuid_read(CPUID_AMD_PERFMON, 0);

	test_report(t, "CPUID.80000022H", "EAX %" PRIX32 "H, EBX %" PRIX32 "H", r.eax, r.ebx);
	if (r.eax & CPUID_AMD_PERFMON_EAX_V2) {
		uint64_t value;

		expect_no_fault(t, "RDMSR of PerfCntrGlobalStatus",
		                msr_try_read(PerfCntrGlobalStatus, &value), "CPUID reports it");
		expect_no_fault(t, "RDMSR of PerfCntrGlobalCtl",
		                msr_try_read(PerfCntrGlobalCtl, &value), "CPUID reports it");
		expect_exact(t, "80000001H:ECX[23]", cpuid_get(CPUID_PERFCTR_CORE), 1,
		             "its registers have those addresses");
		expect_between(t, "EBX[3:0], core counters", cpuid_get(CPUID_AMD_COUNTERS), 4, 8,
		               "low: K7 had four; high: no processor has more");
		expect_exact(t, "ECX, memory controllers, is 0", r.ecx == 0,
		             FIELD_GET(CPUID_AMD_PERFMON_EBX_UMC, r.ebx) == 0,
		             "it is a mask of those whose counters EBX[21:16] counts");
	} else {
		expect_exact(t, "EBX[3:0], core counters", cpuid_get(CPUID_AMD_COUNTERS), 0,
		             "it is reserved without PerfMonV2");
	}
}

/* Checks that n pairs of registers answer, and that the one after them does not. */
static void check_pairs(struct test_ctx *t, const char *kind, uint32_t control, unsigned n)
{
	static struct absent_msrs after[] = { { 0, 1 }, { 0, 0 } };
	uint64_t value;

	for (unsigned i = 0; i < n; i++) {
		test_sub(t, "%s counter %u", kind, i);
		expect_no_fault(t, "RDMSR of its control", msr_try_read(control + 2 * i, &value),
		                AMD_MSRS);
		expect_no_fault(t, "RDMSR of it", msr_try_read(control + 2 * i + 1, &value),
		                AMD_MSRS);
	}
	test_sub(t, "%s", kind);
	after[0].first = control + 2 * n;
	judge_absent(t, after, "CPUID reports no such counter");
}

TEST(counts, .id = "amd.cpuid.counters", .is_first = true, .is_static = true,
     .needs = need_amd_core, .source = AMD_MSRS,
     .claim = "as many pairs of registers of the core, of the northbridge or fabric, and of L2I or "
              "L3 answer as CPUID says, and the one after them does not")
{
	check_pairs(t, "core", PERF_CTL(0), amd_counters());
	if (amd_nb_counters())
		check_pairs(t, "northbridge", NB_PERF_CTL(0), amd_nb_counters());
	if (amd_l3_counters())
		check_pairs(t, "last cache", L3_PERF_CTL(0), amd_l3_counters());
}

/* ---------------------------------------------------------------------------- not there */

#define ABSENT(name, needs_, id_, claim_, ...) \
	static void name(struct test_ctx *t) \
	{ \
		static const struct absent_msrs rows[] = { __VA_ARGS__, { 0, 0 } }; \
\
		judge_absent(t, rows, "no register of this processor has this address"); \
	} \
	TEST_OF(name, .id = "amd.absent." id_, .is_static = true, .needs = needs_, \
	        .source = AMD_MSRS, .claim = claim_)

static const char *need_without(struct test_ctx *t, struct cpuid_field field, const char *name)
{
	const char *reason = need_amd(t);

	return reason || !cpuid_get(field) ? reason : test_reason(t, "%s = 1", name);
}

static const char *need_no_core(struct test_ctx *t)
{
	return need_without(t, CPUID_PERFCTR_CORE, "CPUID.80000001H:ECX[23]");
}

static const char *need_no_nb(struct test_ctx *t)
{
	return need_without(t, CPUID_PERFCTR_NB, "CPUID.80000001H:ECX[24]");
}

static const char *need_no_l3(struct test_ctx *t)
{
	return need_without(t, CPUID_PERFCTR_LLC, "CPUID.80000001H:ECX[28]");
}

ABSENT(intel, need_amd, "intel", "the registers of Intel's PMUs do not exist",
       { IA32_PMC(0), 4 }, { IA32_PERFEVTSEL(0), 4 }, { IA32_FIXED_CTR(0), 3 },
       { IA32_FIXED_CTR_CTRL, 4 }, { IA32_PERF_CAPABILITIES, 1 }, { IA32_PEBS_ENABLE, 1 },
       { IA32_A_PMC(0), 4 });
ABSENT(extended, need_no_core, "extended", "without six counters their addresses do not exist",
       { PERF_CTL(0), 12 });
ABSENT(global, need_amd_before_v2, "global",
       "without PerfMonV2 its registers do not exist", { PerfCntrGlobalStatus, 4 });
ABSENT(northbridge, need_no_nb, "northbridge",
       "without northbridge counters their addresses do not exist", { NB_PERF_CTL(0), 8 });
ABSENT(last_cache, need_no_l3, "last_cache",
       "without counters of the last cache their addresses do not exist",
       { L3_PERF_CTL(0), 12 });

/* ------------------------------------------------------------------------- IBS, and K6 */

#define CPUID_IBS  CPUID_FIELD(0x80000001, 0, ECX, 10, 10)

/* Leaf 8000001BH may describe an IBS that is not there: ECX[10] decides. */
static const char *need_no_ibs(struct test_ctx *t)
{
	const char *reason = need_without(t, CPUID_IBS, "CPUID.80000001H:ECX[10] (IBS)");

	if (reason || pmu_is_exact() || machine_cpu()->family != 0x17)
		return reason;
	return "family 17H: much firmware hides IBS, and nothing says what its registers do then";
}

ABSENT(ibs, need_no_ibs, "ibs", "without IBS in CPUID its registers do not exist",
       { 0xc0011030, 14 });

static const char *need_k6(struct test_ctx *t)
{
	const struct cpu_identity *cpu = machine_cpu();
	const char *reason;

	if (cpu->vendor == VENDOR_AMD && cpu->family == 5 && cpu->model < 10)
		return NULL;
	reason = need_amd(t);
	return reason ? reason : test_reason(t, "family %XH is later than K6", cpu->family);
}

ABSENT(k6, need_k6, "k6", "a K6 has neither later processors' counters nor Intel's",
       { PERF_LEGACY_CTL(0), 8 }, { IA32_PMC(0), 2 }, { IA32_PERFEVTSEL(0), 2 });
