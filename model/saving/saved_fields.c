/* SPDX-License-Identifier: MIT */
/* What is saved of machine, cores and processors. */
#include <model/saving/saved_rows.h>

#define COUNTERS_MOST ((UINT32_C(1) << MODEL_COUNTERS) - 1)
#define NETBURST_MOST ((UINT32_C(1) << NETBURST_COUNTERS) - 1)

/* ---------------------------------------------------------------------------- sampling */

static const struct saved_field fields_of_model_lbr_entry[] = {
	SAVED(model_lbr_entry, from, uint64_t)
	SAVED(model_lbr_entry, to, uint64_t)
	SAVED(model_lbr_entry, info, uint64_t)
	END
};

static const struct saved_field fields_of_model_branches[] = {
	SAVED(model_branches, is_lbr_on, bool)
	SAVED(model_branches, is_bts_on, bool)
	SAVED_PART(model_branches, entry, model_lbr_entry)
	SAVED_PART(model_branches, last, model_lbr_entry)
	SAVED_PART(model_branches, exception, model_lbr_entry)
	SAVED_TO(model_branches, top, uint32_t, MODEL_LBR_MAX - 1)
	SAVED(model_branches, select, uint64_t)
	SAVED_TO(model_branches, depth, uint64_t, MODEL_LBR_MAX)
	SAVED(model_branches, idle_insns, uint64_t)
	SAVED(model_branches, since, uint64_t)
	SAVED(model_branches, inserted, uint32_t)
	SAVED(model_branches, entered_from, uint64_t)
	SAVED(model_branches, entered_base, uint64_t)
	SAVED_TO(model_branches, entered_cpl, uint8_t, 3)
	SAVED(model_branches, entered_by_interrupt, bool)
	END
};

static const struct saved_field fields_of_model_pebs[] = {
	SAVED(model_pebs, enable, uint64_t)
	SAVED(model_pebs, data_cfg, uint64_t)
	SAVED_TO(model_pebs, due, uint64_t, COUNTERS_MOST)
	SAVED(model_pebs, ld_lat, uint64_t)
	SAVED(model_pebs, frontend, uint64_t)
	SAVED(model_pebs, loads, uint32_t)
	SAVED(model_pebs, stores, uint32_t)
	SAVED(model_pebs, has_both, bool)
	SAVED(model_pebs, address, uint64_t)
	END
};

/* ---------------------------------------------------------------------------- NetBurst */

#define BY_PLAN "netburst_plan() makes it of the registers"

static const struct saved_field fields_of_netburst_slot[] = {
	SAVED(netburst_slot, value, uint64_t)
	SAVED(netburst_slot, cccr, uint32_t)
	NOT_SAVED(netburst_slot, escr, BY_PLAN)
	NOT_SAVED(netburst_slot, row, BY_PLAN)
	NOT_SAVED(netburst_slot, mask, BY_PLAN)
	SAVED(netburst_slot, is_on, bool)
	NOT_SAVED(netburst_slot, is_cascaded, BY_PLAN)
	NOT_SAVED(netburst_slot, has_compare, BY_PLAN)
	NOT_SAVED(netburst_slot, is_complement, BY_PLAN)
	NOT_SAVED(netburst_slot, is_edge, BY_PLAN)
	NOT_SAVED(netburst_slot, threshold, BY_PLAN)
	SAVED(netburst_slot, was_asserted, bool)
	SAVED(netburst_slot, is_due, bool)
	SAVED(netburst_slot, is_line, bool)
	END
};

static const struct saved_field fields_of_netburst[] = {
	SAVED_PART(netburst, slot, netburst_slot)
	SAVED(netburst, escr, uint32_t)
	SAVED(netburst, pebs_enable, uint32_t)
	SAVED(netburst, pebs_matrix_vert, uint32_t)
	SAVED(netburst, tc_precise_event, uint64_t)
	NOT_SAVED(netburst, pebs, BY_PLAN)
	SAVED_TO(netburst, pebs_armed, uint32_t, NETBURST_MOST)
	SAVED(netburst, skids, uint32_t)
	NOT_SAVED(netburst, counting, BY_PLAN)
	NOT_SAVED(netburst, levels, BY_PLAN)
	NOT_SAVED(netburst, uops, BY_PLAN)
	NOT_SAVED(netburst, compares, BY_PLAN)
	NOT_SAVED(netburst, starts, BY_PLAN)
	NOT_SAVED(netburst, running, BY_PLAN)
	NOT_SAVED(netburst, plain, "asked anew after netburst_plan()")
	END
};

