/* SPDX-License-Identifier: MIT */
/*
 * pebs.netburst: every metric that PEBS can record, by replay, front-end and execution tags. A loop
 * with one guilty instruction is sampled: records name that instruction and hold its registers.
 */
#include <arch/cpu/insn.h>
#include <arch/regs/table.h>
#include <kernel/lib/string.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/netburst_suite.h>
#include <tests/suites/common/sampling/pebs_window.h>
#include <tests/suites/pebs/pebs_code.h>

#define REPLAY     "SDM 3B, \"Tagging Mechanism for Replay_event\""
#define FRONT_END  "SDM 3B, \"Tagging Mechanism for Front_end_event\""
#define EXECUTION  "SDM 3B, \"Tagging Mechanism for Execution_event\""

static NEED_BOTH(need_pebs_netburst, need_netburst, need_pebs)

/* ------------------------------------------------------------------------ a metric's code */

/* One record in so many events: 500 and 150 rounds, with up to 6 events of the window,
 * give the same number. */
enum { MISSING = 12, WINDOW_EVENTS = 6 };

struct guilty {
	void (*code)(uint32_t rounds, uint32_t argument);
	const uint8_t *guilty, *next;
	uint16_t rounds, stride;       /* stride: of the address, each round */
	uint8_t offset;                /* of the address, from the arena's start */
	const char *metric;
};

#define CODE(name) .code = name, .guilty = name##_guilty, .next = name##_next
#define LINES      .rounds = 500, .stride = 64
#define PAGES      .rounds = 150, .stride = 4096 + 64
#define SAME       .rounds = 500

/* The lines and pages of the first five are not cached: each round misses once. */
static const struct guilty rows[] = {
	{ CODE(pebs_walk), LINES, .metric = "1stL_cache_load_miss_retired" },
	{ CODE(pebs_walk), LINES, .metric = "2ndL_cache_load_miss_retired" },
	{ CODE(pebs_page_walk), PAGES, .metric = "DTLB_load_miss_retired" },
	{ CODE(pebs_page_store), PAGES, .metric = "DTLB_store_miss_retired" },
	{ CODE(pebs_page_walk), PAGES, .metric = "DTLB_all_miss_retired" },
	{ CODE(pebs_page_store), PAGES, .metric = "DTLB_all_miss_retired" },
	{ CODE(pebs_blocked), SAME, .metric = "MOB_load_replay_retired" },
	{ CODE(pebs_load), SAME, .offset = 62, .metric = "split_load_retired" },
	{ CODE(pebs_store), SAME, .offset = 62, .metric = "split_store_retired" },
	{ CODE(pebs_load), SAME, .metric = "memory_loads" },
	{ CODE(pebs_store), SAME, .metric = "memory_stores" },
	{ CODE(pebs_packed_sp), SAME, .metric = "packed_SP_retired" },
	{ CODE(pebs_packed_dp), SAME, .metric = "packed_DP_retired" },
	{ CODE(pebs_scalar_sp), SAME, .metric = "scalar_SP_retired" },
	{ CODE(pebs_scalar_dp), SAME, .metric = "scalar_DP_retired" },
	{ CODE(pebs_mmx_128), SAME, .metric = "128_bit_MMX_retired" },
	{ CODE(pebs_mmx_64), SAME, .metric = "64_bit_MMX_retired" },
	{ CODE(pebs_x87), SAME, .metric = "X87_FP_retired" },
};

static uint32_t arena(void)
{
	uint32_t size;

	return (uint32_t)(uintptr_t)pmu_workload_arena(&size);
}

static void make_cold(void)
{
	workload_find("wbinvd")->code(1, 0);
	cr3_write(cr3_read());
}

static struct pmu_setup setup_of(struct pebs_use *use, const char *metric)
{
	const struct pebs_event e = { .name = metric, .manual = metric,
	                              .metric = netburst_metric_find(metric) };

	return pebs_setup(use, &e, 16 + netburst_thread(), PMU_OS, MISSING);
}

/* ------------------------------------------------------------------------ its records */

static void check_record(struct test_ctx *t, const struct guilty *g, unsigned i)
{
	const uint32_t left = (uint32_t)pebs_value(i, PEBS_CX);

	if (!pebs_is_guilty(i, (uintptr_t)g->guilty, (uintptr_t)g->next))
		expect_exact(t, "IP", pebs_value(i, PEBS_IP), (uintptr_t)g->guilty,
		             "it is the instruction that caused the event, or the next one");
	expect_between(t, "ECX", left, 1, g->rounds, "these rounds were left");
	expect_exact(t, "EDX", pebs_value(i, PEBS_DX),
	             arena() + g->offset + (uint32_t)g->stride * (g->rounds - left),
	             "it is the address in this round");
	if (i)
		expect_bounds(t, "rounds between two records",
		              (uint32_t)pebs_value(i - 1, PEBS_CX) - left,
		              if_exact(MISSING + 1, "each round causes one event"), ELSE_NOTHING);
}

