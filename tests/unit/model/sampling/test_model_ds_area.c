/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests IA32_DS_AREA as a register: the values that it takes and keeps. Source: SDM 4,
 * "Architectural MSRs". */
#include <tests/unit/model/core/model_cpus.h>

/* Returns CPUID.80000008H:EAX[15:8] of the dumps, or 32 without 64-bit mode. */
static unsigned linear_bits(const struct cpu *cpu)
{
	if (cpu->signature == 0x6ec || cpu->signature == 0x106c2)
		return 32;
	return cpu->signature == 0x806f8 ? 57 : 48;
}

/* An address that is not canonical raises #GP. Source: SDM 4, IA32_DS_AREA. */
UNIT_TEST(the_ds_area_holds_a_linear_address)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);
		unsigned bits = linear_bits(cpu);

		check_eq_u64(named(cpu, "after RESET"), get(machine, DS_AREA), 0);
		put(machine, DS_AREA, 0xfffffff8);
		put(machine, DS_AREA, ONES(bits - 1));
		check_eq_u64(named(cpu, "read back"), get(machine, DS_AREA), ONES(bits - 1));
		if (bits == 32) {
			check_refused(cpu, machine, DS_AREA, ONE(32));
			check_refused(cpu, machine, DS_AREA, ~ONES(31));
		} else {
			put(machine, DS_AREA, ~ONES(bits - 1));
			check_eq_u64(named(cpu, "read back"), get(machine, DS_AREA),
			             ~ONES(bits - 1));
			check_refused(cpu, machine, DS_AREA, ONE(bits - 1));
			check_refused(cpu, machine, DS_AREA, ~ONES(bits));
			check_refused(cpu, machine, DS_AREA, ONE(63));
			check_refused(cpu, machine, DS_AREA, ~ONE(63));
		}
		check_true(named(cpu, "value after a fault"), get(machine, DS_AREA) != 0);
		refpmu_reset(&machine->model, REFPMU_RESET_HARDWARE);
		check_eq_u64(named(cpu, "after RESET"), get(machine, DS_AREA), 0);
	}
}

UNIT_MAIN()
