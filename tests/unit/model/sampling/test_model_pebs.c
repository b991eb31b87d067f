/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests PEBS of architectural processors. Source: SDM 3B, "Precise Event Based Sampling (PEBS)" by
 * microarchitecture; "Extended PEBS". */
#include <tests/unit/model/sampling/model_pebs.h>

UNIT_TEST(one_record_for_each_period)
{
	FOR_EACH_CPU_WITH_PEBS(cpu)
		for (unsigned missing = 1; missing < 5; missing++) {
			struct machine *machine = start_pebs(cpu, 0x2000, 0x2000, missing);

			record_instructions(cpu, machine, missing);
			for (unsigned n = 1; n < 20; n++) {
				machine_nops(machine, 1);
				check_eq_u64(named(cpu, "records after %u", n),
				             area_index() / cpu_pebs_size(cpu), n / (missing + 1));
			}
			check_eq_u64(named(cpu, "STATUS"), get(machine, STATUS), 0);
			check_eq_u64(named(cpu, "PMIs"), machine->pmis, 0);
		}
}

UNIT_TEST(an_overflow_that_arms_pebs_has_no_other_effect)
{
	FOR_EACH_CPU_WITH_PEBS(cpu) {
		struct machine *machine = start_pebs(cpu, 0x2000, 0x2000, 2);

		record_with(cpu, machine, cpu_pebs_counter(cpu), cpu_pebs_event(cpu) | OS | INT, 2);
		machine_nops(machine, 9);
		check_eq_u64(named(cpu, "records"), area_index(), 3 * cpu_pebs_size(cpu));
		check_eq_u64(named(cpu, "STATUS"), get(machine, STATUS), 0);
		check_eq_u64(named(cpu, "PMIs"), machine->pmis, 0);
	}
}

UNIT_TEST(the_index_at_the_threshold_interrupts)
{
	FOR_EACH_CPU_WITH_PEBS(cpu) {
		unsigned size = cpu_pebs_size(cpu);
		struct machine *machine = start_pebs(cpu, 0x2000, 3 * size, 1);

		record_instructions(cpu, machine, 1);
		for (unsigned n = 1; n <= 3; n++) {
			check_eq_u64(named(cpu, "PMIs before %u", n), machine->pmis, 0);
			check_eq_u64(named(cpu, "STATUS"), get(machine, STATUS), 0);
			machine_nops(machine, 2);
		}
		check_eq_u64(named(cpu, "PMIs"), machine->pmis, 1);
		check_eq_u64(named(cpu, "STATUS"), get(machine, STATUS), OVF_BUFFER);
		put(machine, STATUS_RESET, OVF_BUFFER);
		check_eq_u64(named(cpu, "STATUS"), get(machine, STATUS), 0);
	}
}

/* Source: SDM 3B, "Freezing LBR and Performance Counters on PMI" and its streamlined successor. */
UNIT_TEST(the_pmi_of_the_buffer_freezes_as_any_pmi_does)
{
	FOR_EACH_CPU_WITH_PEBS(cpu) {
		struct machine *machine = start_pebs(cpu, 0x2000, 0, 1);

		put(machine, DEBUGCTL, ONE(12));
		record_instructions(cpu, machine, 1);
		machine_nops(machine, 20);
		check_eq_u64(named(cpu, "records"), area_index(), cpu_pebs_size(cpu));
		check_eq_u64(named(cpu, "PMIs"), machine->pmis, 1);
		if (cpu->version < 4)
			check_eq_u64(named(cpu, "GLOBAL_CTRL"), get(machine, GLOBAL), 0);
		else
			check_eq_u64(named(cpu, "STATUS"), get(machine, STATUS),
			             OVF_BUFFER | ONE(59));
	}
}

UNIT_TEST(a_full_buffer_drops_records_and_reloads)
{
	FOR_EACH_CPU_WITH_PEBS(cpu) {
		unsigned size = cpu_pebs_size(cpu);
		struct machine *machine = start_pebs(cpu, 2 * size + size / 2, 0x2000, 1);

		record_instructions(cpu, machine, 1);
		machine_nops(machine, 10);
		check_eq_u64(named(cpu, "index"), area_index(), 2 * size);
		check_eq_u64(named(cpu, "the byte after the records"),
		             record_get(2 * size), 0xa5a5a5a5a5a5a5a5);
		check_eq_u64(named(cpu, "counter"), get(machine, PMC0 + cpu_pebs_counter(cpu)),
		             ONES(cpu->width));
	}
}

UNIT_TEST(a_fault_loses_the_record)
{
	FOR_EACH_CPU_WITH_PEBS(cpu)
		for (unsigned page = 0; page < 2; page++) {
			struct machine *machine = start_pebs(cpu, 0x2000, 0x2000, 1);

			record_instructions(cpu, machine, 1);
			guest.holes = 1u << page;
			machine_nops(machine, 10);
			check_eq_u64(named(cpu, "writes"), guest.writes, 0);
			check_eq_u64(named(cpu, "shutdowns"), guest.shutdowns, 0);
			check_eq_u64(named(cpu, "PMIs"), machine->pmis, 0);
		}
}

