/* SPDX-License-Identifier: MIT */
/*
 * pebs.adaptive: records consist of groups that MSR_PEBS_DATA_CFG selects; every combination of
 * them is tried, and each group's contents are checked in each.
 */
#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/regs/lbr.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/sampling/lbr_stack.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/pebs/pebs_adaptive.h>
#include <tests/suites/pebs/pebs_code.h>

#define CFG(name)  MSR_PEBS_DATA_CFG_##name

/* The records of pebs_nops() are all among its NOPs. */
enum { MISSING = 99, PERIOD = MISSING + 1, RECORDS = 5 };
_Static_assert((int)PEBS_BEFORE_SLED < (int)PERIOD, "the first record is among the NOPs");
_Static_assert(50 + (int)PEBS_NOPS > RECORDS * (int)PERIOD, "and the last one is, too");
_Static_assert((int)PEBS_BEFORE_SLED + PEBS_NOPS + 16 < (RECORDS + 1) * (int)PERIOD,
               "no other record follows");

/* Counters beside the one that writes records, each with a value of its own. */
#define BESIDE(x)  (UINT64_C(0x100000) * ((x) + 1))
enum { BESIDE_PMCS = 0x6, BESIDE_FIXED = 0x1, BESIDE_COUNT = 3, COUNTERS_HEADER = 16 };

const char *need_pebs_adaptive(struct test_ctx *t)
{
	const char *problem = need_pebs(t);

	if (problem || pebs_layout()->is_adaptive)
		return problem ? problem : need_lbr(t);
	return test_reason(t, "IA32_PERF_CAPABILITIES = %" PRIX64 "H: no PEBS baseline, bit 14",
	                   pmu_get()->capabilities);
}

/* ------------------------------------------------------------------------ groups */

/* The data that a group's check needs. */
struct sample {
	uint64_t cfg;
	unsigned number;               /* of the record, from 0 */
	uint64_t eventing_ip;
};

static unsigned entries(uint64_t cfg)
{
	return (unsigned)FIELD_GET(CFG(LBR_ENTRIES), cfg) + 1;
}

#define PATTERN(n) (sizeof(uintptr_t) == 8 ? pebs_patterns[n] : (uint32_t)pebs_patterns[n])

static void check_gprs(struct test_ctx *t, const uint64_t *group, const struct sample *s)
{
	static const char *const names[] = { "RAX", "RCX", "RDX", "RBX", "RSP", "RBP", "RSI", "RDI",
		"R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15" };
	const unsigned count = 2 * sizeof(uintptr_t);

	expect_bits(t, "RFLAGS", group[0], PEBS_FLAGS_MASK, PEBS_FLAGS_WANTED,
	            "CF, PF, AF, SF and no other of the six are set");
	expect_exact(t, "RIP", group[1], s->eventing_ip + 1,
	             "it is the address after the NOP, which is one byte");
	for (unsigned i = 0; i < count; i++)
		expect_exact(t, names[i], group[2 + i], i == 4 ? pebs_stack : PATTERN(i),
		             "registers are in the order in which instructions number them");
}

static void check_xmms(struct test_ctx *t, const uint64_t *group, const struct sample *s)
{
	(void)s;
	for (unsigned i = 0; i < 2 * sizeof(uintptr_t); i++) {
		expect_exact(t, "an XMM register's low half", group[2 * i], pebs_xmm[i][0],
		             "XMM0 first");
		expect_exact(t, "its high half", group[2 * i + 1], pebs_xmm[i][1], "XMM0 first");
	}
}

static void check_lbrs(struct test_ctx *t, const uint64_t *group, const struct sample *s)
{
	const char *why;
	const struct lbr_kind *kind = lbr_kind(&why);
	const uintptr_t last = (uintptr_t)pebs_jump_first + PEBS_JUMP_STRIDE * (PEBS_JUMPS - 1);

	for (unsigned i = 0; i < entries(s->cfg); i++) {
		const uintptr_t from = last - PEBS_JUMP_STRIDE * i;

		expect_exact(t, "LBR entry, from", group[3 * i] & kind->from_address, from,
		             "the newest entry is first: the last jump before the NOPs");
		expect_exact(t, "LBR entry, to", group[3 * i + 1] & kind->to_address,
		             from + PEBS_JUMP_STRIDE, "each jump leads to the next one");
		if (kind->is_architectural && cpuid_get(CPUID_LBR_BR_TYPE))
			expect_bits(t, "LBR entry, type", group[3 * i + 2], LBR_INFO_BR_TYPE,
			            FIELD_PUT(LBR_INFO_BR_TYPE, LBR_TYPE_JMP_DIRECT),
			            "the jumps are direct");
	}
}

