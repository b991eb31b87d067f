/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests the PMU's control registers on every processor: which registers and bits exist, and their
 * values after power-up, RESET and INIT. Source: SDM 3B, "Architectural Performance Monitoring";
 * SDM 3A, table "IA-32 and Intel 64 Processor States Following Power-up, Reset, or INIT".
 */
#include <arch/regs/table.h>
#include <tests/unit/model/sampling/model_pebs.h>

/* Writes each bit alone, after a value that must stay if the write is refused. */
static void check_bits(const struct cpu *cpu, struct machine *machine, uint32_t msr,
                       struct cpu_bits bits)
{
	for (unsigned bit = 0; bit < 64; bit++) {
		if (bits.is_open & ONE(bit))
			continue;
		put(machine, msr, 0);
		if (!(bits.has & ONE(bit)))
			check_refused(cpu, machine, msr, ONE(bit));
		else
			put(machine, msr, ONE(bit));
		check_eq_u64(named(cpu, "MSR %XH after writing bit %u", msr, bit),
		             get(machine, msr), bits.has & ONE(bit));
	}
	put(machine, msr, 0);
}

UNIT_TEST(an_event_select_takes_the_bits_that_its_version_has)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);

		enable_all(cpu, machine);
		for (unsigned i = 0; i < cpu->gp; i++)
			check_bits(cpu, machine, EVTSEL0 + i, cpu_evtsel_bits(cpu));
	}
}

UNIT_TEST(an_event_select_keeps_all_bits_at_once)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);
		struct cpu_bits bits = cpu_evtsel_bits(cpu);
		uint64_t all = bits.has & ~bits.is_open;

		for (unsigned i = 0; i < cpu->gp; i++) {
			put(machine, EVTSEL0 + i, all - i);
			check_eq_u64(named(cpu, "all of PERFEVTSEL%u", i),
			             get(machine, EVTSEL0 + i), all - i);
		}
		check_eq_u64(named(cpu, "PERFEVTSEL0 at the end"), get(machine, EVTSEL0), all);
	}
}

UNIT_TEST(in_txcp_exists_in_counter_2_only)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);

		for (unsigned i = 0; i < cpu->gp; i++)
			if (i != 2)
				check_refused(cpu, machine, EVTSEL0 + i, ONE(33));
	}
}

UNIT_TEST(fixed_counter_control_has_a_nibble_for_each_counter)
{
	FOR_EACH_CPU_FROM(cpu, 2)
		check_bits(cpu, start(cpu), FIXED_CTRL, cpu_fixed_ctrl_bits(cpu));
}

UNIT_TEST(global_control_has_a_bit_for_each_counter)
{
	FOR_EACH_CPU_FROM(cpu, 2)
		check_bits(cpu, start(cpu), GLOBAL, cpu_global_bits(cpu));
}

UNIT_TEST(global_control_and_status_come_with_version_2)
{
	const struct cpu *yonah = cpu_of(0x6ec);

	for (uint32_t msr = FIXED0; msr < FIXED0 + 3; msr++)
		check_absent(yonah, start(yonah), msr);
	for (uint32_t msr = FIXED_CTRL; msr <= INUSE; msr++)
		check_absent(yonah, start(yonah), msr);
}

UNIT_TEST(status_cannot_be_written)
{
	FOR_EACH_CPU_FROM(cpu, 2) {
		struct machine *machine = start(cpu);

		check_eq_u64(named(cpu, "status"), get(machine, STATUS), 0);
		check_refused(cpu, machine, STATUS, 0);
		check_refused(cpu, machine, STATUS, 1);
	}
}

UNIT_TEST(clearing_a_status_bit_that_does_not_exist_faults)
{
	FOR_EACH_CPU_FROM(cpu, 2) {
		struct machine *machine = start(cpu);
		struct cpu_bits bits = cpu_status_bits(cpu);

		for (unsigned bit = 0; bit < 64; bit++) {
			if (bits.is_open & ONE(bit))
				continue;
			if (bits.has & ONE(bit))
				put(machine, STATUS_RESET, ONE(bit));
			else
				check_refused(cpu, machine, STATUS_RESET, ONE(bit));
		}
	}
}

