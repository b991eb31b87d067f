/* SPDX-License-Identifier: MIT */
/* LINK: pmu/events/event_spec.c pmu/events/event_request_general.c */
/* LINK: pmu/events/event_request_match.c pmu/events/event_request_names.c */
/* LINK: pmu/events/event_request_netburst.c pmu/events/event_text.c pmu/events/presets.c */
/* LINK: pmu/events/arch_events.c pmu/events/amd_events.c pmu/events/event_request_amd.c */
/* LINK: build/amd_events.c build/intel_events.c pmu/events/packed_events.c */
/* LINK: pmu/events/intel_events.c pmu/events/event_request_intel.c */
/* LINK: pmu/core/microarchitecture.c pmu/events/events.c pmu/events/event_mask.c */
/* LINK: pmu/events/netburst_find.c */
/* LINK: pmu/events/netburst_setup.c pmu/events/netburst_alloc.c pmu/events/tables/ */
/* LINK: kernel/lib/format.c kernel/lib/nearest.c */
#include <arch/regs/table.h>
#include <pmu/core/microarchitecture.h>
#include <pmu/events/event_text.h>
#include <pmu/events/event_request.h>
#include <pmu/events/presets.h>
#include <tests/unit/pmu/event_spec_machine.h>
#include <tests/unit/unit.h>

static struct pmu_chosen chosen;
static char problem[256];

static bool choose(const char *a, const char *b, const char *c)
{
	const char *const texts[] = { a, b, c };

	problem[0] = '\0';
	return pmu_choose(&chosen, texts, c ? 3 : b ? 2 : 1, problem, sizeof(problem));
}

static void check_chosen(const char *a, const char *b, const char *c)
{
	check_true(a, choose(a, b, c));
	check_str(a, problem, "");
}

static void check_refused(const char *text, const char *want)
{
	check_true(text, !choose(text, NULL, NULL));
	check_str(text, problem, want);
}

static void check_setup(unsigned i, unsigned counter, uint16_t event, unsigned flags, uint8_t cmask)
{
	check_eq_u64("counter", chosen.setup[i].counter, counter);
	check_eq_u64("event", chosen.setup[i].event, event);
	check_eq_u64("flags", chosen.setup[i].flags, flags);
	check_eq_u64("CMASK", chosen.setup[i].cmask, cmask);
}

/* ---------------------------------------------------------------------------- matching */

UNIT_TEST(earlier_ones_move_so_that_all_have_a_counter)
{
	const uint64_t requests[] = { 3, 1, UINT64_C(0x10000000f), UINT64_C(0x10000000f) };
	unsigned counter[4], failed;

	check_true("four", event_match(requests, 4, counter, &failed));
	check_eq_u64("moved", counter[0], 1);
	check_eq_u64("the only one", counter[1], 0);
	check_eq_u64("fixed first", counter[2], PMU_FIXED);
	check_eq_u64("then a general one", counter[3], 2);
}

UNIT_TEST(who_has_none_is_named)
{
	const uint64_t requests[] = { 3, 3, 4, 3 };
	unsigned counter[4], failed;

	check_true("three of two", !event_match(requests, 4, counter, &failed));
	check_eq_u64("the last", failed, 3);
}

/* ---------------------------------------------------------------------------- P5, P6 */

UNIT_TEST(p5_counts_clocks_by_the_kind_of_the_event)
{
	be_p5_mmx();
	check_chosen("instructions_executed", "bus_cycle_duration:u", NULL);
	check_setup(0, 0, 0x16, PMU_BOTH, 0);
	check_setup(1, 1, 0x18, PMU_USR | PMU_CLOCKS, 0);
	check_str("name", chosen.spec[1].name, "BUS_CYCLE_DURATION:u");
	check_chosen("TAKEN_BRANCHES", "r16", NULL);
	check_setup(0, 1, 0x32, PMU_BOTH, 0);
	check_setup(1, 0, 0x16, PMU_BOTH, 0);
	check_chosen("r18", NULL, NULL);
	check_setup(0, 0, 0x18, PMU_BOTH | PMU_CLOCKS, 0);
}

