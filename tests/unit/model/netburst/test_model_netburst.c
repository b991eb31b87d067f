/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests NetBurst's registers, and what its counters count. Source: SDM 3B, "Performance Monitoring
 * (Processors Based on Intel NetBurst Microarchitecture)". */
#include <model/core/internal.h>

#include <arch/regs/table.h>
#include <tests/unit/model/netburst/model_netburst.h>

#define FOR_EACH(cpu) \
	static const uint32_t all[] = NETBURST_CPUS; \
	for (const uint32_t *cpu = all; cpu < all + COUNT_OF(all); cpu++)

/* ---------------------------------------------------------------------------- registers */

UNIT_TEST(registers_keep_the_bits_that_exist)
{
	FOR_EACH(cpu) {
		bool has_into = *cpu >= NORTHWOOD;

		for (unsigned threads = 1; threads <= 2; threads++) {
			uint32_t t1 = threads == 2 ? PMI_T1 : 0;

			fresh(*cpu, threads);
			put_msr(COUNTER + 3, ~UINT64_C(0));
			check_eq_u64("counter", get_msr(COUNTER + 3), ONES(40));
			put_msr(CCCR + 3, ~UINT64_C(0) ^ ENABLE);
			check_eq_u64("CCCR", get_msr(CCCR + 3), 0xc7ffe000 | t1);
			put_msr(CCCR + 12, ~UINT64_C(0) ^ ENABLE);
			check_eq_u64("CCCR 12", get_msr(CCCR + 12),
			             0xc7ffe000 | t1 | (has_into ? INTO : 0));
			put_msr(ESCR, ~UINT64_C(0));
			check_eq_u64("ESCR", get_msr(ESCR), threads == 2 ? 0x7fffffff : 0x7ffffffc);
			put_msr(PEBS_ENABLE, ~UINT64_C(0));
			check_eq_u64("PEBS_ENABLE", get_msr(PEBS_ENABLE),
			             threads == 2 ? 0x7019fff : 0x3019fff);
			put_msr(MATRIX_VERT, ~UINT64_C(0));
			check_eq_u64("PEBS_MATRIX_VERT", get_msr(MATRIX_VERT), 0x13);
			put_msr(TC_PRECISE, 0x1234);
			check_eq_u64("TC_PRECISE_EVENT", get_msr(TC_PRECISE), 0x1234);
		}
	}
}

UNIT_TEST(each_model_has_its_escrs)
{
	FOR_EACH(cpu) {
		unsigned count = 0;
		uint64_t value;

		fresh(*cpu, 1);
		for (uint32_t msr = ESCR; msr < TC_PRECISE; msr++) {
			struct refpmu_cpu *m = &s.cpu[0].model;
			enum refpmu_status status = refpmu_rdmsr(m, msr, &value);

			check_eq_u64("RDMSR and WRMSR", refpmu_wrmsr(m, msr, 0), status);
			count += status == REFPMU_OK;
		}
		check_eq_u64("ESCRs", count, *cpu < PRESCOTT_0 ? 45 : 43);
		check_eq_u64("IQ_ESCR0", refpmu_rdmsr(&s.cpu[0].model, IQ_ESCR0, &value),
		             *cpu < PRESCOTT_0 ? REFPMU_OK : REFPMU_GP);
	}
}

UNIT_TEST(threads_share_all_registers_except_the_ds_area)
{
	fresh(PRESCOTT, 2);
	several_put(&s, 0, COUNTER + 17, 5);
	several_put(&s, 1, MISC_ENABLE, 0);
	several_put(&s, 1, DS_AREA, 0x1000);
	check_eq_u64("counter", several_get(&s, 1, COUNTER + 17), 5);
	check_eq_u64("MISC_ENABLE", several_get(&s, 0, MISC_ENABLE), 0x80);
	check_eq_u64("DS_AREA", several_get(&s, 0, DS_AREA), 0);
}

