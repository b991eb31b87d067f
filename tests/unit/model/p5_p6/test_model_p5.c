/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests P5: CESR, two counters of 40 bits, no interrupt. Source: SDM 3B, "Performance Monitoring
 * (Pentium Processors)"; SDM 2B, "RDPMC".
 */
#include <arch/regs/table.h>
#include <tests/unit/model/p5_p6/model_legacy.h>

static const uint32_t cpus[] = P5_CPUS;

#define FOR_EACH_P5(cpu) \
	for (const uint32_t *cpu = cpus; cpu < cpus + COUNT_OF(cpus); cpu++)

enum { INSNS = 0x16, READS = 0x00, IO_CYCLES = 0x1d, BUS_BUSY = 0x18 };

/* Bochs' Pentium reports 543H without MMX. */
UNIT_TEST(the_mmx_bit_distinguishes_the_two_pentiums)
{
	static const struct { uint32_t eax, edx; bool has_rdpmc; } rows[] = {
		{ 0x543, 0x8001bf, false }, { 0x543, 0x1bf, false }, { 0x52c, 0x1bf, false },
	};
	static struct machine machine;

	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		struct refpmu_identity identity = { rows[i].eax, rows[i].edx, REFPMU_INTEL, 0 };
	
		memset(&machine, 0, sizeof(machine));
		refpmu_machine_create(&machine.all);
		refpmu_package_create(&machine.package, &machine.all, identity);
		check_true("created",
		           refpmu_core_create(&machine.core, &machine.package, identity, 1));
		check_eq_u64("RDPMC", machine.core.rules.registers.has_rdpmc, i == 0);
	}
}

UNIT_TEST(cesr_keeps_its_fields_and_drops_other_bits)
{
	FOR_EACH_P5(cpu) {
		struct machine *machine = begin(*cpu);

		check_eq_u64("CESR after power-up", get(machine, CESR), 0);
		put(machine, CESR, UINT64_MAX);
		check_eq_u64("CESR after a write of all ones", get(machine, CESR), 0x03ff03ff);
		put(machine, CESR, 0);
		check_eq_u64("CESR after a write of zeros", get(machine, CESR), 0);
	}
}

UNIT_TEST(counters_have_40_writable_bits)
{
	FOR_EACH_P5(cpu) {
		struct machine *machine = begin(*cpu);

		for (unsigned i = 0; i < 2; i++) {
			put(machine, CTR0 + i, UINT64_MAX);
			check_eq_u64("counter after a write of all ones",
			             get(machine, CTR0 + i), 0xffffffffff);
			put(machine, CTR0 + i, 0x1280000000);
			check_eq_u64("counter after a write with bit 31: no sign extension",
			             get(machine, CTR0 + i), 0x1280000000);
		}
	}
}

UNIT_TEST(there_are_only_two_counters)
{
	static const uint32_t others[] = { 0x10, 0x14, PMC0, EVTSEL0, GLOBAL, DEBUGCTL };
	uint64_t value;

	FOR_EACH_P5(cpu)
		for (unsigned i = 0; i < COUNT_OF(others); i++)
			check_eq_u64(of_cpu(*cpu, "MSR %XH", others[i]),
			             machine_read(begin(*cpu), others[i], &value), REFPMU_NOT_MINE);
}

UNIT_TEST(cc_chooses_the_levels_that_count)
{
	FOR_EACH_P5(cpu)
		for (unsigned i = 0; i < 32; i++) {
			struct machine *machine = begin(*cpu);
			unsigned cc = i / 4 % 4, cpl = i % 4, n = i / 16;
			bool counts = cc & (cpl == 3 ? CC_USR : CC_OS);

			put(machine, CESR, CC(n, INSNS, cc));
			machine->cpl = (uint8_t)cpl;
			machine_nops(machine, 9);
			check_eq_u64(of_cpu(*cpu, "CTR%u, CC %u, CPL %u", n, cc, cpl),
			             get(machine, CTR0 + n), counts ? 9 : 0);
			check_eq_u64("count of the other counter", get(machine, CTR0 + !n), 0);
		}
}

/*
 * An event without a duration counts the clocks in which it happens. Two instructions make a pair.
 */
