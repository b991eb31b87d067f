/* SPDX-License-Identifier: MIT */
/*
 * NetBurst's registers beyond plain bits: reserved bits and addresses without a register, which are
 * tried and reported; registers that not all models have; the state after RESET; and
 * IA32_MISC_ENABLE, which says that a PMU exists.
 */
#include <tests/suites/netburst/netburst_blocks.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/regs/cpu.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/core/program.h>
#include <tests/suites/common/absent_msrs.h>
#include <tests/suites/common/debugctl.h>
#include <tests/suites/common/exactness.h>

static uint64_t read_or_0(uint32_t msr)
{
	uint64_t got = 0;

	msr_try_read(msr, &got);
	return got;
}

/* The outcome of reserved bits: of all registers of a kind together. */
struct reserved { uint64_t held, refused; };

/* Tries bits one by one, with a base, and leaves 0. */
static void try_bits(struct test_ctx *t, struct reserved *r, uint32_t msr, uint64_t base,
                     uint64_t bits)
{
	uint64_t got;

	for (unsigned bit = 0; bit < 64; bit++) {
		if (!(bits & BIT(bit)))
			continue;
		if (is_fault(msr_try_write(msr, base | BIT(bit))))
			r->refused |= BIT(bit);
		r->held |= read_or_0(msr) & BIT(bit);
	}
	msr_try_write(msr, 0);
	test_sub(t, "%XH", msr);
	expect_no_fault(t, "RDMSR", msr_try_read(msr, &got), "the register exists");
	expect_exact(t, "after a write of 0", got, 0, "no bit stays set");
	test_sub(t, "%s", "");
}

static void report_bits(struct test_ctx *t, const char *of, const struct reserved *r)
{
	test_report(t, of, "reserved bits held %" PRIX64 "H, refused %" PRIX64 "H", r->held,
	            r->refused);
}

/* The manual does not say what a write of reserved bits does, nor one of OVF = 1. */
TEST(reserved, .id = "netburst.registers.reserved", .is_static = true, .needs = need_netburst,
     .source = REGISTERS,
     .claim = "writing a reserved bit, or OVF = 1, leaves no bit set")
{
	struct reserved counters = { 0, 0 }, cccrs = { 0, 0 }, escrs = { 0, 0 };

	for (unsigned c = 0; c < NETBURST_COUNTERS; c++) {
		try_bits(t, &counters, MSR_COUNTER(c), 0, ~(uint64_t)NETBURST_COUNTER_VALUE);
		try_bits(t, &cccrs, MSR_CCCR(c), CCCR_ACTIVE_THREAD,
		         FIELD(63, 31) | FIELD(29, 28) | FIELD(10, 0));
	}
	for (unsigned e = 0; e < NETBURST_ESCRS; e++)
		if (netburst_has_escr(&netburst_escrs[e]))
			try_bits(t, &escrs, netburst_escrs[e].msr, 0, FIELD(63, 31));
	report_bits(t, "counters", &counters);
	report_bits(t, "CCCRs", &cccrs);
	report_bits(t, "ESCRs", &escrs);
}

/* ------------------------------------------------------------------------ absent ones */

static void report_presence(struct test_ctx *t, uint32_t msr)
{
	uint64_t value = 0;
	char text[FAULT_TEXT_SIZE];
	fault_t fault = msr_try_read(msr, &value);

	test_sub(t, "%XH", msr);
	test_report(t, "RDMSR", "%s, %" PRIX64 "H", fault_text(fault, text), value);
}

TEST(iq_escrs, .id = "netburst.registers.iq_escrs", .is_static = true, .needs = need_netburst,
     .source = MAP ": models 1 and 2 only",
     .claim = "MSR_IQ_ESCR0 and MSR_IQ_ESCR1 exist on models 1 and 2 (on others it is reported)")
{
	for (uint32_t msr = MSR_IQ_ESCR0; msr <= MSR_IQ_ESCR1; msr++) {
		const struct netburst_escr *e = netburst_escrs;

		while (e->msr != msr)
			e++;
		test_sub(t, "%s", e->name);
		if (netburst_has_escr(e))
			expect_no_fault(t, "RDMSR", msr_try_read(msr, &(uint64_t){ 0 }),
			                "models 1 and 2 have it");
		else
			report_presence(t, msr);
	}
}