UNIT_TEST(reset_clears_registers_and_init_does_not)
{
	fresh(WILLAMETTE, 1);
	count_instr(12, ENABLE | OVF, 7);
	refpmu_reset(&s.cpu[0].model, REFPMU_RESET_INIT);
	check_eq_u64("CCCR after INIT", get_msr(CCCR + 12), OF_CRU | ENABLE | OVF);
	check_true("the processor is still active", s.cpu[0].model.is_active);
	refpmu_reset(&s.cpu[0].model, REFPMU_RESET_HARDWARE);
	check_eq_u64("CCCR after RESET", get_msr(CCCR + 12), 0);
	check_eq_u64("ESCR after RESET", get_msr(CRU_ESCR0), 0);
	check_true("the processor is not active", !s.cpu[0].model.is_active);
}

UNIT_TEST(rdpmc)
{
	struct refpmu_cpu *m = &s.cpu[0].model;
	uint64_t value = 0;

	fresh(WILLAMETTE, 1);
	put_msr(COUNTER + 17, UINT64_C(0xab12345678));
	check_eq_u64("RDPMC 17", refpmu_rdpmc(m, 17, 0, false, &value), REFPMU_OK);
	check_eq_u64("value of RDPMC 17", value, UINT64_C(0xab12345678));
	check_eq_u64("fast read of counter 17",
	             refpmu_rdpmc(m, 0x80000011, 3, true, &value), REFPMU_OK);
	check_eq_u64("value of the fast read", value, 0x12345678);
	check_eq_u64("RDPMC 18", refpmu_rdpmc(m, 18, 0, true, &value), REFPMU_GP);
	check_eq_u64("RDPMC 40000000H", refpmu_rdpmc(m, 0x40000000, 0, true, &value), REFPMU_GP);
	check_eq_u64("RDPMC at CPL 3 without PCE", refpmu_rdpmc(m, 0, 3, false, &value), REFPMU_GP);
}

/* ---------------------------------------------------------------------------- routing */

/* By the manual's table each of two ESCRs reaches these counters, with this select value; 0: it
 * does not reach the counter. */
UNIT_TEST(escrs_reach_their_counters_and_no_others)
{
	static const uint32_t reach[2] = { 1u << 12 | 1u << 13 | 1u << 16,
	                                   1u << 14 | 1u << 15 | 1u << 17 };

	for (unsigned parity = 0; parity < 2; parity++)
		for (unsigned i = 0; i < 18; i++)
			for (unsigned select = 0; select < 8; select++) {
				bool is_reached = (reach[parity] >> i & 1) && select == 4;

				fresh(WILLAMETTE, 1);
				put_msr(CRU_ESCR0 + parity, INSTR_RETIRED | T0);
				put_msr(CCCR + i, ACTIVE(3) | ENABLE | SELECT(select));
				run(0, 0, 10);
				check_eq_u64("count", counted(i), is_reached ? 10 : 0);
			}
}

/* ---------------------------------------------------------------------------- threads and rings */

static uint64_t count_of(uint32_t bits, unsigned thread, unsigned cpl)
{
	put_msr(CCCR + 12, 0);
	put_msr(CRU_ESCR0, INSTR_RETIRED | bits);
	put_msr(COUNTER + 12, 0);
	put_msr(CCCR + 12, OF_CRU | ENABLE);
	run(thread, cpl, 5);
	return counted(12);
}

UNIT_TEST(rings_and_threads)
{
	static const uint32_t bit_of[2][2] = { { T0_OS, T0_USR }, { T1_OS, T1_USR } };

	fresh(PRESCOTT, 2);
	for (uint32_t bits = 0; bits < 16; bits++)
		for (unsigned thread = 0; thread < 2; thread++)
			for (unsigned cpl = 0; cpl < 4; cpl++)
				check_eq_u64("count", count_of(bits, thread, cpl),
				             bits & bit_of[thread][cpl > 0] ? 5 : 0);
}

static uint64_t count_active(unsigned field, bool is_halted)
{
	put_msr(CCCR + 12, 0);
	put_msr(COUNTER + 12, 0);
	put_msr(CCCR + 12, SELECT(4) | ENABLE | ACTIVE(field));
	run(1, 0, 1);
	if (is_halted)
		refpmu_halt(&s.cpu[1].model);
	run(0, 0, 5);
	return counted(12);
}

