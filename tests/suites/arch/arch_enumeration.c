/* SPDX-License-Identifier: MIT */
/*
 * These tests compare the registers that exist with what CPUID enumerates: each enumerated one can
 * be read and written, every other raises #GP(0). arch_rules.h has the rules.
 */
#include <kernel/run/test.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/regs/cpu.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/machine/machine.h>
#include <pmu/core/program.h>
#include <tests/suites/arch/arch_rules.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>

#define SDM "SDM 3B, Architectural Performance Monitoring"

static void name_msr(struct test_ctx *t, const struct arch_msrs *row, unsigned i)
{
	uint32_t msr = row->msr + row->step * i;

	if (row->count == 1)
		test_sub(t, "%s (%" PRIX32 "H)", row->name, msr);
	else
		test_sub(t, "%s, index %u (%" PRIX32 "H)", row->name, i, msr);
}

/* Calls check for every MSR of that kind. */
static void for_each_msr(struct test_ctx *t, enum arch_kind kind,
                         void (*check)(struct test_ctx *, const struct arch_msrs *, uint32_t))
{
	for (unsigned r = 0; r < arch_msrs_count; r++) {
		const struct arch_msrs *row = &arch_msrs[r];

		for (unsigned i = 0; i < row->count; i++) {
			if (row->kind(pmu_get(), i) != kind)
				continue;
			name_msr(t, row, i);
			check(t, row, row->msr + row->step * i);
		}
	}
	test_sub(t, "%s", "");
}

static void check_present(struct test_ctx *t, const struct arch_msrs *row, uint32_t msr)
{
	uint64_t value;

	if (!expect_no_fault(t, "RDMSR", msr_try_read(msr, &value), row->source))
		return;
	if (row->is_read_only)
		expect_fault(t, "WRMSR of the value read", msr_try_write(msr, value), X86_GP, 0,
		             "the register is read-only");
	else
		expect_no_fault(t, "WRMSR of 0", msr_try_write(msr, 0), row->source);
}

TEST(present, .id = "arch.enumeration.present", .is_first = true, .is_static = true,
     .needs = need_arch, .source = SDM,
     .claim = "every register of an enumerated counter and of the version can be read and written")
{
	for_each_msr(t, ARCH_DEFINED, check_present);
}

static unsigned absent_count, readable_count;
static uint32_t first_readable;

static void note_absent(uint32_t msr)
{
	uint64_t value;

	absent_count++;
	if (is_fault(msr_try_read(msr, &value)))
		return;
	if (!readable_count++)
		first_readable = msr;
}

/* Writes only what is judged: nobody knows what a write of a register without a name does. */
static void check_absent(struct test_ctx *t, const struct arch_msrs *row, uint32_t msr)
{
	uint64_t value;

	(void)row;
	note_absent(msr);
	if (!has_only_listed_msrs())
		return;
	expect_fault(t, "RDMSR", msr_try_read(msr, &value), X86_GP, 0,
	             "CPUID and the version do not enumerate this register");
	expect_fault(t, "WRMSR of 0", msr_try_write(msr, 0), X86_GP, 0,
	             "CPUID and the version do not enumerate this register");
}

TEST(absent, .id = "arch.enumeration.absent", .is_static = true, .needs = need_arch,
     .source = SDM "; SDM 2B, RDMSR, and 2C, WRMSR: an MSR that is not there",
     .claim = "registers of counters and versions that are not enumerated raise #GP(0) (on "
              "silicon, which may have registers that no manual lists, it is reported)")
{
	absent_count = readable_count = 0;
	first_readable = 0;
	for_each_msr(t, ARCH_RESERVED, check_absent);
	test_report(t, "registers that nothing enumerates", "%u of %u can be read", readable_count,
	            absent_count);
	if (readable_count)
		test_report(t, "the first of them", "%" PRIX32 "H", first_readable);
}

/* Reports for each kind how many registers can be read and how many cannot. */
TEST(open, .id = "arch.enumeration.open", .is_static = true, .needs = need_arch, .source = SDM,
     .claim = "registers that the manuals neither require nor exclude are reported")
{
	char what[40];

	for (unsigned r = 0; r < arch_msrs_count; r++) {
		const struct arch_msrs *row = &arch_msrs[r];
		unsigned readable = 0, tried = 0;
		uint64_t value;

		for (unsigned i = 0; i < row->count; i++) {
			if (row->kind(pmu_get(), i) != ARCH_OPEN)
				continue;
			tried++;
			readable += !is_fault(msr_try_read(row->msr + row->step * i, &value));
		}
		format_buf(what, sizeof(what), "%s", row->name);
		if (tried)
			test_report(t, what, "%u of %u can be read", readable, tried);
	}
	test_report(t, "CPUID.0AH", "version %u", pmu_get()->version);
}

