/* SPDX-License-Identifier: MIT */
/* The Pentium's two counters at work: each counts its own event, from its start value, through the
 * wrap, without an interrupt. */
#include <tests/suites/p5/p5_suite.h>

#include <stddef.h>

#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/interrupts/local_apic.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/run/watchdog.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/counts/carries.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/counts/two_counters.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>

#define COUNTERS P5_SDM ", CTR0 and CTR1"

enum { ROUNDS = 1000, SEED = 0x2545f491 };

static const char *const insns = "INSTRUCTIONS_EXECUTED";
static const char *const branches = "BRANCHES";

/* Workloads without handlers or serialising instructions, which have rules of their own. */
static const struct workload *const workloads[] = {
	&workload_empty, &workload_loop, &workload_jmp, &workload_call, &workload_jcc_not_taken,
	&workload_pattern, &workload_random, &workload_divide,
};

static const struct two_counters_code code = { workloads, COUNT_OF(workloads), ROUNDS, SEED };

TEST(two_events, .id = "p5.counters.two_events", .needs = need_p5, .source = COUNTERS,
     .claim = "the counters count one event each at the same time, both exactly")
{
	two_counters_apart(t, &code);
}

TEST(equal, .id = "p5.counters.equal", .needs = need_p5, .source = COUNTERS,
     .claim = "both counters on one event count the same")
{
	const struct two_counters_event events[] = {
		{ insns, p5_event(insns), 0 }, { branches, p5_event(branches), 0 },
	};

	two_counters_equal(t, events, COUNT_OF(events), &code);
}

TEST(preset, .id = "p5.counters.preset", .needs = need_p5, .source = COUNTERS,
     .claim = "counting goes on from the start value, through all 40 bits")
{
	static const uint64_t starts[] = { 1, 0x7fffff00, 0xffffff00, 0x7fffffff00, 0x8000000000,
	                                   0x123456789a, 0xffffff0000 };

	two_counters_preset(t, starts, COUNT_OF(starts));
}

static const uint16_t periods[] = { 0, 1, 2, 3, 64, 1000, 4095 };

TEST(wrap, .id = "p5.counters.wrap", .needs = need_p5, .source = COUNTERS,
     .claim = "a counter that begins at -N is 0 after N events")
{
	for (unsigned x = 0; x < P5_COUNTERS; x++) {
		for (size_t i = 0; i < COUNT_OF(periods); i++) {
			struct pmu_setup s = p5_setup(x, insns, 0);
			uint64_t events = pmu_measure(&s, 1, &workload_nops, periods[i],
			                              0).count[0];

			test_sub(t, "CTR%u, %" PRIu64 " events", x, events);
			s.start = (0 - events) & P5_COUNTER_MASK;
			expect_exact(t, "from minus as many",
			             pmu_measure(&s, 1, &workload_nops, periods[i], 0).value[0],
			             0, "the last event wrapped the counter");
			s.start--;
			expect_exact(t, "from minus one more",
			             pmu_measure(&s, 1, &workload_nops, periods[i], 0).value[0],
			             P5_COUNTER_MASK, "one event is missing: all 40 bits are 1");
		}
	}
}

TEST(write_running, .id = "p5.counters.write_running", .needs = need_p5, .source = COUNTERS,
     .claim = "a write into a running counter takes effect and does not change the other one")
{
	two_counters_write_running(t);
}

TEST(carries, .id = "p5.counters.carries", .needs = need_p5, .source = COUNTERS,
     .claim = CARRIES_CLAIM)
{
	carries_of_instructions(t);
}

/* ------------------------------------------------------------------------ one half of CESR */

#define HALF(event, control) \
	(FIELD_PUT(CESR_ES0, event) | FIELD_PUT(CESR_CC0, control))

