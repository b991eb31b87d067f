/* SPDX-License-Identifier: MIT */
/* What is saved of caches, TLBs and the predictor, but for their arrays (saved_lines.c). */
#include <model/saving/saved_rows.h>

static const struct saved_field fields_of_cache_l2[] = {
	SAVED(cache_l2, count, uint32_t)
	END
};

static const struct saved_field fields_of_cache_traffic[] = {
	SAVED(cache_traffic, data_reads, uint32_t)
	SAVED(cache_traffic, data_writes, uint32_t)
	SAVED(cache_traffic, misaligned, uint32_t)
	SAVED(cache_traffic, splits, uint32_t)
	SAVED(cache_traffic, data_read_misses, uint32_t)
	SAVED(cache_traffic, data_write_misses, uint32_t)
	SAVED(cache_traffic, write_hits_m_e, uint32_t)
	SAVED(cache_traffic, dtlb_misses, uint32_t)
	SAVED(cache_traffic, itlb_misses, uint32_t)
	SAVED(cache_traffic, l1d_lines_in, uint32_t)
	SAVED(cache_traffic, l1d_m_lines_in, uint32_t)
	SAVED(cache_traffic, l1d_m_lines_out, uint32_t)
	SAVED(cache_traffic, l2_lines_in, uint32_t)
	SAVED(cache_traffic, l2_m_lines_in, uint32_t)
	SAVED(cache_traffic, l2_lines_out, uint32_t)
	SAVED(cache_traffic, l2_m_lines_out, uint32_t)
	SAVED(cache_traffic, l1i_fetches, uint32_t)
	SAVED(cache_traffic, l1i_misses, uint32_t)
	SAVED(cache_traffic, bus, uint32_t)
	SAVED(cache_traffic, bus_any, uint32_t)
	SAVED(cache_traffic, bus_locks, uint32_t)
	SAVED(cache_traffic, bus_locks_any, uint32_t)
	SAVED(cache_traffic, snoops, uint32_t)
	SAVED(cache_traffic, snoop_hits, uint32_t)
	SAVED(cache_traffic, snoop_hitm, uint32_t)
	SAVED(cache_traffic, itlb_cycles, uint32_t)
	SAVED(cache_traffic, ifetch_cycles, uint32_t)
	SAVED(cache_traffic, dtlb_cycles, uint32_t)
	SAVED(cache_traffic, read_cycles, uint32_t)
	SAVED(cache_traffic, io_cycles, uint32_t)
	SAVED(cache_traffic, miss_cycles, uint32_t)
	SAVED(cache_traffic, is_in_v_pipe, bool)
	SAVED(cache_traffic, are_both_memory, bool)
	SAVED(cache_traffic, is_bank_conflict, bool)
	SAVED(cache_traffic, is_btb_hit, bool)
	SAVED(cache_traffic, is_predicted_taken, bool)
	END
};

static const struct saved_field fields_of_cache_cost[] = {
	SAVED(cache_cost, frontend_cycles, uint32_t)
	SAVED(cache_cost, bad_speculation_cycles, uint32_t)
	SAVED(cache_cost, backend_cycles, uint32_t)
	SAVED(cache_cost, llc_references, uint32_t)
	SAVED(cache_cost, llc_misses, uint32_t)
	NOT_SAVED(cache_cost, l2, "NULL until the instruction retires, then for the call alone")
	NOT_SAVED(cache_cost, traffic, "the same")
	SAVED(cache_cost, is_mispredicted, bool)
	SAVED(cache_cost, is_alone, bool)
	END
};

const struct saved_field fields_of_cache_machine[] = {
	NOT_SAVED(cache_machine, packages, "creation links them")
	SAVED(cache_machine, bus, uint64_t)
	SAVED(cache_machine, bus_locks, uint64_t)
	SAVED(cache_machine, bus_changes, uint64_t)
	END
};

static const struct saved_field fields_of_cache_snooped[] = {
	SAVED(cache_snooped, snoops, uint32_t)
	SAVED(cache_snooped, hits, uint32_t)
	SAVED(cache_snooped, hitm, uint32_t)
	SAVED(cache_snooped, l1d_m_lines_out, uint32_t)
	SAVED(cache_snooped, l2_lines_out, uint32_t)
	SAVED(cache_snooped, l2_m_lines_out, uint32_t)
	SAVED(cache_snooped, write_backs, uint32_t)
	END
};

