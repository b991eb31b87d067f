/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/counts/passages.h>

#include <arch/modes/modes.h>
#include <kernel/run/watchdog.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/counts/passages_code.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/silicon/silicon.h>

/* ---------------------------------------------------------------------------- expectations */

struct span { uint64_t low, high; };

static struct span plus(struct span a, struct span b)
{
	return (struct span){ a.low + b.low, a.high + b.high };
}

/* Returns what n events at a place count with this filter; those at either level, 0 to n. */
static struct span placed(struct span n, enum passage_level level, enum cpu_mode mode,
                          unsigned flags)
{
	const bool is_left = flags & (mode_cpl(mode) ? PMU_USR : PMU_OS);
	const bool is_cpl0 = flags & PMU_OS;

	if (level == AT_EITHER && is_left != is_cpl0)
		n.low = 0;
	else if (!(level == AT_LEFT ? is_left : level == AT_CPL0 ? is_cpl0 : is_left || is_cpl0))
		n = (struct span){ 0, 0 };
	return n;
}

static bool counts_far(enum passage_kind kind)
{
	return kind != PASSAGE_NEAR_TAKEN && kind != PASSAGE_INTERRUPTS;
}

/* The code's own part, which no crossing is in. */
static uint64_t near_part(const struct passage_row *p, enum passage_kind kind, enum cpu_mode mode,
                          unsigned flags)
{
	const bool is_left = flags & (mode_cpl(mode) ? PMU_USR : PMU_OS);
	const uint64_t insns = (is_left ? p->insns : 0)
	                       + (flags & PMU_OS ? p->handler_insns : 0);

	return kind == PASSAGE_INSNS ? insns
	       : !is_left || kind == PASSAGE_FAR || kind == PASSAGE_INTERRUPTS ? 0
	       : kind == PASSAGE_BRANCHES ? p->branches : p->taken;
}

static struct span delivery(const struct passage_row *p, const struct passage_facts *f,
                            enum passage_kind kind)
{
	const struct passage_entry *e = p->begin == BEGINS_BY_FAULT ? &f->exception
	                                                            : &f->interrupt;

	return (struct span){ e->low[kind], e->high[kind] };
}

/* Returns what a round counts on an exact machine. */
static struct span exact_part(const struct passage_row *p, const struct passage_facts *f,
                              enum passage_kind kind, enum cpu_mode mode, unsigned flags)
{
	const uint64_t near = near_part(p, kind, mode, flags), one = counts_far(kind);
	const struct span insn = { one, one };
	struct span sum = { near, near };

	sum = plus(sum, p->begin == BEGINS_BY_INSN
	                ? placed(insn, f->call, mode, flags)
	                : placed(delivery(p, f, kind), f->entry, mode, flags));
	return plus(sum, placed(insn, p->is_iret ? f->iret : f->call == AT_LEFT ? AT_CPL0
	                        : AT_EITHER, mode, flags));
}

/* Returns the bounds elsewhere: the code's own part, and up to three for each of the two ends. */
static struct bounds otherwise(const struct passage_row *p, const struct passage_facts *f,
                               const struct pmu_setup *s, enum passage_kind kind, uint64_t near,
                               uint64_t rounds)
{
	const bool is_all = s->flags == PMU_BOTH && kind == PASSAGE_INSNS;
	const uint64_t certain = is_all ? 1 + (p->begin == BEGINS_BY_INSN) : 0;

	if (kind != PASSAGE_INSNS && silicon_has(SILICON_E_CORE_BRANCHES))
		return else_shown(silicon_why(SILICON_E_CORE_BRANCHES));
	if (s->flags == PMU_USR && silicon_has_upper(SILICON_UPPER_COUNTERS_DEAF, s->counter))
		return else_shown(silicon_why(SILICON_UPPER_COUNTERS_DEAF));
	return else_in((near + certain) * rounds,
	               f->counts_again ? UINT64_MAX : (near + 6) * rounds,
	               "low: the code's own, and with OS and USR the instructions that cross; "
	               "high: three more for each end of each passage");
}

/* ---------------------------------------------------------------------------- windows */

enum { FILTERS = 3, CONFIGS = FILTERS * PASSAGE_KINDS };
static const unsigned filters[FILTERS] = { PMU_OS, PMU_USR, PMU_BOTH };
static const char *const filter_names[FILTERS] = { "OS alone", "USR alone", "OS and USR" };

/* What a passage's rounds added to a counter, by event and filter. */
struct taken { uint64_t got[CONFIGS]; bool is_there[CONFIGS]; };

static bool set_up(struct pmu_setup *s, const struct passage_facts *f, unsigned config, unsigned n)
{
	const struct passage_event *e = &f->events[config / FILTERS];
	const unsigned flags = filters[config % FILTERS];

	if (f->setup)
		return f->setup(s, e, n, flags);
	*s = (struct pmu_setup){ .counter = pmu_counter_for(e->event, n), .flags = flags,
	                         .event = e->event };
	if (s->counter != PMU_FIXED)
		return true;
	return e->kind == PASSAGE_INSNS && (n == 0 || pmu_counter_for(e->event, n - 1) != PMU_FIXED)
	       && counting_find_fixed(e->event, &s->counter);
}

/* Counter n takes configuration n, and in each further turn the next one. */
static unsigned window_setups(struct pmu_setup setups[], unsigned configs[], unsigned counters[],
                              const struct passage_facts *f, unsigned turn)
{
	const unsigned all = f->count * FILTERS;
	unsigned count = 0;

	for (unsigned n = 0; n < PMU_SETUPS_MAX && count < PMU_SETUPS_MAX; n++) {
		const unsigned config = (n + turn) % all;

		if (!set_up(&setups[count], f, config, n))
			continue;
		configs[count] = config;
		counters[count++] = n;
	}
	return count;
}