/* Counts a loop under the first CESR and another one under the second. */
static PMU_ONE_COPY void run(uint64_t first, uint32_t rounds, uint64_t second,
                             uint32_t rounds_after, uint64_t counts[P5_COUNTERS])
{
	pmu_reset();
	msr_write(CESR, first);
	workload_loop.code(rounds, 0);
	msr_write(CESR, second);
	workload_loop.code(rounds_after, 0);
	msr_write(CESR, 0);
	for (unsigned x = 0; x < P5_COUNTERS; x++)
		counts[x] = msr_read(CTR0 + x);
}

/* Checks that counter x goes on while the other half of CESR is changed: the other
 * counter starts, or stops. */
static void check_half(struct test_ctx *t, unsigned x)
{
	uint64_t own = HALF(P5_EVENT_INSTRUCTIONS, CESR_CC_ANY_CPL) << CESR_SHIFT(x);
	uint64_t both = own | HALF(p5_event(branches), CESR_CC_ANY_CPL) << CESR_SHIFT(!x);
	uint64_t few[2], starts_late[2], stops_early[2];

	test_sub(t, "CTR%u goes on", x);
	run(own, 100, both, 100, few);
	run(own, 1100, both, 100, starts_late);
	expect_exact(t, "its count, 1000 more rounds before the other starts",
	             starts_late[x] - few[x], 2000, "it counts all the time");
	expect_exact(t, "the other's", starts_late[!x] - few[!x], 0, "its CC is still 000");
	run(both, 100, own, 100, few);
	run(both, 100, own, 1100, stops_early);
	expect_exact(t, "its count, 1000 more rounds after the other's end",
	             stops_early[x] - few[x], 2000, "it counts all the time");
	expect_exact(t, "the other's", stops_early[!x] - few[!x], 0, "its CC is 000 again");
}

TEST(halves, .id = "p5.counters.halves", .needs = need_p5, .source = P5_SDM ", CESR",
     .claim = "each half of CESR starts and stops its own counter")
{
	check_half(t, 0);
	check_half(t, 1);
}

/* ------------------------------------------------------------------------ no interrupt */

/* The Pentium's APIC has four entries: timer, LINT0, LINT1, error. */
#define MAX_LVT_OF_P5  3u

static volatile unsigned nmis;

static void on_nmi(struct frame *f, bool is_sure)
{
	(void)f;
	nmis += is_sure;
}

static void wrap_with_nmi(struct test_ctx *t)
{
	struct pmu_setup both[] = { p5_setup(0, insns, 0), p5_setup(1, insns, 0) };
	struct pmu_reading r;

	both[0].start = both[1].start = P5_COUNTER_MASK - 100;
	nmis = 0;
	nmi_set_handler(on_nmi);
	r = pmu_measure(both, 2, &workload_loop, ROUNDS, 0);
	pmi_settle();
	nmi_set_handler(NULL);
	expect_exact(t, "NMIs", nmis, 0, "overflows raise interrupts from the Pentium Pro on");
	for (unsigned x = 0; x < P5_COUNTERS; x++)
		expect_between(t, x ? "CTR1" : "CTR0", r.value[x], 1, 10 * ROUNDS,
		               "low: the counter wrapped; high: the loop is much shorter");
}

TEST(no_interrupt, .id = "p5.no_interrupt", .needs = need_p5_apic,
     .source = P5_SDM "; SDM 3A, \"Local Vector Table\": LVTPC came with the Pentium Pro",
     .claim = "a counter that wraps raises no interrupt")
{
	unsigned max_lvt = (unsigned)FIELD_GET(APIC_VERSION_MAX_LVT, apic_read(APIC_VERSION));
	bool has_lvtpc = max_lvt > MAX_LVT_OF_P5;

	test_report(t, "max LVT in the APIC's version register", "%u", max_lvt);
	if (has_lvtpc)
		apic_write(APIC_LVTPC, (uint32_t)FIELD_PUT(APIC_LVT_DELIVERY, APIC_DELIVERY_NMI));
	wrap_with_nmi(t);
	if (has_lvtpc)
		apic_write(APIC_LVTPC, APIC_LVT_MASK);
}