TEST(capabilities, .id = "arch.enumeration.capabilities", .is_static = true, .needs = need_arch,
     .source = "SDM 4, IA32_PERF_CAPABILITIES",
     .claim = "IA32_PERF_CAPABILITIES exists only with CPUID.1:ECX[15] = 1, and cannot be written")
{
	uint64_t before, after;
	bool has_pdcm = cpuid_get(CPUID_PDCM) != 0;
	fault_t fault = msr_try_read(IA32_PERF_CAPABILITIES, &before);

	if (!has_pdcm && !has_only_listed_msrs()) {
		test_report(t, "RDMSR of IA32_PERF_CAPABILITIES with CPUID.1:ECX[15] = 0", "%s",
		            is_fault(fault) ? "#GP" : "no fault");
		return;
	}
	if (!has_pdcm) {
		expect_fault(t, "RDMSR of IA32_PERF_CAPABILITIES", fault, X86_GP, 0,
		             "CPUID.1:ECX[15] (PDCM) = 0");
		return;
	}
	if (!expect_no_fault(t, "RDMSR of IA32_PERF_CAPABILITIES", fault,
	                     "CPUID.1:ECX[15] (PDCM) = 1"))
		return;
	for (unsigned bit = 0; bit < 64; bit++) {
		test_sub(t, "bit %u inverted", bit);
		fault = msr_try_write(IA32_PERF_CAPABILITIES, before ^ BIT(bit));
		expect_fault(t, "WRMSR of IA32_PERF_CAPABILITIES", fault, X86_GP, 0,
		             "the register is read-only");
	}
	test_sub(t, "%s", "");
	msr_try_read(IA32_PERF_CAPABILITIES, &after);
	expect_exact(t, "IA32_PERF_CAPABILITIES after the writes", after, before,
	             "the register is read-only");
}

TEST(full_width, .id = "arch.enumeration.full_width", .is_static = true, .needs = need_arch,
     .source = "SDM 3B, Full-Width Writes to Performance Counter Registers",
     .claim = "IA32_A_PMCx exists exactly where IA32_PERF_CAPABILITIES[13] (FW_WRITE) is 1")
{
	bool has = (pmu_get()->capabilities & IA32_PERF_CAPABILITIES_FW_WRITE) != 0;
	uint64_t value;

	FOR_EACH_COUNTER(c) {
		fault_t fault;

		if (c >= PMU_FIXED)
			break;
		test_sub(t, "IA32_A_PMC%u (%XH)", c, IA32_A_PMC(c));
		fault = msr_try_read(IA32_A_PMC(c), &value);
		if (has)
			expect_no_fault(t, "RDMSR", fault, "FW_WRITE = 1");
		else
			expect_fault(t, "RDMSR", fault, X86_GP, 0, "FW_WRITE = 0");
	}
}

/* Needs an architectural PMU that counts, or an Intel processor of that time which
 * says that it has none. */
static const char *need_arch_or_hidden(struct test_ctx *t)
{
	return pmu_has(PMU_IS_HIDDEN) ? NULL : need_arch(t);
}

TEST(misc_enable, .id = "arch.enumeration.misc_enable", .needs = need_arch_or_hidden,
     .source = "SDM 4, IA32_MISC_ENABLE[7]; SDM 2A, CPUID.0AH:EAX[7:0]",
     .claim = "IA32_MISC_ENABLE[7] says that a PMU exists exactly where CPUID leaf 0AH does")
{
	uint64_t value, want = pmu_get()->version ? IA32_MISC_ENABLE_PERFMON : 0;

	if (expect_no_fault(t, "RDMSR of IA32_MISC_ENABLE",
	                    msr_try_read(IA32_MISC_ENABLE, &value), "it is an architectural MSR"))
		expect_bits(t, "IA32_MISC_ENABLE[7]", value, IA32_MISC_ENABLE_PERFMON, want,
		            want ? "the PMU counts" : "CPUID.0AH:EAX[7:0] = 0");
}

