/* SPDX-License-Identifier: MIT */
/*
 * The recipe for an interrupt N events after the M-th: x is preset to -M, y to -N + 1 with CASCADE
 * and OVF_PMI. The PMI comes with the count that follows y's overflow, which is y's N-th.
 */
#include <tests/suites/netburst/overflow/netburst_cascade.h>

#include <arch/cpu/insn.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/machine/machine.h>
#include <pmu/core/pmi.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/pmi/pmi_windows.h>

enum { TRIES = 3, STORM = 16, ROUNDS = 1000 };

static struct {
	unsigned y;
	uint32_t cccr;                 /* the value to write, without OVF */
	uint64_t value;                /* of y in the first PMI */
} handled;

static void on_pmi(struct frame *f)
{
	(void)f;
	if (pmi_get_log()->count == 1)
		handled.value = msr_read(MSR_COUNTER(handled.y));
	msr_write(MSR_CCCR(handled.y), handled.cccr);
	if (pmi_get_log()->count < STORM)
		pmi_set_mask(false);
}

/* SDM 3B, "EXTENDED CASCADING": no PMI from cascaded counters on model 2, and on models 0 and 1
 * from stepping 10 on. */
static bool is_pmi_lost(void)
{
	const struct cpu_identity *cpu = machine_cpu();

	return cpu->model == 2 || (!pmu_is_exact() && cpu->model < 2 && cpu->stepping > 9);
}

static const struct pmi_log *run(struct block_counter c[2],
                                 void (*code)(uint32_t rounds, uint32_t argument))
{
	handled.y = c[0].counter;
	handled.cccr = c[0].cccr;
	for (unsigned i = 0; i < TRIES; i++) {
		blocks_program(c, 2);
		pmi_listen(PMI_NMI, on_pmi);
		code(ROUNDS, 0);
		pmi_settle();
		pmi_stop();
		blocks_read(c, 2);
		if (pmi_get_log()->unsure == 0)
			break;
	}
	return pmi_get_log();
}

/* Returns true if there was exactly the one PMI. */
static bool check_once(struct test_ctx *t, unsigned x, unsigned y, unsigned m, unsigned n,
                       uint32_t bit, void (*code)(uint32_t rounds, uint32_t argument))
{
	struct block_counter c[] = {
		{ .counter = y, .start = 1 - (uint64_t)n,
		  .cccr = blocks_cccr(y) | bit | netburst_ovf_pmi(netburst_thread()) },
		{ .counter = x, .start = 0 - (uint64_t)m, .cccr = blocks_cccr(x) | CCCR_ENABLE },
	};
	const struct pmi_log *log = run(c, code);
	const struct bounds or_more = else_in(1, UINT32_MAX, "low: exactly that; high: also what "
	                                      "it counts until the handler reads it");

	test_sub(t, "%u events after event %u, counter %u started by %u", n, m, y, x);
	if (is_pmi_lost() && (pmu_is_exact() || log->count == 0)) {
		expect_exact(t, "PMIs", log->count, 0, "the model has none of cascaded counters");
		return false;
	}
	if (!expect_exact(t, "PMIs", log->count, 1, "one overflow with OVF_PMI; OVF was cleared"))
		return false;
	expect_bounds(t, "cascaded counter in the handler", handled.value,
	              netburst_counters[y].block == NETBURST_BPU ? or_more
	              : if_exact(1, "it overflowed to 0, and the next count raises the PMI"),
	              or_more);
	return true;
}

/* Returns what the code retires at CPL 3 before its first NOP. */
static unsigned count_before(void)
{
	struct block_counter one = { .counter = 12, .cccr = blocks_cccr(12) | CCCR_ENABLE };

	blocks_program(&one, 1);
	user_nops(0, 0);
	blocks_read(&one, 1);
	return (unsigned)one.value - 1;
}

/* Checks the interrupted address: after NOP m + n. */
static void check_place(struct test_ctx *t, unsigned m, unsigned n)
{
	const struct pmi_log *log = pmi_get_log();
	uintptr_t want = user_nop_address(m + n - count_before());

	expect_bounds(t, "address", log->ip[0],
	              if_exact(want, "it is after the N-th event after the M-th"),
	              log->cpl[0] == 3
	              ? else_in(want, user_nop_address(ROUNDS), "low: the PMI does not come before "
	                        "the event; high: the last NOP")
	              : ELSE_NOTHING);
}

static void check_recipe(struct test_ctx *t, unsigned x, unsigned y, uint32_t bit)
{
	static const struct { uint16_t m, n; } cases[] = {
		{ 2, 2 }, { 2, 100 }, { 3, 3 }, { 10, 2 }, { 64, 7 }, { 100, 255 }, { 500, 400 },
	};
	bool is_iq = netburst_counters[x].block == NETBURST_IQ;

	for (unsigned i = 0; i < COUNT_OF(cases); i++)
		if (check_once(t, x, y, cases[i].m, cases[i].n, bit,
		               is_iq ? user_nops : blocks_code) && is_iq)
			check_place(t, cases[i].m, cases[i].n);
}

#define PMI(x, y, prefix, bit, needs_) \
	TEST(pmi_##x##_to_##y, .id = "netburst." prefix ".pmi.c" #x "_to_c" #y, \
	     .needs = needs_, .source = CASCADING, \
	     .claim = "a counter started by a cascade raises its PMI with the N-th event after " \
	              "the M-th, for several M and N") \
	{ check_recipe(t, x, y, bit); }

#define CASCADE_PMI(x, y)   PMI(x, y, "cascade", CCCR_CASCADE, need_netburst_pmi)
#define EXTENDED_PMI(x, y)  PMI(x, y, "extended", CCCR_CASCNT_INTO, need_extended_pmi)

static NEED_BOTH(need_extended_pmi, need_netburst_extended, need_netburst_pmi)

CASCADE_PMI(12, 14)
CASCADE_PMI(14, 12)
CASCADE_PMI(13, 15)
CASCADE_PMI(15, 13)
CASCADE_PMI(14, 16)
CASCADE_PMI(0, 2)
CASCADE_PMI(6, 4)
CASCADE_PMI(9, 11)
EXTENDED_PMI(16, 12)
EXTENDED_PMI(16, 17)
EXTENDED_PMI(17, 15)
EXTENDED_PMI(17, 16)

TEST(without, .id = "netburst.cascade.pmi.only_with_ovf_pmi", .needs = need_netburst_pmi,
     .source = CASCADING, .claim = "when both counters of a cascade overflow, only the one with "
                                "OVF_PMI interrupts")
{
	struct block_counter c[] = {
		{ .counter = 14, .start = 0 - UINT64_C(20),
		  .cccr = blocks_cccr(14) | CCCR_CASCADE },
		{ .counter = 12, .start = 0 - UINT64_C(20), .cccr = blocks_cccr(12) | CCCR_ENABLE },
	};

	expect_exact(t, "PMIs, without OVF_PMI in either", run(c, user_nops)->count, 0,
	             "neither has OVF_PMI");
	expect_exact(t, "OVF of both", c[0].cccr_after >> 31 | c[1].cccr_after >> 31 << 1, 3,
	             "both overflowed");
}
