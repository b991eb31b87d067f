/* SPDX-License-Identifier: MIT */
/*
 * netburst.tagging, netburst.replay: which event each tag belongs to, and what the allocator
 * reports for metrics that cannot be counted at once. SDM 3B, "Tagging Mechanism For
 * Execution_event", "Tagging Mechanism for Replay_event".
 */
#include <tests/suites/common/events/event_run.h>

#include <stddef.h>

#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/events/exercises.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/netburst_suite.h>

#define SOURCE "SDM 3B, \"At-Retirement Counting\""

static const char *const slots[] = { "NBOGUS0", "NBOGUS1", "NBOGUS2", "NBOGUS3" };
enum { TAGS = 4, DOWN = 12, UP = 8 };
enum { PEBS_ENABLE_MOB = 1 << 9 };

static const struct event_exercise additions = {
	.event = "packed_SP_uop", LOOPS("sse_add_packed"), EXACTLY(1, 0)
};

static const char *need_additions(struct test_ctx *t)
{
	const char *problem = need_netburst(t);

	return problem ? problem : event_row_code_need(t, &additions);
}

/* Returns what execution_event counts with a mask, while ADDPS is tagged by an ESCR with these bits
 * beside event and mask, in these rings. */
static uint64_t count_tagged_in(unsigned rings, const char *slot, uint32_t tags)
{
	struct netburst_use uses[2];
	const struct pmu_setup setups[] = {
		netburst_setup(&uses[0], netburst_event_find("execution_event"), slot, DOWN,
		               PMU_BOTH),
		netburst_setup(&uses[1], netburst_event_find(additions.event), NULL, UP, rings),
	};

	uses[1].escr_value |= tags;
	return event_row_difference(&additions, setups, 2);
}

static uint64_t count_tagged(const char *slot, uint32_t tags)
{
	return count_tagged_in(PMU_BOTH, slot, tags);
}

/* On silicon the instruction may have more micro-operations; without a tag the count
 * is 0 on any machine. */
static void expect_tagged(struct test_ctx *t, const char *what, uint64_t got, bool is_tagged)
{
	uint64_t all = event_row_times(&additions, 1);

	if (!is_tagged)
		expect_exact(t, what, got, 0, "no ADDPS has this tag");
	else
		expect_bounds(t, what, got, if_exact(all, "an ADDPS a round has this tag"),
		              else_in(all, UINT64_MAX, "low: an ADDPS a round; high: it may have "
		                      "more micro-operations"));
}

TEST(values, .id = "netburst.tagging.values", .needs = need_additions, .source = SOURCE,
     .claim = "each bit of the tag value is a tag of its own, and the mask of the same "
              "number counts it")
{
	for (uint32_t value = 1; value < 1 << TAGS; value++)
		for (unsigned slot = 0; slot < TAGS; slot++) {
			uint64_t got = count_tagged(slots[slot], (uint32_t)(ESCR_TAG_ENABLE
			                            | FIELD_PUT(ESCR_TAG_VALUE, value)));

			test_sub(t, "tag value %" PRIX32 "H", value);
			expect_tagged(t, slots[slot], got, value >> slot & 1);
		}
}

TEST(enable, .id = "netburst.tagging.enable", .needs = need_additions, .source = SOURCE,
     .claim = "with TAG_ENABLE = 0 the tag value tags nothing")
{
	for (unsigned slot = 0; slot < TAGS; slot++)
		expect_tagged(t, slots[slot], count_tagged(slots[slot], ESCR_TAG_VALUE), false);
}

TEST(rings, .id = "netburst.tagging.rings", .needs = need_additions, .source = SOURCE,
     .claim = "an ESCR tags only what runs in its rings and is of its event")
{
	const uint32_t tag = (uint32_t)(ESCR_TAG_ENABLE | FIELD_PUT(ESCR_TAG_VALUE, 1));

	test_sub(t, "%s", "OS");
	expect_tagged(t, slots[0], count_tagged_in(PMU_OS, slots[0], tag), true);
	test_sub(t, "%s", "USR");
	expect_tagged(t, slots[0], count_tagged_in(PMU_USR, slots[0], tag), false);
	test_sub(t, "%s", "an event select that no event has");
	if (pmu_is_exact())
		expect_tagged(t, slots[0],
		              count_tagged(slots[0], tag | (uint32_t)ESCR_EVENT_SELECT), false);
}

/* ------------------------------------------------------------------------ replay */

/* The code walks over pages that miss the TLB and lines that miss L1D. */
static const struct event_exercise misses = {
	.event = "replay_event", MOVES("page_walk", 272, 528), EXACTLY(0, COLD_ARENA),
};

TEST(nothing_enabled, .id = "netburst.replay.nothing_enabled", .needs = need_netburst,
     .source = SOURCE,
     .claim = "without a metric in MSR_PEBS_ENABLE, or without loads and stores in "
              "MSR_PEBS_MATRIX_VERT, replay_event counts nothing")
{
	static const struct { const char *what; uint32_t enable, vert; } none[] = {
		{ "no metric", PEBS_ENABLE_UOP_TAG,
		  PEBS_MATRIX_VERT_LOADS | PEBS_MATRIX_VERT_STORES },
		{ "neither loads nor stores", PEBS_ENABLE_UOP_TAG | 1, 0 },
		{ "both registers 0", 0, 0 },
	};
	struct netburst_use use;
	const struct pmu_setup setup = netburst_setup(
		&use, netburst_event_find("replay_event"), "NBOGUS", DOWN, PMU_BOTH);

	for (size_t i = 0; i < COUNT_OF(none); i++) {
		netburst_set_replay(none[i].enable, none[i].vert);
		expect_exact(t, none[i].what, event_row_difference(&misses, &setup, 1), 0,
		             "no load or store is tagged");
	}
	netburst_set_replay(0, 0);
}