static void judge(struct test_ctx *t, const struct guilty *g)
{
	struct pebs_use use;
	const struct pmu_setup s = setup_of(&use, g->metric);
	const struct pebs_window w = {
		.setups = &s, .count = 1, .code = g->code, .rounds = g->rounds,
		.argument = arena() + g->offset, .prepare = make_cold,
	};
	uint32_t events;
	unsigned count;

	test_sub(t, "%s", g->metric);
	pmu_workload_begin();
	events = pebs_window_events(&w);
	count = pebs_window_run(&w);
	pmu_workload_end();
	expect_bounds(t, "events", events,
	              if_exact_in(g->rounds, g->rounds + WINDOW_EVENTS,
	                          "low: one a round; high: also what the window itself loads and "
	                          "stores"), ELSE_NOTHING);
	expect_records(t, "records", count, events, MISSING);
	expect_exact(t, "the index", ds_index_address(DS_PEBS),
	             ds_base(DS_PEBS) + (uintptr_t)count * (ds_width() == 8 ? 144 : 40),
	             "a record has 18 fields of 8 bytes, or without DTES64 10 of 4");
	expect_no_damage(t);
	for (unsigned i = 0; i < count; i++)
		check_record(t, g, i);
}

static void judge_all(struct test_ctx *t, const char *event)
{
	for (unsigned i = 0; i < COUNT_OF(rows); i++)
		if (strcmp(netburst_metric_find(rows[i].metric)->event, event) == 0)
			judge(t, &rows[i]);
	test_sub(t, "%s", "");
}

#define MECHANISM(name, event_, manual) \
	TEST(name, .id = "pebs.netburst." #name, .needs = need_pebs_netburst, .source = manual, \
	     .claim = event_ ": a record in so many events, each at the instruction that causes " \
	              "them, with its registers") \
	{ judge_all(t, event_); }

MECHANISM(replay, "replay_event", REPLAY)
MECHANISM(front_end, "front_end_event", FRONT_END)
MECHANISM(execution, "execution_event", EXECUTION)

/* ------------------------------------------------------------------------ who writes nothing */

static const struct guilty *row_of(const char *metric)
{
	for (unsigned i = 0; i < COUNT_OF(rows); i++)
		if (strcmp(rows[i].metric, metric) == 0)
			return &rows[i];
	return NULL;
}

/* Runs the window of the code that causes `metric`, with these counters. */
static void run_code(const struct guilty *g, const struct pmu_setup *s, const struct pmu_setup *on)
{
	const struct pebs_window w = { .setups = on, .count = 1, .code = g->code,
	                               .rounds = g->rounds, .argument = arena() + g->offset };

	pmu_workload_begin();
	pebs_window_begin(&w);
	pmu_program(s, 1);
	pebs_enable(on, 1);
	make_cold();
	pmu_window(g->code, g->rounds, w.argument);
	pebs_window_end();
	pmu_workload_end();
}

TEST(tags, .id = "pebs.netburst.own_tags", .needs = need_pebs_netburst,
     .source = "SDM 3B, \"At-Retirement Counting\": only one tagging mechanism may be used",
     .claim = "an event writes no record of what another mechanism tags")
{
	static const char *const one_each[] = { "1stL_cache_load_miss_retired", "memory_loads",
	                                        "scalar_SP_retired" };

	for (unsigned tagged = 0; tagged < COUNT_OF(one_each); tagged++)
		for (unsigned counted = 0; counted < COUNT_OF(one_each); counted++) {
			struct pebs_use use, other;
			const struct pmu_setup on = setup_of(&use, one_each[tagged]);
			const struct pmu_setup s = setup_of(&other, one_each[counted]);

			if (tagged == counted)
				continue;
			run_code(row_of(one_each[tagged]), &s, &on);
			test_sub(t, "%s tagged, %s counted", one_each[tagged],
			         netburst_metric_find(one_each[counted])->event);
			expect_exact(t, "records", ds_index(DS_PEBS), 0,
			             "nothing is tagged for this event");
		}
}

