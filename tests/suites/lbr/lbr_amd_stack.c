/* SPDX-License-Identifier: MIT */
/* The stack of branches of Zen 4 and later. */
#include <tests/suites/lbr/lbr_amd.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/cpu.h>
#include <kernel/lib/format.h>
#include <pmu/core/pmi.h>
#include <tests/suites/common/absent_msrs.h>

#define FROM(i)  LastBranchStackFromIp(i)
#define TO(i)    LastBranchStackToIp(i)

static void clear_stack(void)
{
	for (unsigned i = 0; i < 2 * amd_stack_depth(); i++)
		msr_write(FROM(0) + i, 0);
}

struct branch_recorder amd_stack_recorder(uint64_t select)
{
	msr_write(DbgExtnCfg, 0);
	msr_write(AMD_LBR_SELECT, select);
	clear_stack();
	return (struct branch_recorder){ DbgExtnCfg, DbgExtnCfg_LBRSE };
}

/* Erratum 1452: an entry with To[61] is no branch. Returns the next entry that is one. */
static unsigned skip_junk(unsigned entry)
{
	while (entry < amd_stack_depth() && (msr_read(TO(entry)) & LastBranchStackToIp_JUNK))
		entry++;
	return entry;
}

/* Says whether a branch must be in the stack, must not, or may be. */
typedef enum { LEFT_OUT, RECORDED, MAY_BE } choice;

static choice by_select(const struct branch_want *want, uint64_t select)
{
	bool is_kind_out = select >> (2 + want->kind) & 1;
	bool from_out = select >> (want->from_cpl > 0) & 1;
	bool to_out = select >> (want->to_cpl > 0) & 1;

	if (is_kind_out || to_out)
		return LEFT_OUT;
	return from_out && !pmu_is_exact() ? MAY_BE : RECORDED;
}

/* Judges the stack against what must be there, from the newest on. */
static void judge_stack(struct test_ctx *t, const struct branch_trace *trace, uint64_t select)
{
	unsigned entry = skip_junk(0);

	for (unsigned i = trace->count; i-- > 0 && entry < amd_stack_depth();) {
		const struct branch_want *want = &trace->want[i];
		choice c = by_select(want, select);

		if (c == LEFT_OUT || (c == MAY_BE && amd_address(FROM(entry)) != want->from))
			continue;
		if (!expect_amd_record(t, FROM(entry), want,
		                       "entry 0 is the newest branch, the next one the one before"))
			return;
		expect_bits(t, "valid and speculative", msr_read(TO(entry)),
		            LastBranchStackToIp_V | LastBranchStackToIp_SPEC, LastBranchStackToIp_V,
		            "it retired");
		entry = skip_junk(entry + 1);
	}
	for (; entry < amd_stack_depth(); entry++)
		if (!expect_bits(t, "an entry beyond the branches", msr_read(TO(entry)),
		                 LastBranchStackToIp_V, 0, "nothing else is recorded"))
			return;
}

static void judge_select(struct test_ctx *t, const struct branch_row *row, enum cpu_mode mode,
                         uint64_t select)
{
	struct branch_recorder by = amd_stack_recorder(select);
	struct branch_trace trace;
	struct mode_result r = branches_run(row, mode, &by, &trace);

	msr_write(AMD_LBR_SELECT, 0);
	test_sub(t, "%s, %s, select %" PRIX64 "H", row->what, mode_name(mode), select);
	if (expect_no_fault(t, "outcome", r.fault, "the code runs to its end"))
		judge_stack(t, &trace, select);
}

static void judge_row(struct test_ctx *t, const struct branch_row *row, enum cpu_mode mode)
{
	judge_select(t, row, mode, 0);
}

static void judge_subject(struct test_ctx *t, enum branch_subject subject)
{
	branches_each(t, subject, judge_row);
}

BRANCH_SUBJECT_TESTS("lbr.amd.stack", need_amd_stack, AMD_STACK, "leave", "leaves",
                     judge_subject);

TEST(order, .id = "lbr.amd.stack.order", .needs = need_amd_stack, .source = AMD_STACK,
     .claim = "the newest branches, as many as the stack is deep, are recorded in their order")
{
	for (unsigned jumps = 1; jumps <= amd_stack_depth() + 3; jumps++)
		judge_select(t, branches_chain(jumps), MODE_CPL0, 0);
}

