/* SPDX-License-Identifier: MIT */
/*
 * FORCE_OVF: every count is an overflow. The events are those of code at CPL 3 only, so that the
 * handler of their PMIs, at CPL 0, adds none: without skid each return to CPL 3 is one event, until
 * the next PMI. As each PMI comes with the count after its overflow, N events raise N - 1 PMIs.
 */
#include <stddef.h>

#include <arch/cpu/fault.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/netburst/overflow/netburst_overflow.h>

#define FORCE  NETBURST_CCCR ", FORCE_OVF flag: an overflow on every counter increment; OVF_PMI " \
               "flag: the PMI is generated on the next event count"

#define WHY_LESS_ONE  "every count is an overflow, whose PMI comes with the next count, so the " \
                      "last one has none"
#define WHY_RANGE     "low: the second count raises one; high: one for each count. A PMI that is " \
                      "taken late stands for several"

static struct pmu_setup forced(unsigned counter, unsigned flags)
{
	return overflow_with(pmi_instructions(counter, flags, 0), CCCR_FORCE_OVF);
}

static struct pmu_setup forced_event(struct netburst_use *use, const char *event, unsigned counter)
{
	struct pmu_setup s = netburst_setup(use, netburst_event_find(event), NULL, counter,
	                                    PMU_USR | PMU_INT);

	use->is_by_escr = true;
	use->cccr_value |= CCCR_FORCE_OVF;
	return s;
}

/* The handlers' findings: every PMI must have an overflow. */
static struct { unsigned entries, without_ovf; uint64_t want; } seen;

static void see(struct frame *f)
{
	(void)f;
	seen.entries++;
	if ((pmu_status() & seen.want) != seen.want)
		seen.without_ovf++;
	pmi_go_on();
}

static void forget(void) { seen.entries = seen.without_ovf = 0; }

static const struct pmi_log *run(const struct pmu_setup *setups, unsigned count,
                                 void (*code)(uint32_t rounds, uint32_t argument), uint32_t rounds)
{
	seen.want = 0;
	for (unsigned i = 0; i < count; i++)
		seen.want |= BIT(setups[i].counter);
	return pmi_run(&(const struct pmi_window){ .setups = setups, .count = count, .code = code,
	               .rounds = rounds, .on_pmi = see, .before = forget, .most = rounds + 20 });
}

static bool expect_pmis(struct test_ctx *t, unsigned pmis, uint64_t events)
{
	return expect_bounds(t, "PMIs", pmis, if_exact(events - 1, WHY_LESS_ONE),
	                     else_in(1, events, WHY_RANGE));
}

/* Returns whether the run passed: a failure ends a series of storms, as these take their time. */
static bool judge(struct test_ctx *t, struct pmu_setup s,
                  void (*code)(uint32_t rounds, uint32_t argument), uint32_t rounds,
                  uint64_t events)
{
	char name[PMU_NAME_SIZE];
	const struct pmi_log *log = run(&s, 1, code, rounds);

	test_sub(t, "%s, %" PRIu64 " events", pmu_counter_name(s.counter, name), events);
	if (!expect_pmis(t, log->count, events))
		return false;
	expect_exact(t, "PMIs that found OVF = 0", seen.without_ovf, 0, "each count sets OVF");
	return expect_exact(t, "the counter", pmu_read(s.counter), s.start + events,
	                    "it counts on and is not reloaded; the handler adds nothing");
}

/* --------------------------------------------------------------------------- instructions */

static const uint16_t lengths[] = { 2, 3, 50 };

TEST(every, .id = "netburst.force_ovf.instructions", .needs = need_netburst_pmi, .source = FORCE,
     .claim = "with FORCE_OVF N instructions at CPL 3 are N overflows and N - 1 PMIs")
{
	FOR_EACH_IQ_COUNTER(x) {
		uint64_t base = user_base(x);

		for (size_t i = 0; i < COUNT_OF(lengths); i++)
			if (!judge(t, forced(x, PMU_USR | PMU_INT), user_nops, lengths[i],
			           base + lengths[i]))
				return;
	}
}

TEST(address, .id = "netburst.force_ovf.address", .needs = need_netburst_pmi, .source = FORCE,
     .claim = "without skid the PMIs of FORCE_OVF interrupt one instruction after the other")
{
	struct pmu_setup s = forced(NETBURST_IQ_FIRST, PMU_USR | PMU_INT);
	uint64_t before = user_base(s.counter) - 1;    /* the INT 81H follows the NOPs */
	const struct pmi_log *log = run(&s, 1, user_nops, 60);

	expect_pmis(t, log->count, before + 61);
	for (unsigned i = 0; i < 50 && i < log->count; i++) {
		test_sub(t, "PMI %u", i + 1);
		expect_bounds(t, "interrupted address", log->ip[i],
		              if_exact(user_nop_address(i + 2 - before),
		                       "it is the NOP after the event that raised the PMI"),
		              i > 0 && log->cpl[i] == 3
		              ? else_in(log->ip[i - 1], user_nop_address(60),
		                        "low: code goes forward; high: the end of the NOPs")
		              : ELSE_NOTHING);
		expect_exact(t, "OVF of all CCCRs", log->status[i], BIT(s.counter),
		             "each count is an overflow");
	}
}