/* Checks general counters 1 and 2, then the fixed one. */
static void check_counters(struct test_ctx *t, const uint64_t *group, const struct sample *s)
{
	const uint64_t *value = group + COUNTERS_HEADER / 8;
	const uint64_t done = (uint64_t)PERIOD * (s->number + 1);

	expect_exact(t, "the counters' header", group[0],
	             BESIDE_PMCS | (uint64_t)BESIDE_FIXED << 32,
	             "it names the counters that follow, as MSR_PEBS_DATA_CFG does");
	for (unsigned i = 0; i < BESIDE_COUNT; i++) {
		expect_bounds(t, "a counter's value", value[i],
		              if_exact_in(BESIDE(i) + done - 1, BESIDE(i) + done,
		                          "low: without the instruction that is recorded; high: "
		                          "with it"),
		              else_in(BESIDE(i), BESIDE(i) + PEBS_BEFORE_SLED + PEBS_NOPS,
		                      "low: its start value; high: all instructions"));
	}
}

/* pebs_adaptive_parts.c checks the address of a load or store. */
static const struct group {
	uint64_t bit;
	void (*check)(struct test_ctx *t, const uint64_t *group, const struct sample *s);
} groups[] = {
	{ CFG(GPRS),     check_gprs },
	{ CFG(XMMS),     check_xmms },
	{ CFG(LBRS),     check_lbrs },
	{ CFG(COUNTERS), check_counters },
};
enum { GROUP_BITS = 0x3f };

/* ------------------------------------------------------------------------ records */

/* Sets up the general counter that writes records, and those beside it; returns their number. */
static unsigned make_setups(struct pmu_setup setups[1 + BESIDE_COUNT], bool has_beside)
{
	static struct pebs_use use;
	const unsigned beside[BESIDE_COUNT] = { 1, 2, PMU_FIXED_CTR(0) };

	setups[0] = pebs_setup(&use, pebs_find("instructions"), 0, PMU_OS, MISSING);
	setups[0].flags |= PMU_ADAPTIVE;
	for (unsigned i = 0; has_beside && i < BESIDE_COUNT; i++)
		setups[1 + i] = (struct pmu_setup){ .counter = beside[i], .flags = PMU_OS,
		                                    .event = EVENT_INSTRUCTIONS_RETIRED,
		                                    .start = BESIDE(i) };
	return has_beside ? 1 + BESIDE_COUNT : 1;
}

static void check_basic(struct test_ctx *t, const uint64_t *record, struct sample *s)
{
	static uint64_t before;
	const uint64_t groups_of = GROUP_BITS | (s->cfg & CFG(LBRS) ? CFG(LBR_ENTRIES) : 0);

	expect_bits(t, "format word", record[0], UINT64_C(0xffff000000000000) | groups_of,
	            (uint64_t)pebs_record_size() << 48 | (s->cfg & groups_of),
	            "bits 63:48 are the record's size in bytes, the low bits its groups, and bits "
	            "31:24 the entries of the LBR group");
	s->eventing_ip = record[1];
	expect_between(t, "eventing IP", s->eventing_ip, (uintptr_t)pebs_sled,
	               (uintptr_t)pebs_sled_end - 1, "low and high: one of the NOPs");
	if (s->number)
		expect_bounds(t, "eventing IP", s->eventing_ip,
		              if_exact(before + PERIOD, "it is a period after the last one"),
		              ELSE_NOTHING);
	before = s->eventing_ip;
	expect_exact(t, "applicable counters", record[2], 1, "it is general counter 0");
}

