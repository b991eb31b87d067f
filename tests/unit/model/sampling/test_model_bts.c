/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests BTS: branch records in the debug store area. Source: SDM 3B, "BTS and DS Save Area". */
#include <tests/unit/model/sampling/model_branches.h>

enum { AREA = 0x400000, BUFFER = AREA + 0x1000, ROOM = 5 };

/* These stand for TR, BTS, BTINT, BTS_OFF_OS and BTS_OFF_USR, from bit 2 on in NetBurst's register
 * and from bit 6 on in others. */
enum { TR = 1, BTS = 2, BTINT = 4, OFF_OS = 8, OFF_USR = 16 };

/* Returns the width of a field. With CPUID.1:ECX[2] (DTES64) 32-bit mode has the 64-bit layout,
 * too. */
static unsigned width_of(const struct lbr *l)
{
	return l->cpu.signature == 0xf12 || l->cpu.signature == 0x6ec ? 4 : 8;
}

/* Returns CPUID.1:ECX[4], DS-CPL. */
static bool has_levels(const struct lbr *l)
{
	return width_of(l) == 8;
}

static void switch_to(const struct lbr *l, struct machine *machine, uint64_t bits)
{
	put(machine, DEBUGCTL, bits << (is_netburst(l) ? 2 : 6));
}

static void put_field(const struct lbr *l, unsigned field, uint64_t value)
{
	guest_put(AREA + field * width_of(l), width_of(l), value);
}

static uint64_t index_of(const struct lbr *l)
{
	return (guest_get(AREA + width_of(l), width_of(l)) - BUFFER) / (3 * width_of(l));
}

/* Starts with an empty buffer that has room for ROOM records, and the threshold after so many. */
static struct machine *ready(const struct lbr *l, unsigned threshold, uint64_t bits)
{
	struct machine *machine = start(&l->cpu);
	unsigned size = 3 * width_of(l);

	guest_restart(AREA, 0xee);
	put_field(l, 0, BUFFER);
	put_field(l, 1, BUFFER);
	put_field(l, 2, BUFFER + ROOM * size + 1);
	put_field(l, 3, BUFFER + threshold * size);
	machine->lvtpc = LVTPC_NMI;
	put(machine, DS_AREA, AREA);
	switch_to(l, machine, bits);
	return machine;
}

/* Pentium M's debug store area is not modelled, and P6 has none. */
#define FOR_EACH_BTS(l) \
	FOR_EACH_LBR(l) \
		if (l->cpu.signature >= 0xf00 || l->cpu.signature == 0x6ec)

static void check_stored(const struct lbr *l, unsigned n, uint64_t from, uint64_t to)
{
	unsigned width = width_of(l);
	uint64_t at = BUFFER + 3 * n * width;

	check_eq_u64(named(&l->cpu, "from of %u", n), guest_get(at, width), from);
	check_eq_u64(named(&l->cpu, "to of %u", n), guest_get(at + width, width), to);
	if (!is_netburst(l))           /* bit 4: predicted */
		check_eq_u64(named(&l->cpu, "flags of %u", n), guest_get(at + 2 * width, width), 0);
	else
		check_eq_u64(named(&l->cpu, "flags of %u", n),
		             guest_get(at + 2 * width, width) & ~ONE(4), 0);
}

static void jump_times(struct machine *machine, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		jump(machine, 0x1000 + 16 * i, 0x80000 + 16 * i);
}

UNIT_TEST(taken_branches_are_stored_in_order)
{
	FOR_EACH_BTS(l) {
		struct machine *machine = ready(l, 100, TR | BTS);

		check_true(named(&l->cpu, "not active while it records"),
		           !machine->model.is_active);
		jump_times(machine, 3);
		machine_branch(machine, REFPMU_JCC, false, 0);
		machine_enter(machine, true, 0x40, 0x4000, 0);
		machine_nops(machine, 2);
		check_eq_u64(named(&l->cpu, "records"), index_of(l), 4);
		for (unsigned i = 0; i < 3; i++)
			check_stored(l, i, 0x1000 + 16 * i, 0x80000 + 16 * i);
		check_stored(l, 3, 0x80022, 0x4000);
		check_eq_u64(named(&l->cpu, "PMIs"), machine->pmis, 0);
	}
}

UNIT_TEST(records_need_both_bits)
{
	FOR_EACH_BTS(l)
		for (unsigned bits = 0; bits < 3; bits++) {
			struct machine *machine = ready(l, 100, bits);

			jump_times(machine, 2);
			check_eq_u64(named(&l->cpu, "records"), index_of(l), 0);
			check_true(named(&l->cpu, "not watched with one bit"),
			           !machine->model.is_watched);
		}
}

