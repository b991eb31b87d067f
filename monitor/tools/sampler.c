/* SPDX-License-Identifier: MIT */
#include <monitor/tools/sampler.h>

#include <stddef.h>

#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <kernel/run/watchdog.h>
#include <monitor/tools/histogram.h>
#include <pmu/core/microarchitecture.h>
#include <pmu/core/program.h>
#include <pmu/drivers/suspend.h>
#include <pmu/sampling/ds.h>
#include <pmu/sampling/lbr_stack.h>
#include <pmu/sampling/pebs.h>

/* ---------------------------------------------------------------------------- words */

struct sampler_order sampler_parse(const struct words *w, const char *keyword)
{
	struct sampler_order r = { 0 };

	words_expect(w, 5, MONITOR_WORDS_MAX);
	if (strcmp(w->word[2], keyword) != 0)
		monitor_fail("\"%s\" must follow the event, not %s", keyword, w->word[2]);
	r.event = w->word[1];
	r.number = (uint32_t)words_number(w, 3, "N", 1, SAMPLER_NEVER - 1);
	if (strcmp(w->word[4], "on") != 0)
		monitor_fail("\"on\" and the work must follow N, not %s", w->word[4]);
	work_parse(w, 5, &r.work);
	return r;
}

/* ---------------------------------------------------------------------------- checks, ends */

void sampler_need_counters(void)
{
	const struct pmu *p = pmu_get();

	if (p->state != PMU_COUNTS)
		monitor_fail("%s", p->verdict);
	if (!p->class->driver)
		monitor_fail("%s: there is no driver for it", p->class->name);
}

void sampler_need_pmi(void)
{
	sampler_need_counters();
	if (pmi_unavailable())
		monitor_fail("%s: there is no PMI, and nothing to sample by", pmi_unavailable());
}

/* Stops first what writes to memory, and LVTPC before anything that lets a counter overflow. */
void sampler_stop(void)
{
	pmi_stop();
	pebs_reset();
	ds_tear_down();
	pmu_reset();
	pmu_suspend_forget();
}

void sampler_end(void)
{
	sampler_stop();
	print("The PMU was reset, LVTPC is masked: what was programmed before is lost.\n");
}

/* ---------------------------------------------------------------------------- the event */

static struct pmu_chosen chosen;
static unsigned setup;                 /* index in chosen of the sampled one */

/* A sum of several counters has no overflow. */
static bool is_sum(const struct pmu_event_spec *c)
{
	for (unsigned i = 1; i < c->count && i < PMU_SPEC_PARTS; i++)
		if (c->factor[i])
			return true;
	return false;
}

const char *sampler_try(const char *event)
{
	static char problem[MONITOR_LINE_SIZE];

	if (!pmu_choose(&chosen, &event, 1, problem, sizeof(problem)))
		return problem;
	setup = chosen.spec[0].first;
	if (!is_sum(&chosen.spec[0]))
		return NULL;
	format_buf(problem, sizeof(problem), "%s is the sum of several events here: only a single "
	           "one can overflow", chosen.spec[0].name);
	return problem;
}

void sampler_choose(const char *event)
{
	const char *problem = sampler_try(event);

	if (problem)
		monitor_fail("%s", problem);
}

struct pmu_setup *sampler_setup(void) { return &chosen.setup[setup]; }

void sampler_want_pmi(void)
{
	struct pmu_setup *s = &chosen.setup[setup];

	s->flags |= PMU_INT;
	for (unsigned i = 0; s->netburst && i < PMU_SETUPS_MAX; i++)
		if (s->netburst == &chosen.use[i])
			chosen.use[i].cccr_value |= netburst_ovf_pmi(netburst_thread());
}

bool sampler_is_user_only(void)
{
	const struct pmu_setup *s = &chosen.setup[setup];

	if (!s->netburst)
		return !(s->flags & PMU_OS);
	return !(s->netburst->cccr_value & CCCR_COMPARE)
	       && !(s->netburst->escr_value & (ESCR_T0_OS | ESCR_T1_OS));
}

uint64_t sampler_mask(void)
{
	return UINT64_MAX >> (64 - pmu_counter_width(chosen.setup[setup].counter));
}

/* ---------------------------------------------------------------------------- PMIs */

static struct sampler_result result;