/* Two counters have different reset values; their records are due together and apart. */
UNIT_TEST(each_counter_has_its_own_reset_value)
{
	FOR_EACH_CPU_WITH_PEBS(cpu)
		if (cpu_pebs_format(cpu) >= ADAPTIVE_FORMAT) {
			struct machine *machine = start_pebs(cpu, 0x2000, 0x2000, 1);

			area_put(8 + cpu_pebs_slot(cpu, 3), BELOW_0(2));
			area_put(8 + cpu_pebs_slot(cpu, 32), BELOW_0(3));
			put(machine, FIXED0, ONES(cpu->width) - 1);
			put(machine, FIXED_CTRL, 1);
			put(machine, PEBS_ENABLE, ONE(32));
			record_with(cpu, machine, 3, INSTRUCTIONS | OS, 5);
			machine_nops(machine, 6);
			check_eq_u64(named(cpu, "records"), area_index() / 32, 2);
			check_eq_u64(named(cpu, "first record's counters"),
			             record_get(16), ONE(32));
			check_eq_u64(named(cpu, "second record's counters"),
			             record_get(32 + 16), ONE(3));
			check_eq_u64(named(cpu, "IA32_PMC3"), get(machine, PMC0 + 3),
			             ONES(cpu->width) - 1);
			check_eq_u64(named(cpu, "IA32_FIXED_CTR0"), get(machine, FIXED0), 0);
			machine_nops(machine, 3);
			check_eq_u64(named(cpu, "records"), area_index() / 32, 4);
		}
}

/* MEM_UOPS_RETIRED.ALL_LOADS counts two of an instruction: the first one arms the counter. */
UNIT_TEST(the_instruction_that_arms_a_counter_may_be_recorded)
{
	const struct cpu *cpu = cpu_of(0x306c3);
	struct machine *machine = start_pebs(cpu, 0x2000, 0x2000, 1);

	record_with(cpu, machine, 0, 0x81d0 | OS, 1);
	machine_access(machine, REFPMU_READ, 0x500000, 4);
	machine_access(machine, REFPMU_READ, 0x500004, 4);
	machine_nops(machine, 1);
	check_eq_u64("records", area_index(), cpu_pebs_size(cpu));
	check_eq_u64("counter", get(machine, PMC0), ONES(cpu->width));
}

UNIT_TEST(counters_due_together_share_a_record)
{
	FOR_EACH_CPU_FROM(cpu, 5) {
		struct machine *machine = start_pebs(cpu, 0x2000, 0x2000, 1);

		record_with(cpu, machine, 0, INSTRUCTIONS | OS, 1);
		record_with(cpu, machine, 2, INSTRUCTIONS | OS, 1);
		machine_nops(machine, 2);
		check_eq_u64(named(cpu, "records"), area_index() / 32, 1);
		check_eq_u64(named(cpu, "the record's counters"), record_get(16), ONE(0) | ONE(2));
	}
}

UNIT_TEST(a_counter_that_does_not_record_overflows_as_usual)
{
	FOR_EACH_CPU_WITH_PEBS(cpu) {
		struct machine *machine = start_pebs(cpu, 0x2000, 0x2000, 1);
		unsigned n = cpu_pebs_counter(cpu);

		record_instructions(cpu, machine, 3);
		put(machine, PEBS_ENABLE, 0);
		put(machine, EVTSEL0 + n, EN | OS | INT | cpu_pebs_event(cpu));
		machine_nops(machine, 10);
		check_eq_u64(named(cpu, "writes"), guest.writes, 0);
		check_eq_u64(named(cpu, "STATUS"), get(machine, STATUS), ONE(n));
		check_eq_u64(named(cpu, "PMIs"), machine->pmis, 1);
	}
}

/* perf's precise cycles are such instructions: Linux, intel_pebs_aliases_core2(). */
UNIT_TEST(inverted_instructions_are_recorded)
{
	FOR_EACH_CPU_WITH_PEBS(cpu) {
		struct machine *machine = start_pebs(cpu, 0x2000, 0x2000, 10);

		record_with(cpu, machine, cpu_pebs_counter(cpu),
		            cpu_pebs_event(cpu) | OS | CMASK(16) | INV, 10);
		machine_nops(machine, 200);
		check_eq_u64(named(cpu, "a record was written"), area_index() > 0, 1);
	}
}

/* PEBS works only without AnyThread and Edge. Source: SDM 3B, "PEBS Performance Events", notes. */
UNIT_TEST(conditions_and_other_events_are_not_recorded)
{
	FOR_EACH_CPU_WITH_PEBS(cpu) {
		unsigned n = cpu_pebs_counter(cpu);
		struct machine *edge = start_pebs(cpu, 0x2000, 0x2000, 1);

		record_with(cpu, edge, n, cpu_pebs_event(cpu) | OS | EDGE, 1);
		machine_nops(edge, 100);
		check_eq_u64(named(cpu, "writes"), guest.writes, 0);
		if (cpu_pebs_format(cpu) < ADAPTIVE_FORMAT) {
			struct machine *machine = start_pebs(cpu, 0x2000, 0x2000, 1);

			record_with(cpu, machine, n, LLC_REFERENCES | OS, 1);
			for (unsigned i = 0; i < 100; i++) {
				machine_access(machine, REFPMU_READ, 0x10000 + 64 * i, 4);
				machine_nops(machine, 1);
			}
			check_eq_u64(named(cpu, "writes"), guest.writes, 0);
			check_eq_u64(named(cpu, "STATUS"), get(machine, STATUS), ONE(n));
		}
	}
}

