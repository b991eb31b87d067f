/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests last branch records: what is recorded, where the records are, and the registers. */
#include <arch/regs/table.h>
#include <tests/unit/model/sampling/model_branches.h>

UNIT_TEST(the_stack_has_the_manuals_addresses)
{
	static const uint32_t all[] = { 0x40, 0x60, 0x680, 0x6c0, 0xdc0, 0x1200, 0x1500, 0x1600 };

	FOR_EACH_LBR(l) {
		struct machine *machine = start(&l->cpu);

		for (unsigned i = 0; i < COUNT_OF(all); i++)
			for (unsigned n = 0; n < 40; n++) {
				bool is_ours = all[i] == l->from || all[i] == l->to ||
				               all[i] == l->info;
				bool is_there = is_ours && n < l->depth;
				uint64_t value = 0;

				if (all[i] == 0x40 && n >= 0x20)
					continue;      /* 60H is another row */
				check_eq_u64(named(&l->cpu, "MSR %XH", all[i] + n),
				             machine_read(machine, all[i] + n, &value) == REFPMU_OK,
				             is_there);
			}
		check_eq_u64(named(&l->cpu, "format"),
		             l->cpu.signature >> 8 == 0xf || l->from == 0x1db ||
		             l->cpu.signature == 0x6d6 ? 0 : get(machine, CAPABILITIES) & 0x3f,
		             l->format);
	}
}

UNIT_TEST(taken_branches_are_recorded_newest_first)
{
	FOR_EACH_LBR(l) {
		struct machine *machine = start(&l->cpu);

		turn_on(l, machine);
		for (unsigned i = 0; i < 2 * l->depth + 1; i++) {
			machine_nops(machine, 3);
			jump(machine, 0x1000 + 16 * i, 0x80000 + 16 * i);
		}
		machine->ip = 0x4444;
		machine_branch(machine, REFPMU_JCC, false, 0);
		turn_off(l, machine);
		jump(machine, 0x7777, 0x8888);
		for (unsigned age = 0; age < l->depth; age++) {
			unsigned i = 2 * l->depth - age;

			check_record(l, machine, age, 0x1000 + 16 * i, 0x80000 + 16 * i);
		}
		if (l->tos)
			check_eq_u64(named(&l->cpu, "TOS"), get(machine, l->tos), 1);
	}
}

UNIT_TEST(recording_branches_makes_no_processor_active)
{
	FOR_EACH_LBR(l) {
		struct machine *machine = start(&l->cpu);

		check_true(named(&l->cpu, "not watched before recording starts"),
		           !machine->model.is_watched);
		turn_on(l, machine);
		check_true(named(&l->cpu, "watched while it records"), machine->model.is_watched);
		check_true(named(&l->cpu, "not active while it records"),
		           !machine->model.is_active);
		jump(machine, 0x1000, 0x2000);
		check_eq_u64(named(&l->cpu, "cycles"), machine->model.cycles, 0);
		turn_off(l, machine);
		check_true(named(&l->cpu, "not watched after recording ends"),
		           !machine->model.is_watched);
	}
}

UNIT_TEST(an_exception_is_recorded_from_the_instruction_that_faulted)
{
	FOR_EACH_LBR(l) {
		struct machine *machine = start(&l->cpu);

		turn_on(l, machine);
		jump(machine, 0x1000, 0x2000);
		machine_enter(machine, false, 6, 0x3000, 0);
		machine_nops(machine, 1);
		check_record(l, machine, 0, 0x2000, 0x3000);
		machine->ip = 0x3500;
		machine_enter(machine, true, 0x40, 0x4000, 0);
		machine_nops(machine, 1);
		check_record(l, machine, 0, 0x3500, 0x4000);
		check_true(named(&l->cpu, "the entry is complete"), !machine->model.is_entering);
	}
}