static void check_record(struct test_ctx *t, uint64_t cfg, unsigned number)
{
	const uint64_t *record = ds_record(DS_PEBS, number);
	struct sample s = { .cfg = cfg, .number = number };

	check_basic(t, record, &s);
	for (unsigned i = 0; i < COUNT_OF(groups); i++)
		if (cfg & groups[i].bit)
			groups[i].check(t, record + pebs_group_at(groups[i].bit) / 8, &s);
}

static void check_times(struct test_ctx *t, unsigned count, uint64_t start, uint64_t end)
{
	for (unsigned i = 0; i < count; i++) {
		const uint64_t tsc = pebs_value(i, PEBS_TSC);

		expect_between(t, "TSC", tsc, start, end,
		               "low: the last record, or RDTSC; high: RDTSC after the window");
		start = tsc;
	}
}

unsigned adaptive_run(struct test_ctx *t, uint64_t cfg)
{
	struct pmu_setup setups[1 + BESIDE_COUNT];
	const struct pebs_window w = {
		.setups = setups, .sampled = 1, .code = pebs_nops, .argument = 1,
		.count = make_setups(setups, cfg & CFG(COUNTERS)),
	};
	uint64_t start, bytes;
	unsigned count;

	pebs_set_data_cfg(cfg);
	pmu_workload_begin();
	if (cfg & CFG(LBRS))
		lbr_enable(0);
	start = tsc_read();
	pebs_window_run(&w);
	if (cfg & CFG(LBRS))
		lbr_disable();
	pmu_workload_end();
	test_sub(t, "MSR_PEBS_DATA_CFG = %" PRIX64 "H", cfg);
	bytes = ds_index_address(DS_PEBS) - ds_base(DS_PEBS);
	count = ds_index(DS_PEBS);
	expect_exact(t, "bytes", bytes, (uint64_t)count * pebs_record_size(),
	             "each record is as large as its groups together");
	expect_records(t, "records", count, RECORDS * PERIOD, MISSING);
	check_times(t, count, start, tsc_read());
	expect_no_damage(t);
	return count;
}

void adaptive_judge(struct test_ctx *t, uint64_t cfg)
{
	unsigned count = adaptive_run(t, cfg);

	for (unsigned i = 0; i < count; i++)
		check_record(t, cfg, i);
}

/* ------------------------------------------------------------------------ combinations */

static bool has_counters(void)
{
	return FIELD_GET(IA32_PERF_CAPABILITIES_PEBS_FMT, pmu_get()->capabilities) >= 6;
}

static uint64_t combination(unsigned bits)
{
	uint64_t cfg = bits | FIELD_PUT(CFG(LBR_ENTRIES), 4 - 1);

	if (cfg & CFG(COUNTERS))
		cfg |= FIELD_PUT(CFG(PMCS), BESIDE_PMCS) | FIELD_PUT(CFG(FIXED), BESIDE_FIXED);
	return cfg;
}

TEST(combinations, .id = "pebs.adaptive.combinations", .needs = need_pebs_adaptive,
     .source = ADAPTIVE, .claim = "records have the groups that MSR_PEBS_DATA_CFG names, in the "
                                  "manual's order, each with its contents, for all combinations")
{
	const unsigned end = has_counters() ? 32 : 16;

	for (unsigned bits = 0; bits < end; bits++)
		adaptive_judge(t, combination(bits));
}

TEST(lbr_entries, .id = "pebs.adaptive.lbr_entries", .needs = need_pebs_adaptive,
     .source = ADAPTIVE, .claim = "the LBR group has MSR_PEBS_DATA_CFG[31:24] + 1 entries, the "
                                  "newest one first")
{
	for (unsigned count = 1; count <= 32; count++)
		adaptive_judge(t, CFG(LBRS) | FIELD_PUT(CFG(LBR_ENTRIES), count - 1));
}

TEST(order, .id = "pebs.adaptive.all_groups", .needs = need_pebs_adaptive,
     .source = ADAPTIVE, .claim = "with all groups and 32 LBR entries, each group begins where the "
                                  "one before it ends")
{
	adaptive_judge(t, combination(has_counters() ? 31 : 15) | FIELD_PUT(CFG(LBR_ENTRIES), 31));
}
