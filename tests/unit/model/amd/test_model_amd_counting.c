/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests what AMD's counters count when. Sources: APM 2, "Performance Event-Select Registers", its
 * tables of HG_ONLY, CNT_MASK and INV, and of USR and OS; V. Weaver's measurements. */
#include <arch/regs/table.h>
#include <tests/unit/model/amd/model_amd.h>

enum { NOPS = 100 };

UNIT_TEST(each_counter_has_its_own_enable)
{
	FOR_EACH_AMD(a) {
		for (unsigned n = 0; n < a->gp; n++) {
			struct machine *m = begin(a->signature);

			count(m, a, n, ALL_RINGS | RETIRED);
			machine_nops(m, NOPS);
			for (unsigned i = 0; i < a->gp; i++)
				check_eq_u64(a->name, get(m, ctr_of(a, i)), i == n ? NOPS : 0);
			put(m, ctl_of(a, n), ALL_RINGS | RETIRED);
			machine_nops(m, NOPS);
			check_eq_u64(a->name, get(m, ctr_of(a, n)), NOPS);
		}
	}
}

UNIT_TEST(usr_is_every_ring_but_0)
{
	static const uint64_t rings[] = { 0, USR, OS, ALL_RINGS };

	FOR_EACH_AMD(a)
		for (unsigned i = 0; i < 4; i++) {
			struct machine *m = begin(a->signature);

			count(m, a, 0, rings[i] | RETIRED);
			for (m->cpl = 0; m->cpl < 4; m->cpl++)
				machine_nops(m, 10);
			m->cpl = 0;
			check_eq_u64(a->name, get(m, ctr_of(a, 0)),
			             (rings[i] & OS ? 10 : 0) + (rings[i] & USR ? 30 : 0));
		}
}

/* ------------------------------------------------------------------------ host and guest */

/* Returns the count of NOPS instructions with these bits in this mode. */
static uint64_t count_in_mode(uint32_t cpu, uint64_t bits, bool is_svme, bool is_guest)
{
	struct machine *m = begin(cpu);

	put(m, LEGACY_CTL, EN | ALL_RINGS | RETIRED | bits);
	refpmu_svme(&m->model, is_svme);
	if (is_guest)
		refpmu_vm_entered(&m->model, &(struct refpmu_vm){ .is_failed = false });
	machine_nops(m, NOPS);
	return get(m, LEGACY_CTR);
}

UNIT_TEST(host_and_guest_bits_need_svme)
{
	static const uint32_t cpus[] = { PHENOM, FX, RYZEN, ZEN4 };
	static const struct { uint64_t bits; bool in_host, in_guest, without; } rows[] = {
		{ 0, true, true, true }, { HOST_ONLY, true, false, false },
		{ GUEST_ONLY, false, true, false }, { HOST_ONLY | GUEST_ONLY, true, true, true },
	};

	for (unsigned c = 0; c < 4; c++)
		for (unsigned i = 0; i < 4; i++) {
			uint64_t bits = rows[i].bits;

			check_eq_u64("EFER.SVME = 0", count_in_mode(cpus[c], bits, false, false),
			             rows[i].without ? NOPS : 0);
			check_eq_u64("host", count_in_mode(cpus[c], bits, true, false),
			             rows[i].in_host ? NOPS : 0);
			check_eq_u64("guest", count_in_mode(cpus[c], bits, true, true),
			             rows[i].in_guest ? NOPS : 0);
		}
}

UNIT_TEST(k8_has_no_host_and_guest_bits)
{
	check_eq_u64("host only", count_in_mode(SIGN(0x60f82), HOST_ONLY, false, false), NOPS);
}

UNIT_TEST(svme_starts_and_stops_a_running_counter)
{
	struct machine *m = begin(PHENOM);

	put(m, LEGACY_CTL, EN | ALL_RINGS | RETIRED | HOST_ONLY);
	for (unsigned i = 0; i < 6; i++) {
		refpmu_svme(&m->model, i % 2);
		machine_nops(m, NOPS);
	}
	check_eq_u64("count", get(m, LEGACY_CTR), 3 * NOPS);
}

/* ------------------------------------------------------------------------ events */

