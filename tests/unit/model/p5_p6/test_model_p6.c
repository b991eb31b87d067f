/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests P6: two counters of 40 bits, one enable, no status. Source: SDM 3B, "Performance Monitoring
 * (P6 Family Processor)"; SDM 2B, "RDPMC".
 */
#include <arch/regs/table.h>
#include <tests/unit/model/p5_p6/model_legacy.h>

static const uint32_t cpus[] = P6_CPUS;

#define FOR_EACH_P6(cpu) \
	for (const uint32_t *cpu = cpus; cpu < cpus + COUNT_OF(cpus); cpu++)

UNIT_TEST(registers_start_at_zero_and_keep_written_values)
{
	FOR_EACH_P6(cpu) {
		struct machine *machine = begin(*cpu);

		for (unsigned i = 0; i < 2; i++) {
			check_eq_u64("PerfEvtSel", get(machine, EVTSEL0 + i), 0);
			check_eq_u64("PerfCtr", get(machine, PMC0 + i), 0);
			put(machine, EVTSEL0 + i, 0xff3fffff);
			check_eq_u64("PerfEvtSel after a write of all ones",
			             get(machine, EVTSEL0 + i), 0xff3fffff);
			check_eq_u64("write of bit 32",
			             machine_write(machine, EVTSEL0 + i, ONE(32)), REFPMU_GP);
		}
	}
}

UNIT_TEST(there_are_only_two_counters)
{
	static const uint32_t others[] = { PMC0 + 2, EVTSEL0 + 2, EVTSEL0 - 1, A_PMC0, GLOBAL,
	                                   STATUS, FIXED0, FIXED_CTRL, CAPABILITIES,
	                                   MISC_ENABLE, CESR, CTR0 };
	uint64_t value;

	FOR_EACH_P6(cpu) {
		struct machine *machine = begin(*cpu);

		for (unsigned i = 0; i < COUNT_OF(others); i++) {
			check_eq_u64(of_cpu(*cpu, "RDMSR %XH", others[i]),
			             machine_read(machine, others[i], &value), REFPMU_NOT_MINE);
			check_eq_u64(of_cpu(*cpu, "WRMSR %XH", others[i]),
			             machine_write(machine, others[i], 0), REFPMU_NOT_MINE);
		}
	}
}

/* Leaf 0AH is empty, because an emulator's own processor may have it. */
UNIT_TEST(cpuid_stays_as_it_is_but_for_leaf_0ah)
{
	FOR_EACH_P6(cpu)
		for (uint32_t leaf = 0; leaf < 0x24; leaf++) {
			const uint32_t m = leaf == 0x0a ? 0 : 1;
			uint32_t regs[4] = { 2, 3, 5, 7 };

			refpmu_cpuid(&begin(*cpu)->model, leaf, 0, regs);
			check_true(of_cpu(*cpu, "leaf %X", leaf),
			           regs[0] == 2 * m && regs[1] == 3 * m && regs[2] == 5 * m
			           && regs[3] == 7 * m);
		}
}

UNIT_TEST(a_write_takes_31_bits_and_the_sign)
{
	static const struct { uint64_t written, reads; } rows[] = {
		{ 0, 0 }, { 0x7fffffff, 0x7fffffff }, { 0x80000000, 0xff80000000 },
		{ 0xffffffff, 0xffffffffff }, { 0x1200000001, 1 }, { 0xff00000000000000, 0 },
	};
	uint64_t value = 0;

	FOR_EACH_P6(cpu) {
		struct machine *machine = begin(*cpu);

		for (unsigned i = 0; i < COUNT_OF(rows); i++) {
			put(machine, PMC0 + i % 2, rows[i].written);
			check_eq_u64("RDMSR", get(machine, PMC0 + i % 2), rows[i].reads);
			check_eq_u64("RDPMC", machine_rdpmc(machine, i % 2, 0, false, &value),
			             REFPMU_OK);
			check_eq_u64("value of RDPMC", value, rows[i].reads);
		}
	}
}

UNIT_TEST(the_enable_of_the_first_counter_is_both_counters)
{
	FOR_EACH_P6(cpu) {
		struct machine *machine = begin(*cpu);

		put(machine, EVTSEL0, P6_INST_RETIRED | OS);
		put(machine, EVTSEL0 + 1, P6_INST_RETIRED | OS | EN);
		machine_nops(machine, 10);
		check_eq_u64("counts with EN in PerfEvtSel1",
		             get(machine, PMC0) + get(machine, PMC0 + 1), 0);
		put(machine, EVTSEL0 + 1, P6_INST_RETIRED | OS);
		put(machine, EVTSEL0, P6_INST_RETIRED | OS | EN);
		machine_nops(machine, 10);
		put(machine, EVTSEL0, P6_INST_RETIRED | OS);
		machine_nops(machine, 10);
		check_eq_u64("counts of counter 0", get(machine, PMC0), 10);
		check_eq_u64("counts of counter 1", get(machine, PMC0 + 1), 10);
	}
}

UNIT_TEST(usr_is_cpl_1_to_3)
{
	static const uint64_t rings[] = { 0, OS, USR, OS | USR };

	FOR_EACH_P6(cpu)
		for (unsigned i = 0; i < 16; i++) {
			struct machine *machine = begin(*cpu);
			unsigned cpl = i / 4;
			bool counts = rings[i % 4] & (cpl ? USR : OS);

			put(machine, EVTSEL0, P6_INST_RETIRED | EN | rings[i % 4]);
			machine->cpl = (uint8_t)cpl;
			machine_nops(machine, 7);
			check_eq_u64(of_cpu(*cpu, "CPL %u, rings %XH", cpl, (unsigned)rings[i % 4]),
			             get(machine, PMC0), counts ? 7 : 0);
		}
}

