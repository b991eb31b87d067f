/* SPDX-License-Identifier: MIT */
/* Interrupts in last branch records, and the freeze on a PMI. */
#include <tests/suites/lbr/lbr_suite.h>

#include <stddef.h>

#include <arch/modes/low_memory.h>
#include <arch/regs/lbr.h>
#include <arch/regs/perfmon.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/common/silicon/silicon.h>
#include <tests/suites/lbr/branches_interrupts.h>

#define FREEZE     "SDM 3B, Freezing LBR and Performance Counters on PMI"

static NEED_BOTH(need_interrupt, need_lbr_modes, need_local_apic)
static NEED_BOTH(need_nmi, need_lbr_modes, need_branch_pmi)

TEST(sti, .id = "lbr.records.interrupt", .needs = need_interrupt, .source = MONITORING,
     .claim = "an interrupt leaves a record whose FROM is its return address and whose "
              "TO is its handler")
{
	struct branch_recorder by = lbr_recorder(0);
	struct branch_want want;

	branches_run_sti(&by, &want);
	if (expect_exact(t, "the interrupt returns to", branches_stopped_at(), want.from,
	                 "the interrupt waited for the instruction after STI to end"))
		lbr_expect_newest(t, want.from, want.to, "FROM is the interrupt's return address");
}

TEST(nmi, .id = "lbr.records.nmi", .needs = need_nmi, .source = MONITORING,
     .claim = "an NMI, here a PMI, leaves a record whose FROM is its return address and whose TO "
              "is its handler")
{
	struct branch_recorder by = lbr_recorder(0);
	struct branch_want loop;

	branches_run_pmi(&by, &loop);
	if (!expect_between(t, "the PMI returns to", branches_stopped_at(), loop.from,
	                    loop.from + 2,
	                    "the PMI came while the LOOP ran; the instruction after the "
	                    "LOOP ends the code"))
		return;
	lbr_expect_newest(t, branches_stopped_at(), branches_place(AT_STOP),
	                  "FROM is the interrupt's return address");
	if (lbr_kind(NULL)->depth > 1) {
		expect_exact(t, "FROM before the newest", lbr_get(1).from, loop.from,
		             "it is the LOOP's");
		expect_exact(t, "TO before the newest", lbr_get(1).to, loop.to, "it is the LOOP's");
	}
}

/* ------------------------------------------------------------------------ freeze */

enum { LBR_MOST = 32, ROUNDS = 1000, JNZ_AT = 2 };

static struct {
	uint64_t debugctl, select;             /* set before the window */
	uint64_t control, status;              /* read in the handler */
	struct lbr_record records[LBR_MOST];
	struct lbr_record newest_later, newest_at_end;
	unsigned tos, tos_at_end;
	uintptr_t ip;
} seen;

static void look(struct frame *f)
{
	unsigned depth = lbr_kind(NULL)->depth;

	seen.ip = f->ip;
	seen.control = msr_read(lbr_control_msr());
	seen.status = pmu_status();
	seen.tos = lbr_tos();
	for (unsigned i = 0; i < depth && i < LBR_MOST; i++)
		seen.records[i] = lbr_get(i);
	seen.newest_later = lbr_get(0);
	pmi_go_on();
	seen.tos_at_end = lbr_tos();
	seen.newest_at_end = lbr_get(0);
}

static void prepare(void)
{
	lbr_recorder(seen.select);
	msr_write(IA32_DEBUGCTL, seen.debugctl);
	if (lbr_kind(NULL)->is_architectural)
		msr_write(lbr_control_msr(), lbr_control_on(seen.select));
	else
		msr_write(IA32_DEBUGCTL, seen.debugctl | IA32_DEBUGCTL_LBR);
}

static bool run(struct test_ctx *t, uint64_t debugctl, uint64_t select, uint64_t missing,
                void (*code)(uint32_t rounds, uint32_t argument))
{
	const struct pmu_setup s = user_instructions(pmi_counter(0), missing);
	const struct pmi_log *log;

	seen.debugctl = debugctl;
	seen.select = select;
	log = pmi_run(&(const struct pmi_window){ .setups = &s, .count = 1, .code = code,
	                                          .rounds = ROUNDS, .on_pmi = look,
	                                          .before = prepare });
	lbr_disable();
	return expect_exact(t, "PMIs", log->count, 1, "the counter overflows once");
}

static NEED_BOTH(need_freeze, need_lbr_modes, need_pmi_v2)
static NEED_BOTH(need_legacy, need_freeze, need_arch_before_v4)

static const char *need_streamlined(struct test_ctx *t)
{
	const char *reason = need_freeze(t);

	reason = reason ? reason : need_arch_v4(t);
	return reason ? reason : need_known_lbr_freeze(t);
}

static void expect_frozen(struct test_ctx *t)
{
	const char *why = "the records are frozen at the PMI: they hold the JNZ that it "
	                  "interrupted and no branch of its handler";

	for (unsigned i = 0; i < lbr_kind(NULL)->depth && i < LBR_MOST; i++) {
		test_sub(t, "%u before the newest", i);
		if (i > 0 || !silicon_leaves_out(t, SILICON_LBR_FREEZE_FROM, "FROM"))
			expect_exact(t, "FROM", seen.records[i].from, LOW_CODE_BASE + JNZ_AT, why);
		expect_exact(t, "TO", seen.records[i].to, LOW_CODE_BASE, why);
	}
	test_sub(t, "%s", "");
	expect_exact(t, "FROM of the newest, branches later", seen.newest_later.from,
	             seen.records[0].from, why);
}