/* Loads whose data the preceding store has in part, or has all of but at another start. */
static const struct { const char *mask; struct event_exercise row; bool is_tagged; } blocked[] = {
	{ "PARTIAL_DATA", { .event = "replay_event", LOOPS("blocked_load"), EXACTLY(1, 0) }, true },
	{ "UNALGN_ADDR", { .event = "replay_event", LOOPS("blocked_load"), EXACTLY(0, 0) }, false },
	{ "PARTIAL_DATA", { .event = "replay_event", LOOPS("inside_load"), EXACTLY(0, 0) }, false },
	{ "UNALGN_ADDR", { .event = "replay_event", LOOPS("inside_load"), EXACTLY(1, 0) }, true },
};

TEST(masks, .id = "netburst.replay.masks", .needs = need_netburst, .source = SOURCE,
     .claim = "MOB_load_replay's mask says which of the loads that were replayed are tagged")
{
	for (size_t i = 0; i < COUNT_OF(blocked); i++) {
		const struct event_exercise *row = &blocked[i].row;
		uint64_t all = event_row_times(row, 1), got;
		struct netburst_use uses[2];
		const struct pmu_setup setups[] = {
			netburst_setup(&uses[0], netburst_event_find(row->event), "NBOGUS", DOWN,
			               PMU_BOTH),
			netburst_setup(&uses[1], netburst_event_find("MOB_load_replay"),
			               blocked[i].mask, 0, PMU_BOTH),
		};

		netburst_set_replay(PEBS_ENABLE_UOP_TAG | PEBS_ENABLE_MOB,
		                    PEBS_MATRIX_VERT_LOADS);
		got = event_row_difference(row, setups, 2);
		test_sub(t, "%s, %s", row->moves, blocked[i].mask);
		if (!blocked[i].is_tagged)
			expect_exact(t, "replay_event", got, 0, "the mask leaves the load out");
		else
			expect_bounds(t, "replay_event", got, if_exact(all, "a load a round"),
			              ELSE_SHOWN);
	}
	netburst_set_replay(0, 0);
}

/* ------------------------------------------------------------------------ the allocator */

#define MAX 5

/* Sets of events that no NetBurst processor can count at once, and the event that is left over. */
static const struct {
	const char *what;
	struct wanted { const char *event, *masks, *escr; uint32_t counters; } wanted[MAX];
	unsigned count;
	const char *left_over, *lacks;
} impossible[] = {
	{ "three masks for two ESCRs",
	  { { .event = "branch_retired", .masks = "MMNP" },
	    { .event = "branch_retired", .masks = "MMNM" },
	    { .event = "branch_retired", .masks = "MMTP" } },
	  3, "branch_retired", "MSR_CRU_ESCR" },
	{ "two events for one ESCR",
	  { { .event = "BSQ_allocation" },
	    { .event = "BSQ_cache_reference", .escr = "MSR_BSU_ESCR0" } },
	  2, "BSQ_cache_reference", "MSR_BSU_ESCR0" },
	{ "three events for two counters",
	  { { .event = "bsq_active_entries" },
	    { .event = "bnr", .counters = 3 << 2 },
	    { .event = "ITLB_reference", .counters = 3 << 2 } },
	  3, "ITLB_reference", "counter" },
	{ "five for the four counters of a block",
	  { { .event = "ITLB_reference" }, { .event = "ITLB_reference" },
	    { .event = "ITLB_reference" }, { .event = "ITLB_reference" },
	    { .event = "MOB_load_replay" } },
	  5, "MOB_load_replay", "counter" },
};

static bool contains(const char *text, const char *part)
{
	for (; *text; text++)
		if (strncmp(text, part, strlen(part)) == 0)
			return true;
	return false;
}

static void make_requests(struct netburst_request *requests, const struct wanted *w, unsigned count)
{
	char problem[128];

	for (unsigned i = 0; i < count; i++) {
		if (!netburst_request(&requests[i], w[i].event, w[i].masks, PMU_BOTH, problem,
		                      sizeof(problem)))
			test_abort("%s", problem);
		requests[i].escr = w[i].escr ? netburst_escr_find(w[i].escr) : NULL;
		requests[i].counters = w[i].counters;
	}
}

TEST(allocation, .id = "netburst.tagging.impossible", .needs = need_netburst,
     .source = "SDM 3B, the table of performance counter MSRs and their CCCR and ESCR MSRs",
     .claim = "when events cannot be counted at once, the error names the one that is left over "
              "and what it lacks")
{
	struct netburst_request requests[MAX];
	struct pmu_setup setups[MAX];
	struct netburst_use uses[MAX];
	char problem[128] = "";
	bool is_possible;

	for (size_t i = 0; i < COUNT_OF(impossible); i++) {
		make_requests(requests, impossible[i].wanted, impossible[i].count);
		is_possible = netburst_allocate(requests, impossible[i].count, setups, uses,
		                                problem, sizeof(problem));
		test_sub(t, "%s: \"%s\"", impossible[i].what, problem);
		expect_exact(t, "allocated", is_possible, 0,
		             "the set has one event more than resources");
		expect_exact(t, "the problem names the event",
		             contains(problem, impossible[i].left_over), 1,
		             "it is the event that is left over");
		expect_exact(t, "the problem names the resource",
		             contains(problem, impossible[i].lacks), 1,
		             "it is what the event lacks");
	}
}
