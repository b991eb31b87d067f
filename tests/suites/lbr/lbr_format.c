/* SPDX-License-Identifier: MIT */
/*
 * The format of last branch records, IA32_PERF_CAPABILITIES[5:0], against the processor that
 * reports it, and against the records themselves: flags and cycles are where the format says.
 */
#include <tests/suites/lbr/lbr_suite.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/regs/cpu.h>
#include <arch/regs/lbr.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <pmu/core/program.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>

#define FORMATS "SDM 3B, LBR Stack and Intel 64 Processors, IA32_PERF_CAPABILITIES[5:0]"

#define CPUID_LM        CPUID_FIELD(0x80000001, 0, EDX, 29, 29)
#define CPUID_LBR_TIME  CPUID_FIELD(0x1c, 0, ECX, 1, 1)

/* ------------------------------------------------------------------------ the processor */

static const char *need_format(struct test_ctx *t)
{
	const char *reason = need_lbr_modes(t);

	if (!reason && !cpuid_get(CPUID_PDCM))
		return test_reason(t, "CPUID.1:ECX[15] (PDCM) = 0: IA32_PERF_CAPABILITIES does "
		                   "not exist");
	if (!reason && !pmu_has(PMU_HAS_LEAF_0AH))
		return test_reason(t, "the PMU is %s: its records have no format of that register",
		                   pmu_get()->class->name);
	return reason;
}

/*
 * By SDM 4 and what chips report (Linux, arch/x86/events/intel/lbr.c). Core 2's number is in no
 * manual, and 7 is 5 without transactions; Silvermont and Knights Landing are left out, and
 * Goldmont's kind has two formats.
 */
static const struct { const char *kind; uint8_t format, also; bool is_sure; } by_kind[] = {
	{ "Core 2",        LBR_FORMAT_LIP,    LBR_FORMAT_LIP,    false },
	{ "Nehalem",       LBR_FORMAT_FLAGS,  LBR_FORMAT_FLAGS,  true },
	{ "Haswell",       LBR_FORMAT_FLAGS2, LBR_FORMAT_FLAGS2, true },
	{ "Skylake",       LBR_FORMAT_INFO,   LBR_FORMAT_INFO2,  true },
	{ "architectural", LBR_FORMAT_ARCH,   LBR_FORMAT_ARCH,   true },
};

/* Returns what silicon of the kind must report: one of its two formats. */
static struct bounds on_silicon(unsigned i, uint64_t got, const char *why)
{
	if (!by_kind[i].is_sure)
		return ELSE_SHOWN;
	return else_exact(got == by_kind[i].also ? got : by_kind[i].format, why);
}

static uint64_t reported_format(void)
{
	return FIELD_GET(IA32_PERF_CAPABILITIES_LBR_FMT, pmu_get()->capabilities);
}

TEST(model, .id = "lbr.format.model", .needs = need_format, .source = FORMATS "; SDM 4",
     .claim = "IA32_PERF_CAPABILITIES[5:0] is the format of this microarchitecture's records: 3 "
              "on Nehalem to Ivy Bridge, 4 on Haswell and Broadwell, 5 on Skylake to Tiger Lake, "
              "3FH where CPUID.7.0:EDX[19] announces architectural records")
{
	const uint64_t format = reported_format();
	static const char why[] = "the manual's table of formats and the microarchitecture's own "
	                          "registers";

	test_report(t, "IA32_PERF_CAPABILITIES[5:0]", "%" PRIu64 ", %s", format,
	            lbr_kind(NULL)->name);
	for (unsigned i = 0; i < COUNT_OF(by_kind); i++) {
		if (strcmp(by_kind[i].kind, lbr_kind(NULL)->name) != 0)
			continue;
		expect_bounds(t, "IA32_PERF_CAPABILITIES[5:0]", format,
		              if_exact(by_kind[i].format, why),
		              on_silicon(i, format, why));
	}
}

/* ------------------------------------------------------------------------ the registers */

