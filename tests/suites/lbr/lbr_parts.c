/* SPDX-License-Identifier: MIT */
/* Last branch records: fast system calls, the last exception, #DB, and other processors. */
#include <tests/suites/lbr/lbr_suite.h>

#include <stddef.h>

#include <arch/cpu/fault.h>
#include <arch/regs/lbr.h>
#include <kernel/lib/format.h>
#include <pmu/core/program.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/smp_init.h>
#include <tests/suites/common/smp_tests.h>
#include <tests/suites/lbr/branches_fast.h>

#define P6 "SDM 3B, Last Branch, Interrupt, and Exception Recording (P6 Family Processors)"

/* ------------------------------------------------------------------------ fast system calls */

static void judge_fast(struct test_ctx *t, const struct branch_row *row)
{
	branches_fast_begin();
	lbr_judge_row(t, row, MODE_CPL3, 0, NULL, 0);
	branches_fast_end();
}

BRANCHES_FAST_TEST(sysenter, "lbr", need_lbr_modes, MONITORING, "SYSENTER and SYSEXIT leave",
                   judge_fast);
#ifdef __x86_64__
BRANCHES_FAST_TEST(syscall, "lbr", need_lbr_modes, MONITORING, "SYSCALL and SYSRET leave",
                   judge_fast);
#endif

/* ------------------------------------------------------------------------ last exception */

static const struct branch_row jmp_ud2 = {
	"JMP, UD2", IN(MODE_CPL0), BRANCH_CODE(0xeb, 0x01, 0x90, 0x0f, 0x0b)
};
static const struct branch_row jmp_int = {
	"JMP, INT n", IN(MODE_CPL0), BRANCH_CODE(0x90, 0xeb, 0x01, 0x90, 0xcd, BRANCH_VECTOR)
};

/* P6 and NetBurst have these. What later family 6 processors have at these addresses is shown. */
static const char *need_last_exception(struct test_ctx *t)
{
	const char *reason = need_lbr_modes(t);
	uint64_t value;

	if (!reason && !lbr_kind(NULL)->ler_msr)
		return test_reason(t, "%s: no last exception record", lbr_kind(NULL)->name);
	if (!reason && is_fault(msr_try_read(lbr_kind(NULL)->ler_msr, &value)))
		return test_reason(t, "RDMSR of %XH faults: no last exception record",
		                   lbr_kind(NULL)->ler_msr);
	return reason;
}

static bool is_judged(void)
{
	return lbr_kind(NULL)->has_offsets || pmu_has(PMU_HAS_CCCRS);
}

static void expect_exception(struct test_ctx *t, const char *why)
{
	uint32_t msr = lbr_kind(NULL)->ler_msr;
	uint64_t from = msr_read(msr), to = msr_read(msr + 1);

	if (!is_judged()) {
		test_report(t, "last exception record", "from %" PRIX64 "H to %" PRIX64 "H",
		            from, to);
		return;
	}
	expect_exact(t, "the last exception's FROM", from, branches_address(0), why);
	expect_exact(t, "the last exception's TO", to, branches_address(3), why);
}

TEST(exception, .id = "lbr.exception.copy", .needs = need_last_exception, .source = P6,
     .claim = "an exception copies the last branch before it to the last exception record")
{
	struct branch_recorder by = lbr_recorder(0);
	struct branch_trace trace;

	branches_run(&jmp_ud2, MODE_CPL0, &by, &trace);
	expect_exception(t, "it is the JMP before UD2");
}

static const char *need_p6_exception(struct test_ctx *t)
{
	const char *reason = need_last_exception(t);

	if (!reason && !lbr_kind(NULL)->has_offsets)
		return test_reason(t, "%s, not P6: what INT n does is not specified",
		                   lbr_kind(NULL)->name);
	return reason;
}

TEST(int_n, .id = "lbr.exception.int_n", .needs = need_p6_exception, .source = P6,
     .claim = "INT n leaves the last exception record as it was")
{
	struct branch_recorder by = lbr_recorder(0);
	struct branch_trace trace;

	branches_run(&jmp_ud2, MODE_CPL0, &by, &trace);
	branches_run(&jmp_int, MODE_CPL0, &by, &trace);
	expect_exception(t, "it is still the JMP before UD2, as INT n is a branch and "
	                    "not an exception");
}

/* ------------------------------------------------------------------------ #DB */