TEST(depth, .id = "lbr.amd.stack.depth", .is_static = true, .needs = need_amd_stack,
     .source = "APM 3, \"CPUID\", 80000022H",
     .claim = "there are as many entries as CPUID says")
{
	static struct absent_msrs after[] = { { 0, 2 }, { 0, 0 } };
	uint64_t value;

	expect_between(t, "CPUID.80000022H:EBX[9:4]", amd_stack_depth(), 1, 63,
	               "low: there is a stack; high: the field has six bits");
	for (unsigned i = 0; i < 2 * amd_stack_depth(); i++) {
		test_sub(t, "MSR %" PRIX32 "H", FROM(0) + i);
		expect_no_fault(t, "RDMSR", msr_try_read(FROM(0) + i, &value), "CPUID reports it");
	}
	after[0].first = FROM(amd_stack_depth());
	test_sub(t, "the next entry");
	judge_absent(t, after, "CPUID reports no such entry");
}

TEST(independent, .id = "lbr.amd.stack.independent", .needs = need_amd_stack,
     .source = AMD_STACK ", DbgExtnCfg",
     .claim = "the stack is enabled by DbgExtnCfg[6] alone, not by DebugCtl[0]")
{
	const struct branch_recorder pair = amd_pair_recorder();
	struct branch_trace trace;

	judge_select(t, branches_chain(4), MODE_CPL0, 0);
	amd_stack_recorder(0);
	branches_run(branches_chain(4), MODE_CPL0, &pair, &trace);
	test_sub(t, "DebugCtl[0] = 1, DbgExtnCfg = 0");
	expect_exact(t, "TO of entry 0", msr_read(TO(0)), 0, "the stack was off, and empty");
}

TEST(reserved, .id = "lbr.amd.stack.reserved", .needs = need_amd_stack, .source = AMD_STACK,
     .claim = "bits of DbgExtnCfg other than 6 must be 0 (on silicon they are reported), those of "
              "the filter above 8 read 0")
{
	unsigned faults = 0;

	for (unsigned bit = 0; bit < 64; bit++)
		if (bit != 6)
			faults += is_fault(msr_try_write(DbgExtnCfg, BIT(bit)));
	msr_write(DbgExtnCfg, 0);
	test_report(t, "bits of DbgExtnCfg that raise #GP", "%u", faults);
	if (pmu_is_exact())
		expect_exact(t, "bits of DbgExtnCfg that raise #GP", faults, 63,
		             "they are MBZ by the manual");
	expect_no_fault(t, "WRMSR of the filter", msr_try_write(AMD_LBR_SELECT, UINT64_MAX),
	                "reserved bits read as 0");
	expect_exact(t, "the filter", msr_read(AMD_LBR_SELECT), FIELD(8, 0), "it has nine bits");
	msr_write(AMD_LBR_SELECT, 0);
}

TEST(kinds, .id = "lbr.amd.stack.filter_kinds", .needs = need_amd_stack,
     .source = AMD_STACK ", LBR_SELECT",
     .claim = "each bit of the filter leaves out its kind of branch, and no other")
{
	for (unsigned bit = 2; bit <= 8; bit++)
		FOR_EACH_BRANCH_MODE(&branch_mix, mode)
			judge_select(t, &branch_mix, mode, BIT(bit));
}

TEST(levels, .id = "lbr.amd.stack.filter_levels", .needs = need_amd_stack,
     .source = AMD_STACK ", LBR_SELECT",
     .claim = "bits 0 and 1 of the filter leave out branches that end at CPL 0, and at others")
{
	for (unsigned bit = 0; bit <= 1; bit++)
		FOR_EACH_BRANCH_MODE(&branch_mix, mode)
			judge_select(t, &branch_mix, mode, BIT(bit));
}

TEST(writes, .id = "lbr.amd.stack.write", .needs = need_amd_stack, .source = AMD_STACK,
     .claim = "entries take what is written, and keep it while the stack is off")
{
	for (unsigned i = 0; i < 2 * amd_stack_depth(); i++)
		msr_write(FROM(0) + i, 0x1000 + i);
	for (unsigned i = 0; i < 2 * amd_stack_depth(); i++) {
		test_sub(t, "MSR %" PRIX32 "H", FROM(0) + i);
		expect_exact(t, "its value", msr_read(FROM(0) + i), 0x1000 + i, "it was written");
	}
	clear_stack();
}