/* Returns the bits of FROM that are flags. Knights Landing reports format 1 and has that of 3. */
static uint64_t flags_of_from(void)
{
	return ~lbr_kind(NULL)->from_address;
}

/* Returns the number of the register of the newest entry. */
static unsigned newest(void)
{
	return lbr_kind(NULL)->tos_msr ? lbr_tos() : 0;
}

static void judge_newest(struct test_ctx *t)
{
	const struct lbr_kind *kind = lbr_kind(NULL);
	const uint64_t from = msr_read(kind->from_msr + newest());

	expect_exact(t, "FROM without its flag of a misprediction",
	             from & ~(flags_of_from() & LBR_FROM_MISPRED), branches_address(0),
	             "an address below 2^47 has zeros above it; bits 62 and 61 are flags of "
	             "transactions, and none was under way");
	expect_bits(t, "TO", msr_read(kind->to_msr + newest()), UINT64_MAX << 48
	            & kind->to_address, 0, "no format except 6 has anything above TO's address");
}

static const char *need_wide_records(struct test_ctx *t)
{
	const char *reason = need_format(t);

	if (!reason && lbr_kind(NULL)->is_packed)
		return test_reason(t, "%s: a register has both addresses, and no room for flags",
		                   lbr_kind(NULL)->name);
	return reason;
}

TEST(records, .id = "lbr.format.records", .needs = need_wide_records, .source = FORMATS,
     .claim = "FROM and TO have no bits besides the address and the flags of the format, and "
              "MSR_LBR_INFO_x exists where the format says so")
{
	struct branch_recorder by = lbr_recorder(0);
	const uint64_t format = reported_format();
	struct branch_trace trace;
	uint64_t info;

	branches_run(branches_chain(1), MODE_CPL0, &by, &trace);
	judge_newest(t);
	if (format == LBR_FORMAT_INFO || format == LBR_FORMAT_INFO2)
		for (unsigned i = 0; i < lbr_kind(NULL)->depth; i++) {
			test_sub(t, "entry %u", i);
			expect_no_fault(t, "RDMSR of MSR_LBR_INFO_x",
			                msr_try_read(MSR_LBR_INFO(i), &info),
			                "formats 5 and 7 have their flags there");
		}
	else if (format < LBR_FORMAT_INFO)
		expect_bounds(t, "RDMSR of MSR_LBR_INFO_0 succeeds",
		              !is_fault(msr_try_read(MSR_LBR_INFO(0), &info)),
		              if_exact(0, "formats below 5 have no such register"), ELSE_SHOWN);
}

/* ------------------------------------------------------------------------ mispredictions */

static const char *need_flag(struct test_ctx *t)
{
	const char *reason = need_wide_records(t);

	if (!reason && !lbr_kind(NULL)->info_msr && !(flags_of_from() & LBR_FROM_MISPRED))
		return test_reason(t, "IA32_PERF_CAPABILITIES[5:0] = %u: records have no flag of a "
		                   "misprediction", lbr_kind(NULL)->format);
	return reason;
}

enum { ROUNDS = 2000, WINDOWS = 16 };

/* Runs the loop in several windows; returns how many records in the stack have the flag. */
static unsigned count_flags(const struct workload *w)
{
	unsigned count = 0;

	for (unsigned n = 0; n < WINDOWS; n++) {
		lbr_window(0, w->code, ROUNDS, (uint32_t)tsc_read() | 1);
		for (unsigned i = 0; i < lbr_kind(NULL)->depth; i++)
			count += lbr_get(i).is_mispredicted;
	}
	return count;
}

TEST(mispredicted, .id = "lbr.format.mispredicted", .needs = need_flag, .source = FORMATS
     "; SDM 4, MSR_LBR_INFO_x: MISPRED",
     .claim = "some branches on pseudo-random bits have the flag of a misprediction, and not all "
              "branches of a loop have it")
{
	const unsigned all = WINDOWS * lbr_kind(NULL)->depth;

	expect_between(t, "records of pseudo-random branches with the flag",
	               count_flags(&workload_random), 1, all,
	               "low: no predictor knows the bits, which begin elsewhere in each window; "
	               "high: all records");
	expect_between(t, "records of a loop's branch with the flag", count_flags(&workload_loop),
	               0, all - 1,
	               "low: none; high: every predictor learns a branch that is taken 2000 times");
}

