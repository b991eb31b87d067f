/* SPDX-License-Identifier: MIT */
/* LINK: pmu/events/tables/netburst_register_table.c pmu/events/tables/netburst_event_table.c */
/* LINK: pmu/events/tables/netburst_metric_table.c pmu/events/netburst_find.c */
/* LINK: pmu/events/event_text.c pmu/events/netburst_setup.c */
/* LINK: pmu/events/netburst_alloc.c kernel/lib/format.c */
#include <pmu/events/netburst_pmu.h>

#include <arch/regs/table.h>
#include <kernel/machine/machine.h>
#include <tests/unit/aborts.h>
#include <tests/unit/unit.h>

static struct cpu_identity cpu = { .vendor = VENDOR_INTEL, .family = 0xf, .model = 2 };
static uint32_t apic_id, cores = 1;    /* two logical processors */

const struct cpu_identity *machine_cpu(void) { return &cpu; }

/* Compares members, as memcmp() would compare padding, too. */
static bool is_same(struct cpuid_field a, struct cpuid_field b)
{
	return a.leaf == b.leaf && a.subleaf == b.subleaf && a.reg == b.reg && a.hi == b.hi
	       && a.lo == b.lo;
}

uint32_t cpuid_get(struct cpuid_field field)
{
	if (field.leaf == 4)
		return cores - 1;
	if (is_same(field, CPUID_INITIAL_APIC_ID))
		return apic_id;
	return is_same(field, CPUID_LOGICAL_COUNT) ? 2 : 1;
}

enum { MOST = 19 };
static struct pmu_setup setups[MOST];
static struct netburst_use uses[MOST];
static char problem[160];

static bool allocate(const struct netburst_request *requests, unsigned count)
{
	problem[0] = '\0';
	return netburst_allocate(requests, count, setups, uses, problem, sizeof(problem));
}

/* Makes a request that the tables have. */
static struct netburst_request request(const char *event, const char *masks, unsigned flags)
{
	struct netburst_request r;

	check_true(event, netburst_request(&r, event, masks, flags, problem, sizeof(problem)));
	return r;
}

static void check_refused(const struct netburst_request *requests, unsigned count,
                          const char *want)
{
	check_true("refused", !allocate(requests, count));
	check_str("problem", problem, want);
}

UNIT_TEST(one_event_gets_its_first_counter)
{
	const struct netburst_request r = request("branch_retired", "MMTP", PMU_OS | PMU_INT);

	check_true("it is there", allocate(&r, 1));
	check_eq_u64("counter", setups[0].counter, 12);
	check_true("its use", setups[0].netburst == &uses[0]);
	check_str("ESCR", uses[0].escr->name, "MSR_CRU_ESCR2");
	check_eq_u64("ESCR", uses[0].escr_value, 0x0c000808);
	check_eq_u64("CCCR", uses[0].cccr_value, 0x0403b000);
}

UNIT_TEST(the_second_thread_has_its_own_bits)
{
	const struct netburst_request r = request("branch_retired", "MMTP", PMU_USR | PMU_INT);

	apic_id = 1;
	check_true("it is there", allocate(&r, 1));
	check_eq_u64("ESCR", uses[0].escr_value, 0x0c000801);
	check_eq_u64("CCCR", uses[0].cccr_value, 0x0803b000);
	cores = 2;
	check_true("it is there", allocate(&r, 1));
	check_eq_u64("not so the second core", uses[0].escr_value, 0x0c000804);
	cores = 1;
	apic_id = 0;
}

/* Two values of one event use the two ESCRs; a third one finds none. */
UNIT_TEST(two_values_take_both_escrs)
{
	const struct netburst_request r[] = {
		request("branch_retired", "MMTP", PMU_OS),
		request("branch_retired", "MMNP", PMU_OS),
		request("branch_retired", "MMTP", PMU_OS),
		request("machine_clear", NULL, PMU_OS),
	};

	check_true("three of two values", allocate(r, 3));
	check_str("the first", uses[0].escr->name, "MSR_CRU_ESCR2");
	check_str("the second", uses[1].escr->name, "MSR_CRU_ESCR3");
	check_true("the third shares", uses[2].escr == uses[0].escr
	                               && setups[2].counter != setups[0].counter);
	check_refused(r, 4, "machine_clear: MSR_CRU_ESCR3 is taken by branch_retired, with another "
	                    "value");
}

UNIT_TEST(six_counters_are_not_seven)
{
	struct netburst_request r[7];

	for (unsigned i = 0; i < 7; i++)
		r[i] = request("instr_retired", NULL, PMU_BOTH);
	check_true("six", allocate(r, 6));
	check_refused(r, 7, "instr_retired: its counters, bitmap 3F000H, are taken");
}

