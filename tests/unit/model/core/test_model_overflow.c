/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests counters that wrap: status, PMIs, LVTPC. Source: SDM 3B, "Architectural Performance
 * Monitoring Version 2"; SDM 3A, "Local Vector Table".
 */
#include <tests/unit/model/core/model_cpus.h>

/* Sets counter i so that it wraps after so many instructions. */
static void preset(struct machine *machine, unsigned i, unsigned insns)
{
	put(machine, PMC0 + i, (uint32_t)-insns);
}

static void preset_fixed(const struct cpu *cpu, struct machine *machine, unsigned insns)
{
	put(machine, FIXED0, ONES(cpu->width) - insns + 1);
}

static uint64_t status_of(const struct cpu *cpu, struct machine *machine)
{
	return cpu->version < 2 ? 0 : get(machine, STATUS);
}

UNIT_TEST(a_counter_wraps_to_zero_and_continues)
{
	FOR_EACH_CPU(cpu)
		for (unsigned i = 0; i < cpu->gp; i++) {
			struct machine *machine = start(cpu);

			count_with(cpu, machine, i, INSTRUCTIONS | OS);
			preset(machine, i, 3);
			machine_nops(machine, 2);
			check_eq_u64(named(cpu, "PMC%u before the wrap", i), get(machine, PMC0 + i),
			             ONES(cpu->width));
			check_eq_u64(named(cpu, "status"), status_of(cpu, machine), 0);
			machine_nops(machine, 1);
			check_eq_u64(named(cpu, "PMC%u at the wrap", i), get(machine, PMC0 + i), 0);
			check_eq_u64(named(cpu, "status"), status_of(cpu, machine),
			             cpu->version < 2 ? 0 : ONE(i));
			machine_nops(machine, 4);
			check_eq_u64(named(cpu, "PMC%u after the wrap", i),
			             get(machine, PMC0 + i), 4);
			check_eq_u64(named(cpu, "PMIs without INT"), machine->pmis, 0);
		}
}

UNIT_TEST(int_raises_a_pmi_at_the_wrap)
{
	FOR_EACH_CPU(cpu)
		for (unsigned i = 0; i < cpu->gp; i++) {
			struct machine *machine = start(cpu);

			count_with(cpu, machine, i, INSTRUCTIONS | OS | INT);
			preset(machine, i, 3);
			machine_nops(machine, 2);
			check_eq_u64(named(cpu, "PMIs before"), machine->pmis, 0);
			machine_nops(machine, 1);
			check_eq_u64(named(cpu, "PMIs of PMC%u", i), machine->pmis, 1);
			machine_nops(machine, 100);
			check_eq_u64(named(cpu, "PMIs after further counts"), machine->pmis, 1);
			check_true(named(cpu, "PMIs are raised only in calls that may do so"),
			           !machine->has_raised_wrongly);
		}
}

UNIT_TEST(fixed_counters_wrap_too)
{
	FOR_EACH_CPU_FROM(cpu, 2)
		for (unsigned is_pmi = 0; is_pmi < 2; is_pmi++) {
			struct machine *machine = start(cpu);

			put(machine, FIXED_CTRL, is_pmi ? 9 : 1);
			preset_fixed(cpu, machine, 2);
			put(machine, GLOBAL, ONE(32));
			machine_nops(machine, 5);
			check_eq_u64(named(cpu, "FIXED_CTR0"), get(machine, FIXED0), 3);
			check_eq_u64(named(cpu, "status"), get(machine, STATUS), ONE(32));
			check_eq_u64(named(cpu, "PMIs"), machine->pmis, is_pmi);
		}
}

UNIT_TEST(fixed_counters_of_cycles_wrap_too)
{
	FOR_EACH_CPU_FROM(cpu, 2)
		for (unsigned i = 1; cpu->fixed & ONE(i); i++) {
			struct machine *machine = start(cpu);

			put(machine, FIXED_CTRL, 9u << 4 * i);
			put(machine, FIXED0 + i, ONES(cpu->width) - 50);
			put(machine, GLOBAL, ONE(32 + i));
			machine_nops(machine, 5000);
			check_eq_u64(named(cpu, "status, FIXED_CTR%u", i), get(machine, STATUS),
			             ONE(32 + i));
			check_eq_u64(named(cpu, "PMIs"), machine->pmis, 1);
		}
}

UNIT_TEST(a_counter_with_cmask_wraps_too)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);

		count_with(cpu, machine, 0, INSTRUCTIONS | OS | INT | CMASK(1));
		preset(machine, 0, 5);
		machine_nops(machine, 2000);
		check_true(named(cpu, "the counter wrapped"), get(machine, PMC0) < 2000);
		check_eq_u64(named(cpu, "PMIs"), machine->pmis, 1);
		check_eq_u64(named(cpu, "status"), status_of(cpu, machine), cpu->version >= 2);
	}
}

UNIT_TEST(several_counters_wrap_at_once)
{
	FOR_EACH_CPU_FROM(cpu, 2) {
		struct machine *machine = start(cpu);

		put(machine, EVTSEL0, INSTRUCTIONS | OS | INT | EN);
		put(machine, EVTSEL0 + 1, INSTRUCTIONS | OS | INT | EN);
		put(machine, FIXED_CTRL, 9);
		enable_all(cpu, machine);
		preset(machine, 0, 4);
		preset(machine, 1, 4);
		preset_fixed(cpu, machine, 4);
		machine_nops(machine, 4);
		check_eq_u64(named(cpu, "status"), get(machine, STATUS), ONE(32) | 3);
		check_true(named(cpu, "PMIs"), machine->pmis >= 1);
	}
}