/* ------------------------------------------------------------------------ cycles */

static const char *need_cycles(struct test_ctx *t)
{
	const char *reason = need_format(t);

	if (!reason && !lbr_kind(NULL)->info_msr)
		return test_reason(t, "%s, format %u: MSR_LBR_INFO_x does not exist",
		                   lbr_kind(NULL)->name, lbr_kind(NULL)->format);
	if (!reason && lbr_kind(NULL)->is_architectural && !cpuid_get(CPUID_LBR_TIME))
		return test_reason(t, "CPUID.1CH:ECX[1] = 0: records have no cycles");
	return reason;
}

enum { MANY = 200000, LEAST_A_ROUND = 4 };

static uint64_t cycles(unsigned age)
{
	return FIELD_GET(LBR_INFO_CYC_CNT, lbr_get(age).info);
}

/* Returns a filter that omits the loop's JNZ. */
static uint64_t without_jcc(void)
{
	return lbr_kind(NULL)->is_architectural
	       ? (lbr_control_on(0) & ~IA32_LBR_CTL_LBREN & ~IA32_LBR_CTL_JCC) : MSR_LBR_SELECT_JCC;
}

/* Returns the smallest count of the stack: an interruption can only lengthen some. */
static uint64_t fewest_cycles(void)
{
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < lbr_kind(NULL)->depth; i++)
		least = cycles(i) < least ? cycles(i) : least;
	return least;
}

static void judge_valid(struct test_ctx *t)
{
	if (lbr_kind(NULL)->is_architectural)
		expect_bounds(t, "IA32_LBR_0_INFO.CYC_CNT_VALID",
		              FIELD_GET(LBR_INFO_CYC_CNT_VALID, lbr_get(0).info),
		              if_exact(1, "CPUID.1CH:ECX[1] = 1: records have their cycles"),
		              ELSE_SHOWN);
}

#define PLENTY "low: no processor takes four branches a cycle; high: the field's highest value"

/* Whether branches that the filter omits end the count is clear for architectural records only. */
static struct bounds where_filtered(uint32_t rounds)
{
	return lbr_kind(NULL)->is_architectural
	       ? else_in(rounds / LEAST_A_ROUND, LBR_INFO_CYC_CNT, PLENTY) : ELSE_SHOWN;
}

TEST(time, .id = "lbr.format.cycles", .needs = need_cycles,
     .source = "SDM 4, MSR_LBR_INFO_x: \"elapsed core clocks since last update to the LBR "
               "stack\"; SDM 3B, Architectural Last Branch Records, IA32_LBR_x_INFO: saturating",
     .claim = "INFO counts the cycles since the record before it, and stays at FFFFH if there "
              "are more")
{
	lbr_window(0, workload_loop.code, MANY, 0);
	expect_between(t, "cycles of the loop's records, the fewest", fewest_cycles(), 0, ROUNDS,
	               "low: 0; high: a round has two instructions, and the record before it is "
	               "that of the round before it");
	judge_valid(t);
	lbr_window(without_jcc(), workload_loop.code, ROUNDS, 0);
	expect_bounds(t, "cycles of 2000 rounds whose branches are filtered", cycles(0),
	              if_exact_in(ROUNDS / LEAST_A_ROUND, LBR_INFO_CYC_CNT, PLENTY),
	              where_filtered(ROUNDS));
	lbr_window(without_jcc(), workload_loop.code, MANY, 0);
	expect_bounds(t, "cycles of 200000 rounds whose branches are filtered", cycles(0),
	              if_exact(LBR_INFO_CYC_CNT, "more cycles than the field can hold leave it at "
	                       "its highest value"), where_filtered(MANY));
}