static const struct saved_field fields_of_netburst_deeds[] = {
	SAVED(netburst_deeds, split_loads, uint32_t)
	SAVED(netburst_deeds, split_stores, uint32_t)
	SAVED(netburst_deeds, partial_loads, uint32_t)
	SAVED(netburst_deeds, unaligned_loads, uint32_t)
	SAVED(netburst_deeds, alias_loads, uint32_t)
	SAVED(netburst_deeds, replayed_uops, uint32_t)
	SAVED(netburst_deeds, last_write, uint64_t)
	SAVED(netburst_deeds, last_size, uint32_t)
	END
};

static const struct saved_field fields_of_netburst_entry[] = {
	SAVED_TO(netburst_entry, cycles, uint32_t, UINT16_MAX)
	SAVED_TO(netburst_entry, kind, uint8_t, CACHE_BUS_KINDS - 1)
	END
};

static const struct saved_field fields_of_netburst_thread[] = {
	NOT_SAVED(netburst_thread, number, "its place in the core")
	SAVED(netburst_thread, is_inactive, bool)
	SAVED(netburst_thread, now, uint16_t)
	SAVED_TO(netburst_thread, executed, uint32_t, NETBURST_MOST)
	SAVED_PART(netburst_thread, deeds, netburst_deeds)
	SAVED_PART(netburst_thread, entry, netburst_entry)
	SAVED_TO(netburst_thread, entry_count, uint8_t, NETBURST_ENTRIES)
	SAVED(netburst_thread, store_begin, uint64_t)
	SAVED(netburst_thread, store_end, uint64_t)
	SAVED(netburst_thread, wc_line, uint64_t)
	SAVED(netburst_thread, wc_bytes, uint8_t)
	SAVED(netburst_thread, is_finishing, bool)
	SAVED(netburst_thread, was_tagged, bool)
	SAVED_TO(netburst_thread, skid, uint8_t, 72)
	SAVED_TO(netburst_thread, skidding, uint32_t, NETBURST_MOST)
	END
};

/* ---------------------------------------------------------------------------- processors */

#define BY_REGISTERS "the generation's plan() makes it of the registers"
#define NO_RUN "refpmu_end_run() comes before"

static const struct saved_field fields_of_model_counter[] = {
	SAVED(model_counter, value, uint64_t)
	NOT_SAVED(model_counter, limit, "by is_armed, value and mask")
	NOT_SAVED(model_counter, mask, "the processor's")
	NOT_SAVED(model_counter, signal, BY_REGISTERS)
	NOT_SAVED(model_counter, umask, BY_REGISTERS)
	NOT_SAVED(model_counter, event, BY_REGISTERS)
	NOT_SAVED(model_counter, cmask, BY_REGISTERS)
	SAVED_TO(model_counter, rings, uint8_t, (1 << RINGS) - 1)
	NOT_SAVED(model_counter, status_bit, "the counter's")
	NOT_SAVED(model_counter, is_inverted, BY_REGISTERS)
	NOT_SAVED(model_counter, is_edge, BY_REGISTERS)
	NOT_SAVED(model_counter, is_equal, BY_REGISTERS)
	SAVED(model_counter, was_asserted, bool)
	NOT_SAVED(model_counter, is_pmi, BY_REGISTERS)
	NOT_SAVED(model_counter, is_any, BY_REGISTERS)
	SAVED(model_counter, is_pebs, bool)
	NOT_SAVED(model_counter, is_adaptive, BY_REGISTERS)
	SAVED(model_counter, is_armed, bool)
	END
};

static const struct saved_field fields_of_refpmu_view[] = {
	SAVED(refpmu_view, cycles, uint64_t)
	SAVED(refpmu_view, is_watched, bool)
	SAVED(refpmu_view, is_active, bool)
	SAVED(refpmu_view, records_branches, bool)
	SAVED(refpmu_view, is_entering, bool)
	END
};

