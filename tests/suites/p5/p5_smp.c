/* SPDX-License-Identifier: MIT */
/* Two Pentiums on one bus: each observes what the other one reads and writes. */
#include <arch/cpu/insn.h>
#include <arch/regs/p5.h>
#include <pmu/events/events.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/smp_init.h>
#include <tests/suites/common/smp_tests.h>

enum { TURNS = 200, LINE = 32 };

static SHARED volatile uint32_t turn __attribute__((aligned(LINE)));
static SHARED volatile uint32_t reported __attribute__((aligned(LINE)));
static SHARED volatile uint32_t own __attribute__((aligned(LINE)));
static SHARED uint8_t after_them __attribute__((aligned(LINE)));

static NEED_BOTH(need_two_p5, need_p5, need_secondaries)
static NEED_BOTH(need_two_p5_mmx, need_p5_mmx, need_secondaries)

/* Answers each odd number with the next even one, after reading the other line. */
static void answer(struct test_ctx *t, uintptr_t argument)
{
	uint32_t last = 0;

	(void)argument;
	for (uint32_t i = 1; i <= 2 * TURNS; i += 2) {
		while (turn != i)
			cpu_pause();
		last = reported;
		turn = i + 1;
	}
	expect_exact(t, "the last turn", turn, 2 * TURNS, "the other processor writes no more");
	expect_exact(t, "last value read from the other line", last, 3 * TURNS,
	             "three more a turn");
}

/*
 * The code to be measured: writes lines in turns with another processor, or a line that no other
 * processor touches. The first write to a line that both have read goes to the bus as well; after
 * further writes it is modified (Pentium Processor Family Developer's Manual, "Cache Consistency
 * Protocol": write-once).
 */
static void take_turns(uint32_t rounds, uint32_t argument)
{
	(void)argument;
	for (uint32_t i = 1; i <= 2 * rounds; i += 2) {
		for (unsigned times = 0; times < 3; times++)
			reported++;
		turn = i;
		while (turn != i + 1)
			cpu_pause();
	}
}

static void stay(uint32_t rounds, uint32_t argument)
{
	(void)argument;
	for (uint32_t i = 1; i <= rounds; i++) {
		own = i;
		if (own != i)
			return;
	}
}

TEST(snoops, .id = "p5.smp.snoops", .runs = TEST_ON_BOOT, .needs = need_two_p5,
     .claim = "each read and write of another processor is a snoop, and a hit if this processor "
              "has the line",
     .source = "SDM 3B, \"Events That Can Be Counted with Pentium Processor "
               "Performance-Monitoring Counters\", EXTERNAL SNOOPS, EXTERNAL DATA CACHE SNOOP "
               "HITS")
{
	const struct pmu_setup s[] = {
		pmu_event_setup(pmu_event_find("EXTERNAL_SNOOPS"), NULL, 0, PMU_BOTH),
		pmu_event_setup(pmu_event_find("EXTERNAL_DATA_CACHE_SNOOP_HITS"), NULL, 1,
		                PMU_BOTH),
	};
	unsigned cpu = smp_first_other();
	struct pmu_reading alone, together;

	after_them = 0;
	stay(1, 0);
	alone = pmu_measure_code(s, 2, stay, TURNS, 0);
	turn = reported = 0;
	secondaries_begin(t, cpu, answer, 0);
	together = pmu_measure_code(s, 2, take_turns, TURNS, 0);
	secondaries_join(t, cpu);
	expect_between(t, "EXTERNAL_DATA_CACHE_SNOOP_HITS, a line of its own", alone.count[1], 0,
	               TURNS - 1, "low: no count is negative; high: less than one a turn, "
	                          "as the line stays");
	expect_between(t, "EXTERNAL_DATA_CACHE_SNOOP_HITS, a line written in turns",
	               together.count[1],
	               TURNS, UINT64_MAX, "low: in each turn the other processor reads what is "
	               "modified here; high: no bound, as it may ask again while it waits");
	expect_between(t, "EXTERNAL_SNOOPS, a line written in turns", together.count[0],
	               together.count[1],
	               UINT64_MAX, "low: each hit is a snoop; high: no bound, as the "
	                           "others are misses");
}

TEST(m_sharing, .id = "p5.smp.m_sharing", .runs = TEST_ON_BOOT, .needs = need_two_p5_mmx,
     .claim = "a line that was written here and that another processor requests counts",
     .source = "SDM 3B, \"Events That Can Be Counted with Pentium Processor "
               "Performance-Monitoring Counters\", CACHE M-STATE LINE SHARING")
{
	const struct pmu_setup s = pmu_event_setup(pmu_event_find("CACHE_M_STATE_LINE_SHARING"),
	                                           NULL, 0, PMU_BOTH);
	unsigned cpu = smp_first_other();
	uint64_t alone, together;

	stay(1, 0);
	alone = pmu_measure_code(&s, 1, stay, TURNS, 0).count[0];
	turn = reported = 0;
	secondaries_begin(t, cpu, answer, 0);
	together = pmu_measure_code(&s, 1, take_turns, TURNS, 0).count[0];
	secondaries_join(t, cpu);
	expect_between(t, "a line of its own", alone, 0, TURNS - 1,
	               "low: no count is negative; high: less than one a turn, as no other "
	               "processor requests the line");
	expect_between(t, "a line written in turns", together, TURNS, UINT64_MAX,
	               "low: in each turn the other processor reads what was written here; high: "
	               "no bound, as the line of the turn may go to and fro as well");
}

/* ------------------------------------------------------------------------ INIT */

/* CC of both counters is 0: nothing counts. */
static unsigned kept(struct kept_register *r)
{
	unsigned count = 0;

	keep_register(r, &count, "CESR", CESR, FIELD_PUT(CESR_ES0, 0x16) | FIELD_PUT(CESR_ES1, 0x12)
	                                       | CESR_PC0);
	keep_register(r, &count, "CTR0", CTR0, 0x123456789a);
	keep_register(r, &count, "CTR1", CTR1, 0x23456789ab);
	return count;
}

TEST(init, .id = "p5.smp.init", .is_static = true, .runs = TEST_ON_BOOT, .needs = need_two_p5,
     .claim = "an INIT IPI leaves CESR and both counters as they were",
     .source = "SDM 3A, table \"IA-32 Processor States Following Power-up, Reset, or INIT\": "
               "performance counters and control: unchanged by INIT")
{
	judge_init(t, kept);
}
