/* SPDX-License-Identifier: MIT */
/*
 * The overflow's PMI on NetBurst: the claims of pmi_claims.h, and NetBurst's own. The PMI comes
 * with the count after the overflow, and its line stays active while OVF = 1.
 */
#include <tests/suites/common/pmi/pmi_claims.h>

#include <stddef.h>

#include <arch/cpu/fault.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/netburst/overflow/netburst_overflow.h>

#define NEXT  NETBURST_CCCR ", OVF_PMI flag: the PMI is generated on the next event count after " \
              "the counter has overflowed"
#define LINE  "Linux p4.c, p4_pmu_handle_irq(): LVTPC must be unmasked after OVF is cleared"

static NEED_BOTH(need_exact_pmi, need_netburst_pmi, need_no_skid)

PMI_CLAIM_OWN(period_user, "netburst", need_netburst_pmi, NEXT, "period.user",
              "a counter preset to -N + 1 raises a PMI with instruction N at CPL 3, not with N - "
              "1");
PMI_CLAIM_OWN(period_kernel, "netburst", need_netburst_pmi, NEXT, "period.kernel",
              "a counter preset to -N + 1 raises a PMI with instruction N at CPL 0, not with N - "
              "1");
PMI_CLAIM(period_long, "netburst", need_netburst_pmi, NEXT);
PMI_CLAIM_OWN(skid_user, "netburst", need_netburst_pmi, NEXT, "skid.user",
              "a PMI at CPL 3 interrupts after the instruction that raised it, or later");
PMI_CLAIM(skid_kernel, "netburst", need_netburst_pmi, NEXT);
PMI_CLAIM(reload_short, "netburst", need_exact_pmi, NETBURST_GENERATING);
PMI_CLAIM(reload_long, "netburst", need_netburst_pmi, NETBURST_GENERATING);
PMI_CLAIM(two_apart, "netburst", need_netburst_pmi, NETBURST_GENERATING);
PMI_CLAIM(nested, "netburst", need_netburst_pmi, PMI_NMIS_INTEL);
PMI_CLAIM(only_overflow, "netburst", need_netburst_pmi, NETBURST_GENERATING);
PMI_CLAIM_OWN(without_int, "netburst", need_netburst_pmi, NEXT, "none_without_ovf_pmi",
              "an overflow with OVF_PMI = 0 raises no PMI");
PMI_CLAIM(mask, "netburst", need_netburst_pmi,
          LVT "; " NETBURST_GENERATING ": the mask bit must be cleared again");
PMI_DELIVERY_CLAIMS("netburst", need_netburst_pmi, INTEL);
PMI_CLAIM_OWN(halt_nmi, "netburst", need_netburst_pmi, PMI_HALT_INTEL, "halt.nmi",
              "the NMI of a counter whose last event is the HLT itself ends that HLT");

/* ------------------------------------------------------------------------ the next event count */

static void judge_next(struct test_ctx *t, struct pmu_setup s,
                       void (*code)(uint32_t rounds, uint32_t argument))
{
	const uint64_t total = overflow_total(s, code, 100);
	const struct pmi_log *log;
	char name[PMU_NAME_SIZE];

	pmu_counter_name(s.counter, name);
	s.start = 0 - total;
	log = pmi_run_one(&s, code, 100);
	test_sub(t, "%s, the last of %" PRIu64 " events overflows it", name, total);
	expect_exact(t, "PMIs", log->count, 0,
	             "the PMI would come with the next count, which does not happen");
	expect_exact(t, "OVF", overflow_is_set(s.counter), 1, "it wrapped");
	s.start = 1 - total;
	log = pmi_run_one(&s, code, 100);
	test_sub(t, "%s, the last but one of %" PRIu64 " events overflows it", name, total);
	expect_exact(t, "PMIs", log->count, 1, "the last event is the next count");
	expect_exact(t, "OVF in the handler, of all CCCRs", log->status[0], BIT(s.counter),
	             "one counter wrapped");
	expect_exact(t, "OVF after the handler", overflow_is_set(s.counter), 0,
	             "the handler cleared it");
	expect_exact(t, "the counter", pmu_read(s.counter), 1, "it counts on from 0");
}

