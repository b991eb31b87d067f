/* SPDX-License-Identifier: MIT */
/*
 * The overflow's PMI on P6: the claims of pmi_claims.h, and P6's own: it has no status register,
 * and for most of its LVTPCs no manual says whether they mask themselves.
 */
#include <tests/suites/common/pmi/pmi_claims.h>

#include <kernel/lib/format.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/p6/p6_suite.h>

#define OVERFLOW  P6_SDM ", INT (APIC interrupt enable) flag"
#define LVT       "SDM 3A, \"Local Vector Table\""

#define CLAIM(name, suffix, source_, text) \
	PMI_CLAIM(name, "p6.pmi." suffix, need_p6_pmi, source_, text)

CLAIM(period_user, "period.user", OVERFLOW,
      "a counter preset to -N raises a PMI after N instructions at CPL 3, not after N - 1");
CLAIM(period_kernel, "period.kernel", OVERFLOW,
      "a counter preset to -N raises a PMI after N instructions at CPL 0, not after N - 1");
CLAIM(period_long, "period.long", OVERFLOW,
      "periods of thousands of instructions are exact as well");
CLAIM(every_counter, "every_counter", OVERFLOW, "both counters raise a PMI when they overflow");
CLAIM(skid_user, "skid.user", P6_SDM ", the saved address may be of a later instruction",
      "an overflow at CPL 3 interrupts at the instruction after it, or at a later one");
CLAIM(skid_kernel, "skid.kernel", P6_SDM ", the saved address may be of a later instruction",
      "without skid, one more event before the overflow moves the PMI by one instruction at CPL 0");
CLAIM(reload_short, "reload.short", OVERFLOW,
      "without skid 1,000 short periods give 1,000 PMIs and lose no event");
CLAIM(reload_long, "reload.long", OVERFLOW,
      "1,000 periods of 1,500 instructions give 1,000 PMIs and lose no event");
CLAIM(reload_witness, "reload.witness", OVERFLOW,
      "1,000 PMIs of one counter change nothing in another that counts the same");
CLAIM(two_apart, "two.apart", OVERFLOW, "two counters that overflow one after the other "
      "raise a PMI each");
CLAIM(nested, "nested", "SDM 3A, \"Handling Multiple NMIs\"",
      "an overflow inside the handler of an NMI PMI waits for the handler's IRET and is not lost");
CLAIM(without_int, "none_without_int", OVERFLOW, "an overflow with INT = 0 raises no PMI");
CLAIM(masked, "masked", LVT ", mask",
      "a PMI that meets a masked LVTPC is lost: unmasking LVTPC later delivers nothing");
CLAIM(mask, "mask", LVT "; no manual says so of the Pentium Pro to III, where it is reported",
      "a PMI of a Pentium M sets LVTPC's mask bit");
CLAIM(as_nmi, "delivery.nmi", LVT ", delivery mode NMI",
      "a PMI delivered as an NMI has vector 2, whatever LVTPC's vector field says, "
      "even with IF = 0");
CLAIM(fixed_pending, "delivery.fixed_pending",
      "SDM 3A, \"Masking Maskable Hardware Interrupts\"; " LVT,
      "a PMI delivered as a fixed interrupt waits in the IRR while IF = 0; STI lets it in");
CLAIM(fixed, "delivery.fixed", LVT ", delivery mode fixed",
      "with IF = 1 a fixed PMI interrupts the counted code, at LVTPC's vector");
CLAIM(fixed_eoi, "delivery.fixed_eoi", "SDM 3A, \"Signaling Interrupt Servicing Completion\"",
      "a second fixed PMI waits for the EOI of the first");
CLAIM(halt_fixed, "halt.fixed", "SDM 2A, \"HLT - Halt\"",
      "a fixed PMI that is pending with IF = 0 ends the HLT after STI");
CLAIM(halt_nmi, "halt.nmi", "SDM 2A, \"HLT - Halt\"",
      "the NMI of a counter that the HLT itself overflows ends that HLT");

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