UNIT_TEST(cmask_inv_and_edge_compare_the_events_of_a_cycle)
{
	static const struct { uint64_t bits, want; } rows[] = {
		{ 0, 30 }, { INV, 30 }, { CMASK(1), 10 }, { CMASK(3), 10 }, { CMASK(4), 0 },
		{ CMASK(4) | INV, 10 }, { CMASK(1) | INV, 0 }, { CMASK(3) | EDGE, 1 }, { EDGE, 1 },
	};

	FOR_EACH_P6(cpu)
		for (unsigned i = 0; i < COUNT_OF(rows); i++) {
			struct machine *machine = begin(*cpu);

			/* The line must be in the cache, and earlier cycles must have ended. */
			put(machine, EVTSEL0 + 1, P6_CLOCKS);
			put(machine, EVTSEL0, EN | OS);
			machine_nops(machine, 1);
			put(machine, EVTSEL0, P6_INST_RETIRED | OS | EN | rows[i].bits);
			machine_nops(machine, 30);
			check_eq_u64(of_cpu(*cpu, "bits %llXH", (unsigned long long)rows[i].bits),
			             get(machine, PMC0), rows[i].want);
		}
}

UNIT_TEST(int_raises_a_pmi_at_the_wrap)
{
	FOR_EACH_P6(cpu)
		for (unsigned with_int = 0; with_int < 2; with_int++) {
			struct machine *machine = begin(*cpu);

			machine->lvtpc = LVTPC_NMI;
			put(machine, PMC0, 0xfffffff6);
			put(machine, EVTSEL0, P6_INST_RETIRED | OS | EN | (with_int ? INT : 0));
			machine_nops(machine, 9);
			check_eq_u64("PMIs before the wrap", machine->pmis, 0);
			machine_nops(machine, 1);
			check_eq_u64("PMIs delivered after the wrap", machine->delivered, with_int);
			check_eq_u64("the counter at the wrap", get(machine, PMC0), 0);
		}
}

/* Only the Pentium M sets the mask bit. */
UNIT_TEST(only_the_pentium_m_masks_lvtpc_at_a_pmi)
{
	FOR_EACH_P6(cpu) {
		struct machine *machine = begin(*cpu);
		bool is_pentium_m = *cpu == BANIAS || *cpu == DOTHAN;

		check_eq_u64(of_cpu(*cpu, "LVTPC"), refpmu_lvtpc(&machine->model, LVTPC_NMI).lvtpc,
		             is_pentium_m ? LVTPC_NMI | LVTPC_MASK : LVTPC_NMI);
		check_true("a masked PMI is not delivered", !refpmu_lvtpc(&machine->model,
		                                   LVTPC_NMI | LVTPC_MASK).is_delivered);
	}
}

UNIT_TEST(rdpmc_takes_0_and_1_if_it_is_allowed)
{
	static const uint32_t wrong[] = { 2, 0x40000000, 0x80000000, 0x10000, 0xffffffff };
	uint64_t value = 0;

	FOR_EACH_P6(cpu) {
		struct machine *machine = begin(*cpu);

		for (unsigned i = 0; i < COUNT_OF(wrong); i++)
			check_eq_u64("RDPMC with a wrong ECX",
			             machine_rdpmc(machine, wrong[i], 0, true, &value), REFPMU_GP);
		check_eq_u64("RDPMC at CPL 3",
		             machine_rdpmc(machine, 1, 3, false, &value), REFPMU_GP);
		check_eq_u64("RDPMC at CPL 3 with PCE",
		             machine_rdpmc(machine, 1, 3, true, &value), REFPMU_OK);
		check_eq_u64("RDPMC at CPL 0",
		             machine_rdpmc(machine, 0, 0, false, &value), REFPMU_OK);
	}
}

UNIT_TEST(init_keeps_all_registers_and_reset_clears_them)
{
	FOR_EACH_P6(cpu) {
		struct machine *machine = begin(*cpu);

		put(machine, PMC0, 5);
		put(machine, EVTSEL0, 0x30001);
		refpmu_reset(&machine->model, REFPMU_RESET_INIT);
		check_eq_u64("INIT: PerfCtr0", get(machine, PMC0), 5);
		check_eq_u64("INIT: PerfEvtSel0", get(machine, EVTSEL0), 0x30001);
		refpmu_reset(&machine->model, REFPMU_RESET_HARDWARE);
		check_eq_u64("RESET: PerfCtr0", get(machine, PMC0), 0);
		check_eq_u64("RESET: PerfEvtSel0", get(machine, EVTSEL0), 0);
	}
}

UNIT_TEST(no_clocks_are_counted_in_hlt)
{
	FOR_EACH_P6(cpu) {
		struct machine *machine = begin(*cpu);
		uint64_t before;

		p6_count(machine, 0, P6_CLOCKS);
		machine_nops(machine, 30);
		before = get(machine, PMC0);
		check_true("clocks are counted before HLT", before > 0);
		check_eq_u64("time to the next overflow", refpmu_halt(&machine->model), UINT64_MAX);
		check_eq_u64("time to the next overflow, later",
		             refpmu_halted(&machine->model, 1000), UINT64_MAX);
		check_eq_u64("clocks after HLT", get(machine, PMC0), before);
	}
}

UNIT_MAIN()
