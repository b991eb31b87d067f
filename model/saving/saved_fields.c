/* SPDX-License-Identifier: MIT */
/*
 * The saved members of each struct of the state. lint compares the rows with the structs
 * (tests/runner/checks/saved.py): each member is in one of
 *
 *	SAVED(struct, type, members...)              numbers, or a bool
 *	SAVED_TO(struct, type, most, members...)     the same, where it is an index or a set of bits
 *	SAVED_PART(struct, part, members...)         structs, with a table of their own
 *	NOT_SAVED(struct, why, members...)           nothing: it follows from something else
 *
 * A row has up to eight members. A changed table is another format: saved_fields_sum() differs.
 */
#include <model/saving/saving.h>

#define FIELD_ROW(of, size, most, parts, member) \
	{ #member, offsetof(struct of, member), \
	  sizeof(((struct of *)NULL)->member) / (size), size, most, parts },

#define EACH_1(a, b, c, d, m)      FIELD_ROW(a, b, c, d, m)
#define EACH_2(a, b, c, d, m, ...) FIELD_ROW(a, b, c, d, m) EACH_1(a, b, c, d, __VA_ARGS__)
#define EACH_3(a, b, c, d, m, ...) FIELD_ROW(a, b, c, d, m) EACH_2(a, b, c, d, __VA_ARGS__)
#define EACH_4(a, b, c, d, m, ...) FIELD_ROW(a, b, c, d, m) EACH_3(a, b, c, d, __VA_ARGS__)
#define EACH_5(a, b, c, d, m, ...) FIELD_ROW(a, b, c, d, m) EACH_4(a, b, c, d, __VA_ARGS__)
#define EACH_6(a, b, c, d, m, ...) FIELD_ROW(a, b, c, d, m) EACH_5(a, b, c, d, __VA_ARGS__)
#define EACH_7(a, b, c, d, m, ...) FIELD_ROW(a, b, c, d, m) EACH_6(a, b, c, d, __VA_ARGS__)
#define EACH_8(a, b, c, d, m, ...) FIELD_ROW(a, b, c, d, m) EACH_7(a, b, c, d, __VA_ARGS__)
#define NINTH(a, b, c, d, e, f, g, h, ninth, ...) ninth
#define EACH(of, size, most, parts, ...) \
	NINTH(__VA_ARGS__, EACH_8, EACH_7, EACH_6, EACH_5, EACH_4, EACH_3, EACH_2, EACH_1, ) \
	(of, size, most, parts, __VA_ARGS__)