TEST(debug, .id = "lbr.amd.stack.debug", .needs = need_amd_stack, .source = AMD_STACK,
     .claim = "#DB clears DbgExtnCfg[6] before its handler runs, and is not recorded")
{
	struct branch_recorder by = amd_stack_recorder(0);
	struct branch_want last;
	struct branch_trace trace;

	branches_run(&branch_step, MODE_CPL0, &by, &trace);
	last = (struct branch_want){ .from = branches_place(AT_START_IRET),
	                             .to = branches_address(0) };
	expect_amd_record(t, FROM(skip_junk(0)), &last,
	                  "it is the last branch before #DB, not the handler's IRET or the JMP");
}

/* ---------------------------------------------------------------------------- freeze */

static const char *need_freeze(struct test_ctx *t)
{
	const char *reason = need_amd_stack(t);

	if (!reason)
		reason = need_amd_v2_pmi(t);
	if (reason || (cpuid_read(CPUID_AMD_PERFMON, 0).eax & CPUID_AMD_PERFMON_EAX_FREEZE))
		return reason;
	return test_reason(t, "CPUID.80000022H:EAX[2] (freeze) = 0");
}

static void on_pmi(struct frame *f) { (void)f; }

/* A write of a reserved bit may raise #GP. */
static void clear_status(void)
{
	msr_write(PerfCntrGlobalStatusClr, PerfCntrGlobalStatus_LBRSF | BIT(0));
}

/* Overflows counter 0 by jumps in a loop, with this DebugCtl; returns the status then. */
static uint64_t overflow(uint64_t debugctl, uint64_t interrupt)
{
	uint64_t status;

	pmu_reset();
	clear_status();
	amd_stack_recorder(0);
	pmi_listen(PMI_NMI, on_pmi);
	msr_write(DebugCtl, debugctl);
	msr_write(amd_ctr(0), (0 - UINT64_C(500)) & AMD_COUNTER_MASK);
	msr_write(PerfCntrGlobalCtl, PerfCntrGlobalCtl_EN(0));
	msr_write(DbgExtnCfg, DbgExtnCfg_LBRSE);
	msr_write(amd_ctl(0), amd_select(AMD_EVENT_INST_RETIRED, 0) | interrupt);
	workload_loop.code(2000, 0);
	msr_write(amd_ctl(0), 0);
	status = msr_read(PerfCntrGlobalStatus);
	pmi_settle();
	pmi_stop();
	return status;
}

static void clean_up(void)
{
	msr_write(DbgExtnCfg, 0);
	msr_write(DebugCtl, 0);
	clear_status();
	pmu_reset();
}

static bool newest_is_in_loop(void)
{
	uint64_t from = amd_address(FROM(skip_junk(0)));

	return from >= (uintptr_t)workload_loop.code && from < (uintptr_t)workload_loop.end;
}

TEST(freezes, .id = "lbr.amd.stack.freeze", .needs = need_freeze,
     .source = "APM 2, \"Freezing\"; DebugCtl[11]",
     .claim = "with FLBRI an overflow that interrupts stops the stack, and a write of the clearing "
              "register lets it go on")
{
	uint64_t status = overflow(DebugCtl_FLBRI, PERF_CTL_INT);

	expect_bits(t, "PerfCntrGlobalStatus", status, PerfCntrGlobalStatus_LBRSF,
	            PerfCntrGlobalStatus_LBRSF, "the stack is frozen");
	expect_exact(t, "the newest branch is the loop's", newest_is_in_loop(), 1,
	             "neither those of the handler nor later ones were recorded");
	msr_write(PerfCntrGlobalStatusClr, PerfCntrGlobalStatus_LBRSF);
	workload_jmp.code(10, 0);
	msr_write(DbgExtnCfg, 0);
	expect_exact(t, "the newest branch is the loop's, after the clearing", newest_is_in_loop(),
	             0, "other code has branched since");
	clean_up();
}

TEST(no_freeze, .id = "lbr.amd.stack.no_freeze", .needs = need_freeze,
     .source = "APM 2, \"Freezing\"; DebugCtl[11]",
     .claim = "without FLBRI, and without INT, an overflow does not stop the stack")
{
	test_sub(t, "FLBRI = 0");
	expect_bits(t, "PerfCntrGlobalStatus", overflow(0, PERF_CTL_INT),
	            PerfCntrGlobalStatus_LBRSF, 0, "nothing asks for a freeze");
	expect_exact(t, "the newest branch is the loop's", newest_is_in_loop(), 0,
	             "other code has branched since");
	test_sub(t, "INT = 0");
	expect_bits(t, "PerfCntrGlobalStatus", overflow(DebugCtl_FLBRI, 0),
	            PerfCntrGlobalStatus_LBRSF, 0, "a freeze comes with an interrupt");
	clean_up();
}