static const char *need_legacy_p6(struct test_ctx *t)
{
	const char *reason = need_lbr_modes(t);

	if (!reason && !lbr_kind(NULL)->has_offsets)
		return test_reason(t, "%s, not P6", lbr_kind(NULL)->name);
	return reason;
}

TEST(debug, .id = "lbr.exception.debug", .needs = need_legacy_p6, .source = P6,
     .claim = "#DB clears DebugCtlMSR.LBR before its handler runs: no branch after it is recorded")
{
	struct branch_recorder by = lbr_recorder(0);
	struct branch_trace trace;

	branches_run(&branch_step, MODE_CPL0, &by, &trace);
	lbr_expect_newest(t, branches_place(AT_START_IRET), branches_address(0),
	                  "it is the last branch before #DB, neither the handler's "
	                  "IRET nor the JMP");
}

/* ------------------------------------------------------------------------ several processors */

static NEED_BOTH(need_lbr_secondaries, need_lbr_modes, need_secondaries)

static void record(unsigned jumps)
{
	struct branch_recorder by = lbr_recorder(0);
	struct branch_trace trace;

	branches_run(branches_chain(jumps), MODE_CPL0, &by, &trace);
}

static void record_part(struct test_ctx *t, uintptr_t argument)
{
	unsigned jumps = 5 + (unsigned)argument + smp_self();

	record(jumps);
	lbr_expect_newest(t, branches_address(2 * jumps - 2), branches_address(2 * jumps),
	                  "it is this processor's own last jump");
}

TEST(own, .id = "lbr.smp.own", .runs = TEST_ON_BOOT, .needs = need_lbr_secondaries,
     .source = "SDM 4, MSR_LASTBRANCH_x: scope thread",
     .claim = "each logical processor has records of its own")
{
	unsigned top;

	record(2);
	top = lbr_tos();
	smp_do_on_all(t, record_part, 1);
	lbr_expect_newest(t, branches_address(2), branches_address(4),
	                  "it is this processor's last jump, whatever others recorded");
	expect_exact(t, "TOS", lbr_tos(), top, "other processors have their own");
}

/* The registers must be writable by the manual; on silicon none of them after a branch
 * since then. */
static const char *need_init(struct test_ctx *t)
{
	const char *reason = need_lbr_secondaries(t);

	if (!reason && !lbr_kind(NULL)->has_call_stack)
		return test_reason(t, "%s: its records may be read-only", lbr_kind(NULL)->name);
	return reason;
}

static void keep(struct kept_register *r, unsigned *count, const char *what, unsigned i,
                 uint32_t msr, uint64_t value)
{
	char name[PMU_NAME_SIZE];

	format_buf(name, sizeof(name), "%s of entry %u", what, i);
	keep_register(r, count, name, msr + i, value);
}

/* Of the filter and of INFO of architectural records no manual speaks. */
static unsigned kept(struct kept_register *r)
{
	const struct lbr_kind *kind = lbr_kind(NULL);
	unsigned count = 0;

	if (kind->is_architectural)
		keep_register(r, &count, "IA32_LBR_DEPTH", IA32_LBR_DEPTH, kind->depth);
	if (kind->is_architectural)
		keep_register(r, &count, "IA32_LBR_CTL", IA32_LBR_CTL, IA32_LBR_CTL_JCC)->is_open
			= true;
	else
		keep_register(r, &count, "MSR_LBR_SELECT", kind->select_msr, MSR_LBR_SELECT_JCC);
	if (kind->tos_msr)
		keep_register(r, &count, "TOS", kind->tos_msr, 3);
	for (unsigned i = 0; i < kind->depth; i++) {
		keep(r, &count, "FROM", i, kind->from_msr, 0x12340000 + i);
		keep(r, &count, "TO", i, kind->to_msr, 0x56780000 + i);
		if (!kind->info_msr)
			continue;
		keep(r, &count, "INFO", i, kind->info_msr, 0x1230 + i);
		r[count - 1].is_open = true;
	}
	return count;
}

TEST(init, .id = "lbr.smp.init", .runs = TEST_ON_BOOT, .needs = need_init,
     .claim = "an INIT IPI leaves records with their INFO, the filter and the depth as they were",
     .source = "SDM 3A, table \"IA-32 Processor States Following Power-up, Reset, or INIT\"")
{
	judge_init(t, kept);
}
