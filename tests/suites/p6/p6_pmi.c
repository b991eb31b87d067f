/* SPDX-License-Identifier: MIT */
/*
 * The overflow's PMI on P6: the claims of pmi_claims.h, and P6's own: it has no status register,
 * and for most of its LVTPCs no manual says whether they mask themselves.
 */
#include <tests/suites/common/pmi/pmi_claims.h>

#include <kernel/lib/format.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/p6/p6_suite.h>

#define OVERFLOW  P6_SDM ", INT (APIC interrupt enable) flag"

static NEED_BOTH(need_exact_pmi, need_p6_pmi, need_no_skid)

PMI_CLAIM(period_user, "p6", need_p6_pmi, OVERFLOW);
PMI_CLAIM(period_kernel, "p6", need_p6_pmi, OVERFLOW);
PMI_CLAIM(period_long, "p6", need_p6_pmi, OVERFLOW);
PMI_CLAIM_OWN(every_counter, "p6", need_p6_pmi, OVERFLOW, "every_counter",
              "both counters raise a PMI when they overflow");
PMI_CLAIM(skid_user, "p6", need_p6_pmi, P6_SDM ", the saved address may be of a later instruction");
PMI_CLAIM(skid_kernel, "p6", need_p6_pmi,
          P6_SDM ", the saved address may be of a later instruction");
PMI_CLAIM(reload_short, "p6", need_exact_pmi, OVERFLOW);
PMI_CLAIM(reload_long, "p6", need_p6_pmi, OVERFLOW);
PMI_CLAIM(reload_witness, "p6", need_p6_pmi, OVERFLOW);
PMI_CLAIM(two_apart, "p6", need_p6_pmi, OVERFLOW);
PMI_CLAIM(nested, "p6", need_p6_pmi, "SDM 3A, \"Handling Multiple NMIs\"");
PMI_CLAIM_OWN(without_int, "p6", need_p6_pmi, OVERFLOW, "none_without_int",
              "an overflow with INT = 0 raises no PMI");
PMI_CLAIM(only_overflow, "p6", need_p6_pmi, OVERFLOW);
PMI_CLAIM(masked, "p6", need_p6_pmi, LVT ", mask");
PMI_CLAIM_OWN(mask, "p6", need_p6_pmi,
              LVT "; no manual says so of the Pentium Pro to III, where it is reported", "mask",
              "a PMI of a Pentium M sets LVTPC's mask bit");
PMI_CLAIM(as_nmi, "p6", need_p6_pmi, LVT ", delivery mode NMI");
PMI_CLAIM(fixed_pending, "p6", need_p6_pmi,
          "SDM 3A, \"Masking Maskable Hardware Interrupts\"; " LVT);
PMI_CLAIM(fixed, "p6", need_p6_pmi, LVT ", delivery mode fixed");
PMI_CLAIM(fixed_eoi, "p6", need_p6_pmi, "SDM 3A, \"Signaling Interrupt Servicing Completion\"");
PMI_CLAIM(halt_fixed, "p6", need_p6_pmi, "SDM 2A, \"HLT - Halt\"");
PMI_CLAIM(halt_nmi, "p6", need_p6_pmi, "SDM 2A, \"HLT - Halt\"");

/* ------------------------------------------------------------------------ once, and of whom */

TEST(once, .id = "p6.pmi.once", .needs = need_p6_pmi, .source = OVERFLOW,
     .claim = "after its overflow a counter raises no PMI, however long it goes on");
static void once(struct test_ctx *t)
{
	for (unsigned x = 0; x < P6_COUNTERS; x++) {
		struct pmu_setup s = user_instructions(x, 10);
		const struct pmi_log *log = pmi_run_one(&s, user_loop, 30000);

		test_sub(t, "PerfCtr%u, 60,000 instructions after the overflow", x);
		expect_exact(t, "PMIs", log->count, 1, "it overflowed once");
		expect_bits(t, "the counter", pmu_read(x), P6_COUNTER_SIGN, 0,
		            "its sign shows the overflow");
	}
}

/* INT acts on its own counter: the other one overflows as well and does not interrupt. */
TEST(own_int, .id = "p6.pmi.own_int", .needs = need_p6_pmi, .source = OVERFLOW,
     .claim = "INT of one counter does not make the other one's overflow interrupt");
static void own_int(struct test_ctx *t)
{
	for (unsigned x = 0; x < P6_COUNTERS; x++) {
		struct pmu_setup both[] = { user_instructions(0, 100), user_instructions(1, 100) };
		const struct pmi_log *log;

		both[x].flags = PMU_USR;
		both[!x].start = 0 - (UINT64_C(1) << 30);
		log = pmi_run(&(const struct pmi_window){
			.setups = both, .count = 2, .code = user_nops, .rounds = 1000 });
		test_sub(t, "PerfCtr%u overflows with INT = 0; PerfCtr%u has INT and does not", x,
		         !x);
		expect_exact(t, "PMIs", log->count, 0, "the counter with INT did not overflow");
		expect_bits(t, "the counter that overflowed", pmu_read(x), P6_COUNTER_SIGN, 0,
		            "its sign was 1");
	}
}

/* A write extends bit 31, so 2^31 is the longest period; nevertheless only bit 39 overflows. */
TEST(carry, .id = "p6.pmi.bit_31", .needs = need_p6_pmi, .source = P6_SDM ", 40-bit counters",
     .claim = "a count from 7FFFFFFFH to 80000000H is no overflow");
static void carry(struct test_ctx *t)
{
	for (unsigned x = 0; x < P6_COUNTERS; x++) {
		struct pmu_setup s = user_instructions(x, 0);
		uint64_t total = user_base(x) + 1000;

		s.start = 0x7ffffff0;
		test_sub(t, "PerfCtr%u from 7FFFFFF0H", x);
		expect_exact(t, "PMIs", pmi_run_one(&s, user_nops, 1000)->count, 0,
		             "counters wrap at 40 bits");
		expect_exact(t, "the counter", pmu_read(x), s.start + total, "it counts on");
	}
}

/* ------------------------------------------------------------------------ both at once */

static unsigned overflowed;            /* bit n: PerfCtrn's sign was 0 in a handler */

static void see_signs(struct frame *f)
{
	(void)f;
	for (unsigned x = 0; x < P6_COUNTERS; x++)
		if (!(pmu_read(x) & P6_COUNTER_SIGN))
			overflowed |= 1u << x;
	pmi_go_on();
}

static void forget(void)
{
	overflowed = 0;
}

TEST(two_together, .id = "p6.pmi.two.together", .needs = need_p6_pmi, .source = OVERFLOW,
     .claim = "when one instruction overflows two counters, a handler sees both");
static void two_together(struct test_ctx *t)
{
	const struct pmu_setup both[] = { user_instructions(0, 100), user_instructions(1, 100) };
	const struct pmi_log *log = pmi_run(&(const struct pmi_window){
		.setups = both, .count = 2, .code = user_nops, .rounds = 1000,
		.on_pmi = see_signs, .before = forget });

	expect_between(t, "PMIs", log->count, 1, 2,
	               "low: one handler finds the signs of both; high: one PMI for each");
	expect_exact(t, "counters that a handler saw overflowed", overflowed, 3,
	             "both counters wrapped before the first PMI was taken");
}
