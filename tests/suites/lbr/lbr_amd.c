/* SPDX-License-Identifier: MIT */
/* The pair of registers with the last branch that AMD's processors have since K7. */
#include <tests/suites/lbr/lbr_amd.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/cpu.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/absent_msrs.h>

#define CPUID_DEPTH  CPUID_FIELD(CPUID_AMD_PERFMON, 0, EBX, 9, 4)

NEED_BOTH(need_amd_pair, need_amd, need_modes)

const char *need_amd_stack(struct test_ctx *t)
{
	const char *reason = need_amd_pair(t);

	if (reason || cpuid_get(CPUID_AMD_LBR_STACK))
		return reason;
	return test_reason(t, "CPUID.80000022H:EAX[1] (LBR stack) = 0");
}

const char *need_amd_brs(struct test_ctx *t)
{
	const char *reason = need_amd_pair(t);

	if (reason || cpuid_get(CPUID_AMD_BRS))
		return reason;
	return test_reason(t, "CPUID.80000008H:EBX[31] (BRS) = 0");
}

unsigned amd_stack_depth(void) { return cpuid_get(CPUID_DEPTH); }

uint64_t amd_address(uint32_t msr) { return msr_read(msr) & LBR_STACK_ADDRESS; }

bool expect_amd_record(struct test_ctx *t, uint32_t from_msr, const struct branch_want *want,
                       const char *why)
{
	bool is_right = expect_exact(t, "FROM", amd_address(from_msr), want->from, why);

	return expect_exact(t, "TO", amd_address(from_msr + 1), want->to, why) && is_right;
}

struct branch_recorder amd_pair_recorder(void)
{
	return (struct branch_recorder){ DebugCtl, DebugCtl_LBR };
}

/* ---------------------------------------------------------------------------- records */

static void judge_row(struct test_ctx *t, const struct branch_row *row, enum cpu_mode mode)
{
	struct branch_recorder by = amd_pair_recorder();
	struct branch_trace trace;
	struct mode_result r = branches_run(row, mode, &by, &trace);

	test_sub(t, "%s, %s", row->what, mode_name(mode));
	if (expect_no_fault(t, "outcome", r.fault, "the code runs to its end"))
		expect_amd_record(t, AMD_LastBranchFromIP, &trace.want[trace.count - 1],
		                  "each taken branch is recorded, the last one stays");
}

static void judge_subject(struct test_ctx *t, enum branch_subject subject)
{
	branches_each(t, subject, judge_row);
}

BRANCH_SUBJECT_TESTS("lbr.amd.pair", need_amd_pair, AMD_RECORDING, "leave", "leaves",
                     judge_subject);

TEST(off, .id = "lbr.amd.pair.off", .needs = need_amd_pair, .source = AMD_RECORDING,
     .claim = "while DebugCtl[0] is 0 no branch is recorded")
{
	const struct branch_recorder none = { DebugCtl, 0 };
	struct branch_recorder by = amd_pair_recorder();
	struct branch_trace trace;
	struct branch_want before;

	branches_run(branches_chain(3), MODE_CPL0, &by, &trace);
	before = (struct branch_want){ amd_address(AMD_LastBranchFromIP),
	                               amd_address(AMD_LastBranchToIP), 0, 0, 0 };
	branches_run(branches_chain(7), MODE_CPL0, &none, &trace);
	expect_amd_record(t, AMD_LastBranchFromIP, &before, "nothing was recorded since");
}

static const char *need_known_pair(struct test_ctx *t)
{
	const char *reason = need_amd_pair(t);

	if (reason || (amd_is_known() && amd_family() != AMD_19H))
		return reason;
	return test_reason(t, "family %XH: nobody wrote down whether the pair takes a write",
	                   amd_family());
}

TEST(read_only, .id = "lbr.amd.pair.read_only", .is_static = true, .needs = need_known_pair,
     .source = "VirtualBox, tables of processors, probed on silicon",
     .claim = "the records of DebugCtl cannot be written")
{
	for (uint32_t msr = AMD_LastBranchFromIP; msr <= AMD_LastIntToIP; msr++) {
		test_sub(t, "MSR %" PRIX32 "H", msr);
		expect_fault(t, "WRMSR", msr_try_write(msr, 0), X86_GP, 0,
		             "writes raised #GP on all processors that were probed");
	}
}

/* ---------------------------------------------------------------------------- interrupts */

static void judge_interrupt(struct test_ctx *t, const struct branch_row *row, enum cpu_mode mode)
{
	struct branch_recorder by = amd_pair_recorder();
	struct branch_trace trace;
	uint64_t before = amd_address(AMD_LastIntToIP);
	static bool is_done;

	if (is_done || mode != MODE_CPL0)
		return;
	is_done = true;
	branches_run(branches_chain(5), MODE_CPL0, &by, &trace);
	branches_run(row, mode, &by, &trace);
	is_done = false;
	test_sub(t, "%s", row->what);
	test_report(t, "LastIntToIP", "%" PRIX64 "H, before %" PRIX64 "H",
	            amd_address(AMD_LastIntToIP), before);
	expect_between(t, "LastIntToIP", amd_address(AMD_LastIntToIP), 1, UINT64_MAX,
	               "low: an exception came while DebugCtl[0] was 1; high: none");
}

TEST(interrupt, .id = "lbr.amd.pair.interrupt", .needs = need_amd_pair, .source = AMD_RECORDING,
     .claim = "an exception is noted in LastIntFromIP and LastIntToIP, too")
{
	branches_each(t, BRANCHES_EXCEPTION, judge_interrupt);
}

TEST(debug, .id = "lbr.amd.pair.debug", .needs = need_amd_pair, .source = AMD_RECORDING,
     .claim = "#DB clears DebugCtl[0] before its handler runs, and is not recorded")
{
	struct branch_recorder by = amd_pair_recorder();
	struct branch_trace trace;
	struct branch_want last;

	branches_run(&branch_step, MODE_CPL0, &by, &trace);
	last = (struct branch_want){ .from = branches_place(AT_START_IRET),
	                             .to = branches_address(0) };
	expect_amd_record(t, AMD_LastBranchFromIP, &last,
	                  "it is the last branch before #DB, not the handler's IRET or the JMP");
}

/* ---------------------------------------------------------------------------- not there */

static const char *need_no_stack(struct test_ctx *t)
{
	const char *reason = need_amd(t);

	if (reason || (!cpuid_get(CPUID_AMD_LBR_STACK) && !cpuid_get(CPUID_AMD_BRS)))
		return reason;
	return test_reason(t, "CPUID.80000022H:EAX[1] = %u, CPUID.80000008H:EBX[31] = %u",
	                   cpuid_get(CPUID_AMD_LBR_STACK), cpuid_get(CPUID_AMD_BRS));
}

TEST(absent, .id = "lbr.amd.absent", .is_static = true, .needs = need_no_stack,
     .source = AMD_STACK, .claim = "without a stack and BRS in CPUID their registers do not exist")
{
	static const struct absent_msrs rows[] = {
		{ AMD_LBR_SELECT, 2 }, { LastBranchStackFromIp(0), 2 * AMD_BRANCHES }, { 0, 0 }
	};

	judge_absent(t, rows, "CPUID reports neither");
}