TEST(misc_stable, .id = "arch.enumeration.misc_enable_stable", .needs = need_arch,
     .source = "SDM 4, IA32_MISC_ENABLE[7], [11] and [12] (read-only)",
     .claim = "the features that IA32_MISC_ENABLE reports as available do not change while a "
              "counter runs")
{
	uint64_t before = 0, during = 0, after = 0;

	msr_try_read(IA32_MISC_ENABLE, &before);
	if (pmu_get()->version >= 2)
		msr_write(IA32_PERF_GLOBAL_CTRL, IA32_PERF_GLOBAL_CTRL_EN_PMC(0));
	msr_write(IA32_PERFEVTSEL(0), EVENT_INSTRUCTIONS_RETIRED | IA32_PERFEVTSEL_OS
	          | IA32_PERFEVTSEL_EN);
	msr_try_read(IA32_MISC_ENABLE, &during);
	pmu_reset();
	msr_try_read(IA32_MISC_ENABLE, &after);
	expect_exact(t, "IA32_MISC_ENABLE while a counter runs", during, before,
	             "nothing has written it");
	expect_exact(t, "IA32_MISC_ENABLE after it", after, before, "nothing has written it");
}

#define COMMON_WHY "a core has at least what all cores of the processor have in common"

/* Leaf 0AH enumerates what all cores of a hybrid processor have in common, leaf
 * 23H what this core has. */
TEST(leaf23, .id = "arch.enumeration.leaf23", .is_static = true, .needs = need_arch_v6,
     .source = "SDM 3B, Architectural Performance Monitoring Version 6, CPUID leaf 23H",
     .claim = "leaf 23H enumerates all counters and events that leaf 0AH does")
{
	struct cpuid_result common = cpuid_read(0x0a, 0), maps = cpuid_read(0x23, 1);
	unsigned gp_count = cpuid_get(CPUID_PERFMON_GP_COUNT), length = common.eax >> 24;
	uint32_t gp = gp_count >= 32 ? UINT32_MAX : BIT32(gp_count) - 1;
	uint32_t fixed = BIT32(cpuid_get(CPUID_PERFMON_FIXED_COUNT)) - 1;
	uint32_t available = ~common.ebx & (length >= 32 ? UINT32_MAX : BIT32(length) - 1);

	expect_bits(t, "CPUID.7.1:EAX", cpuid_read(0x07, 1).eax, BIT(8), BIT(8),
	            "ArchPerfmonExt: leaf 23H is valid");
	expect_bits(t, "CPUID.23H.0:EAX", cpuid_read(0x23, 0).eax, BIT(1), BIT(1),
	            "sub-leaf 1 holds the counters' bitmaps");
	expect_bits(t, "CPUID.23H.1:EAX, general counters", maps.eax, gp, gp, COMMON_WHY);
	expect_bits(t, "CPUID.23H.1:EBX, fixed counters", maps.ebx, fixed, fixed, COMMON_WHY);
	if (cpuid_read(0x23, 0).eax & BIT32(3))
		expect_bits(t, "CPUID.23H.3:EAX, events", cpuid_read(0x23, 3).eax, available,
		            available, COMMON_WHY);
}

/* Sub-leaf 0's EAX lists those that mean something. Bits of them may get a meaning later, and on
 * silicon they are reported. */
TEST(leaf23_rest, .id = "arch.enumeration.leaf23_rest", .is_static = true, .needs = need_arch_v6,
     .source = "SDM 2A, CPUID leaf 23H: reserved fields; a sub-leaf that EAX does not list",
     .claim = "what leaf 23H does not enumerate is 0: other sub-leaves, and reserved registers")
{
	static const struct { const char *name; uint8_t subleaf, reg; } reserved[] = {
		{ "EDX", 0, 3 }, { "ECX", 1, 2 }, { "EDX", 1, 3 }, { "EBX", 3, 1 },
		{ "ECX", 3, 2 }, { "EDX", 3, 3 },
	};
	const uint32_t listed = cpuid_read(0x23, 0).eax;

	for (unsigned i = 0; i < COUNT_OF(reserved); i++) {
		const struct cpuid_result r = cpuid_read(0x23, reserved[i].subleaf);
		const uint32_t regs[] = { r.eax, r.ebx, r.ecx, r.edx };

		test_sub(t, "CPUID.23H.%u", reserved[i].subleaf);
		expect_bounds(t, reserved[i].name, regs[reserved[i].reg],
		              if_exact(0, "it is reserved"), ELSE_SHOWN);
	}
	for (unsigned i = 0; i <= 0xb; i++) {
		const struct cpuid_result r = cpuid_read(0x23, i);

		if (listed & BIT32(i))
			continue;
		test_sub(t, "CPUID.23H.%u, which CPUID.23H.0:EAX does not list", i);
		expect_bounds(t, "EAX, EBX, ECX, EDX together", r.eax | r.ebx | r.ecx | r.edx,
		              if_exact(0, "it means nothing"), ELSE_SHOWN);
	}
}