TEST(legacy, .id = "lbr.freeze.legacy", .needs = need_legacy, .source = FREEZE,
     .claim = "with FREEZE_LBRS_ON_PMI a PMI clears IA32_DEBUGCTL.LBR: the newest records are "
              "those before the PMI")
{
	if (silicon_leaves_out(t, SILICON_BONNELL_LBR, "the freeze")
	    || !run(t, IA32_DEBUGCTL_FREEZE_LBRS_ON_PMI, 0, ROUNDS, user_loop))
		return;
	expect_bits(t, "IA32_DEBUGCTL in the handler", seen.control, IA32_DEBUGCTL_LBR, 0,
	            "the PMI cleared LBR");
	expect_bits(t, "IA32_DEBUGCTL in the handler", seen.control,
	            IA32_DEBUGCTL_FREEZE_LBRS_ON_PMI, IA32_DEBUGCTL_FREEZE_LBRS_ON_PMI,
	            "the freeze does not clear its own enable bit");
	expect_frozen(t);
}

TEST(streamlined, .id = "lbr.freeze.streamlined", .needs = need_streamlined,
     .source = "SDM 3B, Architectural Performance Monitoring Version 4, Streamlined Freeze",
     .claim = "with FREEZE_LBRS_ON_PMI a PMI sets LBR_FRZ, which stops recording until it is "
              "cleared, and does not change the enable bit")
{
	if (!run(t, IA32_DEBUGCTL_FREEZE_LBRS_ON_PMI, 0, ROUNDS, user_loop))
		return;
	expect_bits(t, "IA32_PERF_GLOBAL_STATUS in the handler", seen.status,
	            IA32_PERF_GLOBAL_STATUS_LBR_FRZ, IA32_PERF_GLOBAL_STATUS_LBR_FRZ,
	            "LBR_FRZ says that the records are frozen");
	expect_bits(t, "the enable bit in the handler", seen.control, 1, 1,
	            "a streamlined freeze does not change it");
	expect_frozen(t);
	expect_exact(t, "the newest record is the JNZ after LBR_FRZ is cleared",
	             seen.newest_at_end.from == LOW_CODE_BASE + JNZ_AT, 0,
	             "branches of the handler are recorded again");
}

TEST(no_freeze, .id = "lbr.freeze.off", .needs = need_freeze, .source = FREEZE,
     .claim = "without FREEZE_LBRS_ON_PMI a PMI leaves recording on: its handler's "
              "branches are recorded")
{
	if (!run(t, 0, 0, ROUNDS, user_loop))
		return;
	expect_bits(t, "the enable bit in the handler", seen.control, 1, 1,
	            "nothing has cleared it");
	expect_exact(t, "the newest record is the JNZ",
	             seen.records[0].from == LOW_CODE_BASE + JNZ_AT, 0,
	             "branches of the handler are recorded");
}

/* ------------------------------------------------------------------------ in call-stack mode */

/* CALL 6; JMP 9; NOP, RET at 7; DEC ECX, JNZ to the start. */
static const uint8_t call_code[] = {
	0xe8, 2, 0, 0, 0,
	0xeb, 0x02,
	0x90, 0xc3,
	0xff, 0xc9,
	0x75, 0xf3,
};
enum { FUNCTION_AT = 7, FUNCTION_END = 9, MOST_STARTS = 14 };

static void run_calls(uint32_t rounds, uint32_t argument)
{
	const struct mode_regs regs = { .ax = argument, .cx = rounds };

	mode_run(MODE_CPL3, call_code, sizeof(call_code), &regs);
}

static const char *need_call_stack(struct test_ctx *t)
{
	const char *reason = need_freeze(t);

	if (!reason && !lbr_kind(NULL)->has_call_stack)
		return test_reason(t, "%s has no call-stack mode, which came with Haswell",
		                   lbr_kind(NULL)->name);
	if (!reason && !pmu_is_exact())
		return test_reason(t, "exact = 0: on silicon a PMI beside a CALL may move TOS");
	return reason;
}

TEST(call_stack, .id = "lbr.call_stack.freeze", .needs = need_call_stack, .source = FREEZE,
     .claim = "in call-stack mode a PMI near a CALL, with the freeze, leaves the stack as deep as "
              "the number of calls under way")
{
	const bool is_arch = lbr_kind(NULL)->is_architectural;
	const uint64_t calls = is_arch
		? IA32_LBR_CTL_USR | IA32_LBR_CTL_NEAR_REL_CALL | IA32_LBR_CTL_NEAR_IND_CALL
		  | IA32_LBR_CTL_NEAR_RET | IA32_LBR_CTL_CALL_STACK
		: MSR_LBR_SELECT_CPL_EQ_0 | MSR_LBR_SELECT_JCC | MSR_LBR_SELECT_NEAR_IND_JMP
		  | MSR_LBR_SELECT_NEAR_REL_JMP | MSR_LBR_SELECT_FAR_BRANCH
		  | MSR_LBR_SELECT_EN_CALLSTACK;

	for (unsigned start = 100; start < 100 + MOST_STARTS; start++) {
		bool is_inside;

		if (!run(t, IA32_DEBUGCTL_FREEZE_LBRS_ON_PMI, calls, start, run_calls))
			return;
		is_inside = seen.ip >= LOW_CODE_BASE + FUNCTION_AT
		            && seen.ip < LOW_CODE_BASE + FUNCTION_END;
		test_sub(t, "PMI at byte %u", (unsigned)(seen.ip - LOW_CODE_BASE));
		if (lbr_kind(NULL)->tos_msr)
			expect_exact(t, "TOS", seen.tos, is_inside,
			             "one CALL is under way, or none");
		expect_exact(t, "FROM of the newest", seen.records[0].from,
		             is_inside ? LOW_CODE_BASE : 0,
		             "the stack holds the CALL under way, or nothing");
	}
}
