/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests writing and reading counters: legacy and full-width writes, the second addresses of version
 * 6, RDPMC. Source: SDM 3B, "Architectural Performance Monitoring", "Full-Width Writes to
 * Performance Counter Registers"; SDM 2B, "RDPMC".
 */
#include <arch/regs/table.h>
#include <tests/unit/model/core/model_cpus.h>

/* Bit 31 is copied into all bits above, up to the width. */
UNIT_TEST(a_legacy_write_extends_the_sign_of_32_bits)
{
	static const struct { uint64_t written, low; bool is_negative; } rows[] = {
		{ 0,                            0,          false },
		{ 1,                            1,          false },
		{ 0x7fffffff,                   0x7fffffff, false },
		{ 0x80000000,                   0x80000000, true  },
		{ 0xffffffff,                   0xffffffff, true  },
		{ UINT64_C(0x100000000),        0,          false },
		{ UINT64_C(0xffffffff00000005), 5,          false },
		{ UINT64_C(0x00000000fffffff0), 0xfffffff0, true  },
		{ ~UINT64_C(0),                 0xffffffff, true  },
	};

	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);
		uint64_t above = ONES(cpu->width) & ~ONES(32);

		for (unsigned i = 0; i < cpu->gp; i++)
			for (unsigned r = 0; r < COUNT_OF(rows); r++) {
				put(machine, PMC0 + i, rows[r].written);
				check_eq_u64(named(cpu, "PMC%u, row %u", i, r),
				             get(machine, PMC0 + i),
				             rows[r].low | (rows[r].is_negative ? above : 0));
			}
	}
}

UNIT_TEST(every_counter_has_a_value_of_its_own)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);

		for (unsigned i = 0; i < cpu->gp; i++)
			put(machine, PMC0 + i, 1000 + i);
		for (unsigned i = 0; cpu->fixed & ONE(i); i++)
			put(machine, FIXED0 + i, 2000 + i);
		for (unsigned i = 0; i < cpu->gp; i++)
			check_eq_u64(named(cpu, "PMC%u", i), get(machine, PMC0 + i), 1000 + i);
		for (unsigned i = 0; cpu->fixed & ONE(i); i++)
			check_eq_u64(named(cpu, "FIXED_CTR%u", i), get(machine, FIXED0 + i),
			             2000 + i);
	}
}

UNIT_TEST(a_full_width_write_takes_all_bits_and_no_more)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);

		for (unsigned i = 0; i < cpu->gp; i++) {
			if (!cpu_has_full_width_writes(cpu)) {
				check_absent(cpu, machine, A_PMC0 + i);
				continue;
			}
			for (unsigned bit = 0; bit < 48; bit++) {
				put(machine, A_PMC0 + i, ONE(bit));
				check_eq_u64(named(cpu, "PMC%u bit %u", i, bit),
				             get(machine, PMC0 + i), ONE(bit));
				check_eq_u64(named(cpu, "A_PMC%u bit %u", i, bit),
				             get(machine, A_PMC0 + i), ONE(bit));
			}
			for (unsigned bit = 48; bit < 64; bit++)
				check_refused(cpu, machine, A_PMC0 + i, ONE(bit));
			check_eq_u64(named(cpu, "kept"), get(machine, PMC0 + i), ONE(47));
			put(machine, A_PMC0 + i, 0x80000000);
			check_eq_u64(named(cpu, "no sign"), get(machine, PMC0 + i), 0x80000000);
		}
		if (cpu->gp < 10)
			check_absent(cpu, machine, A_PMC0 + cpu->gp);
	}
}

UNIT_TEST(a_fixed_counter_takes_all_bits_and_no_more)
{
	FOR_EACH_CPU_FROM(cpu, 2) {
		struct machine *machine = start(cpu);

		for (unsigned i = 0; cpu->fixed & ONE(i); i++) {
			for (unsigned bit = 0; bit < cpu->width; bit++) {
				put(machine, FIXED0 + i, ONE(bit));
				check_eq_u64(named(cpu, "FIXED_CTR%u bit %u", i, bit),
				             get(machine, FIXED0 + i), ONE(bit));
			}
			for (unsigned bit = cpu->width; bit < 64; bit++)
				check_refused(cpu, machine, FIXED0 + i, ONE(bit));
			check_eq_u64(named(cpu, "kept"), get(machine, FIXED0 + i),
			             ONE(cpu->width - 1));
		}
	}
}

UNIT_TEST(writing_a_counter_sets_no_status)
{
	FOR_EACH_CPU_FROM(cpu, 2) {
		struct machine *machine = start(cpu);

		count_with(cpu, machine, 0, INSTRUCTIONS | OS | INT);
		put(machine, PMC0, 0xffffffff);
		put(machine, PMC0, 0);
		put(machine, FIXED_CTRL, 0xb);
		put(machine, FIXED0, ONES(cpu->width));
		put(machine, FIXED0, 0);
		check_eq_u64(named(cpu, "status"), get(machine, STATUS), 0);
		check_eq_u64(named(cpu, "PMIs"), machine->pmis, 0);
	}
}

/* ------------------------------------------------------------------------------ version 6 */

