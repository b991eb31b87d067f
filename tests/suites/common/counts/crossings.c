/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/counts/crossings.h>

#include <stddef.h>

#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/machine/machine.h>
#include <pmu/core/pmu.h>
#include <pmu/core/program.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/counts/rings.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/silicon/silicon.h>

/* ---------------------------------------------------------------------------- measured */

/*
 * IRET: V. Weaver, D. Terpstra, S. Moore, "Non-determinism and overcount on modern hardware
 * performance counter implementations", ISPASS 2013, and their data until 2021. The entry: G. Zhou
 * and P. Irelan of Intel, in static/determinism.intel beside these data
 * (github.com/deater/deterministic).
 */
#define ON_BONNELL     0x1c, 0x26, 0x27, 0x35, 0x36
#define ON_SILVERMONT  0x37, 0x4a, 0x4d, 0x5a, 0x5d
static const uint8_t iret_models[] = {
	ON_CORE2, ON_BONNELL, ON_NEHALEM, ON_WESTMERE, ON_SNB, ON_IVB, ON_SILVERMONT, ON_HASWELL,
	ON_BROADWELL, ON_SKL_TO_CML
};
static const uint8_t entry_models[] = { ON_SNB, ON_IVB, ON_SILVERMONT, ON_HASWELL };

static bool is_listed(const uint8_t *models, size_t count)
{
	const struct cpu_identity *cpu = machine_cpu();

	if (cpu->vendor != VENDOR_INTEL || cpu->family != 6)
		return false;
	for (size_t i = 0; i < count; i++)
		if (models[i] == cpu->model)
			return true;
	return false;
}

bool crossing_was_measured(enum crossing_fact fact)
{
	return fact == CROSSING_ENTRY ? is_listed(entry_models, sizeof(entry_models))
	                              : is_listed(iret_models, sizeof(iret_models));
}

/* ---------------------------------------------------------------------------- a crossing */

enum filter { NEITHER, OS, USR, BOTH, FILTERS };
static const struct { const char *name; unsigned flags; } filters[FILTERS] = {
	{ "OS = 0, USR = 0", 0 },
	{ "OS = 1, USR = 0", PMU_OS },
	{ "OS = 0, USR = 1", PMU_USR },
	{ "OS = 1, USR = 1", PMU_BOTH },
};

/* Holds what 5,000 more rounds counted on one counter. */
struct counted {
	const struct crossing *crossing;
	const char *counter, *mode;
	uint64_t got[FILTERS];
};

/* Checks that a round counts `least`, and up to `more` besides. */
static void check(struct test_ctx *t, const struct counted *c, enum filter filter, unsigned least,
                  unsigned more, const char *why)
{
	test_sub(t, "%s, %s, %s", c->mode, c->crossing->what, filters[filter].name);
	if (more == 0)
		expect_exact(t, c->counter, c->got[filter], (uint64_t)least * RINGS_MORE, why);
	else
		expect_between(t, c->counter, c->got[filter], (uint64_t)least * RINGS_MORE,
		               (uint64_t)(least + more) * RINGS_MORE, why);
}

static unsigned a_round(uint64_t count)
{
	return (unsigned)((uint32_t)count / RINGS_MORE);
}

static void judge(struct test_ctx *t, const struct counted *c, unsigned extra)
{
	const struct crossing *x = c->crossing;

	check(t, c, NEITHER, 0, 0, "no level of privilege is selected");
	check(t, c, BOTH, x->usr + x->os + x->open, extra, x->why);
	check(t, c, USR, x->usr, x->open + extra, x->why);
	check(t, c, OS, x->os, x->open + extra, x->why);
	test_sub(t, "%s, %s, OS alone + USR alone", c->mode, x->what);
	expect_exact(t, c->counter, c->got[OS] + c->got[USR], c->got[BOTH],
	             "each counts at one level, and OS and USR together count all");
	if (x->open + extra)
		test_report(t, c->counter, "%u a round with USR alone, %u with OS alone",
		            a_round(c->got[USR]), a_round(c->got[OS]));
	test_sub(t, "%s", "");
}

/* Returns whether the processor counts the event exactly around far transfers; if not, says why. */
static bool is_judged(struct test_ctx *t, uint16_t event)
{
	if (event == counting_event(COUNTING_BRANCHES))
		return !silicon_leaves_out(t, SILICON_E_CORE_BRANCHES, "branches that cross");
	return !silicon_leaves_out(t, SILICON_E_CORE_FAR, "instructions that cross");
}