UNIT_TEST(the_last_exception_record_is_the_branch_before_the_exception)
{
	FOR_EACH_LBR(l) {
		struct machine *machine = start(&l->cpu);

		turn_on(l, machine);
		jump(machine, 0x1000, 0x2000);
		machine_enter(machine, false, 6, 0x3000, 0);
		machine_nops(machine, 1);
		jump(machine, 0x3001, 0x5000);
		machine_branch(machine, REFPMU_INT, true, 0x6000);
		check_eq_u64(named(&l->cpu, "from"), get(machine, l->ler),
		             is_arch(l) ? 0x3001 : 0x1000);
		check_eq_u64(named(&l->cpu, "to"), get(machine, l->ler + 1),
		             is_arch(l) ? 0x5000 : 0x2000);
	}
}

/* A debug exception clears LBR. Source: SDM 3B, "Monitoring Branches, Exceptions, and
 * Interrupts". */
UNIT_TEST(a_debug_exception_is_not_recorded_and_ends_recording)
{
	FOR_EACH_LBR(l) {
		struct machine *machine = start(&l->cpu);

		if (is_arch(l))
			continue;
		turn_on(l, machine);
		jump(machine, 0x1000, 0x2000);
		machine_enter(machine, false, 1, 0x3000, 0);
		machine_nops(machine, 1);
		check_eq_u64(named(&l->cpu, "DEBUGCTL.LBR after the exception"),
		             get(machine, DEBUGCTL) & 1, 0);
		check_record(l, machine, 0, 0x1000, 0x2000);
		check_true(named(&l->cpu, "not watched after the exception"),
		           !machine->model.is_watched);
	}
}

UNIT_TEST(reset_clears_the_records_and_init_keeps_them)
{
	FOR_EACH_LBR(l) {
		struct machine *machine = start(&l->cpu);

		turn_on(l, machine);
		jump(machine, 0x1000, 0x2000);
		refpmu_reset(&machine->model, REFPMU_RESET_INIT);
		check_record(l, machine, 0, 0x1000, 0x2000);
		check_true(named(&l->cpu, "recording after INIT"), machine->model.records_branches);
		refpmu_reset(&machine->model, REFPMU_RESET_HARDWARE);
		check_true(named(&l->cpu, "not recording after RESET"),
		           !machine->model.records_branches);
		check_true(named(&l->cpu, "not watched after RESET"), !machine->model.is_watched);
		for (unsigned age = 0; age < l->depth; age++)
			check_record(l, machine, age, 0, 0);
	}
}

/* P6 and others hold offsets in the code segment, NetBurst and Core 2 linear addresses. */
UNIT_TEST(offsets_are_from_the_base_of_the_code_segment)
{
	FOR_EACH_LBR(l) {
		bool is_linear = l->tos == 0x1da || l->format == 1;
		uint64_t base = is_linear ? 0 : 0x10000, far_base = is_linear ? 0 : 0x50000;
		struct machine *machine = start(&l->cpu);

		turn_on(l, machine);
		machine_retire(machine, (struct refpmu_insn) {
			.ip = 0x12345, .next_ip = 0x54321, .length = 5, .is_taken = true,
			.branch = REFPMU_FAR_JMP, .code_base = 0x10000, .code_base_after = 0x50000,
		});
		check_record(l, machine, 0, 0x12345 - base, 0x54321 - far_base);
	}
}

/* The event counts entries made by branches and by other causes. Source: SDM 3B, "LBR_INSERTS". */
UNIT_TEST(lbr_inserts_counts_entries)
{
	const struct lbr *l = lbr_of(0xc0662);
	const struct cpu *cpu = cpu_of(0xc0662);
	struct machine *machine = start(cpu);

	count_with(cpu, machine, 0, 0x01e4 | OS | USR);
	jump(machine, 0x1000, 0x2000);
	check_eq_u64("entries while LBR is off", get(machine, PMC0), 0);
	turn_on(l, machine);
	jump(machine, 0x1000, 0x2000);
	machine_nops(machine, 5);
	check_eq_u64("entries after a branch", get(machine, PMC0), 1);
	machine_enter(machine, true, 0x40, 0x3000, 0);
	machine_nops(machine, 5);
	check_eq_u64("entries after an interrupt", get(machine, PMC0), 2);
	put(machine, LBR_CTL, CTL_ALL & ~ONE(17));
	jump(machine, 0x1000, 0x2000);
	check_eq_u64("entries after a filtered branch", get(machine, PMC0), 2);
}