const struct saved_field saved_cpu[] = {
	SAVED_PART(refpmu_cpu, view, refpmu_view)
	NOT_SAVED(refpmu_cpu, run, NO_RUN)
	NOT_SAVED(refpmu_cpu, run_end, NO_RUN)
	NOT_SAVED(refpmu_cpu, run_cpl, NO_RUN)
	NOT_SAVED(refpmu_cpu, is_gathering, NO_RUN)
	NOT_SAVED(refpmu_cpu, was_plain, NO_RUN)
	NOT_SAVED(refpmu_cpu, is_told_runs, "the emulator's")
	NOT_SAVED(refpmu_cpu, is_single, "the machine's")
	NOT_SAVED(refpmu_cpu, generation, "the processor's")
	NOT_SAVED(refpmu_cpu, core, "creation links it")
	NOT_SAVED(refpmu_cpu, package, "creation links it")
	NOT_SAVED(refpmu_cpu, next, "creation links it")
	NOT_SAVED(refpmu_cpu, other, "creation links it")
	NOT_SAVED(refpmu_cpu, listener, BY_REGISTERS)
	NOT_SAVED(refpmu_cpu, host, "the emulator's")
	SAVED(refpmu_cpu, perfevtsel, uint64_t)
	SAVED(refpmu_cpu, fixed_ctr_ctrl, uint64_t)
	SAVED(refpmu_cpu, global_ctrl, uint64_t)
	SAVED(refpmu_cpu, global_status, uint64_t)
	SAVED(refpmu_cpu, debugctl, uint64_t)
	SAVED(refpmu_cpu, misc_enable, uint64_t)
	SAVED(refpmu_cpu, ds_area, uint64_t)
	SAVED(refpmu_cpu, perf_metrics, uint64_t)
	SAVED(refpmu_cpu, metric_slots, uint64_t)
	SAVED(refpmu_cpu, metric_total, uint64_t)
	SAVED_PART(refpmu_cpu, counter, model_counter)
	NOT_SAVED(refpmu_cpu, plan, BY_REGISTERS)
	SAVED(refpmu_cpu, now, uint32_t)
	SAVED_TO(refpmu_cpu, ring, uint8_t, RINGS - 1)
	SAVED(refpmu_cpu, is_open, bool)
	SAVED(refpmu_cpu, bus_phase, uint32_t)
	SAVED(refpmu_cpu, busy, uint32_t)
	SAVED(refpmu_cpu, conditions, uint32_t)
	SAVED(refpmu_cpu, stall, uint32_t)
	SAVED(refpmu_cpu, last_unit, uint64_t)
	SAVED(refpmu_cpu, store_begin, uint64_t)
	SAVED(refpmu_cpu, store_end, uint64_t)
	SAVED(refpmu_cpu, blocked_loads, uint32_t)
	SAVED_PART(refpmu_cpu, netburst, netburst_thread)
	SAVED_PART(refpmu_cpu, branches, model_branches)
	SAVED_PART(refpmu_cpu, pebs, model_pebs)
	SAVED_TO(refpmu_cpu, overflowed, uint32_t, COUNTERS_MOST)
	SAVED(refpmu_cpu, is_pmi_due, bool)
	SAVED(refpmu_cpu, is_polling, bool)
	SAVED_PART(refpmu_cpu, caches, caches)
	END
};

const struct saved_field saved_core[] = {
	NOT_SAVED(refpmu_core, rules, "the processor's")
	NOT_SAVED(refpmu_core, package, "creation links it")
	NOT_SAVED(refpmu_core, thread, "creation links them")
	NOT_SAVED(refpmu_core, threads, "creation counts them")
	NOT_SAVED(refpmu_core, active, "counted anew")
	SAVED_PART(refpmu_core, caches, cache_core)
	SAVED_PART(refpmu_core, netburst, netburst)
	END
};

static const struct saved_field fields_of_refpmu_machine_view[] = {
	SAVED(refpmu_machine_view, changes, uint32_t)
	END
};

const struct saved_field saved_machine[] = {
	SAVED_PART(refpmu_machine, view, refpmu_machine_view)
	NOT_SAVED(refpmu_machine, active, "counted anew")
	NOT_SAVED(refpmu_machine, recording, "counted anew")
	NOT_SAVED(refpmu_machine, first, "creation links them")
	NOT_SAVED(refpmu_machine, last, "creation links them")
	SAVED_PART(refpmu_machine, caches, cache_machine)
	SAVED(refpmu_machine, variation, uint64_t)
	SAVED(refpmu_machine, keeps_caches, bool)
	END
};