UNIT_TEST(status_can_be_set_from_version_4_on)
{
	FOR_EACH_CPU_FROM(cpu, 2) {
		struct machine *machine = start(cpu);
		struct cpu_bits bits = cpu_status_bits(cpu);

		if (cpu->version < 4) {
			check_absent(cpu, machine, STATUS_SET);
			continue;
		}
		for (unsigned bit = 0; bit < 64; bit++) {
			if (bits.is_open & ONE(bit))
				continue;
			if (bits.has & ONE(bit))
				put(machine, STATUS_SET, ONE(bit));
			else
				check_refused(cpu, machine, STATUS_SET, ONE(bit));
			check_eq_u64(named(cpu, "status after setting bit %u", bit),
			             get(machine, STATUS), bits.has & ONE(bit));
			put(machine, STATUS_RESET, bits.has);
			check_eq_u64(named(cpu, "status cleared"), get(machine, STATUS), 0);
		}
		check_eq_u64(named(cpu, "PMIs"), machine->pmis, 0);
	}
}

UNIT_TEST(setting_and_clearing_a_status_bit_keeps_the_others)
{
	FOR_EACH_CPU_FROM(cpu, 4) {
		struct machine *machine = start(cpu);

		put(machine, STATUS_SET, 3);
		put(machine, STATUS_SET, ONE(32));
		check_eq_u64(named(cpu, "status"), get(machine, STATUS), ONE(32) | 3);
		put(machine, STATUS_RESET, 2);
		check_eq_u64(named(cpu, "status"), get(machine, STATUS), ONE(32) | 1);
	}
}

UNIT_TEST(inuse_shows_the_counters_that_are_programmed)
{
	FOR_EACH_CPU_FROM(cpu, 4) {
		struct machine *machine = start(cpu);

		check_eq_u64(named(cpu, "in use after reset"), get(machine, INUSE), 0);
		for (unsigned i = 0; i < cpu->gp; i++) {
			put(machine, EVTSEL0 + i, 0x10);
			check_eq_u64(named(cpu, "in use with event select %u", i),
			             get(machine, INUSE), ONE(i));
			put(machine, EVTSEL0 + i, 0x1000 | USR | OS | EN);
			check_eq_u64(named(cpu, "in use with only a unit mask in select %u", i),
			             get(machine, INUSE), 0);
			put(machine, EVTSEL0 + i, INT);
			check_eq_u64(named(cpu, "in use with INT in select %u", i),
			             get(machine, INUSE), ONE(63));
			put(machine, EVTSEL0 + i, 0);
		}
		check_refused(cpu, machine, INUSE, 0);
	}
}

/* The enable bits of a nibble decide, not the whole nibble. */
UNIT_TEST(inuse_shows_the_fixed_counters_that_are_on)
{
	FOR_EACH_CPU_FROM(cpu, 4) {
		struct machine *machine = start(cpu);

		for (unsigned i = 0; cpu->fixed & ONE(i); i++) {
			put(machine, FIXED_CTRL, 1u << 4 * i);
			check_eq_u64(named(cpu, "in use by OS, counter %u", i),
			             get(machine, INUSE), ONE(32 + i));
			put(machine, FIXED_CTRL, 2u << 4 * i);
			check_eq_u64(named(cpu, "in use by USR, counter %u", i),
			             get(machine, INUSE), ONE(32 + i));
			put(machine, FIXED_CTRL, 8u << 4 * i);
			check_eq_u64(named(cpu, "in use by PMI, counter %u", i),
			             get(machine, INUSE), ONE(63));
		}
	}
}

UNIT_TEST(inuse_comes_with_version_4)
{
	FOR_EACH_CPU(cpu)
		if (cpu->version < 4)
			check_absent(cpu, start(cpu), INUSE);
}

/* Returns the bits of IA32_PERF_CAPABILITIES about PEBS: trap, registers, format, baseline. */
static uint64_t cpu_pebs_bits(const struct cpu *cpu)
{
	unsigned format = cpu_pebs_format(cpu);

	if (format == NO_PEBS)
		return 0;
	return ONE(6) | ONE(7) | (uint64_t)format << 8 | (format >= ADAPTIVE_FORMAT ? ONE(14) : 0);
}