UNIT_TEST(branches_count_by_kind)
{
	static const struct { uint64_t event; unsigned want; bool is_zen; } rows[] = {
		{ RETIRED, 6, false }, { ANY_BRANCH, 6, false }, { TAKEN, 5, false },
		{ FAR_BRANCH, 1, false }, { 0xc8, 1, false }, { 0xd1, 2, true },
	};

	FOR_EACH_AMD(a)
		for (unsigned i = 0; i < COUNT_OF(rows); i++) {
			struct machine *m = begin(a->signature);

			if (rows[i].is_zen && !a->merges)
				continue;
			count(m, a, 0, ALL_RINGS | rows[i].event);
			machine_branch(m, REFPMU_JCC, true, 0x1000);
			machine_branch(m, REFPMU_JCC, false, 0x2000);
			machine_branch(m, REFPMU_JMP, true, 0x1000);
			machine_branch(m, REFPMU_CALL, true, 0x2000);
			machine_branch(m, REFPMU_RET, true, 0x1002);
			machine_branch(m, REFPMU_FAR_JMP, true, 0x3000);
			check_eq_u64(a->name, get(m, ctr_of(a, 0)), rows[i].want);
		}
}

/* Family 15H counts an interrupt twice. */
static bool is_15h(const struct amd *a)
{
	return a->gp == 6 && !a->merges;
}

/* 16H counts an interrupt as two instructions, too; exceptions count once. */
UNIT_TEST(an_entry_counts_at_the_level_that_it_leaves)
{
	static const uint64_t events[] = { RETIRED, ANY_BRANCH, TAKEN, FAR_BRANCH };

	FOR_EACH_AMD(a)
		for (unsigned i = 0; i < 4; i++) {
			struct machine *m = begin(a->signature);
			bool is_16h = a->gp == 4 && a->nb;
			unsigned interrupt = is_15h(a) || (is_16h && i == 0) ? 2 : 1;

			m->cpl = 3;
			count(m, a, 0, USR | events[i]);
			count(m, a, 1, OS | events[i]);
			machine_nops(m, 10);
			machine_enter(m, true, 0x40, 0x4000, 0);
			machine_nops(m, 20);
			m->cpl = 3;
			machine_nops(m, 10);
			machine_enter(m, false, 14, 0x4000, 0);
			check_eq_u64(a->name, get(m, ctr_of(a, 0)),
			             1 + interrupt + (i == 0 ? 20 : 0));
			check_eq_u64(a->name, get(m, ctr_of(a, 1)), i == 0 ? 20 : 0);
		}
}

UNIT_TEST(an_interrupt_right_after_iret_counts_where_iret_leads)
{
	FOR_EACH_AMD(a) {
		struct machine *m = begin(a->signature);

		count(m, a, 0, USR | FAR_BRANCH);
		count(m, a, 1, OS | FAR_BRANCH);
		machine_retire(m, (struct refpmu_insn) {
			.ip = m->ip, .next_ip = 0x5000, .length = 2, .cpl = 0, .cpl_after = 3,
			.branch = REFPMU_IRET, .is_taken = true,
			.traits = REFPMU_TRAIT_SERIALIZING,
		});
		machine_enter(m, true, 0x40, 0x4000, 0);
		check_eq_u64(a->name, get(m, ctr_of(a, 0)), is_15h(a) ? 2 : 1);
		check_eq_u64(a->name, get(m, ctr_of(a, 1)), 1);
	}
}

UNIT_TEST(interrupts_are_not_exceptions)
{
	FOR_EACH_AMD(a) {
		struct machine *m = begin(a->signature);

		count(m, a, 0, ALL_RINGS | (a->merges ? 0x2c : 0xcf));
		machine_enter(m, true, 0x40, 0x4000, 0);
		machine_enter(m, false, 14, 0x4000, 0);
		check_eq_u64(a->name, get(m, ctr_of(a, 0)), 1);
	}
}

UNIT_TEST(bits_of_a_unit_mask_add_up)
{
	struct machine *m = begin(RYZEN);

	for (uint64_t mask = 0; mask < 8; mask++) {
		put(m, CTL, 0);
		put(m, CTR, 0);
		put(m, CTL, EN | ALL_RINGS | 0xcb | mask << 8);
		do_kind(m, REFPMU_TRAIT_X87);
		for (unsigned i = 0; i < 2; i++)
			do_kind(m, REFPMU_TRAIT_MMX);
		for (unsigned i = 0; i < 4; i++)
			do_kind(m, REFPMU_TRAIT_SSE);
		check_eq_u64("count", get(m, CTR), mask);
	}
}

/* Returns how many operations of an instruction with these traits counter n counts. */
static uint64_t flops(uint32_t cpu, unsigned n, uint64_t umask, uint64_t traits)
{
	struct machine *m = begin(cpu);

	put(m, LEGACY_CTL + n, EN | ALL_RINGS | 0x03 | umask << 8);
	do_kind(m, traits);
	return get(m, LEGACY_CTR + n);
}

