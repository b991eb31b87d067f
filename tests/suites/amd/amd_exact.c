/* SPDX-License-Identifier: MIT */
/*
 * Events that are exact: the difference of two lengths of the same code is what the code says.
 * Sources: AMD's lists of events as Linux' perf, oprofile and libpfm4 have them; V. Weaver,
 * "deterministic events", for what was measured on families 10H, 14H, 15H, 16H and 17H.
 */
#include <tests/suites/amd/amd_suite.h>

#include <kernel/lib/format.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>

#define LISTS  "AMD's lists of events, in Linux' perf and libpfm4; " \
               "V. Weaver, \"deterministic events\""

/* What a round must count: what the workload says of itself, and so many more. */
enum says { NOTHING, INSNS, BRANCHES, TAKEN };

struct row {
	uint16_t event;
	uint8_t umask;
	const char *workload;
	enum says says;
	uint32_t more;                 /* a round */
	uint8_t first, last;           /* families; last 0: all from the first on */
	bool is_model;                 /* judged on an exact machine alone: nobody measured it */
};

static uint64_t said(const struct workload *w, enum says says, uint32_t rounds)
{
	return says == INSNS ? workload_insns(w, rounds)
	       : says == BRANCHES ? workload_branches(w, rounds)
	       : says == TAKEN ? workload_taken(w, rounds) : 0;
}

static bool is_here(const struct row *r)
{
	return amd_family() >= r->first && (!r->last || amd_family() <= r->last);
}

/* PERF_CTL2 with its bit 43 is exact on Zen 3 (erratum 1292), whose other counters may be high. */
static void check_row(struct test_ctx *t, const struct row *r)
{
	const struct workload *w = workload_find(r->workload);
	struct bounds otherwise;
	uint64_t want;

	expect_exact(t, r->workload, w != NULL, 1, "such a workload exists");
	if (!w || !workload_is_possible(w))
		return;
	want = said(w, r->says, AMD_FEW + AMD_MORE) - said(w, r->says, AMD_FEW)
	       + (uint64_t)r->more * AMD_MORE;
	otherwise = r->is_model ? ELSE_SHOWN : else_exact(want, "it is assembled so");
	for (unsigned i = 0; i < amd_counters(); i++) {
		test_sub(t, "event %03XH, unit mask %02XH, %s, counter %u", r->event, r->umask,
		         r->workload, i);
		expect_bounds(t, "1000 more rounds",
		              amd_more(i, amd_select(r->event, r->umask), w->code, 0x2545f491),
		              if_exact(want, "it is assembled so"), otherwise);
	}
}

static void check_rows(struct test_ctx *t, const struct row *rows, unsigned count)
{
	unsigned here = 0;

	pmu_workload_begin();
	pmu_workload_gates();
	for (unsigned i = 0; i < count; i++)
		if (is_here(&rows[i])) {
			check_row(t, &rows[i]);
			here++;
		}
	pmu_workload_end();
	test_sub(t, "%s", "");
	test_report(t, "rows for this family", "%u", here);
}

#define K7    0x06
#define EVENT_ROWS(name, claim_, ...) \
	EVENT_ROWS_OF(name, need_amd, claim_, __VA_ARGS__)