UNIT_TEST(p5_refuses_what_it_has_not)
{
	be_p5_mmx();
	check_refused("r2b", "r2b is another event on each counter: write its name");
	check_refused("r116", "r116: the Pentium's event selects are 0 to 3F, without a unit mask");
	check_refused("BRANCHES,cmask=1", "BRANCHES: the Pentium has no cmask, inv and edge");
	check_refused("BRANCHES:E", "BRANCHES has no mask E; it has none");
	check_refused("BRANCHES,any", "BRANCHES: there is no \"any\" here: this PMU has no "
	                              "AnyThread bit");
	be_p5();
	check_refused("TAKEN_BRANCHES", "this processor does not have the event TAKEN_BRANCHES: "
	                                "other models of its family do");
}

UNIT_TEST(p6_has_masks_and_comparisons)
{
	be_katmai();
	check_chosen("l2_rqsts:e:m,cmask=2,inv", "FLOPS:k,edge", NULL);
	check_setup(0, 1, 0x0c2e, PMU_BOTH | PMU_INV, 2);
	check_setup(1, 0, 0xc1, PMU_OS | PMU_EDGE, 0);
	check_chosen("BUS_TRANS_RFO:any", NULL, NULL);         /* an alias */
	check_setup(0, 0, 0x2066, PMU_BOTH, 0);
	check_refused("L2_RQSTS:X", "L2_RQSTS has no mask X; it has I S E M MESI");
	check_refused("INST_RETIRED,inv", "INST_RETIRED: inv inverts a comparison, so it needs "
	                                  "cmask=N");
	check_refused("nothing", "there is no event nothing on this processor; \"events\" lists "
	                         "all events");
	check_true("three", !choose("INST_RETIRED", "BR_INST_RETIRED", "CPU_CLK_UNHALTED"));
	check_str("three", problem, "CPU_CLK_UNHALTED: no counter is left for CPU_CLK_UNHALTED: "
	          "those that can count it, C0, C1, are taken; count one after the other");
}

/* ---------------------------------------------------------------------------- architectural */

UNIT_TEST(fixed_counters_go_first)
{
	be_haswell();
	check_chosen("INST_RETIRED:ANY_P", "inst_retired.any:u", "instructions_retired,cmask=3");
	check_setup(0, PMU_FIXED_CTR(0), 0xc0, PMU_BOTH, 0);
	check_setup(1, 0, 0xc0, PMU_USR, 0);
	check_setup(2, 1, 0xc0, PMU_BOTH, 3);
	check_str("name", chosen.spec[1].name, "INSTRUCTIONS_RETIRED:u");
	check_chosen("INST_RETIRED.PREC_DIST", "r01c2", "CPU_CLK_UNHALTED.REF_TSC");
	check_setup(0, 1, 0x1c0, PMU_BOTH, 0);
	check_setup(1, 0, 0x1c2, PMU_BOTH, 0);
	check_eq_u64("fixed", chosen.setup[2].counter, PMU_FIXED_CTR(2));
}

static unsigned count_with_cycles(const char *const *texts, unsigned count)
{
	problem[0] = '\0';
	return pmu_choose_and(&chosen, texts, count, "PAPI_TOT_CYC", problem, sizeof(problem))
	       ? chosen.count : 0;
}

UNIT_TEST(one_more_is_counted_if_a_counter_is_left)
{
	static const char *const texts[] = { "rc0", "rc4", "rc5" };
	static const char *const more[] = { "PAPI_TOT_CYC", "rc0", "nonsense" };

	be_katmai();
	check_eq_u64("one and cycles", count_with_cycles(texts, 1), 2);
	check_str("the last one", chosen.spec[1].name, "PAPI_TOT_CYC");
	check_eq_u64("two of two counters", count_with_cycles(texts, 2), 2);
	check_eq_u64("setups", chosen.setup_count, 2);
	check_str("the last one", chosen.spec[1].name, "rc4");
	check_eq_u64("three", count_with_cycles(texts, 3), 0);
	check_eq_u64("cycles alone", count_with_cycles(more, 1), 1);
	check_eq_u64("cycles and one more", count_with_cycles(more, 2), 2);
	check_eq_u64("what is unknown", count_with_cycles(&more[2], 1), 0);
	check_true("it is named", strstr(problem, "nonsense") != NULL);
}

