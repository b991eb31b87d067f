/* SPDX-License-Identifier: MIT */
/*
 * The experiment: PEBS samples the instruction that caused the event, an interrupt some later one.
 * See sampling.h and docs/sampling.md.
 */
#include <tests/suites/sampling/sampling.h>

#include <stddef.h>

#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <pmu/core/program.h>
#include <pmu/sampling/pebs.h>
#include <tests/suites/common/sampling/pebs_window.h>

#define SKID_SDM  "SDM 3B, \"Generating an Interrupt on Overflow\""

/* All tests share one run, as it is long. */
const struct sampling *sampling_experiment(void)
{
	static struct sampling s;
	static bool is_done;

	if (is_done)
		return &s;
	s = (struct sampling){ .plan = sampling_plan(0, 0) };
	sampling_run(&s, true, true);
	is_done = true;
	sampling_print_figure(&s);
	if (s.base_register)
		sampling_print_profile(&s);
	return &s;
}

/* Returns the misses beyond one a round: other code evicted the line that always hits. */
static uint32_t extra_misses(const struct sampling *s)
{
	return s->counted > s->rounds ? s->counted - s->rounds : 0;
}

static bool is_judged(const struct sampling *s)
{
	return pmu_is_exact() && s->plan.is_overflowing;
}

/* --------------------------------------------------------------------------------------- count */

TEST(count, .id = "sampling.count", .needs = need_sampling, .runs = TEST_ON_BOOT,
     .source = PEBS_SDM ": the counter is reset to its value in the DS save area",
     .claim = "the load that walks over one overflowing set misses each time; each period is one "
              "record, and each full buffer one interrupt")
{
	const struct sampling *s = sampling_experiment();
	const uint32_t records = s->pebs.samples;

	test_report(t, "misses", "%u rounds, %u counted", s->rounds, s->counted);
	test_report(t, "samples", "%u records with %u interrupts of the buffer, %u interrupts of "
	            "the counter", records, s->buffer_interrupts, s->interrupts.samples);
	expect_exact(t, "faults in the loop", s->has_fault, 0, "its memory is there");
	if (!is_judged(s)) {
		expect_between(t, "records", records, s->plan.is_overflowing, s->counted,
		               "low: where the set overflows there are misses; high: a period has "
		               "more than one");
		return;
	}
	expect_between(t, "misses counted", s->counted, s->rounds, s->rounds + s->others,
	               "low: each round has one; high: a few at a window's end, and one more after "
	               "each tick of the watchdog");
	expect_exact(t, "records", records, s->counted / s->plan.period, "one for each period");
	expect_exact(t, "interrupts of the buffer", s->buffer_interrupts,
	             records / SAMPLING_THRESHOLD, "one for every 50 records");
}

/* ---------------------------------------------------------------------------------------- pebs */

TEST(pebs, .id = "sampling.pebs", .needs = need_sampling, .runs = TEST_ON_BOOT,
     .source = PEBS_SDM ": the record's instruction pointer, by format",
     .claim = "each record leads to the load that missed, at distance 0, and to what it loaded")
{
	const struct sampling *s = sampling_experiment();
	const uint32_t samples = s->pebs.samples, extra = extra_misses(s);

	test_report(t, "at distance 0", "%u of %u records", s->pebs.at[0], samples);
	expect_exact(t, "records whose data address differs from the register's", s->wrong_address,
	             0, "the load does not overwrite its own address register");
	if (is_judged(s))
		expect_between(t, "records at distance 0", s->pebs.at[0],
		               samples > extra ? samples - extra : 0, samples,
		               "low: all records except misses of other loads; high: all");
	else if (s->plan.is_overflowing)
		expect_between(t, "records at distance 0", s->pebs.at[0], samples / 2 + 1, samples,
		               "low: other loads miss only after interrupts; high: all");
	if (is_judged(s))
		expect_between(t, "records without a load at their address", s->undecoded, 0, extra,
		               "low: the guilty load misses; high: the loop's end may as well");
}

