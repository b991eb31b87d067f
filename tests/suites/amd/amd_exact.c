/* SPDX-License-Identifier: MIT */
/*
 * Events that are exact: the difference of two lengths of the same code is what the code says.
 * Sources: AMD's lists of events as Linux' perf, oprofile and libpfm4 have them; V. Weaver,
 * "deterministic events", for what was measured on families 10H, 14H, 15H, 16H and 17H.
 */
#include <tests/suites/common/amd/amd_suite.h>

#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>

#define LISTS  "AMD's lists of events, in Linux' perf and libpfm4; " \
               "V. Weaver, \"deterministic events\""

/* What a round must count: what the workload says of itself, and so many more. */
enum says { NOTHING, INSNS, BRANCHES, TAKEN };

enum { CODES = 9 };
struct row {
	uint16_t event;
	uint8_t umask;
	enum says says;
	uint32_t more;                 /* a round */
	const char *code[CODES];       /* workloads */
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
static void check_code(struct test_ctx *t, const struct row *r, const char *code)
{
	const struct workload *w = workload_find(code);
	struct bounds otherwise;
	uint64_t want;

	expect_exact(t, code, w != NULL, 1, "such a workload exists");
	if (!w || !workload_is_possible(w))
		return;
	want = said(w, r->says, AMD_FEW + AMD_MORE) - said(w, r->says, AMD_FEW)
	       + (uint64_t)r->more * AMD_MORE;
	otherwise = r->is_model ? ELSE_SHOWN : else_exact(want, "it is assembled so");
	for (unsigned i = 0; i < amd_counters(); i++) {
		if (!(amd_counters_of(r->event) >> i & 1))
			continue;
		test_sub(t, "event %03XH, unit mask %02XH, %s, counter %u", r->event, r->umask,
		         code, i);
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
	for (unsigned i = 0; i < count; i++) {
		if (!is_here(&rows[i]))
			continue;
		for (unsigned n = 0; n < CODES && rows[i].code[n]; n++)
			check_code(t, &rows[i], rows[i].code[n]);
		here++;
	}
	pmu_workload_end();
	test_sub(t, "%s", "");
	test_report(t, "rows for this family", "%u", here);
}

#define ALL   .first = 0x06
#define FROM  .first =
#define TO    , .last =
#define ONLY(family)  .first = (family), .last = (family)
#define MODEL .is_model = true
#define EVENT_ROWS(name, needs_, claim_, ...) \
	static void name(struct test_ctx *t) \
	{ \
		static const struct row rows[] = { __VA_ARGS__ }; \
\
		check_rows(t, rows, COUNT_OF(rows)); \
	} \
	TEST_OF(name, .id = "amd.exact." #name, .needs = needs_, .source = LISTS, .claim = claim_)

EVENT_ROWS(instructions, need_amd, "each instruction that retires counts once, fused or not",
	{ 0xc0, 0, INSNS, 0, { "loop", "call", "enter_leave", "cpuid", "divide", "push_pop" },
	  ALL });

EVENT_ROWS(branches, need_amd, "each branch counts once, taken or not, of every kind",
	{ 0xc2, 0, BRANCHES, 0, { "jcc_taken", "jcc_not_taken", "jmp", "call", "jmp_indirect",
	                          "call_indirect", "loop_insn", "jecxz", "far_call" }, ALL });

EVENT_ROWS(taken, need_amd, "a branch that is taken counts once, one that is not taken does not",
	{ 0xc4, 0, TAKEN, 0, { "jcc_taken", "jcc_not_taken", "jmp", "call", "loop_insn", "jecxz" },
	  ALL });

EVENT_ROWS(returns, need_amd, "a near return counts once, calls and far returns do not",
	{ 0xc8, 0, NOTHING, 1, { "call", "push_ret", "call_indirect" }, ALL },
	{ 0xc8, 0, NOTHING, 0, { "far_call", "jmp" }, ALL });

EVENT_ROWS(far, need_amd,
           "far calls, jumps, returns and IRET count once each, near branches do not",
	{ 0xc6, 0, NOTHING, 2, { "far_call" }, ALL },
	{ 0xc6, 0, NOTHING, 1, { "far_jmp", "iret" }, ALL },
	{ 0xc6, 0, NOTHING, 0, { "call" }, ALL },
	{ 0xc6, 0, NOTHING, 2, { "int_iret" }, ALL, MODEL });

/* UD2, and a handler that skips it by an ADD and an IRET: the entry counts, too. */
EVENT_ROWS(faults, need_amd,
           "the entry of a fault counts as an instruction, a branch and a far branch",
	{ 0xc0, 0, INSNS, 1, { "fault" }, FROM 0x06 TO 0x0f, MODEL },
	{ 0xc2, 0, BRANCHES, 1, { "fault" }, FROM 0x06 TO 0x0f, MODEL },
	{ 0xc0, 0, INSNS, 1, { "fault" }, FROM 0x10 TO 0x14 },
	{ 0xc2, 0, BRANCHES, 1, { "fault" }, FROM 0x10 TO 0x14 },
	{ 0xc0, 0, INSNS, 1, { "fault" }, FROM 0x15 TO 0x18 },
	{ 0xc2, 0, BRANCHES, 1, { "fault" }, FROM 0x15 TO 0x18 },
	{ 0xc0, 0, INSNS, 1, { "fault" }, FROM 0x19, MODEL },
	{ 0xc2, 0, BRANCHES, 1, { "fault" }, FROM 0x19, MODEL },
	{ 0xc6, 0, NOTHING, 2, { "fault" }, ALL, MODEL });

EVENT_ROWS(conditional, need_amd_since_17h,
           "conditional branches count once, taken or not, and no others do",
	{ 0xd1, 0, BRANCHES, 0, { "jcc_taken", "jcc_not_taken" }, ALL },
	{ 0xd1, 0, NOTHING, 1, { "jmp", "call", "loop" }, ALL });

/* K7's list names none of these. */
static const char *need_k8(struct test_ctx *t)
{
	const char *reason = need_amd(t);

	return reason || amd_family() >= AMD_K8 ? reason
	       : test_reason(t, "family 6: its list has no such event");
}

EVENT_ROWS(cpuid, need_k8, "CPUID counts once as itself, and other instructions do not",
	{ 0x27, 0, NOTHING, 1, { "cpuid" }, FROM 0x0f TO 0x16 },
	{ 0x27, 0, NOTHING, 1, { "cpuid" }, FROM 0x17, MODEL },
	{ 0x27, 0, NOTHING, 0, { "loop", "clflush" }, ALL });

/* Of Zen one list alone names CLFLUSH. */
EVENT_ROWS(clflush, need_k8, "CLFLUSH counts once as itself, and other instructions do not",
	{ 0x26, 0, NOTHING, 1, { "clflush" }, FROM 0x0f TO 0x16 },
	{ 0x26, 0, NOTHING, 1, { "clflush" }, FROM 0x17, MODEL },
	{ 0x26, 0, NOTHING, 0, { "loop", "cpuid" }, ALL });

static const char *need_fences(struct test_ctx *t)
{
	const char *reason = need_amd(t);

	return reason || amd_family() == AMD_10H || amd_family() == 0x12 ? reason
	       : test_reason(t, "family %XH has no events of fences", amd_family());
}

/* Errata 301 and 421: they may count floating-point work, which this code has not. */
EVENT_ROWS(fences, need_fences, "LFENCE, SFENCE and MFENCE count once each, as themselves",
	{ 0x1d3, 0, NOTHING, 1, { "lfence" }, ALL, MODEL },
	{ 0x1d4, 0, NOTHING, 1, { "sfence" }, ALL, MODEL },
	{ 0x1d5, 0, NOTHING, 1, { "mfence" }, ALL, MODEL },
	{ 0x1d3, 0, NOTHING, 0, { "loop", "sfence", "mfence" }, ALL, MODEL },
	{ 0x1d4, 0, NOTHING, 0, { "loop", "mfence", "clflush" }, ALL, MODEL },
	{ 0x1d5, 0, NOTHING, 0, { "loop", "sfence", "clflush" }, ALL, MODEL });

EVENT_ROWS(locked, need_k8, "a locked instruction counts once as such",
	{ 0x24, 1, NOTHING, 1, { "lock_inc" }, FROM 0x0f TO 0x16, MODEL },
	{ 0x24, 1, NOTHING, 0, { "loop" }, FROM 0x0f TO 0x16 },
	{ 0x25, 0x0e, NOTHING, 0, { "loop" }, FROM 0x17 });

EVENT_ROWS(classes, need_k8,
           "x87, MMX and SSE instructions count by their class, and the unit mask's bits add",
	{ 0xcb, 2, NOTHING, 1, { "mmx_add" }, FROM 0x0f TO 0x12 },
	{ 0xcb, 2, NOTHING, 1, { "mmx_add" }, ONLY(0x15) },
	{ 0xcb, 2, NOTHING, 1, { "mmx_add" }, FROM 0x17, MODEL },
	{ 0xcb, 2, NOTHING, 1, { "mmx_store" }, FROM 0x17, MODEL },
	{ 0xcb, 4, NOTHING, 1, { "sse_add_packed" }, FROM 0x0f TO 0x12 },
	{ 0xcb, 4, NOTHING, 1, { "sse_add_packed" }, ONLY(0x15) },
	{ 0xcb, 4, NOTHING, 1, { "sse_add_packed" }, FROM 0x17, MODEL },
	{ 0xcb, 6, NOTHING, 1, { "mmx_add", "sse_add_packed" }, FROM 0x0f TO 0x12 },
	{ 0xcb, 6, NOTHING, 1, { "mmx_add", "sse_add_packed" }, ONLY(0x15) },
	{ 0xcb, 6, NOTHING, 1, { "mmx_add", "sse_add_packed" }, FROM 0x17, MODEL },
	{ 0xcb, 0, NOTHING, 0, { "mmx_add", "sse_add_packed" }, ALL, MODEL },
	{ 0xcb, 1, NOTHING, 0, { "sse_add_packed" }, ONLY(0x10) },      /* Weaver measured 01H */
	{ 0xcb, 1, NOTHING, 1, { "fadd" }, ONLY(0x10) },
	{ 0xcb, 1, NOTHING, 0, { "sse_add_packed" }, ALL, MODEL },
	{ 0xcb, 1, NOTHING, 1, { "fadd" }, ALL, MODEL },
	{ 0xcb, 3, NOTHING, 1, { "fadd", "mmx_add" }, ALL, MODEL },
	{ 0xcb, 7, NOTHING, 1, { "fadd", "mmx_add", "sse_add_packed" }, ALL, MODEL },
	{ 0xcb, 2, NOTHING, 0, { "loop" }, ALL },
	{ 0xcb, 4, NOTHING, 0, { "mmx_add" }, FROM 0x0f TO 0x12 });

static const char *need_flops(struct test_ctx *t)
{
	const char *reason = need_amd_since_10h(t);

	return reason || amd_family() != 0x11 ? reason
	       : test_reason(t, "family 11H: its list has no such event");
}

/* 10H: bit 6 of the unit mask counts operations, not instructions. Weaver measured 10H and 16H. */
EVENT_ROWS(flops, need_flops, "additions of SSE count as many as an instruction makes",
	{ 0x03, 0x41, NOTHING, 4, { "sse_add_packed" }, ONLY(0x10) },
	{ 0x03, 0x41, NOTHING, 1, { "sse_add_scalar" }, ONLY(0x10) },
	{ 0x03, 0x01, NOTHING, 1, { "sse_add_packed", "sse_add_scalar" }, ONLY(0x10) },
	{ 0x03, 0x41, NOTHING, 4, { "sse_add_packed" }, FROM 0x12 TO 0x14, MODEL },
	{ 0x03, 0x01, NOTHING, 4, { "sse_add_packed" }, FROM 0x15 TO 0x16, MODEL },
	{ 0x03, 0x01, NOTHING, 1, { "sse_add_scalar" }, FROM 0x15 TO 0x16, MODEL },
	{ 0x03, 0x01, NOTHING, 4, { "sse_add_packed" }, FROM 0x17, MODEL },
	{ 0x03, 0x01, NOTHING, 1, { "sse_add_scalar" }, FROM 0x17, MODEL },
	{ 0x03, 0, NOTHING, 0, { "sse_add_packed", "sse_add_scalar" }, ALL, MODEL },
	{ 0x03, 0x02, NOTHING, 0, { "sse_add_packed", "loop" }, ALL, MODEL });

TEST(rep, .id = "amd.exact.rep", .needs = need_amd, .source = LISTS,
     .claim = "a REP string instruction counts once, whatever its length")
{
	/* The longest run, 1000 rounds, must fit between two ticks of the watchdog. */
	static const uint32_t bytes[] = { 0, 1, 16, 500 };

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
     .claim = "taken branches less far branches are the near ones, whatever faults come")
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
     .claim = "bits 35:32 of a control belong to the event: 1C0H is not 0C0H")
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
     .claim = "K7 and K8 have events of 8 bits: bits 35:32 change nothing")
{
	for (unsigned i = 0; i < amd_counters(); i++) {
		test_sub(t, "counter %u", i);
		expect_exact(t, "1C0H", amd_more(i, amd_select(0x1c0, 0), workload_loop.code, 0),
		             2 * AMD_MORE, "it is 0C0H, with bits that are ignored");
	}
}