/* No register has these addresses; chips may have some that no manual lists, and raise no fault. */
TEST(holes, .id = "netburst.registers.holes", .is_static = true, .needs = need_netburst,
     .source = MAP,
     .claim = "reading the addresses between the ESCRs leaves the ESCRs as they were")
{
	static const uint16_t nobody[] = { 0x3bf, 0x3c6, 0x3c7, 0x3ce, 0x3df, 0x3e2 };

	msr_write(MSR_CRU_ESCR5, ESCR_EVENT_MASK);
	for (unsigned i = 0; i < COUNT_OF(nobody); i++) {
		report_presence(t, nobody[i]);
		if (pmu_is_exact())
			expect_fault(t, "RDMSR", msr_try_read(nobody[i], &(uint64_t){ 0 }), X86_GP,
			             0, "no such register exists");
	}
	test_sub(t, "%s", "");
	expect_exact(t, "MSR_CRU_ESCR5", read_or_0(MSR_CRU_ESCR5), ESCR_EVENT_MASK,
	             "it was not written");
	msr_write(MSR_CRU_ESCR5, 0);
}

/* The addresses of the counters of P6 and Core, and of what came with architectural PMUs. */
static const struct absent_msrs of_family_6[] = {
	{ IA32_PMC(0), 4 }, { IA32_PERFEVTSEL(0), 4 }, { IA32_PERF_METRICS, 1 },
	{ IA32_PERF_CAPABILITIES, 1 }, { IA32_FIXED_CTR_CTRL, 6 }, { MSR_PEBS_LD_LAT, 2 },
	{ IA32_A_PMC(0), 4 }, { 0, 0 },
};

TEST(others, .id = "netburst.registers.others", .is_static = true, .needs = need_netburst,
     .source = "SDM 4, \"MSRs in the Pentium 4 and Intel Xeon Processors\"; SDM 2B, RDMSR",
     .claim = "NetBurst has no register of the PMUs of family 6 (on silicon, which may have "
              "registers that no manual lists, it is reported)")
{
	judge_absent(t, of_family_6, "NetBurst has no such register");
}

/* ------------------------------------------------------------------------ IA32_MISC_ENABLE */

#define AVAILABLE "SDM 4, IA32_MISC_ENABLE[7]: Performance Monitoring Available (R)"

TEST(debugctl, .id = "netburst.registers.debugctl", .is_static = true, .needs = need_netburst,
     .source = "SDM 3B, \"MSR_DEBUGCTLA MSR\"",
     .claim = "MSR_DEBUGCTLA holds LBR, BTF, TR, BTS and BTINT, with DS-CPL also BTS_OFF_OS and "
              "BTS_OFF_USR, each alone and together, and no other bit")
{
	const struct debugctl_bits bits = {
		.held = cpuid_get(CPUID_DS_CPL) ? FIELD(6, 0) : FIELD(4, 0),
		.alone = MSR_DEBUGCTLA_TR,
	};

	debugctl_check(t, "MSR_DEBUGCTLA", &bits);
}

TEST(available, .id = "netburst.registers.misc_enable", .is_static = true, .needs = need_netburst,
     .source = AVAILABLE,
     .claim = "IA32_MISC_ENABLE says that performance monitoring is available")
{
	uint64_t value = 0;

	if (expect_no_fault(t, "RDMSR of IA32_MISC_ENABLE",
	                    msr_try_read(IA32_MISC_ENABLE, &value), "the register exists"))
		expect_bits(t, "IA32_MISC_ENABLE", value, IA32_MISC_ENABLE_PERFMON,
		            IA32_MISC_ENABLE_PERFMON, "the counters exist");
}

TEST(available_read_only, .id = "netburst.registers.misc_enable_read_only", .is_static = true,
     .needs = need_netburst, .source = AVAILABLE,
     .claim = "bit 7 of IA32_MISC_ENABLE cannot be written")
{
	uint64_t before = read_or_0(IA32_MISC_ENABLE), after;

	msr_try_write(IA32_MISC_ENABLE, before & ~(uint64_t)IA32_MISC_ENABLE_PERFMON);
	after = read_or_0(IA32_MISC_ENABLE);
	if (after != before)
		msr_try_write(IA32_MISC_ENABLE, before);
	expect_exact(t, "IA32_MISC_ENABLE after a write with bit 7 = 0", after, before,
	             "the bit is read-only, and no other bit was changed");
}

