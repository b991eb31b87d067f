/* SPDX-License-Identifier: MIT */
/*
 * These tests check which counters an ESCR reaches, and by which number in CCCR_ESCR_SELECT: one
 * ESCR has an event, all others are 0, and all 18 counters select by the same number; this is done
 * for all eight numbers. ESCRs that no event of the manual uses are tested by the clock: a CCCR
 * with COMPARE, COMPLEMENT and threshold 15 counts each clock if the ESCR that it selects has an
 * event select other than 0.
 */
#include <tests/suites/netburst/netburst_blocks.h>

#include <arch/cpu/insn.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/machine/machine.h>
#include <tests/suites/common/counts/counting.h>

enum { ROUNDS = 500, SELECTS = 8 };

/* An ESCR's event, and code that causes it: a workload's name, or a function. */
struct routed {
	uint32_t escr;                 /* the even one of a pair */
	const char *event, *masks;
	const char *workload;
	void (*code)(uint32_t rounds, uint32_t argument);
	uint32_t least;                /* the least counts of ROUNDS rounds */
	bool needs_exact;              /* else the clock is used */
};

/* Reads 32 KB in order: more than the first level holds, so that each line is read from the
 * second. */
static void read_lines(uint32_t rounds, uint32_t argument)
{
	uint32_t size;
	uint8_t *arena = pmu_workload_arena(&size);

	(void)argument;
	workload_walk.code(rounds, (uint32_t)(uintptr_t)arena);
}

/* Loads from an address 64 KBytes from the preceding store's. */
static void store_and_load(uint32_t rounds, uint32_t argument)
{
	uint32_t size;
	volatile uint32_t *arena = (volatile uint32_t *)(void *)pmu_workload_arena(&size);

	while (rounds-- > 0) {
		arena[0] = argument;
		(void)arena[0x10000 / sizeof(*arena)];
	}
}

/* Executes code for the first time since it was written. */
static void run_new_code(uint32_t rounds, uint32_t argument)
{
	pmu_code_write(64, rounds);
	pmu_code_walk(rounds, argument);
}

static const struct routed table[] = {
	{ MSR_BSU_ESCR0, "BSQ_cache_reference", NULL, NULL, read_lines, 100, false },
	{ MSR_FSB_ESCR0, "global_power_events", NULL, "loop", NULL, ROUNDS, false },
	{ MSR_FIRM_ESCR0, "x87_FP_uop", NULL, "fadd", NULL, ROUNDS, false },
	{ MSR_MOB_ESCR0, "MOB_load_replay", NULL, "blocked_load", NULL, 1, false },
	{ MSR_PMH_ESCR0, "page_walk_type", NULL, "cr3", NULL, 1, false },
	{ MSR_SAAT_ESCR0, "load_port_replay", NULL, "split_load", NULL, ROUNDS / 2, false },
	{ MSR_BPU_ESCR0, "BPU_fetch_request", NULL, NULL, run_new_code, 1, false },
	{ MSR_ITLB_ESCR0, "ITLB_reference", NULL, NULL, run_new_code, 1, false },
	{ MSR_CRU_ESCR0, "instr_retired", NULL, "loop", NULL, 2 * ROUNDS, false },
	{ MSR_CRU_ESCR2, "branch_retired", NULL, "loop", NULL, ROUNDS, false },
	{ MSR_MS_ESCR0, "uop_queue_writes", NULL, "loop", NULL, 1, false },
	{ MSR_TBPU_ESCR0, "retired_branch_type", NULL, "call", NULL, ROUNDS, false },
	{ MSR_TC_ESCR0, "TC_deliver_mode", NULL, "loop", NULL, 1, false },
	/* No manual promises these on silicon. */
	{ MSR_DAC_ESCR0, "memory_cancel", NULL, NULL, store_and_load, 1, true },
	{ MSR_ALF_ESCR0, "resource_stall", NULL, "store", NULL, 1, true },
};

/* For ESCRs that can only be tested by the clock. */
static const struct routed clock = { 0, NULL, NULL, "loop", NULL, ROUNDS, false };

/* ------------------------------------------------------------------------ the eight numbers */

/* Returns whether the manual's map says what a counter with this number selects. */
static bool is_specified(unsigned counter, unsigned select)
{
	return netburst_escr_of(counter, select) || pmu_is_exact();
}

