/* SPDX-License-Identifier: MIT */
/* Quirks of NetBurst's PEBS, and of PMIs that come late. */
#include <model/quirk_table.h>

#include <arch/regs/netburst.h>

/* Of struct model_registers.general. */
enum { BX = 3, CX = 1 };

#define UP       .cpu = WILLAMETTE
#define THREADS  .cpu = PRESCOTT, .words = "smp=1:1:2"
#define MADE_UP  .source = "made up against the SDM"

const struct model_quirk model_quirks_netburst_pebs[] = {
	{ .name = "netburst-pebs-early",
	  .defect = "the event that overflows the counter is recorded, not the next one", MADE_UP, UP,
	  .test = "pebs.netburst.replay", .what = "rounds between two records",
	  .change = { SET(pebs_is_early, true) } },
	{ .name = "netburst-pebs-late",
	  .defect = "a record is written an instruction late", MADE_UP, UP,
	  .test = "pebs.netburst.replay", .what = "IP",
	  .change = { SET(pebs_is_late, true) } },
	{ .name = "netburst-pebs-ip-off",
	  .defect = "the IP of a record is a byte too far", MADE_UP, UP,
	  .test = "pebs.netburst.front_end", .what = "IP",
	  .change = { SET(pebs_ip_extra, 1) } },
	{ .name = "netburst-pebs-ecx-is-ebx",
	  .defect = "EBX and ECX stand in each other's place", MADE_UP, UP,
	  .test = "pebs.netburst.execution", .what = "ECX",
	  .change = { SET(pebs_field_swap, BX << 8 | CX) } },
	{ .name = "netburst-pebs-index-past",
	  .defect = "the index moves by four bytes more than a record has", MADE_UP, UP,
	  .test = "pebs.netburst.replay", .what = "the index",
	  .change = { SET(ds_index_extra, 4) } },
	{ .name = "netburst-pebs-narrow",
	  .defect = "the 64-bit layout only in IA-32e mode, although DTES64 = 1", MADE_UP,
	  .cpu = PRESCOTT, .words = "bits=32",
	  .test = "pebs.netburst.replay", .what = "records",
	  .change = { SET(has_dtes64, false) } },
	{ .name = "netburst-pebs-no-reload",
	  .defect = "the counter goes on from where it overflowed", MADE_UP, UP,
	  .test = "pebs.netburst.replay", .what = "records",
	  .change = { SET(pebs_reloads_nothing, true) } },
	{ .name = "netburst-pebs-reload-32",
	  .defect = "bits 39:32 of the counter reset value are lost", MADE_UP, UP,
	  .test = "pebs.netburst.front_end", .what = "records",
	  .change = { SET(pebs_reset_lost, UINT64_C(0xff00000000)) } },
	{ .name = "netburst-pebs-reload-off",
	  .defect = "the counter is reloaded with one more than its reset value", MADE_UP, UP,
	  .test = "pebs.netburst.front_end", .what = "records",
	  .change = { SET(pebs_reset_extra, 1) } },
	{ .name = "netburst-pebs-slot", .id = "D219",
	  .defect = "the reset value is read behind where it is", MADE_UP, UP,
	  .test = "pebs.netburst.execution", .what = "records",
	  .change = { SET(pebs_slot_is_next, true) } },
	{ .name = "netburst-pebs-any-event", .id = "D225",
	  .defect = "any event of the counter is recorded", MADE_UP, UP,
	  .test = "pebs.netburst.other_events", .what = "records",
	  .change = { SET(pebs_takes_any_event, true) } },
	{ .name = "netburst-pebs-other-counter",
	  .defect = "a thread records with the other one's counter", MADE_UP, UP,
	  .test = "pebs.netburst.other_counters", .what = "records",
	  .change = { SET(pebs_counter_flip, 1) } },
	{ .name = "netburst-pebs-loads-are-stores",
	  .defect = "while PEBS is on, MSR_PEBS_MATRIX_VERT means loads where it says stores",
	  MADE_UP, UP,
	  .test = "pebs.netburst.replay", .what = "1stL_cache_load_miss_retired: events",
	  .change = { SET(pebs_swaps_matrix, true) } },
	{ .name = "netburst-pebs-bits-swapped",
	  .defect = "bits 25 and 26 of MSR_PEBS_ENABLE are for each other's thread", MADE_UP, THREADS,
	  .test = "pebs.netburst.replay", .what = "records",
	  .change = { SET(pebs_threads_are_swapped, true) } },
	{ .name = "netburst-skid-none",
	  .defect = "the PMI of replay_event comes right behind the load", MADE_UP, UP,
	  .test = "sampling.interrupts", .what = "interrupts nearer than 65",
	  .change = { SET(skid_from, 0) } },
	{ .name = "netburst-skid-short",
	  .defect = "the PMI of replay_event comes an instruction less far behind than published",
	  MADE_UP, UP,
	  .test = "sampling.interrupts", .what = "interrupts at 69",
	  .change = { SET(skid_from, 64) } },
	{ .name = NULL }
};
