/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests that facts are looked up in the rules: each test changes a fact that all these processors
 * share. */
#include <tests/unit/model/core/model_cpus.h>

static const struct cpu *haswell(void)
{
	return cpu_of(0x306c3);
}

/* Each test changes one fact of a Haswell. */
#define MACHINE_WITH(machine, cpu, field, to) \
	struct machine *machine = start(cpu); \
	WITH_RULE(machine, field, to)

static uint64_t rdpmc(struct machine *machine, uint32_t ecx)
{
	uint64_t value = 0;

	check_eq_u64("RDPMC", refpmu_rdpmc(&machine->model, ecx, 0, true, &value), REFPMU_OK);
	return value;
}

/* ------------------------------------------------------------------------------ writing */

UNIT_TEST(without_global_control_its_registers_may_be_missing)
{
	MACHINE_WITH(machine, haswell(), registers.has_global_control, false);
	check_absent(haswell(), machine, GLOBAL);
}

/* ------------------------------------------------------------------------------ reading */

UNIT_TEST(rdpmc_may_have_a_fast_read)
{
	uint64_t value;

	MACHINE_WITH(machine, haswell(), registers.rdpmc_has_fast_read, true);
	put(machine, PMC0 + 1, 0xfffffffe);
	check_eq_u64("the fast read has 32 bits", rdpmc(machine, 0x80000001), 0xfffffffe);
	check_eq_u64("the full read has all bits", rdpmc(machine, 1), ONES(48) - 1);
	WITH_RULE(machine, registers.rdpmc_has_fast_read, false);
	check_eq_u64("without the rule the fast read faults",
	             refpmu_rdpmc(&machine->model, 0x80000001, 0, true, &value), REFPMU_GP);
}

UNIT_TEST(misc_enable_has_bits_that_cannot_be_changed)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);
		uint64_t before = get(machine, MISC_ENABLE);
		uint64_t read_only = machine->core.rules.registers.misc_enable_read_only;

		if (machine_write(machine, MISC_ENABLE, before ^ 0x1880) == REFPMU_OK)
			check_eq_u64(named(cpu, "read-only bits"),
			             (get(machine, MISC_ENABLE) ^ before) & read_only, 0);
		check_eq_u64(named(cpu, "bits 7, 11 and 12 are read-only"),
		             read_only & 0x1880, 0x1880);
		put(machine, MISC_ENABLE, before ^ ~read_only);
		check_eq_u64(named(cpu, "the other bits can be written"), get(machine, MISC_ENABLE),
		             before ^ ~read_only);
	}
}

/* ------------------------------------------------------------------------------ PMI */

UNIT_TEST(lvtpc_may_stay_unmasked)
{
	struct refpmu_lvtpc answer;

	MACHINE_WITH(machine, haswell(), overflow.pmi_masks_lvtpc, false);
	answer = refpmu_lvtpc(&machine->model, LVTPC_NMI);
	check_true("the PMI is delivered", answer.is_delivered);
	check_eq_u64("LVTPC", answer.lvtpc, LVTPC_NMI);
}

/* Delivery modes 1, 3, 5, 6 and 7 are reserved or not supported for LVTPC. */
UNIT_TEST(reserved_delivery_modes_deliver_nothing)
{
	static const uint32_t modes[] = { 1, 3, 5, 6, 7 };
	struct machine *machine = start(haswell());

	for (unsigned i = 0; i < 5; i++) {
		uint32_t lvtpc = modes[i] << 8 | 0x50;
		struct refpmu_lvtpc answer = refpmu_lvtpc(&machine->model, lvtpc);

		check_true("the PMI is not delivered", !answer.is_delivered);
		check_eq_u64("LVTPC stays", answer.lvtpc, lvtpc);
	}
}

UNIT_MAIN()