UNIT_TEST(capabilities_show_the_features_and_are_read_only)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);
		uint64_t value = get(machine, CAPABILITIES);

		check_eq_u64(named(cpu, "PEBS"), value & 0x4fc0, cpu_pebs_bits(cpu));
		check_eq_u64(named(cpu, "FW_WRITE"), value >> 13 & 1,
		             cpu_has_full_width_writes(cpu));
		check_eq_u64(named(cpu, "PERF_METRICS"), value >> 15 & 1, cpu_has_metrics(cpu));
		check_eq_u64(named(cpu, "bits 63:20"), value >> 20, 0);
		check_refused(cpu, machine, CAPABILITIES, value);
	}
}

UNIT_TEST(counters_beyond_the_last_one_do_not_exist)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);

		for (unsigned i = cpu->gp; i < 8; i++) {
			check_absent(cpu, machine, PMC0 + i);
			check_absent(cpu, machine, EVTSEL0 + i);
		}
		for (unsigned i = 3; i < 7; i++)
			if (!(cpu->fixed & ONE(i)))
				check_absent(cpu, machine, FIXED0 + i);
	}
}

/* Two threads share a core's eight counters (SDM 3B, "Sandy Bridge", counters per thread). */
UNIT_TEST(two_threads_share_the_counters_of_some_cores)
{
	FOR_EACH_CPU(cpu) {
		static struct machine machine;

		check_true("created", machine_create(&machine, cpu->signature, 2));
		put(&machine, EVTSEL0 + cpu_gp_of_two_threads(cpu) - 1, 0);
		if (cpu->gp == cpu_gp_of_two_threads(cpu))
			continue;
		check_absent(cpu, &machine, EVTSEL0 + cpu_gp_of_two_threads(cpu));
		check_absent(cpu, &machine, PMC0 + cpu_gp_of_two_threads(cpu));
		check_absent(cpu, &machine, A_PMC0 + cpu_gp_of_two_threads(cpu));
		check_refused(cpu, &machine, GLOBAL, ONE(cpu_gp_of_two_threads(cpu)));
	}
}

UNIT_TEST(debugctl_has_the_freeze_bits_from_version_2_on)
{
	FOR_EACH_CPU_FROM(cpu, 2) {
		struct machine *machine = start(cpu);

		for (unsigned bit = 11; bit <= 12; bit++) {
			put(machine, DEBUGCTL, ONE(bit));
			check_eq_u64(named(cpu, "bit %u", bit), get(machine, DEBUGCTL), ONE(bit));
		}
		for (unsigned bit = 16; bit < 64; bit++)
			check_refused(cpu, machine, DEBUGCTL, ONE(bit));
		check_eq_u64(named(cpu, "value after a refused write"),
		             get(machine, DEBUGCTL), ONE(12));
	}
}

UNIT_TEST(misc_enable_shows_perfmon_and_bts)
{
	FOR_EACH_CPU(cpu)
		check_eq_u64(named(cpu, "bits 7 and 11 of MISC_ENABLE"),
		             get(start(cpu), MISC_ENABLE) & 0x880, 0x80);
}

UNIT_TEST(other_msrs_are_left_to_the_emulator)
{
	static const uint32_t foreign[] = { 0, 0x10, 0x1b, 0x8b, 0xfe, 0x174, 0x200, 0x277, 0x300,
	                                    0x80b, 0x834, 0xc0000080, 0xc0010000, 0xffffffff };

	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);

		for (unsigned i = 0; i < COUNT_OF(foreign); i++) {
			uint64_t value = 0x1234;

			check_eq_u64(named(cpu, "RDMSR %XH", foreign[i]),
			             machine_read(machine, foreign[i], &value), REFPMU_NOT_MINE);
			check_eq_u64("value of an MSR that is not the PMU's", value, 0x1234);
			check_eq_u64(named(cpu, "WRMSR %XH", foreign[i]),
			             machine_write(machine, foreign[i], 1), REFPMU_NOT_MINE);
		}
	}
}

