/* SPDX-License-Identifier: MIT */
/* pebs.adaptive: the counters whose records have groups, and the address in the memory group. */
#include <arch/cpu/fault.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/workload/workload.h>
#include <tests/suites/pebs/pebs_adaptive.h>
#include <tests/suites/pebs/pebs_code.h>

/* ------------------------------------------------------------------------ without groups */

enum { MISSING = 99, RECORDS = 5, BASIC_SIZE = 32 };
#define ALL_GROUPS (MSR_PEBS_DATA_CFG_MEMORY | MSR_PEBS_DATA_CFG_GPRS | MSR_PEBS_DATA_CFG_XMMS)

static const char *need_fixed_pebs(struct test_ctx *t)
{
	const char *problem = need_pebs_adaptive(t);

	if (problem || pebs_find("instructions")->counters >> PMU_FIXED & 1)
		return problem;
	return test_reason(t, "IA32_FIXED_CTR0 has no PEBS: %" PRIX64 "H",
	                   pebs_find("instructions")->counters);
}

static void judge_basic(struct test_ctx *t, unsigned counter)
{
	struct pebs_use use;
	struct pmu_setup s = pebs_setup(&use, pebs_find("instructions"), counter, PMU_OS, MISSING);
	const struct pebs_window w = { .setups = &s, .count = 1, .code = pebs_nops };
	uint64_t bytes, format;

	s.flags &= ~(unsigned)PMU_ADAPTIVE;
	pebs_set_data_cfg(ALL_GROUPS);
	pebs_window_run(&w);
	bytes = ds_index_address(DS_PEBS) - ds_base(DS_PEBS);
	format = pebs_value(0, PEBS_FORMAT_SIZE);
	expect_exact(t, "bytes of a record", bytes % BASIC_SIZE, 0,
	             "a record has only the basic group");
	expect_records(t, "records", (uint32_t)bytes / BASIC_SIZE, RECORDS * (MISSING + 1),
	               MISSING);
	expect_bits(t, "format word", format, UINT64_C(0xffff00000000003f),
	            (uint64_t)BASIC_SIZE << 48, "32 bytes, and no group except the basic one");
	expect_no_damage(t);
}

TEST(basic_only, .id = "pebs.adaptive.basic_only", .needs = need_pebs_adaptive,
     .source = ADAPTIVE,
     .claim = "with IA32_PERFEVTSELx[34] = 0 records have only the basic group, whatever "
              "MSR_PEBS_DATA_CFG says")
{ judge_basic(t, 0); }

TEST(basic_fixed, .id = "pebs.adaptive.basic_only.fixed", .needs = need_fixed_pebs,
     .source = ADAPTIVE,
     .claim = "with IA32_FIXED_CTR_CTRL[32] = 0 records of IA32_FIXED_CTR0 have "
              "only the basic group")
{ judge_basic(t, PMU_FIXED_CTR(0)); }

TEST(fixed, .id = "pebs.adaptive.fixed", .needs = need_fixed_pebs, .source = ADAPTIVE,
     .claim = "records of IA32_FIXED_CTR0 have the groups of MSR_PEBS_DATA_CFG, and name its bit")
{
	struct pebs_use use;
	const struct pmu_setup s = pebs_setup(&use, pebs_find("instructions"), PMU_FIXED_CTR(0),
	                                      PMU_OS, MISSING);
	const struct pebs_window w = { .setups = &s, .count = 1, .code = pebs_nops };
	unsigned count;

	pebs_set_data_cfg(MSR_PEBS_DATA_CFG_GPRS);
	count = pebs_window_run(&w);
	expect_records(t, "records", count, RECORDS * (MISSING + 1), MISSING);
	for (unsigned i = 0; i < count; i++) {
		expect_exact(t, "applicable counters", pebs_value(i, PEBS_STATUS), BIT(PMU_FIXED),
		             "IA32_FIXED_CTR0");
		expect_exact(t, "RSP", pebs_value(i, PEBS_SP), pebs_stack,
		             "it is the code's stack");
	}
	expect_no_damage(t);
}

/* ------------------------------------------------------------------------ the address */

struct walk {
	const char *event;
	void (*code)(uint32_t rounds, uint32_t argument);
	const uint8_t *guilty;
	uint32_t rounds;
};

/* One record in 13, as in the rounds of pebs_netburst.c: each is the loop's. */
static void judge_addresses(struct test_ctx *t, const struct walk *walk)
{
	const struct pebs_event *e = pebs_find(walk->event);
	struct pebs_use use;
	const struct pmu_setup s = pebs_setup(&use, e, pebs_counter(e, 0), PMU_OS, 12);
	uint32_t size;
	const struct pebs_window w = {
		.setups = &s, .count = 1, .code = walk->code, .rounds = walk->rounds,
		.argument = (uint32_t)(uintptr_t)pmu_workload_arena(&size),
	};
	const uint32_t events = pebs_window_events(&w);
	const unsigned count = pebs_window_run(&w);

	test_sub(t, "%s", e->manual);
	expect_records(t, "records", count, events, 12);
	for (unsigned i = 0; i < count; i++) {
		if (!pmu_is_exact() && pebs_value(i, PEBS_EVENTING_IP) != (uintptr_t)walk->guilty)
			continue;
		expect_exact(t, "eventing IP", pebs_value(i, PEBS_EVENTING_IP),
		             (uintptr_t)walk->guilty,
		             "the instruction reads or writes in each round");
		expect_exact(t, "address", pebs_value(i, PEBS_ADDRESS), pebs_value(i, PEBS_DX),
		             "the instruction uses the address in EDX and keeps it");
	}
	expect_no_damage(t);
	test_sub(t, "%s", "");
}

TEST(memory, .id = "pebs.adaptive.memory", .needs = need_pebs_adaptive, .source = ADAPTIVE,
     .claim = "the memory group holds the address that the load or store used")
{
	static const struct walk walks[] = {
		{ "loads", pebs_walk, pebs_walk_guilty, 500 },
		{ "stores", pebs_page_store, pebs_page_store_guilty, 150 },
	};

	pebs_set_data_cfg(MSR_PEBS_DATA_CFG_MEMORY | MSR_PEBS_DATA_CFG_GPRS);
	for (unsigned i = 0; i < COUNT_OF(walks); i++)
		judge_addresses(t, &walks[i]);
}