/* ------------------------------------------------------------------------------------- profile */

/* Returns whether this element of the ring is sampled. Sample k is miss k * period, from 1. */
static bool is_reached(const struct sampling_plan *p, unsigned element)
{
	return (element + 1) % sampling_gcd(p->period, p->addresses) == 0;
}

/* Each sampled element comes as often as the next one, except for the last round and for the shift
 * that misses of other loads cause. */
static void judge_element(struct test_ctx *t, const struct sampling *s, unsigned i)
{
	const struct sampling_plan *p = &s->plan;
	const uint32_t among = p->addresses / sampling_gcd(p->period, p->addresses);
	const uint32_t extra = extra_misses(s), low = s->pebs.samples / among;
	const uint32_t high = low + (s->pebs.samples % among != 0);
	char what[40];

	format_buf(what, sizeof(what), "samples of address %XH",
	           (unsigned)(p->base + i * p->stride));
	if (is_reached(p, i))
		expect_between(t, what, s->by_address[i], low > extra ? low - extra : 0,
		               high + extra,
		               "its share: records divided by the addresses sampled; one more or "
		               "less for each miss of another load");
	else
		expect_between(t, what, s->by_address[i], 0, extra,
		               "period and number of addresses share a factor, so its "
		               "turn never comes");
}

static void judge_elements(struct test_ctx *t, const struct sampling *s)
{
	for (unsigned i = 0; i < s->plan.addresses; i++)
		judge_element(t, s, i);
	expect_between(t, "samples of other addresses", s->other_address, 0, extra_misses(s),
	               "the guilty load uses no other");
}

/* "100 100 99 ..." */
static const char *list_counts(const struct sampling *s, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < s->plan.addresses && used < size; i++)
		used += (size_t)format_buf(text + used, size - used, i ? " %u" : "%u",
		                           s->by_address[i]);
	return text;
}

TEST(profile, .id = "sampling.profile", .needs = need_sampling, .runs = TEST_ON_BOOT,
     .source = PEBS_SDM ": records hold the general registers",
     .claim = "the address register of the sampled load holds each address in turn")
{
	const struct sampling *s = sampling_experiment();
	char counts[160];

	list_counts(s, counts, sizeof(counts));
	test_report(t, "samples by address", "%s; others %u", counts, s->other_address);
	test_report(t, "addresses", "%u from %XH on, %u bytes apart", s->plan.addresses,
	            (unsigned)s->plan.base, s->plan.stride);
	if (is_judged(s))
		judge_elements(t, s);
}

/* -------------------------------------------------------------------------------------- factor */

/* The samples of each period: each of the sampled addresses comes at least twice. */
enum { ROUNDS_OF_ALL = 2 };

static void print_factor(const struct sampling *s)
{
	const struct sampling_plan *p = &s->plan;
	const uint32_t factor = sampling_gcd(p->period, p->addresses);
	char counts[160], period[SAMPLING_NUMBER];

	print("# %9s | %13u | %17u | %s\n", sampling_number(p->period, period), factor,
	      p->addresses / factor, list_counts(s, counts, sizeof(counts)));
}

static void try_period(struct test_ctx *t, uint32_t period)
{
	static struct sampling s;
	const unsigned samples = ROUNDS_OF_ALL * sampling_plan(0, period).addresses;
	char counts[160];

	s = (struct sampling){ .plan = sampling_plan(samples * period, period) };
	sampling_run(&s, false, false);
	print_factor(&s);
	test_sub(t, "period %u", period);
	test_report(t, "samples by address", "%s", list_counts(&s, counts, sizeof(counts)));
	if (!is_judged(&s))
		return;
	expect_exact(t, "records", s.pebs.samples, s.counted / period, "one for each period");
	judge_elements(t, &s);
}