static struct {
	unsigned counter;
	bool is_once;                  /* does not overflow again after its first PMI */
	uint32_t period;               /* to be subtracted: N, and the handler's own counts */
	uint64_t mask, soon;
	uint32_t most;                 /* more PMIs than this are a storm */
	uint64_t held;                 /* value of the counter when it was reloaded */
} now;

/* After a PMI that came later than a whole period, the next one comes at once. */
static uint64_t reload(void)
{
	if (now.is_once)
		return 0 - (uint64_t)SAMPLER_NEVER;
	return now.held < now.period ? now.held - now.period : now.soon;
}

/* The write comes last: the handler's own counts after it belong to the next period. */
static void on_pmi(struct frame *f)
{
	const uint64_t value = pmu_read(now.counter);

	if (result.seen < PMI_LOG_SIZE)
		result.since[result.seen] = value;
	result.seen++;
	histogram_add(f->ip);
	if (result.seen > now.most) {
		pmi_set_mask(true);
		return;
	}
	pmi_acknowledge();
	now.held = pmu_read(now.counter);
	pmu_write(now.counter, reload() & now.mask);   /* a fixed counter takes no more bits */
}

void sampler_window(const struct sampler_code *c, uint64_t start, void (*handler)(struct frame *f))
{
	watchdog_renew();
	chosen.setup[setup].start = start;
	if (chosen.pebs_enable || chosen.matrix_vert)
		netburst_set_replay(chosen.pebs_enable, chosen.matrix_vert);
	pmu_program(chosen.setup, chosen.setup_count);
	pmu_clear_status(pmu_status());
	if (handler)
		pmi_listen(PMI_NMI, handler);
	pmu_window(c->code, c->rounds, c->argument);
	if (!handler)
		return;
	pmi_settle();
	pmi_stop();
}

static void run(const struct sampler_order *r, uint64_t start, bool has_pmi)
{
	const struct sampler_code code = { work_get_code(&r->work), r->work.rounds,
	                                   r->work.argument };

	sampler_window(&code, start, has_pmi ? on_pmi : NULL);
}

static uint64_t count_alone(const struct sampler_order *r)
{
	run(r, 0 - (uint64_t)SAMPLER_NEVER, false);
	return (pmu_read(now.counter) + SAMPLER_NEVER) & sampler_mask();
}

/* ---------------------------------------------------------------------------- the run */

static void begin(bool is_once, uint32_t period, uint32_t most)
{
	histogram_clear();
	memset(&result.since, 0, sizeof(result.since));
	result.seen = 0;
	now.is_once = is_once;
	now.period = period;
	now.mask = sampler_mask();
	now.soon = pmi_start(1 + pmi_lag());
	now.most = most;
}

/* Ends the command, and removes all that it and the user had programmed. */
#define END_BY(...)  do { sampler_end(); monitor_fail(__VA_ARGS__); } while (0)

/* Counts the second run, when the caches are warm. */
static void count(const struct sampler_order *r)
{
	count_alone(r);
	result.counted = count_alone(r);
	if (work_problem(&r->work))
		END_BY("%s", work_problem(&r->work));
	if (result.counted >= SAMPLER_NEVER)
		END_BY("this work counts %" PRIu64 ", and %u are too many: take fewer rounds",
		       result.counted, SAMPLER_NEVER);
	if (result.counted < r->number)
		END_BY("this work counts %" PRIu64 " of %s, less than %u: no PMI is due; take a "
		       "smaller N or more rounds", result.counted, r->event, r->number);
	result.due = (uint32_t)result.counted / r->number;
}

/*
 * Takes one PMI, after which the counter does not overflow again. From the overflow to the end it
 * counts the rest of WORK, and the handler: before the handler's write, which discards that, and
 * after it. Of an event at CPL 3 that is the handler's IRET, at most, which counts at the level
 * that it returns to, or on AMD's processors the entry, which on families 15H and 16H counts twice;
 * a greater difference comes from WORK, whose second run may count otherwise.
 */