/* ------------------------------------------------------------------------------ reset */

static void check_reset_state(const struct cpu *cpu, struct machine *machine)
{
	uint64_t global = cpu->version < 2 ? 0 : get(machine, GLOBAL);

	for (unsigned i = 0; i < cpu->gp; i++) {
		check_eq_u64(named(cpu, "PERFEVTSEL%u", i), get(machine, EVTSEL0 + i), 0);
		check_eq_u64(named(cpu, "PMC%u", i), get(machine, PMC0 + i), 0);
	}
	for (unsigned i = 0; cpu->fixed & ONE(i); i++)
		check_eq_u64(named(cpu, "FIXED_CTR%u", i), get(machine, FIXED0 + i), 0);
	check_true(named(cpu, "the processor is not active"), !machine->model.is_active);
	if (cpu->version < 2)
		return;
	check_eq_u64(named(cpu, "FIXED_CTR_CTRL"), get(machine, FIXED_CTRL), 0);
	check_eq_u64(named(cpu, "status"), get(machine, STATUS), 0);
	check_eq_u64(named(cpu, "DEBUGCTL"), get(machine, DEBUGCTL), 0);
	/* Older editions of the manual say 0, newer ones the general counters' bits. */
	check_true(named(cpu, "global control"), global == 0 || global == ONES(cpu->gp));
}

/* Writes a value to every register, so that nothing counts. */
static void fill(const struct cpu *cpu, struct machine *machine)
{
	for (unsigned i = 0; i < cpu->gp; i++) {
		put(machine, EVTSEL0 + i, INSTRUCTIONS | OS | INT);
		put(machine, PMC0 + i, 0x100 + i);
	}
	for (unsigned i = 0; cpu->fixed & ONE(i); i++)
		put(machine, FIXED0 + i, 0x200 + i);
	if (cpu->version < 2)
		return;
	put(machine, GLOBAL, ONE(1));
	put(machine, FIXED_CTRL, 0xb);
	put(machine, DEBUGCTL, ONE(12));
	if (cpu->version >= 4)
		put(machine, STATUS_SET, ONE(1));
}

UNIT_TEST(after_power_up_everything_is_zero)
{
	FOR_EACH_CPU(cpu)
		check_reset_state(cpu, start(cpu));
}

UNIT_TEST(reset_clears_everything)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);

		fill(cpu, machine);
		refpmu_reset(&machine->model, REFPMU_RESET_HARDWARE);
		check_reset_state(cpu, machine);
		fill(cpu, machine);
		refpmu_reset(&machine->model, REFPMU_RESET_POWER_UP);
		check_reset_state(cpu, machine);
	}
}

UNIT_TEST(reset_makes_a_counting_model_idle)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);

		count_with(cpu, machine, 0, INSTRUCTIONS | OS);
		check_true(named(cpu, "the processor is active"), machine->model.is_active);
		machine_nops(machine, 10);
		refpmu_reset(&machine->model, REFPMU_RESET_HARDWARE);
		check_reset_state(cpu, machine);
	}
}

UNIT_TEST(init_changes_no_counter_and_no_control)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);

		fill(cpu, machine);
		refpmu_reset(&machine->model, REFPMU_RESET_INIT);
		for (unsigned i = 0; i < cpu->gp; i++) {
			check_eq_u64(named(cpu, "PERFEVTSEL%u", i), get(machine, EVTSEL0 + i),
			             INSTRUCTIONS | OS | INT);
			check_eq_u64(named(cpu, "PMC%u", i), get(machine, PMC0 + i), 0x100 + i);
		}
		for (unsigned i = 0; cpu->fixed & ONE(i); i++)
			check_eq_u64(named(cpu, "FIXED_CTR%u", i), get(machine, FIXED0 + i),
			             0x200 + i);
		if (cpu->version < 2)
			continue;
		check_eq_u64(named(cpu, "global control"), get(machine, GLOBAL), ONE(1));
		check_eq_u64(named(cpu, "fixed control"), get(machine, FIXED_CTRL), 0xb);
	}
}

UNIT_MAIN()