UNIT_TEST(what_cpuid_says_is_missing_is_not_there)
{
	be_arch(0x1e, 3, 4, 0);
	choice_missing = EVENT_BRANCH_MISSES_RETIRED;
	check_refused("BRANCH_MISSES_RETIRED",
	              "this processor does not have the event BRANCH_MISSES_RETIRED");
	check_refused("PAPI_BR_MSP", "PAPI_BR_MSP is not available here: CPUID leaf 0AH says that "
	                             "this processor does not have BRANCH_MISSES_RETIRED");
	check_refused("PAPI_REF_CYC", "PAPI_REF_CYC is not available here: CPUID leaf 0AH says "
	                              "that this processor does not have CPU_CLK_UNHALTED.REF_TSC");
	choice_missing = EVENT_INSTRUCTIONS_RETIRED;
	choice_pmu.fixed_map = 1;
	check_chosen("PAPI_TOT_INS", NULL, NULL);      /* its fixed counter counts */
	check_refused("PAPI_TOT_INS:u,cmask=1", "PAPI_TOT_INS is a preset: cmask, inv and edge are "
	              "for one native event: INSTRUCTIONS_RETIRED");
	check_refused("INST_RETIRED.ANY,edge", "INSTRUCTIONS_RETIRED is counted by a fixed "
	                                       "counter: it has no cmask and edge");
}

UNIT_TEST(a_dead_pmu_counts_nothing)
{
	static const struct pmu_class unknown = { .events = NULL };

	be_arch(0x1e, 3, 0, 0);
	check_refused("PAPI_TOT_INS", "nothing can be counted here: it is dead");
	choice_be(&unknown, 5, 10, 2);
	check_refused("PAPI_TOT_INS", "nothing can be counted here: it is dead");
}

/* ---------------------------------------------------------------------------- NetBurst */

UNIT_TEST(netburst_compares_by_threshold)
{
	be_netburst();
	check_chosen("UOPS_RETIRED:nbogus:k,cmask=2", "uops_retired:NBOGUS,edge", NULL);
	check_eq_u64("ESCR", chosen.use[0].escr_value, 0x02000208);
	check_eq_u64("CCCR", chosen.use[0].cccr_value, 0x00179000);
	check_eq_u64("CCCR", chosen.use[1].cccr_value, 0x01079000);
	check_refused("uops_retired,cmask=17", "uops_retired: cmask is 1 to 16 on NetBurst");
	check_refused("uops_retired:X", "uops_retired has no mask X; it has NBOGUS BOGUS");
	check_refused("instr_completed", "this processor does not have the event instr_completed: "
	                                 "other models of its family do");
	check_refused("rc0", "rc0: NetBurst's events have no numbers, because an ESCR's select "
	                     "depends on its unit; write the name");
	check_refused("uops_retired,any", "uops_retired: there is no \"any\" here: the core has "
	                                  "one thread");
}

UNIT_TEST(each_execution_metric_has_a_tag)
{
	be_netburst();
	check_chosen("packed_SP_retired", "x87_fp_retired:u", NULL);
	check_eq_u64("setups", chosen.setup_count, 4);
	check_eq_u64("first: NBOGUS0", FIELD_GET(ESCR_EVENT_MASK, chosen.use[0].escr_value), 1);
	check_eq_u64("second: NBOGUS1", FIELD_GET(ESCR_EVENT_MASK, chosen.use[1].escr_value), 2);
	check_eq_u64("tag 1", FIELD_GET(ESCR_TAG_VALUE, chosen.use[2].escr_value), 1);
	check_eq_u64("tag 2", FIELD_GET(ESCR_TAG_VALUE, chosen.use[3].escr_value), 2);
	check_eq_u64("which counts has rings", chosen.use[1].escr_value & 0xc, 4);
	check_eq_u64("which tags has all", chosen.use[3].escr_value & 0xc, 0xc);
}