unsigned expect_crossing(struct test_ctx *t, const struct crossing *x, enum cpu_mode mode)
{
	struct pmu_setup setups[PMU_SETUPS_MAX];
	uint64_t got[FILTERS][PMU_SETUPS_MAX];
	unsigned count = 0;

	if (!is_judged(t, x->event))
		return 0;
	for (unsigned f = 0; f < FILTERS; f++) {
		count = counting_setups(setups, x->event, filters[f].flags);
		rings_measure(setups, count, x->code, mode, got[f]);
	}
	for (unsigned i = 0; i < count; i++) {
		char name[PMU_NAME_SIZE];
		struct counted c = { .crossing = x, .mode = mode_name(mode),
		                     .counter = pmu_counter_name(setups[i].counter, name) };

		for (unsigned f = 0; f < FILTERS; f++)
			c.got[f] = got[f][i];
		judge(t, &c, x->extra + (setups[i].counter < PMU_FIXED ? x->extra_general : 0));
	}
	return a_round(got[USR][0]) - x->usr;
}

/* ---------------------------------------------------------------------------- INT n, UD2 */

static bool has_branches(void)
{
	return !pmu_has(PMU_HAS_LEAF_0AH)
	       || pmu_has_event(counting_event(COUNTING_BRANCHES));
}

/* INT n and IRET cross; DEC and JNZ run at the code's level. */
void expect_crossings_of_int(struct test_ctx *t)
{
	const unsigned iret = crossing_was_measured(CROSSING_IRET);
	const char *why = iret
		? "INT n, IRET, DEC, JNZ: IRET counts at the level that it returns to"
		: "INT n, IRET, DEC, JNZ: the first two count at either level";
	const struct crossing insns = { .what = "instructions", .code = rings_int,
	                                .event = counting_event(COUNTING_INSNS),
	                                .usr = 2 + iret, .open = 2 - iret, .why = why };
	const struct crossing branches = { .what = "branches", .code = rings_int,
	                                   .event = counting_event(COUNTING_BRANCHES),
	                                   .usr = 1 + iret, .open = 2 - iret, .why = why };

	rings_open_gates();
	for (enum cpu_mode mode = MODE_CPL1; mode <= MODE_CPL3; mode++) {
		expect_crossing(t, &insns, mode);
		if (has_branches())
			expect_crossing(t, &branches, mode);
	}
}

void expect_branches_of_fault(struct test_ctx *t, enum cpu_mode mode)
{
	const unsigned iret = crossing_was_measured(CROSSING_IRET);
	const unsigned entry = crossing_was_measured(CROSSING_ENTRY);
	struct crossing x = { .what = "branches", .code = rings_fault,
	                      .event = counting_event(COUNTING_BRANCHES),
	                      .usr = 1 + iret, .os = entry, .open = !iret, .extra = !entry };

	if (mode_cpl(mode) == 0)
		x = (struct crossing){ .what = "branches", .code = rings_fault, .event = x.event,
		                       .os = 2 + entry, .extra = !entry };
	x.why = entry ? "IRET and JNZ at the code's level, and the fault's entry at CPL 0"
	              : "IRET and JNZ; low: entering a handler retires no instruction; high: it is "
	                "a far branch, as was measured elsewhere";
	expect_crossing(t, &x, mode);
}

void expect_crossings_of_fault(struct test_ctx *t)
{
	const unsigned iret = crossing_was_measured(CROSSING_IRET);
	const struct crossing insns = {
		.what = "instructions", .code = rings_fault,
		.event = counting_event(COUNTING_INSNS),
		.usr = 2 + iret, .os = 1, .open = !iret,
		.extra_general = silicon_has(SILICON_IRET_COUNTS_TWICE),
		.why = "UD2 does not retire; ADD counts at CPL 0, DEC and JNZ at the code's level, "
		       "and IRET, where it was measured, at the level that it returns to",
	};

	rings_open_gates();
	for (enum cpu_mode mode = MODE_CPL1; mode <= MODE_CPL3; mode++) {
		expect_crossing(t, &insns, mode);
		if (has_branches())
			expect_branches_of_fault(t, mode);
	}
}

/* ---------------------------------------------------------------------------- a return */

unsigned crossing_of_return(unsigned counter)
{
	struct pmu_setup s = { .counter = counter, .flags = PMU_USR };
	uint64_t more;
	unsigned each;

	if (pmu_has(PMU_HAS_CCCRS))
		return 0;
	s.event = counting_event(COUNTING_INSNS);
	rings_open_gates();
	rings_measure(&s, 1, rings_fault, MODE_CPL3, &more);
	each = a_round(more);          /* DEC, JNZ; IRET, once or twice */
	return each > 2 && each <= 4 ? each - 2 : 0;
}