TEST(from_middle, .id = "netburst.force_ovf.value", .needs = need_netburst_pmi, .source = FORCE,
     .claim = "FORCE_OVF overflows at any value of the counter, and across its real overflow")
{
	static const uint64_t starts[] = {
		1, UINT64_C(0x7ffffffffe), UINT64_C(0xfffffff0), UINT64_C(0xffffffff00)
	};
	uint64_t base = user_base(NETBURST_IQ_FIRST);

	for (size_t i = 0; i < COUNT_OF(starts); i++) {
		struct pmu_setup s = forced(NETBURST_IQ_FIRST, PMU_USR | PMU_INT);

		s.start = starts[i];
		if (!judge(t, s, user_nops, 100, base + 100))
			return;
	}
	for (uint64_t missing = 1; missing <= 100; missing += 33) {
		struct pmu_setup s = forced(NETBURST_IQ_FIRST, PMU_USR | PMU_INT);

		s.start = 0 - missing;
		test_sub(t, "from -%" PRIu64, missing);
		expect_pmis(t, run(&s, 1, user_nops, 100)->count, base + 100);
		expect_exact(t, "the counter", pmu_read(s.counter), base + 100 - missing,
		             "the counter wraps like any other");
	}
}

/* --------------------------------------------------------------------------- branches */

static bool judge_event(struct test_ctx *t, const char *event, unsigned counter, uint32_t rounds)
{
	struct netburst_use use;
	struct pmu_setup s = netburst_setup(&use, netburst_event_find(event), NULL, counter,
	                                    PMU_USR);
	uint64_t events;

	use.is_by_escr = true;
	events = overflow_total(s, user_loop, rounds);
	expect_between(t, event, events, rounds, rounds + 2,
	               "low: a JNZ a round; high: also the INT, and the IRET to CPL 3");
	return judge(t, forced_event(&use, event, counter), user_loop, rounds, events);
}

TEST(branch, .id = "netburst.force_ovf.branches", .needs = need_netburst_pmi, .source = FORCE,
     .claim = "with FORCE_OVF N branches at CPL 3 are N overflows and N - 1 PMIs")
{
	FOR_EACH_IQ_COUNTER(x)
		if (!judge_event(t, "branch_retired", x, 50))
			return;
}

/* --------------------------------------------------------------------------- several, or none */

TEST(several, .id = "netburst.force_ovf.several", .needs = need_netburst_pmi, .source = FORCE,
     .claim = "six counters with FORCE_OVF that count the same event raise one PMI an "
              "event, and all set OVF")
{
	struct pmu_setup all[NETBURST_COUNTERS - NETBURST_IQ_FIRST];
	uint64_t events = user_base(NETBURST_IQ_FIRST) + 100;
	char name[PMU_NAME_SIZE];

	for (size_t i = 0; i < COUNT_OF(all); i++)
		all[i] = forced((unsigned)(NETBURST_IQ_FIRST + i), PMU_USR | PMU_INT);
	expect_pmis(t, run(all, COUNT_OF(all), user_nops, 100)->count, events);
	expect_exact(t, "PMIs that found OVF = 0 in one of them", seen.without_ovf, 0,
	             "each count sets OVF");
	for (size_t i = 0; i < COUNT_OF(all); i++)
		expect_exact(t, pmu_counter_name(all[i].counter, name), pmu_read(all[i].counter),
		             events, "each counter counts all events");
}

TEST(witness, .id = "netburst.force_ovf.witness", .needs = need_netburst_pmi, .source = FORCE,
     .claim = "FORCE_OVF acts on its own counter only: one beside it of the same ESCR "
              "does not overflow")
{
	const struct pmu_setup both[] = { forced(12, PMU_USR | PMU_INT), user_instructions(13, 0) };
	uint64_t events = user_base(12) + 100;

	seen.want = BIT(12);
	pmi_run(&(const struct pmi_window){ .setups = both, .count = 2, .code = user_nops,
	        .rounds = 100, .on_pmi = see, .before = forget, .most = 120 });
	expect_pmis(t, pmi_get_log()->count, events);
	expect_exact(t, "OVF of all CCCRs at the first PMI", pmi_get_log()->status[0], BIT(12),
	             "the other one has not wrapped");
	expect_exact(t, "the other counter", pmu_read(13), events, "it counts all events");
	expect_exact(t, "its OVF", overflow_is_set(13), 0, "it has not wrapped");
}

TEST(only_ovf, .id = "netburst.force_ovf.without_ovf_pmi", .needs = need_netburst_pmi,
     .source = FORCE,
     .claim = "FORCE_OVF without OVF_PMI sets OVF at the first count, without a PMI")
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_IQ_COUNTER(x) {
		struct pmu_setup s = forced(x, PMU_USR);
		uint64_t events = user_base(x) + 100;

		test_sub(t, "%s", pmu_counter_name(x, name));
		expect_exact(t, "PMIs", run(&s, 1, user_nops, 100)->count, 0, "OVF_PMI = 0");
		expect_exact(t, "OVF", overflow_is_set(x), 1, "each count is an overflow");
		expect_exact(t, "the counter", pmu_read(x), events, "it counts on");
	}
	FOR_EACH_COUNTER(x) {
		test_sub(t, "%s, clocks", pmu_counter_name(x, name));
		overflow_run(overflow_clock(x, CCCR_FORCE_OVF, 0), 0, workload_loop.code, 100);
		expect_exact(t, "OVF", overflow_is_set(x), 1, "each count is an overflow");
	}
}

TEST(none_without_count, .id = "netburst.force_ovf.no_count", .needs = need_netburst,
     .source = FORCE, .claim = "FORCE_OVF overflows nothing while the counter stands still")
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_IQ_COUNTER(x) {
		overflow_run(forced(x, PMU_USR), 0, workload_loop.code, 100);
		test_sub(t, "%s of CPL 3, code at CPL 0", pmu_counter_name(x, name));
		expect_exact(t, "the counter", pmu_read(x), 0, "the code has no event at CPL 3");
		expect_exact(t, "OVF", overflow_is_set(x), 0,
		             "there was no increment, so no overflow");
	}
}