static void judge(struct test_ctx *t, const struct netburst_escr *e, unsigned counter,
                  unsigned select, uint64_t counts, uint64_t least)
{
	bool is_reached = netburst_escr_of(counter, select) == e;

	test_sub(t, "CCCR_ESCR_SELECT = %u", select);
	if (is_reached)
		expect_between(t, netburst_counters[counter].name, counts, least, UINT32_MAX,
		               "low: this ESCR has this number for this counter, and the code "
		               "causes its event; high: far above");
	else if (is_specified(counter, select))
		expect_exact(t, netburst_counters[counter].name, counts, 0,
		             "this number selects another ESCR for the counter, or none");
	else if (counts)
		test_report(t, netburst_counters[counter].name, "%" PRId64 " counts", counts);
}

static void run_routed(const struct routed *r)
{
	const struct workload *w = r->workload ? workload_find(r->workload) : NULL;

	if (r->workload && !w)
		test_abort("no workload %s", r->workload);
	if (w)
		w->code(ROUNDS, 0);
	else
		r->code(ROUNDS, 0);
}

/* Lets all counters select by this number and run during the code. */
static void check_number(struct test_ctx *t, const struct netburst_escr *e, uint32_t value,
                         uint32_t cccr, unsigned select, const struct routed *r)
{
	uint64_t counts[NETBURST_COUNTERS];

	cccr |= (uint32_t)FIELD_PUT(CCCR_ESCR_SELECT, select);
	pmu_reset();
	msr_write(e->msr, value);
	for (unsigned c = 0; c < NETBURST_COUNTERS; c++)
		msr_write(MSR_CCCR(c), cccr);
	run_routed(r);
	for (unsigned c = 0; c < NETBURST_COUNTERS; c++)
		msr_write(MSR_CCCR(c), 0);
	for (unsigned c = 0; c < NETBURST_COUNTERS; c++)
		counts[c] = msr_read(MSR_COUNTER(c));
	pmu_reset();
	for (unsigned c = 0; c < NETBURST_COUNTERS; c++)
		judge(t, e, c, select, counts[c], r->least);
}

#define CCCR_ON (CCCR_ENABLE | CCCR_ACTIVE_THREAD)

static uint32_t escr_value(const char *event, const char *masks)
{
	const struct netburst_event *e = netburst_event_find(event);
	uint16_t bits;

	if (!e || !netburst_event_mask(e, masks, &bits))
		test_abort("no event %s", event);
	return (uint32_t)(FIELD_PUT(ESCR_EVENT_SELECT, e->select)
	                  | FIELD_PUT(ESCR_EVENT_MASK, bits))
	       | netburst_qualifiers(netburst_thread(), PMU_BOTH);
}

static void route_event(struct test_ctx *t, const struct netburst_escr *e, const struct routed *r)
{
	pmu_workload_begin();
	for (unsigned select = 0; select < SELECTS; select++)
		check_number(t, e, escr_value(r->event, r->masks), CCCR_ON, select, r);
	pmu_workload_end();
}

/* The event select that the watchdogs of Linux use for their clock. */
enum { SELECT_OF_NOBODY = 0x3f };

/* On silicon an event select of 0 may be counted as well: there only what must count is judged. */
static void route_clock(struct test_ctx *t, const struct netburst_escr *e)
{
	uint32_t cccr = CCCR_ON | CCCR_COMPARE | CCCR_COMPLEMENT | CCCR_THRESHOLD;
	uint32_t value = (uint32_t)FIELD_PUT(ESCR_EVENT_SELECT, SELECT_OF_NOBODY);

	for (unsigned select = 0; select < SELECTS; select++)
		if (pmu_is_exact() || select == e->select)
			check_number(t, e, value, cccr, select, &clock);
	test_sub(t, "%s", "");
	test_report(t, "tested by the clock only", "%s", e->without_event
	            ? e->without_event : "no event certainly counts by it");
}

/* uop_type counts nothing itself: it tags for front_end_event of either CRU_ESCR. */
static void route_tags(struct test_ctx *t, const struct netburst_escr *e)
{
	static const uint8_t counters[] = { 12, 13, 16, 14, 15, 17 };
	uint32_t front_end = escr_value("front_end_event", "NBOGUS");

	for (unsigned i = 0; i < COUNT_OF(counters); i++) {
		unsigned c = counters[i];
		const struct netburst_escr *cru =
			netburst_event_escr(netburst_event_find("front_end_event"), c);

		pmu_reset();
		msr_write(e->msr, escr_value("uop_type", "TAGLOADS"));
		msr_write(cru->msr, front_end);
		msr_write(MSR_CCCR(c), netburst_cccr(cru) | CCCR_ENABLE);
		workload_find("load")->code(ROUNDS, 0);
		msr_write(MSR_CCCR(c), 0);
		test_sub(t, "front_end_event by %s", cru->name);
		expect_between(t, netburst_counters[c].name, msr_read(MSR_COUNTER(c)), ROUNDS,
		               UINT32_MAX, "low: this ESCR tags a load a round; high: far above");
	}
	pmu_reset();
}