/* From Sandy Bridge on and before Ice Lake, only IA32_PMC1 can record this event. Source: SDM 3B,
 * "PREC_DIST". */
UNIT_TEST(precise_distribution_needs_counter_1)
{
	FOR_EACH_CPU_WITH_PEBS(cpu)
		if (cpu_pebs_counter(cpu) == 1) {
			struct machine *machine = start_pebs(cpu, 0x2000, 0x2000, 1);

			record_with(cpu, machine, 2, cpu_pebs_event(cpu) | OS, 1);
			machine_nops(machine, 100);
			check_eq_u64(named(cpu, "writes"), guest.writes, 0);
		}
}

UNIT_TEST(only_events_of_the_counted_levels_are_recorded)
{
	FOR_EACH_CPU_WITH_PEBS(cpu) {
		struct machine *machine = start_pebs(cpu, 0x2000, 0x2000, 1);

		record_with(cpu, machine, cpu_pebs_counter(cpu), cpu_pebs_event(cpu) | USR, 1);
		machine_nops(machine, 10);
		check_eq_u64(named(cpu, "records at CPL 0"), area_index(), 0);
		machine->cpl = 3;
		machine_nops(machine, 10);
		check_eq_u64(named(cpu, "records at CPL 3"), area_index() / cpu_pebs_size(cpu), 5);
	}
}

/* An armed counter stays armed when the global control stops it, but not when it is written. */
UNIT_TEST(a_write_of_the_counter_disarms)
{
	FOR_EACH_CPU_WITH_PEBS(cpu) {
		struct machine *machine = start_pebs(cpu, 0x2000, 0x2000, 4);
		unsigned n = cpu_pebs_counter(cpu);

		record_instructions(cpu, machine, 4);
		machine_nops(machine, 4);
		put(machine, GLOBAL, 0);
		machine_nops(machine, 4);
		enable_all(cpu, machine);
		check_eq_u64(named(cpu, "writes"), guest.writes, 0);
		machine_nops(machine, 1);
		check_eq_u64(named(cpu, "records"), area_index(), cpu_pebs_size(cpu));
		machine_nops(machine, 4);
		put(machine, PMC0 + n, BELOW_0(4));
		machine_nops(machine, 4);
		check_eq_u64(named(cpu, "records"), area_index(), cpu_pebs_size(cpu));
	}
}

/* It has wrapped before, and does not wrap again. */
UNIT_TEST(an_armed_counter_that_records_no_more_counts_on)
{
	FOR_EACH_CPU_WITH_PEBS(cpu) {
		struct machine *machine = start_pebs(cpu, 0x2000, 0x2000, 4);

		record_instructions(cpu, machine, 4);
		machine_nops(machine, 4);
		put(machine, PEBS_ENABLE, 0);
		machine_nops(machine, 10);
		check_eq_u64(named(cpu, "writes"), guest.writes, 0);
		check_eq_u64(named(cpu, "STATUS"), get(machine, STATUS), 0);
		check_eq_u64(named(cpu, "counter"), get(machine, PMC0 + cpu_pebs_counter(cpu)), 10);
	}
}

UNIT_TEST(an_armed_counter_is_armed_after_a_snapshot)
{
	static unsigned char string[1 << 21];

	FOR_EACH_CPU_WITH_PEBS(cpu) {
		struct machine *machine = start_pebs(cpu, 0x2000, 0x2000, 4);
		size_t size;

		record_instructions(cpu, machine, 4);
		machine_nops(machine, 4);
		size = refpmu_save(&machine->all, string, sizeof(string));
		check_eq_u64(named(cpu, "restored"), refpmu_restore(&machine->all, string, size),
		             REFPMU_RESTORED);
		check_eq_u64(named(cpu, "writes"), guest.writes, 0);
		machine_nops(machine, 1);
		check_eq_u64(named(cpu, "records"), area_index(), cpu_pebs_size(cpu));
	}
}

UNIT_TEST(reset_ends_pebs_and_init_does_not)
{
	FOR_EACH_CPU_WITH_PEBS(cpu) {
		struct machine *machine = start_pebs(cpu, 0x2000, 0x2000, 4);

		record_instructions(cpu, machine, 4);
		refpmu_reset(&machine->model, REFPMU_RESET_INIT);
		check_eq_u64(named(cpu, "PEBS_ENABLE after INIT"), get(machine, PEBS_ENABLE),
		             ONE(cpu_pebs_counter(cpu)));
		refpmu_reset(&machine->model, REFPMU_RESET_HARDWARE);
		check_eq_u64(named(cpu, "PEBS_ENABLE after RESET"), get(machine, PEBS_ENABLE), 0);
	}
}

UNIT_MAIN()