/* ---------------------------------------------------------------------------- filters */

static const struct { uint8_t branch, select, ctl, type; } kinds[] = {
	{ REFPMU_JCC, 2, 16, 0 }, { REFPMU_CALL, 3, 19, 4 }, { REFPMU_CALL_INDIRECT, 4, 20, 3 },
	{ REFPMU_RET, 5, 21, 5 }, { REFPMU_JMP_INDIRECT, 6, 18, 1 }, { REFPMU_JMP, 7, 17, 2 },
	{ REFPMU_FAR_CALL, 8, 22, 8 }, { REFPMU_IRET, 8, 22, 8 }, { REFPMU_SYSCALL, 8, 22, 8 },
};

UNIT_TEST(each_filter_bit_applies_to_its_branches)
{
	FOR_EACH_LBR(l) {
		for (unsigned k = 0; (l->select || is_arch(l)) && k < 9; k++)
			for (unsigned bit = 2; bit <= 8; bit++) {
				struct machine *machine = start(&l->cpu);
				uint64_t select = ONE(bit);
				bool is_kept = kinds[k].select != bit;

				if (is_arch(l)) {
					put(machine, LBR_CTL, 7 | ONE(bit + 14));
					is_kept = kinds[k].ctl == bit + 14;
				} else {
					put(machine, LBR_SELECT, select);
					put(machine, DEBUGCTL, 1);
				}
				machine->ip = 0x1000;
				machine_branch(machine, kinds[k].branch, true, 0x2000);
				check_record(l, machine, 0, is_kept ? 0x1000 : 0,
				             is_kept ? 0x2000 : 0);
				if (is_kept && is_arch(l))
					check_eq_u64(named(&l->cpu, "type"),
					             get(machine, l->info) >> 56 & 0xf,
					             kinds[k].type);
			}
	}
}

UNIT_TEST(a_branch_belongs_to_the_level_at_which_it_ends)
{
	FOR_EACH_LBR(l)
		for (unsigned want = 0; (l->select || is_arch(l)) && want < 4; want++) {
			struct machine *machine = start(&l->cpu);

			if (is_arch(l))
				put(machine, LBR_CTL, (CTL_ALL & ~6u) | want << 1);
			else
				put(machine, LBR_SELECT, want ^ 3);
			if (!is_arch(l))
				put(machine, DEBUGCTL, 1);
			for (uint8_t cpl = 0; cpl < 4; cpl++) {
				bool is_kept = want >> (cpl ? 1 : 0) & 1;
				uint64_t last = record_at(l, machine, 0).from;

				machine_retire(machine, (struct refpmu_insn) {
					.ip = 0x1000u + cpl, .next_ip = 0x2000, .length = 2,
					.cpl = 3 - cpl, .cpl_after = cpl,
					.branch = REFPMU_IRET, .is_taken = true });
				check_eq_u64(named(&l->cpu, "type of a branch to CPL %u", cpl),
				             record_at(l, machine, 0).from,
				             is_kept ? 0x1000u + cpl : last);
			}
		}
}

/* A call is pushed, and a return removes the newest one. */
UNIT_TEST(call_stack_mode_keeps_calls_that_have_not_returned)
{
	FOR_EACH_LBR(l) {
		struct machine *machine = start(&l->cpu);

		if (!(l->select & ONE(9)) && !is_arch(l))
			continue;
		put(machine, is_arch(l) ? LBR_CTL : LBR_SELECT,
		    is_arch(l) ? 0xf | 7u << 19 : ONE(9) | 0x1c4);
		if (!is_arch(l))
			put(machine, DEBUGCTL, 1);
		for (unsigned i = 1; i <= 3; i++) {
			machine->ip = 0x1000 * i;
			machine_branch(machine, REFPMU_CALL, true, 0x1000 * i + 0x800);
			machine_branch(machine, REFPMU_JCC, true, 0x1000 * i + 0x900);
		}
		machine_branch(machine, REFPMU_RET, true, 0x3002);
		check_record(l, machine, 0, 0x2000, 0x2800);
		check_record(l, machine, 1, 0x1000, 0x1800);
		if (l->tos)
			check_eq_u64(named(&l->cpu, "TOS"), get(machine, l->tos), 2);
	}
}