#define SAVED_TO(of, type, most, ...) EACH(of, sizeof(type), most, NULL, __VA_ARGS__)
#define SAVED(of, type, ...)          SAVED_TO(of, type, (type)-1, __VA_ARGS__)
#define SAVED_PART(of, part, ...) \
	EACH(of, sizeof(struct part), 0, fields_of_##part, __VA_ARGS__)
#define NOT_SAVED(of, why, ...)

/* The table of a struct: rows, one after the other, without commas. */
#define TABLE(called, ...) const struct saved_field called[] = { __VA_ARGS__ { .name = NULL } };
#define FIELDS(of, ...)    static TABLE(fields_of_##of, __VA_ARGS__)

#define BY_CREATION "creation links or counts it"
#define BY_REGISTERS "the generation's plan() makes it of the registers"
#define IN_LINES "saved_lines.c saves it"

#define COUNTERS_MOST ((UINT32_C(1) << MODEL_COUNTERS) - 1)
#define NETBURST_MOST ((UINT32_C(1) << NETBURST_COUNTERS) - 1)

/* ---------------------------------------------------------------------------- caches */

FIELDS(cache_l2,
	SAVED(cache_l2, uint32_t, count))

FIELDS(cache_traffic,
	SAVED(cache_traffic, uint32_t, split_reads, split_writes, dtlb_read_misses,
	      dtlb_write_misses)
	SAVED(cache_traffic, uint32_t, data_reads, data_writes, misaligned, splits,
	      data_read_misses, data_write_misses, write_hits_m_e, dtlb_misses)
	SAVED(cache_traffic, uint32_t, itlb_misses, l1d_lines_in, l1d_m_lines_in, l1d_m_lines_out,
	      l2_lines_in, l2_m_lines_in, l2_lines_out, l2_m_lines_out)
	SAVED(cache_traffic, uint32_t, l1i_fetches, l1i_misses, bus, bus_any, bus_locks,
	      bus_locks_any, snoops, snoop_hits)
	SAVED(cache_traffic, uint32_t, data_updates, snoop_hitm, itlb_cycles, ifetch_cycles,
	      dtlb_cycles, read_cycles, io_cycles, miss_cycles)
	SAVED(cache_traffic, bool, is_in_v_pipe, are_both_memory, is_bank_conflict, is_btb_hit,
	      is_predicted_taken))

FIELDS(cache_cost,
	SAVED(cache_cost, uint32_t, load_walks, store_walks, code_walks)
	SAVED(cache_cost, uint32_t, frontend_cycles, bad_speculation_cycles, backend_cycles,
	      llc_references, llc_misses)
	NOT_SAVED(cache_cost, "NULL until the instruction retires, then for the call alone", l2)
	NOT_SAVED(cache_cost, "the same", traffic)
	SAVED(cache_cost, bool, is_mispredicted, is_alone))

FIELDS(cache_bus_sums,
	SAVED(cache_bus_sums, uint64_t, count, locks, changes))

FIELDS(cache_machine,
	NOT_SAVED(cache_machine, BY_CREATION, packages)
	SAVED_PART(cache_machine, cache_bus_sums, bus))

FIELDS(cache_snooped,
	SAVED(cache_snooped, uint32_t, snoops, hits, hitm, l1d_m_lines_out, l2_lines_out,
	      l2_m_lines_out, write_backs))

NOT_SAVED(cache_tags, "the geometry's", shape)
NOT_SAVED(cache_tags, IN_LINES, tags, stamp)

/* Only the last level, whose lines are in saved_lines.c. */
NOT_SAVED(cache_package, "the processor's", geometry)
NOT_SAVED(cache_package, BY_CREATION, machine, next, cores)
NOT_SAVED(cache_package, IN_LINES, llc)
FIELDS(cache_core,
	NOT_SAVED(cache_core, "the processor's", geometry)
	NOT_SAVED(cache_core, BY_CREATION, package, next)
	NOT_SAVED(cache_core, "of the geometry", line_bits)
	SAVED(cache_core, uint64_t, fetch_line)
	SAVED_PART(cache_core, cache_snooped, snooped)
	NOT_SAVED(cache_core, IN_LINES, l1i, l1d, l2))

FIELDS(cache_observed,
	SAVED_PART(cache_observed, cache_traffic, pending)
	NOT_SAVED(cache_observed, "what the last call observed", retired)
	SAVED(cache_observed, bool, is_pending)
	SAVED(cache_observed, uint64_t, access_end)
	SAVED(cache_observed, uint32_t, access_size)
	SAVED(cache_observed, uint8_t, access_kind, locks, bank)
	SAVED(cache_observed, uint64_t, fast_linear)
	SAVED(cache_observed, uint32_t, fast_size)
	SAVED(cache_observed, bool, was_fetched, may_pair, pair_has_memory)
	SAVED(cache_observed, uint8_t, pair_bank)
	SAVED(cache_observed, uint64_t, next_ip, fetch_block)
	SAVED_PART(cache_observed, cache_bus_sums, seen)
	NOT_SAVED(cache_observed, IN_LINES, btb))

FIELDS(cache_predictor,
	SAVED(cache_predictor, uint32_t, history)
	NOT_SAVED(cache_predictor, "saved_lines.c: an index of the geometry's", return_top)
	NOT_SAVED(cache_predictor, IN_LINES, direction, pattern, target_ip, target, returns))

FIELDS(caches,
	NOT_SAVED(caches, BY_CREATION, core)
	NOT_SAVED(caches, "its place in the core", thread)
	SAVED(caches, bool, fills_core, fills_last)
	SAVED(caches, uint64_t, data_page)
	NOT_SAVED(caches, IN_LINES, itlb, dtlb)
	SAVED_PART(caches, cache_cost, pending)
	SAVED_PART(caches, cache_l2, pending_l2)
	NOT_SAVED(caches, "what the last call observed", retired_l2)
	SAVED(caches, bool, is_pending)
	NOT_SAVED(caches, "the geometry's", observes_traffic)
	SAVED_PART(caches, cache_predictor, predictor)
	SAVED_PART(caches, cache_observed, observed))

/* ---------------------------------------------------------------------------- sampling */

FIELDS(model_lbr_entry,
	SAVED(model_lbr_entry, uint64_t, from, to, info))

FIELDS(model_branches,
	SAVED(model_branches, bool, is_lbr_on, is_bts_on)
	SAVED_PART(model_branches, model_lbr_entry, entry, last, exception)
	SAVED_TO(model_branches, uint32_t, MODEL_LBR_MAX - 1, top)
	SAVED(model_branches, uint64_t, select)
	SAVED_TO(model_branches, uint64_t, MODEL_LBR_MAX, depth)
	SAVED(model_branches, uint64_t, idle_insns, since)
	SAVED(model_branches, uint32_t, inserted)
	SAVED(model_branches, uint64_t, entered_from, entered_base)
	SAVED_TO(model_branches, uint8_t, 3, entered_cpl)
	SAVED(model_branches, uint64_t, control)
	SAVED(model_branches, bool, is_filling, is_filled, is_holding))

FIELDS(model_pebs,
	SAVED(model_pebs, uint64_t, enable, data_cfg)
	SAVED_TO(model_pebs, uint64_t, COUNTERS_MOST, due)
	SAVED(model_pebs, uint64_t, ld_lat, frontend)
	SAVED(model_pebs, uint32_t, loads, stores)
	SAVED(model_pebs, uint32_t, split_loads)
	SAVED(model_pebs, uint32_t, split_stores)
	SAVED(model_pebs, bool, has_both)
	SAVED(model_pebs, uint64_t, address))

FIELDS(model_ibs_access,
	SAVED(model_ibs_access, uint64_t, linear, physical)
	SAVED(model_ibs_access, uint32_t, size)
	SAVED_TO(model_ibs_access, uint8_t, REFPMU_READ_WRITE, kind)
	SAVED(model_ibs_access, bool, is_cacheable))

FIELDS(model_ibs,
	NOT_SAVED(model_ibs, BY_REGISTERS, is_on)
	SAVED(model_ibs, uint64_t, fetch_ctl, fetch_linear, fetch_physical)
	SAVED(model_ibs, uint64_t, op_ctl, op_rip, op_data, op_data2, op_data3, dc_linear,
	      dc_physical, branch_target)
	SAVED(model_ibs, uint32_t, fetch_count, op_count, noise)
	SAVED(model_ibs, uint64_t, seen)
	SAVED(model_ibs, bool, is_due)
	SAVED_TO(model_ibs, uint8_t, MODEL_IBS_ACCESSES, accesses)
	SAVED_PART(model_ibs, model_ibs_access, access))

FIELDS(model_smm,
	SAVED(model_smm, bool, is_active)
	SAVED(model_smm, uint64_t, debugctl, global_ctrl, lbr_enable))

/* ---------------------------------------------------------------------------- NetBurst */

#define BY_PLAN "netburst_plan() makes it of the registers"

FIELDS(netburst_slot,
	SAVED(netburst_slot, uint64_t, value)
	SAVED(netburst_slot, uint32_t, cccr)
	NOT_SAVED(netburst_slot, BY_PLAN, escr, row, mask, is_cascaded, has_compare, is_complement,
	          is_edge, threshold)
	SAVED(netburst_slot, bool, is_on, was_asserted, is_due, is_line))

FIELDS(netburst,
	SAVED_PART(netburst, netburst_slot, slot)
	SAVED(netburst, uint32_t, escr, pebs_enable, pebs_matrix_vert)
	SAVED(netburst, uint64_t, tc_precise_event)
	NOT_SAVED(netburst, BY_PLAN, pebs, counting, levels, uops, compares, starts, running)
	SAVED_TO(netburst, uint32_t, NETBURST_MOST, pebs_armed)
	SAVED(netburst, uint32_t, skids)
	NOT_SAVED(netburst, "asked anew after netburst_plan()", fast))

FIELDS(netburst_effects,
	SAVED(netburst_effects, uint32_t, split_loads, split_stores, partial_loads, unaligned_loads,
	      alias_loads, replayed_uops)
	SAVED(netburst_effects, uint64_t, last_write)
	SAVED(netburst_effects, uint32_t, last_size))

FIELDS(netburst_entry,
	SAVED_TO(netburst_entry, uint32_t, UINT16_MAX, cycles)
	SAVED_TO(netburst_entry, uint8_t, CACHE_BUS_KINDS - 1, kind))

FIELDS(netburst_thread,
	NOT_SAVED(netburst_thread, "its place in the core", number)
	SAVED(netburst_thread, bool, is_inactive)
	SAVED(netburst_thread, uint16_t, now)
	SAVED_TO(netburst_thread, uint32_t, NETBURST_MOST, executed)
	SAVED_PART(netburst_thread, netburst_effects, effects)
	SAVED_PART(netburst_thread, netburst_entry, entry)
	SAVED_TO(netburst_thread, uint8_t, NETBURST_ENTRIES, entry_count)
	SAVED(netburst_thread, uint64_t, store_begin, store_end, wc_line)
	SAVED(netburst_thread, uint8_t, wc_bytes)
	SAVED(netburst_thread, bool, is_finishing, was_tagged)
	SAVED_TO(netburst_thread, uint8_t, 72, skid)
	SAVED_TO(netburst_thread, uint32_t, NETBURST_MOST, skidding))

/* ---------------------------------------------------------------------------- processors */

#define NO_RUN "refpmu_end_run() comes before"

FIELDS(model_counter,
	SAVED(model_counter, uint64_t, value)
	NOT_SAVED(model_counter, "by is_armed, value and mask", limit)
	NOT_SAVED(model_counter, "the processor's", mask)
	NOT_SAVED(model_counter, BY_REGISTERS, signal, umask, event, cmask, is_inverted, is_edge,
	          is_equal, is_pmi, is_any, is_adaptive)
	SAVED_TO(model_counter, uint8_t, (1 << RINGS) - 1, rings)
	NOT_SAVED(model_counter, "the counter's", status_bit)
	NOT_SAVED(model_counter, BY_REGISTERS, most)
	SAVED(model_counter, bool, was_asserted, is_pebs, is_armed))

FIELDS(refpmu_view,
	SAVED(refpmu_view, uint64_t, cycles)
	SAVED(refpmu_view, bool, is_watched, is_active, records_branches, is_entering))

TABLE(saved_cpu,
	SAVED_PART(refpmu_cpu, refpmu_view, view)
	NOT_SAVED(refpmu_cpu, NO_RUN, run, run_end, run_cpl, is_gathering, was_fast)
	NOT_SAVED(refpmu_cpu, "the emulator's", gets_runs, host)
	NOT_SAVED(refpmu_cpu, "the machine's", is_single)
	NOT_SAVED(refpmu_cpu, "the processor's", generation)
	NOT_SAVED(refpmu_cpu, BY_CREATION, core, package, next, other)
	NOT_SAVED(refpmu_cpu, BY_REGISTERS, sibling, plan)
	SAVED(refpmu_cpu, uint64_t, perfevtsel, fixed_ctr_ctrl, global_ctrl, global_status,
	      debugctl, misc_enable, ds_area, perf_metrics)
	SAVED(refpmu_cpu, uint64_t, metric_slots, metric_total)
	SAVED_PART(refpmu_cpu, model_counter, counter)
	SAVED(refpmu_cpu, uint32_t, now)
	SAVED_TO(refpmu_cpu, uint8_t, RINGS - 1, ring)
	SAVED(refpmu_cpu, bool, is_open)
	SAVED(refpmu_cpu, uint64_t, hwcr, ls_cfg, clocks_of_0, halted_cycles, host_debugctl)
	SAVED(refpmu_cpu, bool, is_svme, is_guest)
	SAVED_PART(refpmu_cpu, model_ibs, ibs)
	SAVED(refpmu_cpu, uint32_t, bus_phase, busy, conditions, stall)
	SAVED(refpmu_cpu, uint64_t, last_unit, store_begin, store_end)
	SAVED(refpmu_cpu, uint32_t, blocked_loads)
	SAVED_PART(refpmu_cpu, netburst_thread, netburst)
	SAVED_PART(refpmu_cpu, model_branches, branches)
	SAVED_PART(refpmu_cpu, model_pebs, pebs)
	SAVED_PART(refpmu_cpu, model_smm, smm)
	SAVED_TO(refpmu_cpu, uint32_t, COUNTERS_MOST, overflowed)
	SAVED(refpmu_cpu, bool, is_pmi_due, is_polling)
	SAVED_PART(refpmu_cpu, caches, caches))

FIELDS(model_shared_counters,
	SAVED(model_shared_counters, uint64_t, ctl, ctr))

TABLE(saved_package,
	NOT_SAVED(refpmu_package, BY_CREATION, machine, signature)
	NOT_SAVED(refpmu_package, "counted anew", active)
	SAVED_PART(refpmu_package, model_shared_counters, nb, l3)
	NOT_SAVED(refpmu_package, BY_REGISTERS, counts)
	NOT_SAVED(refpmu_package, IN_LINES, caches))

TABLE(saved_core,
	NOT_SAVED(refpmu_core, "the processor's", rules)
	NOT_SAVED(refpmu_core, BY_CREATION, package, thread, threads)
	NOT_SAVED(refpmu_core, "counted anew", active)
	SAVED_PART(refpmu_core, cache_core, caches)
	SAVED_PART(refpmu_core, netburst, netburst))

FIELDS(refpmu_machine_view,
	SAVED(refpmu_machine_view, uint32_t, changes))

TABLE(saved_machine,
	SAVED_PART(refpmu_machine, refpmu_machine_view, view)
	NOT_SAVED(refpmu_machine, "counted anew", active, recording)
	NOT_SAVED(refpmu_machine, BY_CREATION, first, last)
	SAVED_PART(refpmu_machine, cache_machine, caches)
	SAVED(refpmu_machine, uint64_t, variation)
	SAVED(refpmu_machine, bool, keeps_caches))