TEST(next, .id = "netburst.pmi.next", .needs = need_netburst_pmi, .source = NEXT,
     .claim = "the PMI comes with the event after the one that overflows, on each IQ counter")
{
	FOR_EACH_IQ_COUNTER(x)
		judge_next(t, user_instructions(x, 0), user_nops);
}

TEST(next_branch, .id = "netburst.pmi.next_branch", .needs = need_netburst_pmi, .source = NEXT,
     .claim = "for branches, too, the PMI comes with the next one")
{
	FOR_EACH_IQ_COUNTER(x) {
		struct netburst_use use;
		struct pmu_setup s = netburst_setup(&use, netburst_event_find("branch_retired"),
		                                    NULL, x, PMU_USR | PMU_INT);

		use.is_by_escr = true;
		judge_next(t, s, user_loop);
	}
}

static uint32_t own_pmi(void)
{
	return netburst_ovf_pmi(netburst_thread());
}

TEST(every_counter, .id = "netburst.pmi.every_counter", .needs = need_netburst_pmi, .source = NEXT,
     .claim = "each of the 18 counters raises one PMI when it overflows, and none before")
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(x) {
		struct pmu_setup s = overflow_clock(x, own_pmi(), 0 - UINT64_C(100));
		const struct pmi_log *log = pmi_run_one(&s, workload_loop.code, 1000);

		test_sub(t, "%s, clocks from -100", pmu_counter_name(x, name));
		expect_exact(t, "PMIs", log->count, 1, "it overflowed once");
		expect_exact(t, "OVF in the handler, of all CCCRs", log->status[0], BIT(x),
		             "one counter wrapped");
		s.start = 1;
		test_sub(t, "%s, clocks from 1", name);
		expect_exact(t, "PMIs", pmi_run_one(&s, workload_loop.code, 1000)->count, 0,
		             "the overflow is 2^40 clocks away");
	}
}

static void disable(unsigned x)
{
	msr_write(MSR_CCCR(x), msr_read(MSR_CCCR(x)) & ~CCCR_ENABLE);
}

TEST(written, .id = "netburst.pmi.write_negative", .needs = need_netburst_pmi,
     .source = NETBURST_GENERATING,
     .claim = "a write into a counter raises no PMI, whatever its sign, ENABLE and OVF_PMI are")
{
	FOR_EACH_COUNTER(x) {
		struct pmu_setup s = overflow_clock(x, 0, 0);

		pmi_expect_silent_writes(t, &s, "ENABLE = 1, OVF_PMI = 0", NULL);
		pmi_expect_silent_writes(t, &s, "ENABLE = 0, OVF_PMI = 0", disable);
		s = overflow_clock(x, own_pmi(), 0);
		pmi_expect_silent_writes(t, &s, "ENABLE = 1, OVF_PMI = 1", NULL);
		pmi_expect_silent_writes(t, &s, "ENABLE = 0, OVF_PMI = 1", disable);
	}
}

TEST(once, .id = "netburst.pmi.once", .needs = need_netburst_pmi, .source = NEXT,
     .claim = "after its overflow a counter raises no PMI, however long it goes on")
{
	FOR_EACH_IQ_COUNTER(x) {
		struct pmu_setup s = user_instructions(x, 10);
		char name[PMU_NAME_SIZE];

		test_sub(t, "%s, 60,000 instructions after", pmu_counter_name(x, name));
		expect_exact(t, "PMIs", pmi_run_one(&s, user_loop, 30000)->count, 1,
		             "it overflowed once");
	}
}