/* ---------------------------------------------------------------------------- registers */

UNIT_TEST(flags_have_the_bits_of_their_format)
{
	FOR_EACH_LBR(l) {
		struct machine *machine = start(&l->cpu);
		uint64_t flags = l->format == 3 ? ONE(63) : l->format == 4 ? UINT64_C(7) << 61 : 0;

		if (!l->to || l->cpu.signature < 0x10000 || l->cpu.signature == 0x106c2)
			continue;              /* 32-bit addresses, or an unknown format */
		put(machine, l->from, flags | 0x1234);
		check_eq_u64(named(&l->cpu, "FROM, low address"),
		             get(machine, l->from), flags | 0x1234);
		put(machine, l->from, ~UINT64_C(0xfff));
		check_eq_u64(named(&l->cpu, "FROM, high address"),
		             get(machine, l->from), ~UINT64_C(0xfff));
		put(machine, l->to, ~UINT64_C(0xfff));
		check_eq_u64(named(&l->cpu, "TO, high address"),
		             get(machine, l->to), ~UINT64_C(0xfff));
		if (l->info) {
			put(machine, l->info, ONE(63) | 77);
			check_eq_u64(named(&l->cpu, "INFO"), get(machine, l->info), ONE(63) | 77);
		}
	}
}

UNIT_TEST(select_keeps_the_bits_that_exist)
{
	FOR_EACH_LBR(l) {
		struct machine *machine = start(&l->cpu);
		uint64_t has = is_arch(l) ? UINT64_C(0x7f000f) : l->select, value;
		uint32_t msr = is_arch(l) ? LBR_CTL : LBR_SELECT;

		if (!has) {
			check_true(named(&l->cpu, "bits of 1C8H that do not exist are refused"),
			           machine_read(machine, msr, &value) != REFPMU_OK);
			continue;
		}
		put(machine, msr, has);
		for (unsigned bit = 0; bit < 64; bit++)
			if (!(has >> bit & 1))
				check_refused(&l->cpu, machine, msr, ONE(bit));
		check_eq_u64(named(&l->cpu, "value after the refused writes"),
		             get(machine, msr), has);
	}
}

UNIT_TEST(leaf_1ch_reports_the_depths_and_a_write_of_depth_clears)
{
	FOR_EACH_LBR(l) {
		struct machine *machine = start(&l->cpu);
		uint32_t regs[4] = { 5, 5, 5, 5 }, features[4] = { 0 };

		refpmu_cpuid(&machine->model, 0x1c, 0, regs);
		refpmu_cpuid(&machine->model, 7, 0, features);
		check_eq_u64(named(&l->cpu, "CPUID.07H:EDX[19]"), features[3] >> 19 & 1,
		             is_arch(l));
		check_eq_u64(named(&l->cpu, "leaf 1CH"), regs[0] & 0xff, is_arch(l) ? 0x0b : 5);
		if (!is_arch(l))
			continue;
		for (unsigned depth = 0; depth <= 80; depth++)
			if (depth != 8 && depth != 16 && depth != 32)
				check_refused(&l->cpu, machine, LBR_DEPTH, depth);
		turn_on(l, machine);
		jump(machine, 0x1000, 0x2000);
		put(machine, LBR_DEPTH, 8);
		check_record(l, machine, 0, 0, 0);
		for (unsigned i = 0; i < 9; i++)
			jump(machine, 0x1000 + i, 0x2000);
		check_record(l, machine, 0, 0x1008, 0x2000);
		check_record(l, machine, 7, 0x1001, 0x2000);
		check_record(l, machine, 8, 0, 0);
	}
}

UNIT_MAIN()