/* ------------------------------------------------------------------------ tagging */

static void check_held(struct test_ctx *t, uint32_t msr, uint64_t bits)
{
	for (unsigned bit = 0; bit < 64; bit++) {
		if (!(bits & BIT(bit)))
			continue;
		test_sub(t, "%XH[%u]", msr, bit);
		expect_no_fault(t, "WRMSR", msr_try_write(msr, BIT(bit)), "the bit is defined");
		expect_exact(t, "read back", read_or_0(msr), BIT(bit),
		             "it holds what is written, and no other bit is set");
	}
	test_sub(t, "%XH", msr);
	msr_try_write(msr, bits);
	expect_exact(t, "all of them", read_or_0(msr), bits, "they hold what is written together");
	msr_try_write(msr, 0);
	expect_exact(t, "after 0", read_or_0(msr), 0, "no bit stays set");
}

#define REPLAY "SDM 4, IA32_PEBS_ENABLE, MSR_PEBS_MATRIX_VERT"

/* Bits 25 and 26 would record without a buffer. */
TEST(pebs_enable, .id = "netburst.registers.pebs_enable", .is_static = true,
     .needs = need_netburst,
     .source = REPLAY, .claim = "IA32_PEBS_ENABLE holds the bits that replay metrics need")
{
	struct reserved r = { 0, 0 };

	check_held(t, MSR_PEBS_ENABLE,
	           PEBS_ENABLE_UOP_TAG | FIELD(2, 0) | FIELD(10, 9));
	try_bits(t, &r, MSR_PEBS_ENABLE, 0, FIELD(63, 27) | FIELD(23, 11) | FIELD(8, 3));
	report_bits(t, "here", &r);
}

TEST(matrix_vert, .id = "netburst.registers.matrix_vert", .is_static = true,
     .needs = need_netburst,
     .source = REPLAY, .claim = "MSR_PEBS_MATRIX_VERT holds the bits that replay metrics need")
{
	uint64_t bits = PEBS_MATRIX_VERT_LOADS | PEBS_MATRIX_VERT_STORES
	                | PEBS_MATRIX_VERT_BRANCHES;
	struct reserved r = { 0, 0 };

	check_held(t, MSR_PEBS_MATRIX_VERT, bits);
	try_bits(t, &r, MSR_PEBS_MATRIX_VERT, 0, ~bits);
	report_bits(t, "here", &r);
}

/* ------------------------------------------------------------------------ as found */

static const char *need_reset_state(struct test_ctx *t)
{
	const char *problem = need_netburst(t);

	return problem ? problem : need_exact(t, "firmware may have run since RESET");
}

/* Checks that each of `count` registers from first on was 0 when found; returns their number. */
static unsigned check_found(struct test_ctx *t, uint32_t first, unsigned count)
{
	unsigned all, seen = 0;
	const struct pmu_initial *found = pmu_get_initial(&all);

	for (unsigned i = 0; i < all; i++) {
		if (found[i].msr - first >= count || !found[i].is_there)
			continue;
		seen++;
		test_sub(t, "%XH", found[i].msr);
		expect_exact(t, "after RESET", found[i].value, 0, "RESET clears it");
	}
	test_sub(t, "%s", "");
	return seen;
}

TEST(reset_cccrs, .id = "netburst.registers.reset.cccrs", .is_static = true,
     .needs = need_reset_state,
     .source = REGISTERS, .claim = "after RESET all CCCRs are 0")
{
	expect_exact(t, "CCCRs", check_found(t, MSR_CCCR(0), NETBURST_COUNTERS),
	             NETBURST_COUNTERS, "each was read before any was written");
}

TEST(reset_escrs, .id = "netburst.registers.reset.escrs", .is_static = true,
     .needs = need_reset_state,
     .source = REGISTERS, .claim = "after RESET all ESCRs are 0")
{
	unsigned want = 0;

	for (unsigned e = 0; e < NETBURST_ESCRS; e++)
		want += netburst_has_escr(&netburst_escrs[e]);
	expect_exact(t, "ESCRs",
	             check_found(t, MSR_ESCR_BLOCK0, MSR_CRU_ESCR5 + 1 - MSR_ESCR_BLOCK0),
	             want, "each was read before any was written");
}