UNIT_TEST(cc_2_counts_clocks)
{
	static const uint64_t pairs = REFPMU_TRAIT_PAIRABLE_U | REFPMU_TRAIT_PAIRABLE_V;

	FOR_EACH_P5(cpu) {
		struct machine *machine = begin(*cpu);

		p5_count(machine, 0, INSNS, CC_ALL);
		for (unsigned i = 0; i < 10; i++)
			do_kind(machine, pairs);
		check_eq_u64("instructions counted", get(machine, CTR0), 10);
		p5_count(machine, 0, INSNS, CC_ALL | CC_CLOCKS);
		stay(machine);
		for (unsigned i = 0; i < 11; i++)
			do_kind(machine, pairs);
		stay(machine);
		do_kind(machine, 0);
		check_true("clocks counted", get(machine, CTR0) >= 6 && get(machine, CTR0) < 10);
		p5_count(machine, 0, INSNS, CC_CLOCKS);
		machine_nops(machine, 10);
		check_eq_u64("clocks counted with CC = 4", get(machine, CTR0), 0);
	}
}

/* An event with a duration counts how often it begins, or its clocks. */
UNIT_TEST(without_cc_2_the_beginnings_of_durations_count)
{
	FOR_EACH_P5(cpu) {
		struct machine *machine = begin(*cpu);
		uint64_t begun, clocks;

		p5_count(machine, 0, BUS_BUSY, CC_ALL);
		do_kind(machine, 0);
		begun = get(machine, CTR0);
		do_io(machine, false, 5);
		put(machine, CESR, 0);
		begun = get(machine, CTR0) - begun;
		check_eq_u64("beginnings counted", begun, 5);
		p5_count(machine, 1, BUS_BUSY, CC_ALL | CC_CLOCKS);
		do_kind(machine, 0);
		clocks = get(machine, CTR0 + 1);
		do_io(machine, false, 5);
		put(machine, CESR, 0);
		clocks = get(machine, CTR0 + 1) - clocks;
		check_eq_u64("clocks counted", clocks, 5 * (*cpu == PENTIUM ? 2 : 3));
	}
}

UNIT_TEST(exceptions_and_interrupts_are_instructions)
{
	FOR_EACH_P5(cpu) {
		struct machine *machine = begin(*cpu);

		p5_count(machine, 0, INSNS, CC_ALL);
		machine_nops(machine, 3);
		refpmu_exception(&machine->model, 6);
		refpmu_interrupt(&machine->model, 0x40);
		check_eq_u64("CTR0", get(machine, CTR0), 5);
	}
}

UNIT_TEST(no_overflow_interrupts)
{
	FOR_EACH_P5(cpu) {
		struct machine *machine = begin(*cpu);

		machine->lvtpc = LVTPC_NMI;
		put(machine, CTR0, UINT64_MAX);
		put(machine, CESR, CC(0, INSNS, CC_ALL));
		machine_nops(machine, 5);
		check_eq_u64("PMIs", machine->pmis, 0);
		check_eq_u64("the counter has wrapped", get(machine, CTR0), 4);
	}
}

UNIT_TEST(rdpmc_exists_since_mmx)
{
	struct machine *machine = begin(PENTIUM);
	uint64_t value = 0;

	check_eq_u64("RDPMC of the P54C", machine_rdpmc(machine, 0, 0, true, &value), REFPMU_UD);
	check_eq_u64("RDPMC of the P54C at CPL 3",
	             machine_rdpmc(machine, 9, 3, false, &value), REFPMU_UD);
	machine = begin(PENTIUM_MMX);
	put(machine, CTR0 + 1, 0xabcdef0123);
	check_eq_u64("RDPMC of the P55C", machine_rdpmc(machine, 1, 0, false, &value), REFPMU_OK);
	check_eq_u64("value of RDPMC", value, 0xabcdef0123);
	check_eq_u64("RDPMC with ECX = 2", machine_rdpmc(machine, 2, 0, false, &value), REFPMU_GP);
	check_eq_u64("RDPMC at CPL 3", machine_rdpmc(machine, 1, 3, false, &value), REFPMU_GP);
	check_eq_u64("RDPMC at CPL 3 with PCE",
	             machine_rdpmc(machine, 1, 3, true, &value), REFPMU_OK);
}

UNIT_TEST(init_keeps_all_registers_and_reset_clears_them)
{
	FOR_EACH_P5(cpu) {
		struct machine *machine = begin(*cpu);

		put(machine, CTR0, 5);
		put(machine, CESR, CC(1, INSNS, 0));
		refpmu_reset(&machine->model, REFPMU_RESET_INIT);
		check_eq_u64("INIT: CTR0", get(machine, CTR0), 5);
		check_eq_u64("INIT: CESR", get(machine, CESR), CC(1, INSNS, 0));
		refpmu_reset(&machine->model, REFPMU_RESET_HARDWARE);
		check_eq_u64("RESET: CTR0", get(machine, CTR0), 0);
		check_eq_u64("RESET: CESR", get(machine, CESR), 0);
	}
}

UNIT_MAIN()