UNIT_TEST(version_6_has_second_addresses_for_the_same_registers)
{
	const struct cpu *cpu = cpu_of(0xc0662);
	struct machine *machine = start(cpu);

	for (unsigned i = 0; i < cpu->gp; i++) {
		put(machine, GP_CTR0 + 4 * i, ONE(47) + i);
		check_eq_u64(named(cpu, "GP_CTR%u", i), get(machine, PMC0 + i), ONE(47) + i);
		put(machine, PMC0 + i, 77 + i);
		check_eq_u64(named(cpu, "PMC%u", i), get(machine, GP_CTR0 + 4 * i), 77 + i);
		check_refused(cpu, machine, GP_CTR0 + 4 * i, ONE(48));
		put(machine, GP_CFG_A0 + 4 * i, 0xc0 + i);
		check_eq_u64(named(cpu, "GP_CFG_A%u", i), get(machine, EVTSEL0 + i), 0xc0 + i);
		put(machine, EVTSEL0 + i, 0x3c + i);
		check_eq_u64(named(cpu, "PERFEVTSEL%u", i), get(machine, GP_CFG_A0 + 4 * i),
		             0x3c + i);
		check_refused(cpu, machine, GP_CFG_A0 + 4 * i, ONE(63));
	}
	for (unsigned i = 0; cpu->fixed & ONE(i); i++) {
		put(machine, FX_CTR0 + 4 * i, ONE(47) + i);
		check_eq_u64(named(cpu, "FX_CTR%u", i), get(machine, FIXED0 + i), ONE(47) + i);
		check_refused(cpu, machine, FX_CTR0 + 4 * i, ONE(48));
	}
	check_absent(cpu, machine, GP_CTR0 + 4 * cpu->gp);
	check_absent(cpu, machine, FX_CTR0 + 4 * 4);
}

UNIT_TEST(older_versions_have_no_second_addresses)
{
	FOR_EACH_CPU(cpu) {
		uint64_t value;

		if (cpu->version >= 6)
			continue;
		check_true(named(cpu, "1900H"), machine_read(start(cpu), GP_CTR0, &value));
		check_true(named(cpu, "1901H"), machine_read(start(cpu), GP_CFG_A0, &value));
		check_true(named(cpu, "1980H"), machine_read(start(cpu), FX_CTR0, &value));
	}
}

/* ------------------------------------------------------------------------------ RDPMC */

enum { SOME = 0x55 };                   /* part of a counter's value, besides its number */

static void fill_counters(const struct cpu *cpu, struct machine *machine)
{
	for (unsigned i = 0; i < cpu->gp; i++)
		put(machine, PMC0 + i, 0x80000000 | SOME << 8 | i);
	for (unsigned i = 0; cpu->fixed & ONE(i); i++)
		put(machine, FIXED0 + i, ONE(cpu->width - 1) | SOME << 8 | i);
}

/* Sets *value to the value that RDPMC must return; returns false if RDPMC must fault. */
static bool wanted(const struct cpu *cpu, uint32_t ecx, uint64_t *value)
{
	uint32_t i = ecx & 0xffff;

	*value = 0;
	if (ecx < cpu->gp) {
		*value = (ONES(cpu->width) & ~ONES(31)) | SOME << 8 | i;
		return true;
	}
	if (ecx == 0x20000000)
		return cpu_has_metrics(cpu);
	if (ecx >> 16 != 0x4000 || i > 15 || !(cpu->fixed & ONE(i)))
		return false;
	*value = ONE(cpu->width - 1) | SOME << 8 | i;
	return true;
}

/* RDPMC works at CPL 0; at other levels it works if CR4.PCE is 1. */
UNIT_TEST(rdpmc_by_ring_by_pce_by_index)
{
	static const uint32_t types[] = { 0, 0x40000000, 0x20000000, 0x10000000, 0x08000000,
	                                  0x60000000, 0x00010000, 0x40010000, 0x20010000 };

	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);

		fill_counters(cpu, machine);
		for (unsigned c = 0; c < 9 * 33 * 8; c++) {
			uint32_t ecx = types[c / 8 / 33] | (c / 8 % 33);
			uint64_t want, got = 0;
			bool is_pce = c % 2, is_there = wanted(cpu, ecx, &want);
			unsigned cpl = c / 2 % 4;
			enum refpmu_status status;

			if (cpu->signature == 0x106c2 && ecx - 0x40000001 < 2)
				continue;       /* CPUID may report fewer fixed counters */
			status = refpmu_rdpmc(&machine->model, ecx, cpl, is_pce, &got);
			check_eq_u64(named(cpu, "RDPMC %XH at %u, PCE %d", ecx, cpl, is_pce),
			             status,
			             is_there && (cpl == 0 || is_pce) ? REFPMU_OK : REFPMU_GP);
			if (status == REFPMU_OK)
				check_eq_u64(named(cpu, "RDPMC %XH", ecx), got, want);
		}
	}
}

/* The manual reserves bit 31 here, and editions differ: #GP, or 32 bits of the counter. */
UNIT_TEST(rdpmc_with_bit_31_faults_or_is_short)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);
		uint64_t got = 0;

		fill_counters(cpu, machine);
		if (refpmu_rdpmc(&machine->model, 0x80000000, 0, false, &got) == REFPMU_OK)
			check_eq_u64(named(cpu, "short"), got, 0x80000000 | SOME << 8);
		else
			check_true(named(cpu, "RDPMC is refused"), true);
		check_eq_u64(named(cpu, "out of range"),
		             refpmu_rdpmc(&machine->model, 0x80000000 | cpu->gp, 0, false, &got),
		             REFPMU_GP);
	}
}

UNIT_TEST(rdpmc_sees_what_rdmsr_sees_while_counting)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);
		uint64_t got = 0;

		count_with(cpu, machine, 1, INSTRUCTIONS | OS);
		machine_nops(machine, 17);
		check_eq_u64(named(cpu, "status"),
		             refpmu_rdpmc(&machine->model, 1, 0, false, &got), REFPMU_OK);
		check_eq_u64(named(cpu, "RDPMC"), got, 17);
		check_eq_u64(named(cpu, "RDMSR"), get(machine, PMC0 + 1), 17);
	}
}

UNIT_MAIN()