UNIT_TEST(more_requests_than_setups)
{
	static struct netburst_request r[PMU_SETUPS_MAX + 1];

	for (unsigned i = 0; i < PMU_SETUPS_MAX + 1; i++)
		r[i] = request("instr_retired", NULL, PMU_BOTH);
	check_refused(r, PMU_SETUPS_MAX + 1, "25 requests: at most 24");
}

/* The first request would take what the second needs, and has to give way. */
UNIT_TEST(a_request_gives_way_to_a_later_one)
{
	struct netburst_request r[] = {
		request("FSB_data_activity", NULL, PMU_BOTH),
		request("global_power_events", NULL, PMU_BOTH),
	};

	r[1].counters = 3;
	check_true("both", allocate(r, 2));
	check_eq_u64("the first", setups[0].counter, 2);
	check_eq_u64("the second", setups[1].counter, 0);
}

UNIT_TEST(all_eighteen)
{
	static const char *const events[] = { "global_power_events", "TC_misc", "packed_SP_uop",
	                                      "instr_retired" };
	struct netburst_request r[18];
	uint32_t seen = 0;

	for (unsigned i = 0; i < 18; i++)
		r[i] = request(events[i < 12 ? i / 4 : 3], NULL, PMU_BOTH);
	check_true("all", allocate(r, 18));
	for (unsigned i = 0; i < 18; i++)
		seen |= UINT32_C(1) << setups[i].counter;
	check_eq_u64("each counter", seen, 0x3ffff);
}

UNIT_TEST(what_cannot_be_is_said)
{
	struct netburst_request unknown, model = request("instr_completed", NULL, 0);
	struct netburst_request counter = request("branch_retired", NULL, 0), escr = counter;

	counter.counters = 0xf;
	escr.escr = netburst_escr_find("MSR_CRU_ESCR0");
	check_true("an event", !netburst_request(&unknown, "branches", NULL, 0, problem,
	                                         sizeof(problem)));
	check_str("problem", problem, "branches: the table has no such event");
	check_true("a mask", !netburst_request(&unknown, "branch_retired", "TAKEN", 0, problem,
	                                       sizeof(problem)));
	check_str("problem", problem, "branch_retired: it has no mask TAKEN");
	check_refused(&model, 1, "instr_completed: this processor's model does not have it");
	check_refused(&counter, 1, "branch_retired: no counter of the bitmap FH: its ESCRs reach "
	                           "3F000H");
	check_refused(&escr, 1, "branch_retired: MSR_CRU_ESCR0 is not there, or does not select "
	                        "it");
}

UNIT_TEST(metrics_ask_for_what_counts_and_what_tags)
{
	struct netburst_request r[2];

	check_eq_u64("replay by MSRs alone",
	             netburst_metric_requests(netburst_metric_find("DTLB_all_miss_retired"), PMU_OS,
	                                      r), 1);
	check_str("it counts", r[0].event->name, "replay_event");
	check_eq_u64("split loads",
	             netburst_metric_requests(netburst_metric_find("split_load_retired"),
	                                      PMU_BOTH | PMU_INT, r), 2);
	check_true("both", allocate(r, 2));
	check_str("by this ESCR alone", uses[1].escr->name, "MSR_SAAT_ESCR1");
	check_eq_u64("a counter that only tags interrupts nothing",
	             uses[1].cccr_value & CCCR_OVF_PMI_T0, 0);
	netburst_metric_requests(netburst_metric_find("X87_FP_retired"), PMU_BOTH, r);
	check_true("both", allocate(r, 2));
	check_eq_u64("with its tag", uses[1].escr_value, 0x0900003c);
	check_eq_u64("which is counted", uses[0].escr_value, 0x1800020c);
}

UNIT_TEST(every_metric_has_a_place)
{
	struct netburst_request r[2];

	for (unsigned i = 0; i < netburst_metric_count; i++) {
		unsigned count = netburst_metric_requests(&netburst_metrics[i], PMU_BOTH, r);

		check_true(netburst_metrics[i].name, allocate(r, count));
	}
}

UNIT_TEST(the_clock_goes_on_every_counter)
{
	for (unsigned i = 0; i < NETBURST_COUNTERS; i++) {
		struct netburst_use use;
		struct pmu_setup s = netburst_clock_setup(&use, i);

		check_eq_u64("counter", s.counter, i);
		check_true("its ESCR reaches it", use.escr->counters >> i & 1);
		check_true("an event", (use.escr_value & ESCR_EVENT_SELECT) != 0);
		check_eq_u64("threshold 15, COMPLEMENT",
		             use.cccr_value & ~(uint32_t)CCCR_ESCR_SELECT, 0x00ff1000);
	}
}

UNIT_MAIN()