/* Nothing but the last level: its lines are in saved_lines.c. */
NOT_SAVED(cache_package, geometry, "the processor's")
NOT_SAVED(cache_package, machine, "creation links it")
NOT_SAVED(cache_package, next, "creation links it")
NOT_SAVED(cache_package, cores, "creation links them")
NOT_SAVED(cache_package, stamp, "saved_lines.c")
NOT_SAVED(cache_package, llc, "saved_lines.c")
NOT_SAVED(refpmu_package, machine, "creation links it")
NOT_SAVED(refpmu_package, active, "counted anew")
NOT_SAVED(refpmu_package, caches, "saved_lines.c")

const struct saved_field fields_of_cache_core[] = {
	NOT_SAVED(cache_core, geometry, "the processor's")
	NOT_SAVED(cache_core, package, "creation links it")
	NOT_SAVED(cache_core, next, "creation links it")
	NOT_SAVED(cache_core, line_bits, "of the geometry")
	SAVED(cache_core, fetch_line, uint64_t)
	SAVED(cache_core, data_line, uint64_t)
	SAVED(cache_core, written_line, uint64_t)
	SAVED_PART(cache_core, snooped, cache_snooped)
	NOT_SAVED(cache_core, stamp, "saved_lines.c")
	NOT_SAVED(cache_core, l1i, "saved_lines.c")
	NOT_SAVED(cache_core, l1d, "saved_lines.c")
	NOT_SAVED(cache_core, l2, "saved_lines.c")
	END
};

static const struct saved_field fields_of_cache_told[] = {
	SAVED_PART(cache_told, pending, cache_traffic)
	NOT_SAVED(cache_told, retired, "what the last call told")
	SAVED(cache_told, is_pending, bool)
	SAVED(cache_told, access_end, uint64_t)
	SAVED(cache_told, access_size, uint32_t)
	SAVED(cache_told, access_kind, uint8_t)
	SAVED(cache_told, locks, uint8_t)
	SAVED(cache_told, bank, uint8_t)
	SAVED(cache_told, plain_linear, uint64_t)
	SAVED(cache_told, plain_size, uint32_t)
	SAVED(cache_told, was_fetched, bool)
	SAVED(cache_told, may_pair, bool)
	SAVED(cache_told, pair_has_memory, bool)
	SAVED(cache_told, pair_bank, uint8_t)
	SAVED(cache_told, next_ip, uint64_t)
	SAVED(cache_told, fetch_block, uint64_t)
	SAVED(cache_told, bus_seen, uint64_t)
	SAVED(cache_told, locks_seen, uint64_t)
	SAVED(cache_told, changes_seen, uint64_t)
	NOT_SAVED(cache_told, btb_stamp, "saved_lines.c")
	NOT_SAVED(cache_told, btb, "saved_lines.c")
	END
};

static const struct saved_field fields_of_cache_predictor[] = {
	SAVED(cache_predictor, history, uint32_t)
	NOT_SAVED(cache_predictor, return_top, "saved_lines.c: an index of the geometry's")
	NOT_SAVED(cache_predictor, direction, "saved_lines.c")
	NOT_SAVED(cache_predictor, pattern, "saved_lines.c")
	NOT_SAVED(cache_predictor, target_ip, "saved_lines.c")
	NOT_SAVED(cache_predictor, target, "saved_lines.c")
	NOT_SAVED(cache_predictor, returns, "saved_lines.c")
	END
};

const struct saved_field fields_of_caches[] = {
	NOT_SAVED(caches, core, "creation links it")
	NOT_SAVED(caches, thread, "its place in the core")
	SAVED(caches, fills_core, bool)
	SAVED(caches, fills_last, bool)
	SAVED(caches, data_page, uint64_t)
	NOT_SAVED(caches, tlb_stamp, "saved_lines.c")
	SAVED_PART(caches, pending, cache_cost)
	SAVED_PART(caches, pending_l2, cache_l2)
	NOT_SAVED(caches, retired_l2, "what the last call told")
	SAVED(caches, is_pending, bool)
	NOT_SAVED(caches, tells_traffic, "the geometry's")
	SAVED_PART(caches, predictor, cache_predictor)
	NOT_SAVED(caches, itlb, "saved_lines.c")
	NOT_SAVED(caches, dtlb, "saved_lines.c")
	SAVED_PART(caches, told, cache_told)
	END
};