UNIT_TEST(two_metrics_do_not_share_a_tag)
{
	be_netburst();
	check_true("both", !choose("memory_loads", "memory_stores", NULL));
	check_str("both", problem, "memory_stores and memory_loads use the same tag: count one "
	                           "after the other");
	check_true("both", !choose("DTLB_load_miss_retired", "DTLB_store_miss_retired", NULL));
	check_chosen("memory_loads:u", "memory_loads:k", NULL);
	check_eq_u64("setups: one tags for both", chosen.setup_count, 3);
	check_true("ESCRs", !choose("memory_loads:u", "memory_loads:k", "PAPI_L1_LDM"));
	check_str("ESCRs", problem, "replay_event: MSR_CRU_ESCR3 is taken by front_end_event, with "
	                            "another value; count one after the other");
	check_chosen("memory_loads:u", "PAPI_L1_LDM", NULL);
	check_eq_u64("setups", chosen.setup_count, 3);
	check_eq_u64("replays", chosen.pebs_enable, 0x01000001);
	check_eq_u64("tagged while measured",
	             pmu_chosen_measure_code(&chosen, NULL, 0, 0).status, 0x01000001);
	check_eq_u64("not after it", choice_pebs_enable, 0);
}

/* ---------------------------------------------------------------------------- presets */

UNIT_TEST(a_preset_adds_and_takes_away)
{
	const uint64_t counts[] = { 10, 3, 100 };

	be_p5_mmx();
	check_chosen("papi_br_ntk:k", NULL, NULL);
	check_str("name", chosen.spec[0].name, "PAPI_BR_NTK:k");
	check_eq_u64("parts", chosen.spec[0].count, 2);
	check_setup(1, 1, 0x32, PMU_OS, 0);
	check_eq_u64("difference", (uint64_t)pmu_spec_value(&chosen, 0, counts), 7);
	check_chosen("PAPI_VEC_INS", NULL, NULL);
	check_eq_u64("sum", (uint64_t)pmu_spec_value(&chosen, 0, counts), 13);
	check_true("both", !choose("PAPI_BR_NTK", "PAPI_TOT_INS", NULL));
	check_str("both", problem, "PAPI_TOT_INS: no counter is left for INSTRUCTIONS_EXECUTED: "
	          "those that can count it, C0, C1, are taken; count one after the other");
	check_refused("PAPI_TOT_INS:E", "PAPI_TOT_INS is a preset: it has no mask E");
}

UNIT_TEST(there_is_a_row_for_each_preset_and_microarchitecture)
{
	for (unsigned i = 0; i < pmu_preset_count; i++) {
		for (unsigned bit = 0; bit < PMU_ON_COUNT; bit++) {
			const struct pmu_preset_row *r = pmu_preset_row(&pmu_presets[i], 1u << bit);

			check_true(pmu_presets[i].name, r != NULL);
			check_true(pmu_presets[i].name,
			           r && !!r->parts[0].event + !!r->near + !!r->lacks <= 1);
			check_true(pmu_presets[i].name, r && !r->why == !!r->parts[0].event);
		}
	}
}