UNIT_TEST(without_btint_the_buffer_is_a_ring)
{
	FOR_EACH_BTS(l) {
		struct machine *machine = ready(l, 2, TR | BTS);

		jump_times(machine, ROOM);
		check_eq_u64(named(&l->cpu, "records in the full buffer"), index_of(l), ROOM);
		jump_times(machine, 2);
		check_eq_u64(named(&l->cpu, "records after the buffer started again"),
		             index_of(l), 2);
		check_stored(l, 2, 0x1020, 0x80020);
		check_eq_u64(named(&l->cpu, "the byte after the buffer"),
		             guest_get(BUFFER + ROOM * 3 * width_of(l), 4), 0xeeeeeeee);
		check_eq_u64(named(&l->cpu, "PMIs"), machine->pmis, 0);
	}
}

UNIT_TEST(with_btint_the_threshold_interrupts_and_a_full_buffer_drops)
{
	FOR_EACH_BTS(l) {
		struct machine *machine = ready(l, 3, TR | BTS | BTINT);

		jump_times(machine, 2);
		check_eq_u64(named(&l->cpu, "PMIs before the threshold"), machine->pmis, 0);
		jump_times(machine, 1);
		check_eq_u64(named(&l->cpu, "PMIs at the threshold"), machine->delivered, 1);
		if (l->cpu.signature != 0x6ec && !is_netburst(l))
			check_eq_u64(named(&l->cpu, "status"), get(machine, STATUS), ONE(62));
		jump_times(machine, ROOM);
		check_eq_u64(named(&l->cpu, "records in the full buffer"), index_of(l), ROOM);
		check_eq_u64(named(&l->cpu, "the byte after the buffer"),
		             guest_get(BUFFER + ROOM * 3 * width_of(l), 4), 0xeeeeeeee);
	}
}

UNIT_TEST(off_bits_apply_to_the_level_at_which_a_branch_starts)
{
	FOR_EACH_BTS(l)
		for (unsigned off = 0; off < 4; off++) {
			bool is_os = !(off & 1), is_usr = !(off & 2);
			struct machine *machine;

			if (!has_levels(l) && off)
				continue;
			machine = ready(l, 100, TR | BTS | off << 3);
			for (uint8_t cpl = 0; cpl < 4; cpl++)
				machine_retire(machine, (struct refpmu_insn) {
					.ip = 0x1000, .next_ip = 0x2000, .length = 2,
					.cpl = cpl, .cpl_after = 3 - cpl, .branch = REFPMU_IRET,
					.is_taken = true });
			check_eq_u64(named(&l->cpu, "records, off bits %u", off), index_of(l),
			             is_os + 3 * is_usr);
		}
}

/* An interrupt starts at the level that it interrupts. */
UNIT_TEST(off_bits_are_for_the_level_that_an_interrupt_leaves)
{
	FOR_EACH_BTS(l)
		for (unsigned off = 1; has_levels(l) && off < 3; off++)
			for (uint8_t cpl = 0; cpl < 4; cpl += 3) {
				struct machine *machine = ready(l, 100, TR | BTS | off << 3);
				bool is_off = off == (cpl ? 2 : 1);

				machine->cpl = cpl;
				machine_enter(machine, true, 0x40, 0x4000, 0);
				machine_nops(machine, 1);
				check_eq_u64(named(&l->cpu, "off bits %u, CPL %u", off, cpl),
				             index_of(l), !is_off);
			}
}

/* NetBurst shuts down (SDM 4, MSR_MCG_MISC); others lose the record. */
UNIT_TEST(a_fault_in_the_area_shuts_netburst_down)
{
	FOR_EACH_BTS(l) {
		struct machine *machine = ready(l, 100, TR | BTS);

		guest.holes = 2;
		jump_times(machine, 1);
		check_eq_u64(named(&l->cpu, "shutdowns"), guest.shutdowns, is_netburst(l));
		check_eq_u64(named(&l->cpu, "records"), index_of(l), 0);
	}
}

/* RESET and INIT end BTS on NetBurst. Source: SDM 3B, "BTS and DS Save Area". */
UNIT_TEST(init_ends_bts_on_netburst)
{
	FOR_EACH_BTS(l) {
		struct machine *machine = ready(l, 100, TR | BTS);

		refpmu_reset(&machine->model, REFPMU_RESET_INIT);
		jump_times(machine, 1);
		check_eq_u64(named(&l->cpu, "records"), index_of(l), !is_netburst(l));
	}
}

UNIT_MAIN()