/* ------------------------------------------------------------------------ one test each */

static const char *need_iq_escr(struct test_ctx *t)
{
	const char *problem = need_netburst(t);

	if (problem || netburst_has_escr(netburst_escr_find("MSR_IQ_ESCR0")))
		return problem;
	return test_reason(t, "model %u does not have MSR_IQ_ESCR0 and 1", machine_cpu()->model);
}

static void route(struct test_ctx *t, uint32_t msr)
{
	const struct netburst_escr *e = netburst_escrs;
	const struct routed *r = table;

	while (e->msr != msr)
		e++;
	if ((msr & ~1u) == MSR_RAT_ESCR0)
		route_tags(t, e);
	while (r < table + COUNT_OF(table) && r->escr != (msr & ~1u))
		r++;
	if (r < table + COUNT_OF(table) && (!r->needs_exact || pmu_is_exact()))
		route_event(t, e, r);
	else
		route_clock(t, e);
}

#define ROUTE_NEEDS(lower, upper, needs_) \
	TEST(lower, .id = "netburst.routing." #lower, .needs = needs_, .source = MAP, \
	     .claim = "the ESCR reaches the counters of its row by its number, no other counter, " \
	              "and no counter by another number") \
	{ route(t, MSR_##upper); }

#define ROUTE(lower, upper)  ROUTE_NEEDS(lower, upper, need_netburst)

ROUTE(bsu_escr0, BSU_ESCR0)
ROUTE(bsu_escr1, BSU_ESCR1)
ROUTE(fsb_escr0, FSB_ESCR0)
ROUTE(fsb_escr1, FSB_ESCR1)
ROUTE(firm_escr0, FIRM_ESCR0)
ROUTE(firm_escr1, FIRM_ESCR1)
ROUTE(flame_escr0, FLAME_ESCR0)
ROUTE(flame_escr1, FLAME_ESCR1)
ROUTE(dac_escr0, DAC_ESCR0)
ROUTE(dac_escr1, DAC_ESCR1)
ROUTE(mob_escr0, MOB_ESCR0)
ROUTE(mob_escr1, MOB_ESCR1)
ROUTE(pmh_escr0, PMH_ESCR0)
ROUTE(pmh_escr1, PMH_ESCR1)
ROUTE(saat_escr0, SAAT_ESCR0)
ROUTE(saat_escr1, SAAT_ESCR1)
ROUTE(u2l_escr0, U2L_ESCR0)
ROUTE(u2l_escr1, U2L_ESCR1)
ROUTE(bpu_escr0, BPU_ESCR0)
ROUTE(bpu_escr1, BPU_ESCR1)
ROUTE(is_escr0, IS_ESCR0)
ROUTE(is_escr1, IS_ESCR1)
ROUTE(itlb_escr0, ITLB_ESCR0)
ROUTE(itlb_escr1, ITLB_ESCR1)
ROUTE(cru_escr0, CRU_ESCR0)
ROUTE(cru_escr1, CRU_ESCR1)
ROUTE_NEEDS(iq_escr0, IQ_ESCR0, need_iq_escr)
ROUTE_NEEDS(iq_escr1, IQ_ESCR1, need_iq_escr)
ROUTE(rat_escr0, RAT_ESCR0)
ROUTE(rat_escr1, RAT_ESCR1)
ROUTE(ssu_escr0, SSU_ESCR0)
ROUTE(ms_escr0, MS_ESCR0)
ROUTE(ms_escr1, MS_ESCR1)
ROUTE(tbpu_escr0, TBPU_ESCR0)
ROUTE(tbpu_escr1, TBPU_ESCR1)
ROUTE(tc_escr0, TC_ESCR0)
ROUTE(tc_escr1, TC_ESCR1)
ROUTE(ix_escr0, IX_ESCR0)
ROUTE(ix_escr1, IX_ESCR1)
ROUTE(alf_escr0, ALF_ESCR0)
ROUTE(alf_escr1, ALF_ESCR1)
ROUTE(cru_escr2, CRU_ESCR2)
ROUTE(cru_escr3, CRU_ESCR3)
ROUTE(cru_escr4, CRU_ESCR4)
ROUTE(cru_escr5, CRU_ESCR5)
