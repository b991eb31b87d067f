/* SPDX-License-Identifier: MIT */
/* Quirks of NetBurst's events and tags. */
#include <model/defects/quirk_table.h>

#include <arch/regs/netburst.h>
#include <model/model.h>
#include <model/state/event_rows.h>

/* The change is about this event. */
#define OF(unit, select) \
	SET(odd_escr, MSR_##unit), SET(odd_select, select)

/* Made up, on Willamette. */
#define QUIRK(name_, defect_, test_, what_, ...) \
	{ .name = "netburst-" name_, .defect = defect_, .source = "made up against the SDM", \
	  .cpu = WILLAMETTE, .test = test_, .what = what_, .change = { __VA_ARGS__ } }

#define EVENTS "netburst.events."

const struct model_quirk model_quirks_netburst_events[] = {
	/* Events and their masks. */
	QUIRK("select-confused", "event select 6 counts what 3 does",
	      EVENTS "branch_retired", "more rounds",
	      SET(select_from, 6), SET(select_to, 3)),
	QUIRK("mask-late", "event masks are taken one bit too high",
	      EVENTS "page_walk_type", "mask DTMISS", SET(mask_is_late, true)),
	QUIRK("mispredicted-swapped", "branch_retired: predicted is mispredicted",
	      "netburst.branch_retired.mispredicted", "random, 1000 more rounds: MMNM+MMTM",
	      OF(CRU_ESCR2, 6), SET(mask_flip, 1)),
	QUIRK("taken-swapped", "branch_retired: taken is not taken",
	      "netburst.branch_retired.taken", "loop, 1000 more rounds: MMTP+MMTM",
	      OF(CRU_ESCR2, 6), SET(mask_flip, 2)),
	QUIRK("walk-types-swapped", "page_walk_type: DTMISS is ITMISS",
	      EVENTS "page_walk_type", "mask ITMISS", OF(PMH_ESCR0, 1), SET(mask_flip, 1)),
	QUIRK("splits-swapped", "memory_complete: LSC is SSC",
	      EVENTS "memory_complete", "mask LSC", OF(SAAT_ESCR0, 8), SET(mask_flip, 1)),
	QUIRK("indirect-calls-untyped", "retired_branch_type has no indirect calls",
	      EVENTS "retired_branch_type", "call_indirect",
	      SET(typed_branches_lost, 1u << MODEL_CALL_INDIRECT)),
	QUIRK("packed-is-scalar", "packed_SP_uop counts scalar ones, too",
	      EVENTS "packed_sp_uop", "sse_add_scalar",
	      OF(FIRM_ESCR0, 8), SET(odd_traits, MODEL_TRAIT_UOP_SCALAR_SP)),
	QUIRK("128-bits-are-64", "64bit_MMX_uop counts those of XMM registers, too",
	      EVENTS "64bit_mmx_uop", "sse2_add_integer",
	      OF(FIRM_ESCR0, 2), SET(odd_traits, MODEL_TRAIT_UOP_MMX_128)),
	QUIRK("uop-type-counts", "uop_type counts what it tags",
	      EVENTS "uop_type", "load_store", SET(tags_count, true)),
	/* Instructions and wrong paths. */
	QUIRK("insns-are-uops", "instr_retired counts micro-operations",
	      EVENTS "instr_retired", "push_pop", SET(insns_are_uops, true)),
	QUIRK("tagged-insns-lost", "instr_retired takes tagged instructions for untagged ones",
	      "netburst.instr_retired.tagged", "NBOGUSTAG", SET(tagged_insns_are_untagged, true)),
	QUIRK("bogus-counted", "instr_retired: NBOGUS counts bogus instructions, too",
	      "netburst.speculation.instr_retired", "NBOGUSNTAG+NBOGUSTAG",
	      OF(CRU_ESCR0, 2), SET(mask_also_shift, 2)),
	QUIRK("bogus-execution", "execution_event: NBOGUSn counts bogus ones, too",
	      "netburst.speculation.x87_fp_retired", "X87_FP_retired",
	      OF(CRU_ESCR2, 0xc), SET(mask_also_shift, 4)),
	{ .name = "netburst-bogus-completed",
	  .defect = "instr_completed: NBOGUS counts bogus instructions, too",
	  .source = "made up against the SDM", .cpu = PRESCOTT,
	  .test = "netburst.speculation.instr_completed", .what = "mask NBOGUS",
	  .change = { OF(CRU_ESCR0, 7), SET(mask_also_shift, 1) } },
	{ .name = "netburst-any-is-one-thread",
	  .defect = "events of any thread count that of the T0 or T1 bits alone",
	  .source = "made up against the SDM", .cpu = PRESCOTT, .words = "smp=1:1:2",
	  .test = "netburst.qualify.any_thread", .what = "x87_FP_uop",
	  .change = { SET(any_is_one_thread, true) } },
	/* Tags. */
	QUIRK("tag-late", "execution tagging: tag bit n is taken for n + 1",
	      "netburst.tagging.values", "tag value 1H: NBOGUS0", SET(tag_value_is_late, true)),
	QUIRK("tag-value-ignored", "execution tagging: each tag is all of them",
	      "netburst.tagging.values", "tag value 1H: NBOGUS1", SET(tag_value_is_ignored, true)),
	QUIRK("tag-enable-ignored", "execution tagging tags without tag enable",
	      "netburst.tagging.enable", "NBOGUS0", SET(tag_enable_is_ignored, true)),
	QUIRK("front-end-tags-all", "loads and stores have a tag that nobody gave them",
	      EVENTS "front_end_event", "load_store", SET(front_end_tags_all, true)),
	QUIRK("tags-swapped", "uop_type: TAGLOADS tags stores, and TAGSTORES loads",
	      "netburst.tagging.memory_loads", "memory_loads", OF(RAT_ESCR0, 2), SET(mask_flip, 3)),
	QUIRK("matrix-ignored", "replay tagging tags loads and stores, whatever the matrix says",
	      "netburst.replay.dtlb_load_miss", "page_store_walk", SET(matrix_is_ignored, true)),
	QUIRK("matrix-swapped", "replay tagging: the matrix' loads are stores",
	      "netburst.replay.split_store", "split_store_retired", SET(matrix_is_swapped, true)),
	QUIRK("replay-forced", "replay tagging tags what nobody asked for",
	      "netburst.replay.nothing_enabled", "no metric", SET(replay_forced, 0x607)),
	{ .name = NULL }
};
