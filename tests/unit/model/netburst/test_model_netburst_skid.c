/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* PMIs of replay_event come late: netburst_wrap.c. */
#include <tests/unit/model/netburst/model_netburst_events.h>

enum { L1_MISSES_OF_LOADS = 1 << 24 | 1, LOADS = 1, SAMPLES = 200, FAR = 100 };
static const struct escr CRU2 = { 0x3cc, 12, 5 };

static uint64_t address;

/* Retires a load that misses. */
static void miss(void)
{
	touch(REFPMU_READ, address += 0x40, 4);
}

/* Presets the counter: the next miss overflows, and the one after it raises the PMI. */
static void arm(void)
{
	put_msr(COUNTER + 12, BEFORE(1));
	put_msr(CCCR + 12, ACTIVE(3) | SELECT(5) | ENABLE | PMI_T0);
	s.cpu[0].pmis = 0;
}

static void start_missing(unsigned threads)
{
	fresh(WILLAMETTE, threads);
	address = 0x100000;
	put_msr(MATRIX_VERT, LOADS);
	put_msr(PEBS_ENABLE, L1_MISSES_OF_LOADS);
	put_msr(CRU2.msr, EVENT(0x09, 1));
	arm();
}

/* Returns how many instructions after the load the PMI comes, or FAR if none comes. */
static unsigned distance(void)
{
	unsigned instructions = 1;

	miss();
	miss();
	for (; !s.cpu[0].pmis && instructions < FAR; instructions++)
		run(0, 0, 1);
	return instructions;
}

UNIT_TEST(the_distances_have_the_published_shares)
{
	unsigned bins[FAR + 1], others_most;

	start_missing(1);
	for (unsigned round = 0; round < 3; round++) {
		memset(bins, 0, sizeof(bins));
		others_most = 0;
		for (unsigned i = 0; i < SAMPLES; i++) {
			bins[distance()]++;
			arm();
		}
		for (unsigned i = 0; i < 65; i++)
			check_eq_u64("distances below 65", bins[i], 0);
		for (unsigned i = 73; i <= FAR; i++)
			check_eq_u64("distances above 72", bins[i], 0);
		for (unsigned i = 65; i <= 72; i++)
			if (i != 69 && bins[i] > others_most)
				others_most = bins[i];
		check_eq_u64("distances of 69", bins[69], 93);
		check_true("69 is the most frequent by far", others_most < 93 / 2);
	}
}

UNIT_TEST(a_late_pmi_is_not_lost)
{
	start_missing(1);
	miss();
	miss();
	check_eq_u64("PMIs at once", s.cpu[0].pmis, 0);
	put_msr(CCCR + 12, 0);
	check_eq_u64("PMIs after the counter was stopped", s.cpu[0].pmis, 1);
	arm();
	miss();
	miss();
	refpmu_halt(&s.cpu[0].model);
	check_eq_u64("PMIs after the processor halted", s.cpu[0].pmis, 1);
	refpmu_interrupt(&s.cpu[0].model, 0x40);
	arm();
	miss();
	miss();
	refpmu_interrupt(&s.cpu[0].model, 0x40);
	run(0, 0, 30);
	refpmu_exception(&s.cpu[0].model, 14);
	check_eq_u64("PMIs before the second handler", s.cpu[0].pmis, 0);
	run(0, 3, 50);
	check_true("a PMI comes in the second handler", s.cpu[0].pmis);
}

UNIT_TEST(a_late_pmi_comes_if_the_other_thread_stops_the_counter)
{
	start_missing(2);
	miss();
	miss();
	several_put(&s, 1, CCCR + 12, 0);
	check_eq_u64("PMIs after the counter was stopped", s.cpu[0].pmis, 1);
	arm();
	miss();
	miss();
	several_put(&s, 1, CRU2.msr, 0);
	check_eq_u64("PMIs after its event was changed", s.cpu[0].pmis, 1);
}

UNIT_TEST(reset_drops_a_late_pmi)
{
	start_missing(1);
	miss();
	miss();
	refpmu_reset(&s.cpu[0].model, REFPMU_RESET_HARDWARE);
	put_msr(CRU_ESCR0, INSTR_RETIRED | T0);
	put_msr(CCCR + 12, OF_CRU | ENABLE | PMI_T0);
	run(0, 0, FAR);
	check_eq_u64("PMIs after RESET", s.cpu[0].pmis, 0);
}

UNIT_TEST(pmis_of_other_events_are_not_late)
{
	fresh(WILLAMETTE, 1);
	count_instr(12, ENABLE | PMI_T0, BEFORE(5));
	run(0, 0, 5);
	check_eq_u64("PMIs at the overflow", s.cpu[0].pmis, 0);
	run(0, 0, 1);
	check_eq_u64("PMIs after the next count", s.cpu[0].pmis, 1);
}

UNIT_MAIN()