/* OVF_PMI acts on its own counter: the other one overflows as well and does not interrupt. */
TEST(own_ovf_pmi, .id = "netburst.pmi.own_ovf_pmi", .needs = need_netburst_pmi, .source = NEXT,
     .claim = "OVF_PMI of one counter does not make another one's overflow interrupt")
{
	char name[2][PMU_NAME_SIZE];

	FOR_EACH_IQ_COUNTER(x) {
		unsigned other = NETBURST_IQ_FIRST + (x + 1 - NETBURST_IQ_FIRST) % 6;
		const struct pmu_setup both[] = { pmi_instructions(x, PMU_USR, 100),
		                                  pmi_instructions(other, PMU_USR | PMU_INT, 0) };
		const struct pmi_log *log = pmi_run(&(const struct pmi_window){
			.setups = both, .count = 2, .code = user_nops, .rounds = 1000 });

		test_sub(t, "%s overflows, OVF_PMI is %s's", pmu_counter_name(x, name[0]),
		         pmu_counter_name(other, name[1]));
		expect_exact(t, "PMIs", log->count, 0, "the counter with OVF_PMI did not overflow");
		expect_exact(t, "OVF of all CCCRs, as bits", pmu_status(), BIT(x),
		             "the counter overflowed");
	}
}

TEST(together, .id = "netburst.pmi.two.together", .needs = need_netburst_pmi,
     .source = NETBURST_GENERATING,
     .claim = "when one instruction overflows two counters, a handler sees both")
{
	const struct pmu_setup both[] = { user_instructions(12, 100), user_instructions(13, 100) };
	const struct pmi_log *log = pmi_run(&(const struct pmi_window){
		.setups = both, .count = 2, .code = user_nops, .rounds = 1000 });

	expect_exact(t, "PMIs", log->count, 1, "the first counter's handler clears OVF of both");
	expect_exact(t, "OVF of all CCCRs in the handler", log->status[0], BIT(12) | BIT(13),
	             "both counters wrapped before the PMI");
}

/* ------------------------------------------------------------------------ the line */

enum { MISSING = 100, NOPS = 1000 };

/* The action of a handler at its first PMI; the next ones do everything. */
static void (*at_first)(void);

static void first_then_all(struct frame *f)
{
	(void)f;
	if (pmi_get_log()->count == 1)
		at_first();
	else
		pmi_go_on();
}

static const struct pmi_log *run_with(void (*act)(void))
{
	const struct pmu_setup s = user_instructions(NETBURST_IQ_FIRST, MISSING);

	at_first = act;
	return pmi_run(&(const struct pmi_window){ .setups = &s, .count = 1, .code = user_nops,
	                                           .rounds = NOPS, .on_pmi = first_then_all });
}

static void unmask(void) { pmi_set_mask(false); }

static void clear_and_unmask(void)
{
	pmu_clear_status(NETBURST_ALL);
	pmi_set_mask(false);
}

static void unmask_and_clear(void)
{
	pmi_set_mask(false);
	pmu_clear_status(NETBURST_ALL);
}

TEST(again, .id = "netburst.pmi.line.kept", .needs = need_netburst_pmi, .source = LINE,
     .claim = "unmasking LVTPC while OVF = 1 raises another PMI at once")
{
	const struct pmi_log *log = run_with(unmask);

	expect_exact(t, "PMIs", log->count, 2, "the first handler left OVF = 1, the second cleared "
	             "it");
	expect_exact(t, "OVF in the second handler", log->status[1], BIT(NETBURST_IQ_FIRST),
	             "nothing has cleared it");
	expect_bounds(t, "second interrupted address", log->ip[1],
	              if_exact(log->ip[0], "it is taken after the IRET, before anything else"),
	              ELSE_NOTHING);
}

TEST(not_again, .id = "netburst.pmi.line.cleared", .needs = need_netburst_pmi, .source = LINE,
     .claim = "if OVF is cleared first, unmasking LVTPC raises no further PMI")
{
	expect_exact(t, "PMIs", run_with(clear_and_unmask)->count, 1,
	             "with OVF = 0 the line is inactive");
}

/* After unmasking first, the second PMI is already requested when OVF is cleared. */
TEST(wrong_order, .id = "netburst.pmi.line.order", .needs = need_netburst_pmi, .source = LINE,
     .claim = "unmasking LVTPC before OVF is cleared raises a PMI without an overflow")
{
	const struct pmi_log *log = run_with(unmask_and_clear);

	expect_bounds(t, "PMIs", log->count,
	              if_exact(2, "the line was active when LVTPC was unmasked"), ELSE_SHOWN);
	expect_bounds(t, "OVF in the second handler", log->status[1],
	              if_exact(0, "the first handler cleared it"), ELSE_NOTHING);
}