static void take_turn(struct taken taken[], const struct passage_row *p,
                      const struct passage_facts *f, enum cpu_mode mode, unsigned turn)
{
	struct pmu_setup setups[PMU_SETUPS_MAX];
	unsigned configs[PMU_SETUPS_MAX], counters[PMU_SETUPS_MAX];
	const unsigned count = window_setups(setups, configs, counters, f, turn);
	struct pmu_reading few = pmu_measure_code(setups, count, p->code, p->few, mode);
	struct pmu_reading many = pmu_measure_code(setups, count, p->code, p->few + p->more, mode);

	for (unsigned i = 0; i < count; i++) {
		struct taken *to = &taken[counters[i]];

		to->got[configs[i]] = many.count[i] - few.count[i];
		to->is_there[configs[i]] = true;
	}
}

/* ---------------------------------------------------------------------------- judgement */

static void judge_config(struct test_ctx *t, const struct passage_row *p,
                         const struct passage_facts *f, enum cpu_mode mode, unsigned config,
                         unsigned n, uint64_t got)
{
	const struct passage_event *e = &f->events[config / FILTERS];
	const unsigned flags = filters[config % FILTERS];
	struct span want = exact_part(p, f, e->kind, mode, flags);
	char name[PMU_NAME_SIZE];
	struct pmu_setup s;

	set_up(&s, f, config, n);
	test_sub(t, "%u %s at %s, %s, %s", p->more, p->name, mode_name(mode), e->name,
	         filter_names[config % FILTERS]);
	expect_bounds(t, pmu_counter_name(s.counter, name), got,
	              if_exact_in(want.low * p->more, want.high * p->more, p->why),
	              otherwise(p, f, &s, e->kind, near_part(p, e->kind, mode, flags), p->more));
}

/* What is at neither level has gone, and what is at both was counted twice. */
static void judge_sum(struct test_ctx *t, const struct passage_row *p,
                      const struct passage_event *e, enum cpu_mode mode, const uint64_t got[])
{
	const uint64_t slack = 6 * (uint64_t)p->more;

	test_sub(t, "%u %s at %s, %s", p->more, p->name, mode_name(mode), e->name);
	expect_bounds(t, "OS alone and USR alone together", got[0] + got[1],
	              if_exact(got[2], "each counts at one level, as with OS and USR"),
	              else_in(got[2] > slack ? got[2] - slack : 0, got[2] + slack,
	                      "low and high: each end of each passage at neither level or at "
	                      "both, three times"));
}

/* An instruction that crosses levels is one instruction, one branch and one far branch, at one and
 * the same level. */
static void judge_kinds(struct test_ctx *t, const struct passage_row *p,
                        const struct passage_facts *f, enum cpu_mode mode, const struct taken *of)
{
	for (unsigned config = FILTERS; config < f->count * FILTERS; config++) {
		const unsigned filter = config % FILTERS;
		const struct passage_event *e = &f->events[config / FILTERS];
		const uint64_t insns = of->got[filter] - p->more * near_part(p, PASSAGE_INSNS, mode,
		                                                             filters[filter]);

		if (!of->is_there[config] || !of->is_there[filter] || !counts_far(e->kind))
			continue;
		test_sub(t, "%u %s at %s, %s, %s", p->more, p->name, mode_name(mode), e->name,
		         filter_names[filter]);
		expect_bounds(t, "those that cross", of->got[config]
		              - p->more * near_part(p, e->kind, mode, filters[filter]),
		              if_exact(insns, "they are as many as the instructions that cross, at "
		                       "the same level"), ELSE_NOTHING);
	}
}

static void judge(struct test_ctx *t, const struct passage_row *p, const struct passage_facts *f,
                  enum cpu_mode mode, const struct taken *of, unsigned n)
{
	for (unsigned config = 0; config < f->count * FILTERS; config++) {
		if (!of->is_there[config])
			continue;
		judge_config(t, p, f, mode, config, n, of->got[config]);
		if (config % FILTERS == FILTERS - 1
		    && !silicon_has_upper(SILICON_UPPER_COUNTERS_DEAF, n))
			judge_sum(t, p, &f->events[config / FILTERS], mode,
			          &of->got[config - FILTERS + 1]);
	}
	if (p->begin == BEGINS_BY_INSN)
		judge_kinds(t, p, f, mode, of);
}

static void check_mode(struct test_ctx *t, const struct passage_row *p,
                       const struct passage_facts *f, enum cpu_mode mode)
{
	static struct taken taken[PMU_SETUPS_MAX];

	if (!passage_arrives(t, p, mode))
		return;
	__builtin_memset(taken, 0, sizeof(taken));
	for (unsigned turn = 0; turn < f->count * FILTERS; turn++) {
		watchdog_renew();       /* all turns together take seconds on a slow machine */
		take_turn(taken, p, f, mode, turn);
	}
	for (unsigned n = 0; n < PMU_SETUPS_MAX; n++)
		judge(t, p, f, mode, &taken[n], n);
	test_sub(t, "%s", "");
}

void passages_check(struct test_ctx *t, enum passage passage, const struct passage_facts *facts)
{
	struct passage_row p = passage_begin(passage);

	check_mode(t, &p, facts, MODE_CPL3);
	if (p.begin != BEGINS_BY_INSN || passage == PASSAGE_INT)
		check_mode(t, &p, facts, MODE_CPL0);
	passage_end(passage);
}