/* Leaves the tags on, so that a metric is counted but not recorded. */
static void run_without(const struct guilty *g, const struct pmu_setup *s)
{
	const struct netburst_metric *m = netburst_metric_find(g->metric);
	const struct pebs_window w = { .setups = s, .count = 1 };

	pmu_workload_begin();
	pebs_window_begin(&w);
	pmu_program(s, 1);
	pebs_enable(s, 1);
	netburst_set_replay(m->pebs_enable, m->pebs_matrix_vert);
	make_cold();
	pmu_window(g->code, g->rounds, arena() + g->offset);
	pebs_window_end();
	pmu_workload_end();
}

TEST(counting, .id = "pebs.netburst.counting", .needs = need_pebs_netburst, .source = NETBURST_SDM,
     .claim = "a metric whose tags are on while bit 25 of MSR_PEBS_ENABLE is 0 counts, overflows, "
              "and writes no record")
{
	static const char *const one_each[] = { "1stL_cache_load_miss_retired", "memory_loads",
	                                        "scalar_SP_retired" };

	for (unsigned i = 0; i < COUNT_OF(one_each); i++) {
		const struct guilty *g = row_of(one_each[i]);
		struct pebs_use use;
		const struct pmu_setup s = setup_of(&use, g->metric);

		run_without(g, &s);
		test_sub(t, "%s", g->metric);
		expect_bounds(t, "its count", pmu_read(s.counter),
		              if_exact_in(g->rounds - MISSING, g->rounds + WINDOW_EVENTS,
		                          "low: it counted and overflowed; high: also the window's "
		                          "own"), ELSE_NOTHING);
		expect_exact(t, "records", ds_index(DS_PEBS), 0, "PEBS is off");
		expect_no_damage(t);
	}
	test_sub(t, "%s", "");
}

static bool is_pebs_event(const struct netburst_event *e)
{
	return e->tagging == NETBURST_COUNTS_FRONT_END || e->tagging == NETBURST_COUNTS_EXECUTION
	       || e->tagging == NETBURST_COUNTS_REPLAY;
}

TEST(others, .id = "pebs.netburst.other_events", .needs = need_pebs_netburst,
     .source = NETBURST_SDM, .claim = "events other than front_end_event, execution_event and "
                                      "replay_event write no record, however often they overflow")
{
	const struct guilty *g = row_of("1stL_cache_load_miss_retired");
	const unsigned counter = 16 + netburst_thread();
	unsigned overflowed = 0;

	for (unsigned i = 0; i < NETBURST_EVENTS; i++) {
		const struct netburst_event *e = &netburst_events[i];
		struct pebs_use use;
		struct netburst_use counting;
		const struct pmu_setup on = setup_of(&use, g->metric);
		struct pmu_setup s;

		if (is_pebs_event(e) || !(netburst_event_counters(e) >> counter & 1))
			continue;
		s = netburst_setup(&counting, e, NULL, counter, PMU_OS);
		s.start = 0 - (uint64_t)MISSING;
		run_code(g, &s, &on);
		overflowed += pmu_read(counter) < 1u << 20;
		test_sub(t, "%s", e->name);
		expect_exact(t, "records", ds_index(DS_PEBS), 0, "PEBS does not record it");
		expect_no_damage(t);
	}
	test_sub(t, "%s", "");
	expect_between(t, "events that overflowed", overflowed, 3, NETBURST_EVENTS,
	               "low: instructions, micro-operations and branches retire; high: all events");
}

TEST(counters, .id = "pebs.netburst.other_counters", .needs = need_pebs_netburst,
     .source = NETBURST_SDM, .claim = "only MSR_IQ_COUNTER4, and MSR_IQ_COUNTER5 for a second "
                                      "thread, writes records")
{
	const struct guilty *g = row_of("1stL_cache_load_miss_retired");
	const struct netburst_event *e = netburst_event_find("replay_event");

	for (unsigned counter = 0; counter < NETBURST_COUNTERS; counter++) {
		struct pebs_use use;
		struct netburst_use counting;
		const struct pmu_setup on = setup_of(&use, g->metric);
		struct pmu_setup s;

		if (!(netburst_event_counters(e) >> counter & 1)
		    || counter == 16 + netburst_thread())
			continue;
		s = netburst_setup(&counting, e, "NBOGUS", counter, PMU_OS);
		s.start = 0 - (uint64_t)MISSING;
		run_code(g, &s, &on);
		test_sub(t, "%s", netburst_counters[counter].name);
		expect_bounds(t, "its count", pmu_read(counter),
		              if_exact_in(g->rounds - MISSING, g->rounds + WINDOW_EVENTS,
		                          "low: it counted and overflowed; high: also the window's "
		                          "own"), ELSE_NOTHING);
		expect_exact(t, "records", ds_index(DS_PEBS), 0, "this counter has no PEBS");
	}
}