static const struct {
	const struct pmu_class *is;
	uint32_t family, model;
	unsigned counters;
} cpus[] = {
	{ &choice_p5, 5, 1, 2 }, { &choice_p5, 5, 2, 2 }, { &choice_p5_mmx, 5, 4, 2 },
	{ &choice_p6, 6, 1, 2 }, { &choice_p6, 6, 3, 2 }, { &choice_p6, 6, 7, 2 },
	{ &choice_p6, 6, 9, 2 },
	{ &choice_netburst, 0xf, 1, 18 }, { &choice_netburst, 0xf, 4, 18 },
	{ &choice_arch, 6, 0x0e, 2 }, { &choice_arch, 6, 0x17, 2 }, { &choice_arch, 6, 0x1c, 2 },
	{ &choice_arch, 6, 0x1e, 4 }, { &choice_arch, 6, 0x2a, 4 }, { &choice_arch, 6, 0x3a, 4 },
	{ &choice_arch, 6, 0x3c, 4 }, { &choice_arch, 6, 0x55, 4 },
	{ &choice_amd, 6, 8, 4 }, { &choice_amd, 0x0f, 4, 4 }, { &choice_amd, 0x10, 2, 4 },
	{ &choice_amd, 0x11, 3, 4 }, { &choice_amd, 0x12, 1, 4 }, { &choice_amd, 0x14, 1, 4 },
	{ &choice_amd, 0x15, 1, 6 }, { &choice_amd, 0x16, 0, 4 },
	{ &choice_amd, 0x17, 1, 6 }, { &choice_amd, 0x17, 0x71, 6 },
	{ &choice_amd, 0x19, 0x21, 6 }, { &choice_amd, 0x19, 0x61, 6 },
	{ &choice_amd, 0x1a, 0x44, 6 },
};

/* Each generation of AMD's counts at least these, and gives a reason for what it lacks. */
UNIT_TEST(presets_of_amd_are_filled)
{
	static const char *const everywhere[] = {
		"PAPI_TOT_INS", "PAPI_TOT_CYC", "PAPI_BR_INS", "PAPI_BR_TKN", "PAPI_BR_NTK",
		"PAPI_L1_DCA", "PAPI_L1_ICM", "PAPI_TLB_DM", "PAPI_TLB_IM", "PAPI_HW_INT",
	};
	uint32_t seen = 0;
	const char *why;

	for (size_t i = 0; i < COUNT_OF(cpus); i++) {
		if (cpus[i].is != &choice_amd)
			continue;
		choice_be(cpus[i].is, cpus[i].family, cpus[i].model, cpus[i].counters);
		seen |= pmu_microarchitecture();
		for (size_t p = 0; p < COUNT_OF(everywhere); p++)
			check_true(everywhere[p],
			           pmu_preset_here(pmu_preset_find(everywhere[p]), &why));
		for (unsigned p = 0; p < pmu_preset_count; p++)
			check_true(pmu_presets[p].name,
			           pmu_preset_here(&pmu_presets[p], &why) || why);
	}
	check_eq_u64("every generation", seen, PMU_ON_AMD);
}

UNIT_TEST(every_preset_that_is_available_can_be_chosen)
{
	const char *why;

	for (size_t i = 0; i < COUNT_OF(cpus); i++) {
		choice_be(cpus[i].is, cpus[i].family, cpus[i].model, cpus[i].counters);
		choice_pmu.fixed_map = cpus[i].is == &choice_arch ? 7 : 0;
		for (unsigned p = 0; p < pmu_preset_count; p++)
			if (pmu_preset_here(&pmu_presets[p], &why))
				check_chosen(pmu_presets[p].name, NULL, NULL);
			else
				check_true(why, !choose(pmu_presets[p].name, NULL, NULL));
	}
}

/* A reason that names an event, or a word, agrees with the table. */
UNIT_TEST(reasons_are_true_of_the_tables)
{
	for (size_t i = 0; i < COUNT_OF(cpus); i++) {
		choice_be(cpus[i].is, cpus[i].family, cpus[i].model, cpus[i].counters);
		for (unsigned p = 0; p < pmu_preset_count; p++) {
			const struct pmu_preset_row *r = pmu_preset_row(&pmu_presets[p],
			                                                pmu_microarchitecture());
			struct pmu_native e;
			bool is_near = false;

			for (unsigned n = 0; pmu_native_at(n, &e); n++) {
				is_near |= r->near && strcmp(e.name, r->near) == 0;
				check_true(e.name, !r->lacks || !event_text_has(e.name, r->lacks));
			}
			check_true(pmu_presets[p].name, !r->near || is_near);
		}
	}
}

UNIT_MAIN()