UNIT_TEST(floating_point_counts_operations_of_each_operand)
{
	const uint64_t addps = REFPMU_TRAIT_UOP_PACKED_SP | REFPMU_TRAIT_FLOP_ADD;
	const uint64_t mulsd = REFPMU_TRAIT_UOP_SCALAR_DP | REFPMU_TRAIT_FLOP_MUL;
	const uint64_t vfmaddpd = REFPMU_TRAIT_UOP_PACKED_DP | REFPMU_TRAIT_FLOP_MAC |
	                          REFPMU_TRAIT_VECTOR_256;

	check_eq_u64("instructions of 10H", flops(PHENOM, 0, 0x01, addps), 1);
	check_eq_u64("operations of 10H", flops(PHENOM, 0, 0x41, addps), 4);
	check_eq_u64("multiplications", flops(PHENOM, 0, 0x42, addps), 0);
	check_eq_u64("double precision", flops(RYZEN, 0, 0x20, mulsd), 1);
	check_eq_u64("single precision", flops(RYZEN, 0, 0x02, mulsd), 0);
	check_eq_u64("multiply and add", flops(RYZEN, 0, 0x80, vfmaddpd), 8);
	check_eq_u64("either precision", flops(ZEN4, 0, 0x08, vfmaddpd), 8);
	check_eq_u64("counter 0 of 15H", flops(FX, 0, 0x01, addps), 0);
	check_eq_u64("counter 3 of 15H", flops(FX, 3, 0x01, addps), 4);
}

/* Eight operations an instruction, and eight instructions a cycle, are more than 15. */
UNIT_TEST(a_single_counter_takes_15_events_of_a_cycle)
{
	const uint64_t traits = REFPMU_TRAIT_UOP_PACKED_SP | REFPMU_TRAIT_FLOP_ADD |
	                        REFPMU_TRAIT_VECTOR_256;

	for (unsigned is_merged = 0; is_merged < 2; is_merged++) {
		struct machine *m = begin(ZEN4);

		machine_nops(m, 1);
		put(m, CTL + 2, is_merged ? ONE(32) * 0xf | EN | 0xff : 0);
		put(m, CTL, EN | ALL_RINGS | 0x103);
		put(m, CTL + 4, EN | ALL_RINGS | HALT_CLOCKS);
		for (unsigned i = 0; i < 16; i++)
			do_kind(m, traits);
		if (is_merged)
			check_eq_u64("merged", get(m, CTR), 16 * 8);
		else
			check_true("15 a clock", get(m, CTR) <= 15 * get(m, CTR + 4));
	}
}

UNIT_TEST(an_event_outside_its_counters_counts_nothing)
{
	for (uint32_t n = 0; n < 6; n++) {
		struct machine *m = begin(FX);

		put(m, CTL + 2 * n, EN | ALL_RINGS | HALT_CLOCKS);
		machine_nops(m, NOPS);
		check_eq_u64("counts", get(m, CTR + 2 * n) != 0, n < 3);
	}
}

UNIT_TEST(k8_has_events_of_8_bits)
{
	struct machine *m = begin(SIGN(0xf48));

	put(m, LEGACY_CTL, EN | ALL_RINGS | HIGH(0x1c0));
	machine_nops(m, NOPS);
	check_eq_u64("1C0H is C0H", get(m, LEGACY_CTR), NOPS);
	m = begin(PHENOM);
	put(m, LEGACY_CTL, EN | ALL_RINGS | HIGH(0x1c0));
	machine_nops(m, NOPS);
	check_eq_u64("1C0H is another event", get(m, LEGACY_CTR), 0);
}

UNIT_TEST(cnt_mask_compares_the_events_of_a_clock)
{
	FOR_EACH_AMD(a) {
		struct machine *m = begin(a->signature);
		uint64_t clocks, at_least, below;

		count(m, a, 0, ALL_RINGS | HALT_CLOCKS);
		count(m, a, 1, ALL_RINGS | RETIRED | CMASK(2));
		count(m, a, 2, ALL_RINGS | RETIRED | CMASK(2) | INV);
		machine_nops(m, NOPS + 1);
		clocks = get(m, ctr_of(a, 0));
		at_least = get(m, ctr_of(a, 1));
		below = get(m, ctr_of(a, 2));
		check_true(a->name, at_least > 0 && at_least < clocks);
		check_true(a->name, below > 0);
		count(m, a, 0, ALL_RINGS | RETIRED | INV);
		machine_nops(m, NOPS);
		check_eq_u64(a->name, get(m, ctr_of(a, 0)), NOPS);
	}
}

UNIT_MAIN()