UNIT_TEST(one_of_two_counters_that_wrap_raises_a_pmi)
{
	FOR_EACH_CPU(cpu)
		for (unsigned i = 0; i < 2; i++) {
			struct machine *machine = start(cpu);

			count_with(cpu, machine, i, INSTRUCTIONS | OS | INT);
			count_with(cpu, machine, 1 - i, INSTRUCTIONS | OS);
			preset(machine, 0, 4);
			preset(machine, 1, 4);
			machine_nops(machine, 4);
			check_eq_u64(named(cpu, "PMIs, INT in PERFEVTSEL%u", i), machine->pmis, 1);
		}
}

UNIT_TEST(status_stays_until_cleared)
{
	FOR_EACH_CPU_FROM(cpu, 2) {
		struct machine *machine = start(cpu);

		count_with(cpu, machine, 0, INSTRUCTIONS | OS);
		preset(machine, 0, 1);
		machine_nops(machine, 10);
		check_eq_u64(named(cpu, "status"), get(machine, STATUS), 1);
		put(machine, EVTSEL0, 0);
		put(machine, PMC0, 0);
		check_eq_u64(named(cpu, "status after the counter was stopped"),
		             get(machine, STATUS), 1);
		put(machine, STATUS_RESET, 2);
		check_eq_u64(named(cpu, "status after another bit was cleared"),
		             get(machine, STATUS), 1);
		put(machine, STATUS_RESET, 1);
		check_eq_u64(named(cpu, "status after its bit was cleared"),
		             get(machine, STATUS), 0);
		put(machine, EVTSEL0, INSTRUCTIONS | OS | EN);
		preset(machine, 0, 1);
		machine_nops(machine, 1);
		check_eq_u64(named(cpu, "status after the next wrap"), get(machine, STATUS), 1);
	}
}

UNIT_TEST(full_width_presets_wrap_at_the_width)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);

		if (!cpu_has_full_width_writes(cpu))
			continue;
		count_with(cpu, machine, 0, INSTRUCTIONS | OS);
		put(machine, A_PMC0, 0xffffffff);
		machine_nops(machine, 1);
		check_eq_u64(named(cpu, "value at bit 32, without a wrap"),
		             get(machine, PMC0), ONE(32));
		check_eq_u64(named(cpu, "status"), get(machine, STATUS), 0);
		put(machine, A_PMC0, ONES(48));
		machine_nops(machine, 1);
		check_eq_u64(named(cpu, "value after the wrap"), get(machine, PMC0), 0);
		check_eq_u64(named(cpu, "status after the wrap"), get(machine, STATUS), 1);
	}
}

/* ------------------------------------------------------------------------------ LVTPC */

static void check_lvtpc(const struct cpu *cpu, uint32_t lvtpc, bool is_delivered, unsigned delivery)
{
	struct refpmu_lvtpc got = refpmu_lvtpc(&start(cpu)->model, lvtpc);

	check_eq_u64(named(cpu, "LVTPC %XH: delivered", lvtpc), got.is_delivered, is_delivered);
	check_eq_u64(named(cpu, "LVTPC %XH: new value", lvtpc), got.lvtpc, lvtpc | LVTPC_MASK);
	if (!is_delivered)
		return;
	check_eq_u64(named(cpu, "LVTPC %XH: delivery", lvtpc), got.delivery, delivery);
	if (delivery == 0)
		check_eq_u64(named(cpu, "LVTPC %XH: vector", lvtpc), got.vector, lvtpc & 0xff);
}

UNIT_TEST(lvtpc_delivers_and_masks_itself)
{
	FOR_EACH_CPU(cpu) {
		for (uint32_t vector = 16; vector < 256; vector += 15)
			check_lvtpc(cpu, vector, true, 0);
		check_lvtpc(cpu, 0x200 | 0x40, true, 2);
		check_lvtpc(cpu, LVTPC_NMI, true, 4);
		check_lvtpc(cpu, LVTPC_NMI | 0xfe, true, 4);
	}
}

UNIT_TEST(a_masked_lvtpc_loses_the_pmi)
{
	FOR_EACH_CPU(cpu) {
		check_lvtpc(cpu, LVTPC_RESET, false, 0);
		check_lvtpc(cpu, LVTPC_MASK | 0x50, false, 0);
		check_lvtpc(cpu, LVTPC_MASK | LVTPC_NMI, false, 0);
	}
}

UNIT_TEST(a_second_pmi_needs_lvtpc_unmasked)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);

		machine->lvtpc = LVTPC_NMI;
		count_with(cpu, machine, 0, INSTRUCTIONS | OS | INT);
		preset(machine, 0, 1);
		machine_nops(machine, 1);
		check_eq_u64(named(cpu, "PMIs delivered"), machine->delivered, 1);
		if (cpu->version >= 2)
			put(machine, STATUS_RESET, 1);
		preset(machine, 0, 1);
		machine_nops(machine, 1);
		check_eq_u64(named(cpu, "PMIs delivered while masked"), machine->delivered, 1);
		machine->lvtpc = LVTPC_NMI;
		machine_nops(machine, 10);
		check_eq_u64(named(cpu, "PMIs delivered, without the masked one"),
		             machine->delivered, 1);
		if (cpu->version >= 2)
			put(machine, STATUS_RESET, 1);
		preset(machine, 0, 1);
		machine_nops(machine, 1);
		check_eq_u64(named(cpu, "PMIs delivered after unmasking"), machine->delivered, 2);
	}
}

UNIT_MAIN()