UNIT_TEST(active_threads)
{
	static const unsigned both[] = { 0, 0, 5, 5 }, one[] = { 0, 5, 0, 5 };

	fresh(PRESCOTT, 2);
	put_msr(CRU_ESCR0, INSTR_RETIRED | T0);
	for (unsigned field = 0; field < 4; field++) {
		check_eq_u64("both threads active", count_active(field, false), both[field]);
		check_eq_u64("one thread active", count_active(field, true), one[field]);
	}
	refpmu_interrupt(&s.cpu[1].model, 32);
	check_eq_u64("both threads active again", count_active(2, false), 5);
	fresh(WILLAMETTE, 1);
	put_msr(CRU_ESCR0, INSTR_RETIRED | T0);
	put_msr(CCCR + 12, SELECT(4) | ENABLE);
	run(0, 0, 5);
	check_eq_u64("a processor without threads", counted(12), 5);
}

/* While nothing counts, an emulator does not report that a thread wakes. */
UNIT_TEST(a_thread_halted_when_counting_stopped_is_active_later)
{
	fresh(PRESCOTT, 2);
	put_msr(CRU_ESCR0, INSTR_RETIRED | T0);
	check_eq_u64("one thread active", count_active(1, true), 5);
	put_msr(CCCR + 12, 0);
	put_msr(COUNTER + 12, 0);
	put_msr(CCCR + 12, SELECT(4) | ENABLE | ACTIVE(2));
	run(0, 0, 5);
	check_eq_u64("both threads active", counted(12), 5);
}

/* ---------------------------------------------------------------------------- the filter */

/* Makes counter 13 run, so that the caches keep the code. */
static void warm_up(void)
{
	put_msr(CCCR + 12, 0);
	count_instr(13, ENABLE, 0);
	run(0, 0, 30);
}

/* Returns what counter 12 counts when it compares retired instructions, three in each of ten
 * cycles. */
static uint64_t compared(uint32_t bits)
{
	warm_up();
	count_instr(12, ENABLE | bits, 0);
	run(0, 0, 30);
	return counted(12);
}

UNIT_TEST(thresholds)
{
	fresh(WILLAMETTE, 1);
	for (unsigned t = 0; t < 16; t++) {
		check_eq_u64("cycles above the threshold", compared(THRESHOLD(t)), t < 3 ? 10 : 0);
		check_eq_u64("cycles not above the threshold",
		             compared(THRESHOLD(t) | COMPLEMENT), t < 3 ? 0 : 10);
		check_eq_u64("counts without COMPARE",
		             compared((THRESHOLD(t) & ~COMPARE) | COMPLEMENT), 30);
	}
}

UNIT_TEST(edges)
{
	fresh(WILLAMETTE, 1);
	check_eq_u64("rising edges of a level", compared(THRESHOLD(1) | EDGES), 1);
	check_eq_u64("counts with EDGE, without COMPARE", compared(EDGES), 30);
	check_eq_u64("counts with a threshold, without COMPARE",
	             compared(THRESHOLD(1) & ~COMPARE), 30);
	warm_up();
	count_instr(12, ENABLE | THRESHOLD(1) | EDGES, 0);
	run(0, 0, 3);
	model_stall(&s.cpu[0].model, 10, SIGNAL_BACKEND);
	run(0, 0, 3);
	check_eq_u64("only rising edges", counted(12), 2);
}

UNIT_TEST(every_cycle_of_the_core_can_be_counted)
{
	fresh(PRESCOTT, 2);
	warm_up();
	run(1, 3, 15);
	put_msr(CRU_ESCR0, UINT32_C(0x3f) << 25);
	put_msr(CCCR + 12, OF_CRU | ENABLE | THRESHOLD(15) | COMPLEMENT);
	run(0, 0, 30);
	run(1, 3, 15);
	check_eq_u64("cycles in which either thread runs", counted(12), 15);
	put_msr(CRU_ESCR0, 0);
	run(0, 0, 30);
	check_eq_u64("cycles without an event select", counted(12), 15);
}

UNIT_MAIN()