static void measure_handler(const struct sampler_order *r)
{
	const uint32_t left = (uint32_t)result.counted - r->number;
	enum { TWICE = PMU_ON_AMD_15H | PMU_ON_AMD_16H };
	const int32_t most = (pmu_microarchitecture() & TWICE) != 0 ? 2 : 1;
	int32_t own;

	begin(true, 0, 16);
	run(r, pmi_start(r->number), true);
	if (!result.seen)
		END_BY("no PMI came: %s counted %" PRIu64 " of %s from -%u on", result.counter,
		       result.counted, r->event, r->number);
	if (result.seen > 1 + pmi_get_log()->unsure)
		END_BY("%u PMIs came where one was due: %s overflowed once", result.seen,
		       result.counter);
	own = (int32_t)((uint32_t)(pmu_read(now.counter) + SAMPLER_NEVER + now.held) - left
	                - pmi_lag());
	result.own = own < 0 || (sampler_is_user_only() && own > most) ? 0 : (uint32_t)own;
}

/*
 * A PMI's handler has more instructions than the first number, and on most processors fewer than
 * the second; a window adds fewer to the work than the third.
 */
enum { HANDLER_LEAST = 100, HANDLER_USUAL = 1000, WINDOW_INSNS = 16 };

/* A period that the handler fills by itself would end before WORK continues, again and again. */
static void check_period(const struct sampler_order *r)
{
	const uint32_t least = result.own + 1;

	if (r->number >= least)
		return;
	END_BY("every %u is too often: a PMI's handler itself counts %u of %s; take %u or more, or "
	       "count only CPL 3: :u after the event, user after the work", r->number, result.own,
	       r->event, least);
}

/* Refuses what is known not to work before anything was programmed. */
static void check_order(const struct sampler_order *r)
{
	static const char instructions[] = "PAPI_TOT_INS";
	const uint64_t least = workload_insns(r->work.workload, r->work.rounds) + WINDOW_INSNS;

	if (sampler_is_user_only() && !r->work.is_user)
		monitor_fail("%s counts only CPL 3, and this work runs at CPL 0: write user after "
		             "the work", r->event);
	if (strncmp(chosen.spec[0].name, instructions, strlen(instructions)) != 0)
		return;
	if (r->number > least && (sampler_is_user_only() || !r->work.is_user))
		monitor_fail("%s has %" PRIu64 " instructions, fewer than N = %u: take a smaller N "
		             "or more rounds", r->work.workload->name, least - WINDOW_INSNS,
		             r->number);
	if (r->number < HANDLER_LEAST && !sampler_is_user_only())
		monitor_fail("every %u is too often: a PMI's handler itself has hundreds of "
		             "instructions; take %d or more, or count only CPL 3: :u after the "
		             "event, user after the work", r->number, HANDLER_USUAL);
}

const struct sampler_result *sampler_run(const struct sampler_order *r)
{
	unsigned ticks;

	sampler_need_pmi();
	if (r->number <= pmi_lag())
		monitor_fail("N is 2 or more: on NetBurst the PMI comes with the count after the "
		             "overflow");
	sampler_choose(r->event);
	check_order(r);
	sampler_want_pmi();
	pmu_suspend_forget();
	now.counter = chosen.setup[setup].counter;
	pmu_counter_name(now.counter, result.counter);
	count(r);
	measure_handler(r);
	check_period(r);
	begin(false, r->number + result.own, 2 * result.due + 16);
	ticks = watchdog_ticks();
	run(r, pmi_start(r->number), true);
	result.ticks = watchdog_ticks() - ticks;
	result.unsure = pmi_get_log()->unsure;
	result.is_storm = result.seen > now.most;
	result.lost = result.due > result.seen ? result.due - result.seen : 0;
	return &result;
}

void sampler_print(const struct sampler_result *s, const struct sampler_order *r)
{
	print("%s: %" PRIu64 " of %s in this work, a PMI every %u: %u due, %u seen, %u lost.\n",
	      s->counter, s->counted, r->event, r->number, s->due, s->seen, s->lost);
	if (s->own)
		print("A PMI's handler counts %u itself, which no period includes: N must be "
		      "more.\n",
		      s->own);
	if (s->ticks)
		print("The kernel's watchdog ticked %u times meanwhile: its ticks count, too.\n",
		      s->ticks);
	if (s->unsure)
		print("%u of the PMIs may have been only ticks.\n", s->unsure);
	if (s->is_storm)
		print("There were more PMIs than possible: LVTPC was masked.\n");
}