/* Lists the models of family 6 that are built with two types of cores (Linux, intel-family.h). */
static bool is_hybrid_model(void)
{
	static const uint8_t models[] = {
		0x97, 0x9a, 0xaa, 0xac, 0xb5, 0xb7, 0xba, 0xbd, 0xbf, 0xc5, 0xc6, 0xcc, 0xd5
	};

	for (unsigned i = 0; i < COUNT_OF(models); i++)
		if (machine_cpu()->family == 6 && machine_cpu()->model == models[i])
			return true;
	return false;
}

static const char *need_hybrid(struct test_ctx *t)
{
	const char *problem = need_arch_v2(t);

	if (problem || is_hybrid_model() || cpuid_get(CPUID_HYBRID))
		return problem;
	return test_reason(t, "CPUID.7.0:EDX[15] = 0, the processor has one type of core: "
	                   "CPUID.1:EAX = %" PRIX32 "H", cpuid_read(1, 0).eax);
}

/* Firmware and hypervisors may hide the bit. */
TEST(hybrid, .id = "arch.enumeration.hybrid", .is_static = true, .needs = need_hybrid,
     .source = "SDM 2A, CPUID, leaves 07H and 1AH; Linux, arch/x86/events/intel/core.c",
     .claim = "a hybrid processor says so, and leaf 1AH says the type of each core, that of "
              "its PMU")
{
	const struct cpuid_result leaf = cpuid_read(0x1a, 0);
	const uint32_t type = leaf.eax >> 24;
	const bool has_metrics = pmu_get()->capabilities & IA32_PERF_CAPABILITIES_PERF_METRICS;

	expect_bounds(t, "CPUID.7.0:EDX[15]", cpuid_get(CPUID_HYBRID),
	              if_exact(1, "the model is built with two types of cores"), ELSE_SHOWN);
	test_report(t, "CPUID.1AH:EAX", "%" PRIX32 "H", leaf.eax);
	if (!cpuid_get(CPUID_HYBRID))
		return;
	expect_between(t, "CPUID.0:EAX", cpuid_read(0, 0).eax, 0x1a, UINT32_MAX,
	               "low: leaf 1AH exists; high: none");
	expect_exact(t, "CPUID.1AH:EAX[31:24]", type,
	             has_metrics || type != CORE_TYPE_ATOM ? CORE_TYPE_CORE : CORE_TYPE_ATOM,
	             "20H is Atom, 40H is Core; an Atom core has no IA32_PERF_METRICS");
	expect_between(t, "CPUID.1AH:EAX[23:0], the native model", leaf.eax & 0xffffff, 1,
	               0xffffff, "low: 1 is Alder Lake's; high: the field's width");
}

TEST(fixed_map, .id = "arch.enumeration.fixed_map", .is_static = true, .needs = need_arch_v2,
     .source = "SDM 2A, CPUID, leaf 0AH; SDM 3B, Architectural Performance Monitoring Version 5",
     .claim = "the bitmap and the number of fixed counters do not contradict each other")
{
	struct cpuid_result leaf = cpuid_read(0x0a, 0);
	uint32_t count = cpuid_get(CPUID_PERFMON_FIXED_COUNT);

	test_report(t, "CPUID.0AH", "EDX[4:0] = %u, ECX = %" PRIX32 "H, EBX = %" PRIX32 "H, "
	            "EAX[31:24] = %u", count, leaf.ecx, leaf.ebx, leaf.eax >> 24);
	expect_between(t, "CPUID.0AH:EDX[4:0]", count, 0, ARCH_FIXED_MAX,
	               "low: a processor may have none; high: "
	               "IA32_PERF_GLOBAL_CTRL[47:32] has 16 bits");
	if (pmu_get()->version < 5)
		expect_exact(t, "CPUID.0AH:ECX", leaf.ecx, 0, "reserved before version 5");
	else if (leaf.ecx)
		expect_bits(t, "CPUID.0AH:ECX", leaf.ecx, BIT32(count) - 1, BIT32(count) - 1,
		            "EDX[4:0] counters exist from 0 on without a gap");
}
