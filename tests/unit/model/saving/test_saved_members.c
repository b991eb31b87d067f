/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests that each member of the state that belongs to a snapshot is restored. For one member at a
 * time, its lowest bit differs between the saved machine and the machine into which the string is
 * restored.
 *
 * The list is typed from the headers of the state, not from the tables of model/saving; it has one
 * element of each array. Members that follow from others, or that belong to the emulator, are not
 * in it.
 */
#include <arch/regs/table.h>
#include <model/state/state.h>
#include <tests/unit/model/saving/saving_world.h>
#include <tests/unit/unit.h>

enum { STRING = 1 << 20, BIT_0 = 1 };
enum where { IN_CPU, IN_CORE, IN_MACHINE };

/* Describes a member: the place of its low byte, and the bits that are changed there. */
static const struct member {
	const char *name;
	enum where where;
	size_t offset;
	unsigned char change;
} members[] = {
#define CPU(member)     { #member, IN_CPU, offsetof(struct refpmu_cpu, member), BIT_0 }
#define CORE(member)    { #member, IN_CORE, offsetof(struct refpmu_core, member), BIT_0 }
#define MACHINE(member) { #member, IN_MACHINE, offsetof(struct refpmu_machine, member), BIT_0 }
	CPU(view.cycles), CPU(view.is_watched), CPU(view.is_active), CPU(view.records_branches),
	CPU(view.is_entering), CPU(perfevtsel[1]), CPU(fixed_ctr_ctrl), CPU(global_ctrl),
	CPU(global_status), CPU(debugctl), CPU(misc_enable), CPU(ds_area), CPU(perf_metrics),
	CPU(metric_slots[1]), CPU(metric_total), CPU(counter[1].value), CPU(counter[1].rings),
	CPU(counter[1].was_asserted), CPU(counter[1].is_pebs), CPU(counter[1].is_armed),
	CPU(now[1]), CPU(ring), CPU(is_open), CPU(bus_phase), CPU(busy[1]), CPU(conditions),
	CPU(stall), CPU(last_unit), CPU(store_begin), CPU(store_end), CPU(blocked_loads),
	CPU(netburst.is_inactive), CPU(netburst.now[1]), CPU(netburst.executed),
	CPU(netburst.effects.split_loads), CPU(netburst.effects.split_stores),
	CPU(netburst.effects.partial_loads), CPU(netburst.effects.unaligned_loads),
	CPU(netburst.effects.alias_loads), CPU(netburst.effects.replayed_uops),
	CPU(netburst.effects.last_write), CPU(netburst.effects.last_size),
	CPU(netburst.entry[1].cycles), CPU(netburst.entry[1].kind), CPU(netburst.entry_count),
	CPU(netburst.store_begin), CPU(netburst.store_end), CPU(netburst.wc_line[1]),
	CPU(netburst.wc_bytes[1]), CPU(netburst.is_finishing), CPU(netburst.was_tagged),
	CPU(netburst.skid), CPU(netburst.skidding), CPU(branches.is_lbr_on),
	CPU(branches.is_bts_on), CPU(branches.entry[1].from), CPU(branches.entry[1].to),
	CPU(branches.entry[1].info), CPU(branches.last.from), CPU(branches.last.to),
	CPU(branches.last.info), CPU(branches.exception.from), CPU(branches.exception.to),
	CPU(branches.exception.info), CPU(branches.top), CPU(branches.select),
	{ "branches.depth", IN_CPU, offsetof(struct refpmu_cpu, branches.depth), 0x30 },
	CPU(branches.idle_insns), CPU(branches.since), CPU(branches.inserted),
	CPU(branches.entered_from), CPU(branches.entered_base), CPU(branches.entered_cpl),
	CPU(pebs.enable), CPU(pebs.data_cfg), CPU(pebs.due), CPU(pebs.ld_lat), CPU(pebs.frontend),
	CPU(pebs.loads), CPU(pebs.stores), CPU(pebs.has_both), CPU(pebs.address), CPU(overflowed),
	CPU(is_pmi_due), CPU(is_polling), CPU(caches.fills_core), CPU(caches.fills_last),
	CPU(caches.data_page), CPU(caches.pending.frontend_cycles),
	CPU(caches.pending.bad_speculation_cycles), CPU(caches.pending.backend_cycles),
	CPU(caches.pending.llc_references), CPU(caches.pending.llc_misses),
	CPU(caches.pending.is_mispredicted), CPU(caches.pending.is_alone),
	CPU(caches.pending_l2.count[1][1]), CPU(caches.is_pending), CPU(caches.predictor.history),
	CPU(caches.observed.pending.data_reads), CPU(caches.observed.pending.data_writes),
	CPU(caches.observed.pending.misaligned), CPU(caches.observed.pending.splits),
	CPU(caches.observed.pending.data_read_misses),
	CPU(caches.observed.pending.data_write_misses),
	CPU(caches.observed.pending.write_hits_m_e), CPU(caches.observed.pending.dtlb_misses),
	CPU(caches.observed.pending.itlb_misses), CPU(caches.observed.pending.l1d_lines_in),
	CPU(caches.observed.pending.l1d_m_lines_in), CPU(caches.observed.pending.l1d_m_lines_out),
	CPU(caches.observed.pending.l2_lines_in), CPU(caches.observed.pending.l2_m_lines_in),
	CPU(caches.observed.pending.l2_lines_out), CPU(caches.observed.pending.l2_m_lines_out),
	CPU(caches.observed.pending.l1i_fetches), CPU(caches.observed.pending.l1i_misses),
	CPU(caches.observed.pending.bus[1]), CPU(caches.observed.pending.bus_any[1]),
	CPU(caches.observed.pending.bus_locks), CPU(caches.observed.pending.bus_locks_any),
	CPU(caches.observed.pending.snoops), CPU(caches.observed.pending.snoop_hits),
	CPU(caches.observed.pending.snoop_hitm), CPU(caches.observed.pending.itlb_cycles),
	CPU(caches.observed.pending.ifetch_cycles), CPU(caches.observed.pending.dtlb_cycles),
	CPU(caches.observed.pending.read_cycles), CPU(caches.observed.pending.io_cycles),
	CPU(caches.observed.pending.miss_cycles), CPU(caches.observed.pending.is_in_v_pipe),
	CPU(caches.observed.pending.are_both_memory), CPU(caches.observed.pending.is_bank_conflict),
	CPU(caches.observed.pending.is_btb_hit), CPU(caches.observed.pending.is_predicted_taken),
	CPU(caches.observed.is_pending), CPU(caches.observed.access_end),
	CPU(caches.observed.access_size),
	CPU(caches.observed.access_kind), CPU(caches.observed.locks), CPU(caches.observed.bank),
	CPU(caches.observed.fast_linear), CPU(caches.observed.fast_size),
	CPU(caches.observed.was_fetched),
	CPU(caches.observed.may_pair), CPU(caches.observed.pair_has_memory),
	CPU(caches.observed.pair_bank),
	CPU(caches.observed.next_ip), CPU(caches.observed.fetch_block),
	CPU(caches.observed.seen.count[1]),
	CPU(caches.observed.seen.locks), CPU(caches.observed.seen.changes),
	CORE(caches.fetch_line[1]),
	CORE(caches.snooped.snoops), CORE(caches.snooped.hits), CORE(caches.snooped.hitm),
	CORE(caches.snooped.l1d_m_lines_out), CORE(caches.snooped.l2_lines_out),
	CORE(caches.snooped.l2_m_lines_out), CORE(caches.snooped.write_backs),
	CORE(netburst.slot[1].value), CORE(netburst.slot[1].cccr), CORE(netburst.slot[1].is_on),
	CORE(netburst.slot[1].was_asserted), CORE(netburst.slot[1].is_due),
	CORE(netburst.slot[1].is_line[1]), CORE(netburst.escr[1]), CORE(netburst.pebs_enable),
	CORE(netburst.pebs_matrix_vert), CORE(netburst.tc_precise_event),
	CORE(netburst.pebs_armed), CORE(netburst.skids),
	MACHINE(view.changes), MACHINE(caches.bus.count[1]), MACHINE(caches.bus.locks),
	MACHINE(caches.bus.changes), MACHINE(variation), MACHINE(keeps_caches),
};
enum { MEMBERS = COUNT_OF(members) };

static struct world saved, restored;
static unsigned char string[STRING];

static unsigned char *low_byte(const struct world *w, const struct member *m)
{
	struct refpmu_cpu *cpu = w->cpu[0].model;
	void *whole[] = { [IN_CPU] = cpu, [IN_CORE] = cpu->core, [IN_MACHINE] = w->machine };

	return (unsigned char *)whole[m->where] + m->offset;
}

/* Returns Sapphire Rapids, which has all registers of PEBS, and LBR with a depth register. */
static const struct world_row *row_of_all(void)
{
	return &world_rows[WORLD_ROWS - 1];
}

UNIT_TEST(each_member_is_restored)
{
	for (unsigned i = 0; i < MEMBERS; i++) {
		unsigned char *byte, wanted;

		world_create(&saved, row_of_all(), 1);
		world_create(&restored, row_of_all(), 1);
		byte = low_byte(&saved, &members[i]);
		*byte ^= members[i].change;
		wanted = *byte;
		check_eq_u64("restored", refpmu_restore(restored.machine, string,
		                                        refpmu_save(saved.machine, string, STRING)),
		             REFPMU_RESTORED);
		check_eq_u64(members[i].name, *low_byte(&restored, &members[i]), wanted);
	}
}

UNIT_MAIN()