/* Limits the number of PMIs, in case OVF is not cleared. */
static void acknowledge_few(struct frame *f)
{
	(void)f;
	if (pmi_get_log()->count < 5)
		pmi_acknowledge();
	else
		pmi_set_mask(true);
}

/* Masks LVTPC while the counter overflows, then calls act(), then unmasks LVTPC. */
static unsigned unmask_late(void (*act)(void))
{
	const struct pmu_setup s = user_instructions(NETBURST_IQ_FIRST, MISSING);
	unsigned count;

	pmu_program(&s, 1);
	pmi_listen(PMI_NMI, acknowledge_few);
	pmi_set_mask(true);
	pmu_window(user_nops, NOPS, 0);
	pmi_settle();
	count = pmi_get_log()->count;
	act();
	pmi_settle();
	pmi_stop();
	return count ? UINT32_MAX : pmi_get_log()->count;
}

TEST(masked, .id = "netburst.pmi.masked.kept", .needs = need_netburst_pmi, .source = LINE,
     .claim = "an overflow under a masked LVTPC is delivered when LVTPC is unmasked with OVF = 1")
{
	expect_exact(t, "PMIs (4294967295: some while masked)", unmask_late(unmask), 1,
	             "the line stays active while OVF = 1");
}

TEST(masked_cleared, .id = "netburst.pmi.masked.cleared", .needs = need_netburst_pmi,
     .source = LINE,
     .claim = "an overflow under a masked LVTPC is lost when OVF is cleared before unmasking")
{
	expect_exact(t, "PMIs (4294967295: some while masked)", unmask_late(clear_and_unmask), 0,
	             "with OVF = 0 the line is inactive");
}

/* All counters share one line. */
static void clear_first_counter(void)
{
	pmu_clear_status(BIT(12));
	pmi_set_mask(false);
}

TEST(line_of_all, .id = "netburst.pmi.line.of_all", .needs = need_netburst_pmi, .source = LINE,
     .claim = "a handler that clears OVF of one of two counters gets a PMI for the other one")
{
	const struct pmu_setup both[] = { user_instructions(12, MISSING),
	                                  user_instructions(14, MISSING) };
	const struct pmi_log *log;

	at_first = clear_first_counter;
	log = pmi_run(&(const struct pmi_window){ .setups = both, .count = 2, .code = user_nops,
	                                          .rounds = NOPS, .on_pmi = first_then_all });
	expect_exact(t, "PMIs", log->count, 2, "the second counter's OVF is still 1");
	expect_exact(t, "OVF of all CCCRs in the second handler", log->status[1], BIT(14),
	             "the first counter's was cleared");
}

/* Cases that no source settles: an overflow whose next count never comes, and
 * OVF_PMI that is set late. */
TEST(unsure, .id = "netburst.pmi.unsure", .needs = need_netburst_pmi, .source = NEXT,
     .claim = "OVF_PMI that is set after the overflow, and a stop before the next "
              "count, are reported")
{
	struct pmu_setup s = pmi_instructions(NETBURST_IQ_FIRST, PMU_USR, MISSING);

	pmu_program(&s, 1);
	pmi_listen(PMI_NMI, acknowledge_few);
	pmu_window(user_nops, NOPS, 0);
	msr_write(MSR_CCCR(s.counter), msr_read(MSR_CCCR(s.counter)) | own_pmi());
	pmi_settle();
	pmi_stop();
	test_report(t, "PMIs, OVF_PMI written with OVF = 1", "%u", pmi_get_log()->count);
	s = user_instructions(NETBURST_IQ_FIRST, 0);
	s.start = 0 - overflow_total(s, user_nops, 10);
	pmu_program(&s, 1);
	pmi_listen(PMI_NMI, acknowledge_few);
	pmu_window(user_nops, 10, 0);
	msr_write(MSR_CCCR(s.counter), msr_read(MSR_CCCR(s.counter)) & ~CCCR_ENABLE);
	pmi_settle();
	pmi_stop();
	test_report(t, "PMIs, stopped with OVF = 1 before the next count", "%u",
	            pmi_get_log()->count);
}