#define EVENT_ROWS_OF(name, needs_, claim_, ...) \
	static void name(struct test_ctx *t) \
	{ \
		static const struct row rows[] = { __VA_ARGS__ }; \
\
		check_rows(t, rows, COUNT_OF(rows)); \
	} \
	TEST(name, .id = "amd.exact." #name, .needs = needs_, .source = LISTS, .claim = claim_)

EVENT_ROWS(instructions, "each instruction that retires counts once, fused or not",
	{ 0xc0, 0, "loop", INSNS, 0, K7, 0, 0 },
	{ 0xc0, 0, "call", INSNS, 0, K7, 0, 0 },
	{ 0xc0, 0, "enter_leave", INSNS, 0, K7, 0, 0 },
	{ 0xc0, 0, "cpuid", INSNS, 0, K7, 0, 0 },
	{ 0xc0, 0, "divide", INSNS, 0, K7, 0, 0 },
	{ 0xc0, 0, "push_pop", INSNS, 0, K7, 0, 0 });

EVENT_ROWS(branches, "each branch counts once, taken or not, of every kind",
	{ 0xc2, 0, "jcc_taken", BRANCHES, 0, K7, 0, 0 },
	{ 0xc2, 0, "jcc_not_taken", BRANCHES, 0, K7, 0, 0 },
	{ 0xc2, 0, "jmp", BRANCHES, 0, K7, 0, 0 },
	{ 0xc2, 0, "call", BRANCHES, 0, K7, 0, 0 },
	{ 0xc2, 0, "jmp_indirect", BRANCHES, 0, K7, 0, 0 },
	{ 0xc2, 0, "call_indirect", BRANCHES, 0, K7, 0, 0 },
	{ 0xc2, 0, "loop_insn", BRANCHES, 0, K7, 0, 0 },
	{ 0xc2, 0, "jecxz", BRANCHES, 0, K7, 0, 0 },
	{ 0xc2, 0, "far_call", BRANCHES, 0, K7, 0, 0 });

EVENT_ROWS(taken, "a branch that is taken counts once, one that is not taken does not",
	{ 0xc4, 0, "jcc_taken", TAKEN, 0, K7, 0, 0 },
	{ 0xc4, 0, "jcc_not_taken", TAKEN, 0, K7, 0, 0 },
	{ 0xc4, 0, "jmp", TAKEN, 0, K7, 0, 0 },
	{ 0xc4, 0, "call", TAKEN, 0, K7, 0, 0 },
	{ 0xc4, 0, "loop_insn", TAKEN, 0, K7, 0, 0 },
	{ 0xc4, 0, "jecxz", TAKEN, 0, K7, 0, 0 });

EVENT_ROWS(returns, "a near return counts once, calls and far returns do not",
	{ 0xc8, 0, "call", NOTHING, 1, K7, 0, 0 },
	{ 0xc8, 0, "push_ret", NOTHING, 1, K7, 0, 0 },
	{ 0xc8, 0, "call_indirect", NOTHING, 1, K7, 0, 0 },
	{ 0xc8, 0, "far_call", NOTHING, 0, K7, 0, 0 },
	{ 0xc8, 0, "jmp", NOTHING, 0, K7, 0, 0 });

EVENT_ROWS(far, "far calls, jumps, returns and IRET count once each, near branches do not",
	{ 0xc6, 0, "far_call", NOTHING, 2, K7, 0, 0 },
	{ 0xc6, 0, "far_jmp", NOTHING, 1, K7, 0, 0 },
	{ 0xc6, 0, "iret", NOTHING, 1, K7, 0, 0 },
	{ 0xc6, 0, "call", NOTHING, 0, K7, 0, 0 },
	{ 0xc6, 0, "int_iret", NOTHING, 2, K7, 0, 1 });

/* UD2, and a handler that skips it by an ADD and an IRET: the entry counts, too, on 15H twice. */
EVENT_ROWS(faults, "the entry of a fault counts as an instruction, a branch and a far branch",
	{ 0xc0, 0, "fault", INSNS, 1, 0x10, 0x14, 0 },
	{ 0xc2, 0, "fault", BRANCHES, 1, 0x10, 0x14, 0 },
	{ 0xc0, 0, "fault", INSNS, 2, 0x15, 0x15, 1 },
	{ 0xc2, 0, "fault", BRANCHES, 2, 0x15, 0x15, 1 },
	{ 0xc0, 0, "fault", INSNS, 1, 0x17, 0x18, 0 },
	{ 0xc2, 0, "fault", BRANCHES, 1, 0x17, 0x18, 0 },
	{ 0xc0, 0, "fault", INSNS, 1, 0x19, 0, 1 },
	{ 0xc2, 0, "fault", BRANCHES, 1, 0x19, 0, 1 },
	{ 0xc0, 0, "fault", INSNS, 1, K7, 0x0f, 1 },
	{ 0xc2, 0, "fault", BRANCHES, 1, K7, 0x0f, 1 },
	{ 0xc6, 0, "fault", NOTHING, 2, K7, 0, 1 });

EVENT_ROWS_OF(conditional, need_amd_since_17h,
              "conditional branches count once, taken or not, and no others do",
	{ 0xd1, 0, "jcc_taken", BRANCHES, 0, 0x17, 0, 0 },
	{ 0xd1, 0, "jcc_not_taken", BRANCHES, 0, 0x17, 0, 0 },
	{ 0xd1, 0, "jmp", NOTHING, 1, 0x17, 0, 0 },
	{ 0xd1, 0, "call", NOTHING, 1, 0x17, 0, 0 },
	{ 0xd1, 0, "loop", NOTHING, 1, 0x17, 0, 0 });

/* Of K7 and K8 no list names them. 24H counts locked instructions, 27H CPUID. */
static const char *need_k8(struct test_ctx *t)
{
	const char *reason = need_amd(t);

	return reason || amd_family() > K7 ? reason
	       : test_reason(t, "family 6: its list has no such event");
}

EVENT_ROWS_OF(cpuid, need_k8, "CPUID counts once as itself, and other instructions do not",
	{ 0x27, 0, "cpuid", NOTHING, 1, 0x0f, 0x16, 0 },
	{ 0x27, 0, "cpuid", NOTHING, 1, 0x17, 0, 1 },
	{ 0x27, 0, "loop", NOTHING, 0, 0x0f, 0, 0 });

EVENT_ROWS_OF(locked, need_k8, "a locked instruction counts once as such",
	{ 0x24, 1, "lock_inc", NOTHING, 1, 0x0f, 0x14, 1 },
	{ 0x24, 1, "loop", NOTHING, 0, 0x0f, 0x14, 0 },
	{ 0x25, 0x0e, "loop", NOTHING, 0, 0x17, 0, 0 });

EVENT_ROWS_OF(classes, need_k8, "x87, MMX and SSE instructions count by their class",
	{ 0xcb, 2, "mmx_add", NOTHING, 1, 0x0f, 0x12, 0 },
	{ 0xcb, 2, "mmx_add", NOTHING, 1, 0x15, 0x15, 0 },
	{ 0xcb, 2, "mmx_add", NOTHING, 1, 0x17, 0, 1 },
	{ 0xcb, 4, "sse_add_packed", NOTHING, 1, 0x0f, 0x12, 0 },
	{ 0xcb, 4, "sse_add_packed", NOTHING, 1, 0x15, 0x15, 0 },
	{ 0xcb, 4, "sse_add_packed", NOTHING, 1, 0x17, 0, 1 },
	{ 0xcb, 2, "loop", NOTHING, 0, 0x0f, 0, 0 },
	{ 0xcb, 4, "mmx_add", NOTHING, 0, 0x0f, 0x12, 0 });

TEST(rep, .id = "amd.exact.rep", .needs = need_amd, .source = LISTS,
     .claim = "a REP string instruction counts once, whatever its length");
static void rep(struct test_ctx *t)
{
	static const uint32_t bytes[] = { 0, 1, 16, 1000 };

	for (unsigned i = 0; i < COUNT_OF(bytes); i++) {
		uint64_t want = workload_insns(&workload_movsb, AMD_FEW + AMD_MORE)
		                - workload_insns(&workload_movsb, AMD_FEW);

		test_sub(t, "REP MOVSB of %u bytes", (unsigned)bytes[i]);
		expect_exact(t, "instructions of 1000 more rounds",
		             amd_more(0, amd_select(AMD_EVENT_INST_RETIRED, 0), workload_movsb.code,
		                      bytes[i]), want, "each counts as one");
	}
}

/* C4H less C6H is what rr counts time by on family 15H. */
TEST(near_taken, .id = "amd.exact.near_taken", .needs = need_amd, .source = "rr 9f35eb5b; " LISTS,
     .claim = "taken branches less far branches are the near ones, whatever faults come");
static void near_taken(struct test_ctx *t)
{
	static const struct workload *const codes[] = {
		&workload_far_call, &workload_iret, &workload_call, &workload_jmp,
	};

	for (unsigned i = 0; i < COUNT_OF(codes); i++) {
		const struct workload *w = codes[i];
		uint64_t taken = amd_more(0, amd_select(AMD_EVENT_TAKEN, 0), w->code, 0);
		uint64_t far_ones = amd_more(1, amd_select(AMD_EVENT_FAR, 0), w->code, 0);
		uint64_t want = workload_taken(w, AMD_FEW + AMD_MORE) - workload_taken(w, AMD_FEW);
		uint64_t far_of = i == 0 ? 2 : i == 1 ? 1 : 0;

		test_sub(t, "%s", w->name);
		expect_exact(t, "near taken branches of 1000 more rounds", taken - far_ones,
		             want - far_of * AMD_MORE, "the far ones count in both");
	}
}

/* ---------------------------------------------------------------------------- 12-bit events */

TEST(high_bits, .id = "amd.events.high_bits", .needs = need_amd_since_10h, .source = AMD_APM
     ", EventSelect[11:8]",
     .claim = "bits 35:32 of a control belong to the event: 1C0H is not 0C0H");
static void high_bits(struct test_ctx *t)
{
	for (unsigned i = 0; i < amd_counters(); i++) {
		uint64_t plain = amd_more(i, amd_select(0x0c0, 0), workload_loop.code, 0);
		uint64_t other = amd_more(i, amd_select(0x1c0, 0), workload_loop.code, 0);

		test_sub(t, "counter %u", i);
		expect_exact(t, "0C0H", plain, 2 * AMD_MORE, "two instructions a round");
		expect_bounds(t, "1C0H", other, if_exact(0, "no such event"),
		              else_in(0, 2 * AMD_MORE - 1, "low: none; high: fewer than 0C0H"));
	}
}

static const char *need_k7_k8(struct test_ctx *t)
{
	const char *reason = need_amd(t);

	return reason || amd_family() < AMD_10H ? reason
	       : test_reason(t, "family %XH has events of 12 bits", amd_family());
}

TEST(no_high_bits, .id = "amd.events.no_high_bits", .needs = need_k7_k8, .source = AMD_APM
     ", EventSelect[11:8]; VirtualBox VMMR3/cpus",
     .claim = "K7 and K8 have events of 8 bits: bits 35:32 change nothing");
static void no_high_bits(struct test_ctx *t)
{
	for (unsigned i = 0; i < amd_counters(); i++) {
		test_sub(t, "counter %u", i);
		expect_exact(t, "1C0H", amd_more(i, amd_select(0x1c0, 0), workload_loop.code, 0),
		             2 * AMD_MORE, "it is 0C0H, with bits that are ignored");
	}
}