static void print_factor_head(unsigned addresses)
{
	print("#\n# A period that shares a factor with the number of addresses, %u, samples the\n"
	      "# same ones for ever:\n#\n"
	      "#    period | common factor | addresses sampled | samples of each\n"
	      "# ----------+---------------+-------------------+------------------\n",
	      addresses);
}

/* A prime, short enough to be quick. The other periods have half the number of addresses, and all
 * of it, as a factor. */
enum { FACTOR_PERIOD = 107 };

TEST(factor, .id = "sampling.factor", .needs = need_sampling, .runs = TEST_ON_BOOT,
     .source = PEBS_SDM ": the counter is reset to its value in the DS save area",
     .claim = "a period that shares a factor with the number of addresses samples "
              "only some of them")
{
	const struct sampling_plan p = sampling_plan(0, FACTOR_PERIOD);
	const uint32_t half = p.addresses / 2, all = p.period / p.addresses * p.addresses;

	print_factor_head(p.addresses);
	try_period(t, p.period);
	try_period(t, all + half);
	try_period(t, all + 2 * half);
	print("#\n");
}

/* ---------------------------------------------------------------------------------- interrupts */

/* These are a Pentium 4's: Sprunt, "Pentium 4 Performance-Monitoring Features", IEEE Micro 22, 4
 * (2002). The exact machine repeats these numbers; its other processors have no skid. */
enum { NEAREST = 65, MOST_OFTEN = 69, MOST_PERMILLE = 465, ONE_CYCLE = 200 };

static void judge_netburst(struct test_ctx *t, const struct sampling *s)
{
	const struct sampling_places *p = &s->interrupts;
	const uint32_t others = extra_misses(s) + s->ticks;
	uint32_t near = 0, often = p->samples / ONE_CYCLE * (MOST_PERMILLE * ONE_CYCLE / 1000);

	for (unsigned i = 0; i < NEAREST; i++)
		near += p->at[i];
	expect_between(t, "interrupts nearer than 65", near, 0, others,
	               "low: none was measured there; high: one for each miss of another load, "
	               "which is not at distance 0, and for each tick of the watchdog");
	expect_exact(t, "interrupts outside the loop", p->elsewhere, 0,
	             "none was measured so far away");
	if (p->samples % ONE_CYCLE == 0)
		expect_between(t, "interrupts at 69", p->at[MOST_OFTEN],
		               often > others ? often - others : 0, often + others,
		               "46.5 % of each 200 in a row; one more or less for each miss of "
		               "another load, which is not at distance 0, and for each tick of the "
		               "watchdog");
}

static void report_distances(struct test_ctx *t, const struct sampling_places *p)
{
	char text[180];
	size_t used = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < sampling_loop_length && used < sizeof(text); i++)
		if (p->at[i])
			used += (size_t)format_buf(text + used, sizeof(text) - used, "%s%u: %u",
			                           used ? ", " : "", i, p->at[i]);
	test_report(t, "interrupts by distance", "%s", text);
	test_report(t, "interrupts outside the loop", "%u", p->elsewhere);
}

TEST(interrupts, .id = "sampling.interrupts", .needs = need_sampling, .runs = TEST_ON_BOOT,
     .source = SKID_SDM ": the saved address may be of a later instruction",
     .claim = "interrupts of the same event come after the load that missed; the "
              "distance is reported")
{
	const struct sampling *s = sampling_experiment();
	const struct sampling_places *p = &s->interrupts;
	const uint32_t half = s->plan.period / 2, extra = extra_misses(s);

	report_distances(t, p);
	if (!is_judged(s))
		return;
	expect_exact(t, "interrupts", p->samples,
	             (s->counted + s->plan.period - half) / s->plan.period,
	             "the first one comes half a period early, then one each period");
	if (pmu_has(PMU_HAS_CCCRS))
		judge_netburst(t, s);
	else
		expect_between(t, "interrupts at distance 1", p->at[1],
		               p->samples > extra ? p->samples - extra : 0, p->samples,
		               "low: all interrupts except misses of other loads; high: this "
		               "machine has no skid");
}
