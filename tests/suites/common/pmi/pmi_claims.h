/* SPDX-License-Identifier: MIT */
/*
 * Declares claims about a PMI that hold for every way in which LVTPC delivers it. Each is a whole
 * test; pmi_windows.h says what it needs, and each generation's suite gives it an id.
 */
#ifndef TESTS_SUITES_COMMON_PMI_PMI_CLAIMS_H
#define TESTS_SUITES_COMMON_PMI_PMI_CLAIMS_H

#include <stdbool.h>

#include <kernel/run/test.h>
#include <pmu/core/program.h>

/*
 * PMI_CLAIM() makes pmi_claim_NAME a test of a generation, by its family, what it needs, and its
 * source. PMI_SAYS_NAME is the end of the id and the claim; PMI_CLAIM_OWN() is for a generation
 * that has its own.
 */
#define PMI_CLAIM(name, family, needs_, source_) \
	PMI_CLAIM_OF(name, family, needs_, source_, PMI_SAYS_##name)
#define PMI_CLAIM_OF(...)  PMI_CLAIM_OWN(__VA_ARGS__)
#define PMI_CLAIM_OWN(name, family, needs_, source_, suffix, text) \
	static void name(struct test_ctx *t) { pmi_claim_##name(t); } \
	TEST_OF(name, .id = family ".pmi." suffix, .needs = needs_, .claim = text, \
	        .source = source_)

#define PMI_SAYS_period_user \
	"period.user", \
	"a counter preset to -N raises a PMI after N instructions at CPL 3, not after N - 1"
#define PMI_SAYS_period_kernel \
	"period.kernel", \
	"a counter preset to -N raises a PMI after N instructions at CPL 0, not after N - 1"
#define PMI_SAYS_period_long \
	"period.long", \
	"periods of thousands of instructions are exact as well"
#define PMI_SAYS_skid_user \
	"skid.user", \
	"an overflow at CPL 3 interrupts at the instruction after it, or at a later one"
#define PMI_SAYS_skid_kernel \
	"skid.kernel", \
	"without skid, one more event before the overflow moves the PMI by one instruction at " \
	"CPL 0"
#define PMI_SAYS_reload_short \
	"reload.short", \
	"without skid 250 short periods of each length give 250 PMIs and lose no event"
#define PMI_SAYS_reload_long \
	"reload.long", \
	"1,000 periods of 1,500 instructions give 1,000 PMIs and lose no event"
#define PMI_SAYS_reload_witness \
	"reload.witness", \
	"1,000 PMIs of one counter change nothing in another that counts the same"
#define PMI_SAYS_two_apart \
	"two.apart", \
	"two counters that overflow one after the other raise a PMI each"
#define PMI_SAYS_nested \
	"nested", \
	"an overflow inside the handler of an NMI PMI waits for the handler's IRET and is not " \
	"lost"
#define PMI_SAYS_masked \
	"masked", \
	"a PMI that meets a masked LVTPC is lost: unmasking LVTPC later delivers nothing"
#define PMI_SAYS_mask \
	"mask", \
	"a PMI sets LVTPC's mask bit; until software clears it, overflows raise no PMI"
#define PMI_SAYS_as_nmi \
	"delivery.nmi", \
	"a PMI delivered as an NMI has vector 2, whatever LVTPC's vector field says, even with " \
	"IF = 0"
#define PMI_SAYS_fixed_pending \
	"delivery.fixed_pending", \
	"a PMI delivered as a fixed interrupt waits in the IRR while IF = 0; STI lets it in"
#define PMI_SAYS_fixed \
	"delivery.fixed", \
	"with IF = 1 a fixed PMI interrupts the counted code, at LVTPC's vector"
#define PMI_SAYS_fixed_eoi \
	"delivery.fixed_eoi", \
	"a second fixed PMI waits for the EOI of the first"
#define PMI_SAYS_only_overflow \
	"only_by_overflow", \
	"nothing but an overflow raises a PMI, and its handler finds the overflow"
#define PMI_SAYS_halt_fixed \
	"halt.fixed", \
	"a fixed PMI that is pending with IF = 0 ends the HLT after STI"
#define PMI_SAYS_halt_nmi \
	"halt.nmi", \
	"the NMI of a counter that the HLT itself overflows ends that HLT"

#define PMI_SAYS_without_int \
	"none_without_int", \
	"an overflow with INT = 0 raises no PMI"
#define PMI_SAYS_once \
	"once", \
	"after its overflow a counter raises no PMI, however long it goes on"
#define PMI_SAYS_own_int \
	"own_int", \
	"INT of one counter does not make another one's overflow interrupt"
#define PMI_SAYS_two_together \
	"two.together", \
	"when one instruction overflows two counters, a handler sees both"

/* Name the vendors' sources. */
#define PMI_NMIS_INTEL     "SDM 3A, \"Handling Multiple NMIs\""
#define PMI_NMIS_AMD       "APM 2, \"NMI\""
#define PMI_PENDING_INTEL  "SDM 3A, \"Masking Maskable Hardware Interrupts\"; " LVT
#define PMI_PENDING_AMD    LVT
#define PMI_EOI_INTEL      "SDM 3A, \"Signaling Interrupt Servicing Completion\""
#define PMI_EOI_AMD        "APM 2, \"End of Interrupt\""
#define PMI_HALT_INTEL     "SDM 2A, \"HLT - Halt\""
#define PMI_HALT_AMD       "APM 3, \"HLT\""

/* Makes the claims about LVTPC that hold for all families. */
#define PMI_DELIVERY_CLAIMS(family, needs_, vendor) \
	PMI_CLAIM(as_nmi, family, needs_, LVT ", delivery mode NMI"); \
	PMI_CLAIM(fixed_pending, family, needs_, PMI_PENDING_##vendor); \
	PMI_CLAIM(fixed, family, needs_, LVT ", delivery mode fixed"); \
	PMI_CLAIM(fixed_eoi, family, needs_, PMI_EOI_##vendor); \
	PMI_CLAIM(halt_fixed, family, needs_, PMI_HALT_##vendor)

/*
 * Makes the claims about counters that have an event select with INT each: P6's and AMD's. exact
 * needs a machine without skid, too; overflow and skid are sources.
 */
#define PMI_SELECT_CLAIMS(family, needs_, exact, overflow, skid, vendor) \
	PMI_CLAIM(period_user, family, needs_, overflow); \
	PMI_CLAIM(period_kernel, family, needs_, overflow); \
	PMI_CLAIM(period_long, family, needs_, overflow); \
	PMI_CLAIM(skid_user, family, needs_, skid); \
	PMI_CLAIM(skid_kernel, family, needs_, skid); \
	PMI_CLAIM(reload_short, family, exact, overflow); \
	PMI_CLAIM(reload_long, family, needs_, overflow); \
	PMI_CLAIM(reload_witness, family, needs_, overflow); \
	PMI_CLAIM(two_apart, family, needs_, overflow); \
	PMI_CLAIM(two_together, family, needs_, overflow); \
	PMI_CLAIM(nested, family, needs_, PMI_NMIS_##vendor); \
	PMI_CLAIM(without_int, family, needs_, overflow); \
	PMI_CLAIM(once, family, needs_, overflow); \
	PMI_CLAIM(own_int, family, needs_, overflow); \
	PMI_CLAIM(only_overflow, family, needs_, overflow); \
	PMI_CLAIM(masked, family, needs_, LVT ", mask"); \
	PMI_DELIVERY_CLAIMS(family, needs_, vendor); \
	PMI_CLAIM(halt_nmi, family, needs_, PMI_HALT_##vendor)

/*
 * Returns whether this processor's LVTPC must mask itself when it handles a PMI. No source says so
 * for the Pentium Pro to III, and software written for them does not expect it: on them the bit is
 * reported, not judged.
 */
bool pmi_masks_itself(void);

/* Check PMIs after exactly N events, for every counter, and their addresses (claims_period.c). */
void pmi_claim_period_user(struct test_ctx *t);
void pmi_claim_period_kernel(struct test_ctx *t);
void pmi_claim_period_long(struct test_ctx *t);
void pmi_claim_every_counter(struct test_ctx *t);
void pmi_claim_skid_user(struct test_ctx *t);
void pmi_claim_skid_kernel(struct test_ctx *t);

/* Needs a machine whose PMIs come at once: for pmi_claim_reload_short(). */
const char *need_no_skid(struct test_ctx *t);

/*
 * Check a counter that is reloaded again and again, with a witness, and IA32_FIXED_CTR0
 * (claims_reload.c).
 */
void pmi_claim_reload_short(struct test_ctx *t);
void pmi_claim_reload_long(struct test_ctx *t);
void pmi_claim_reload_witness(struct test_ctx *t);
void pmi_claim_reload_fixed(struct test_ctx *t);

/* Check overflows of two counters, and of all that count instructions (claims_two.c). */
void pmi_claim_two_apart(struct test_ctx *t);
void pmi_claim_two_together(struct test_ctx *t);
void pmi_claim_many(struct test_ctx *t);
void pmi_claim_nested(struct test_ctx *t);

/* Check that a counter raises one PMI for an overflow, by its own INT (claims_select.c). */
void pmi_claim_once(struct test_ctx *t);
void pmi_claim_own_int(struct test_ctx *t);

/*
 * Check that no PMI comes without an overflow (claims_only_overflow.c). The second one writes each
 * counter with its EN and INT in all four ways; stop() clears the EN of one that runs. The third
 * one does so with one setup; enables names its enables.
 */
void pmi_claim_only_overflow(struct test_ctx *t);
void pmi_claim_written(struct test_ctx *t, void (*stop)(unsigned counter));
void pmi_expect_silent_writes(struct test_ctx *t, const struct pmu_setup *s, const char *enables,
                              void (*stop)(unsigned counter));

/* Makes pmi_claim_written() a test of a family. */
#define PMI_CLAIM_WRITTEN(family, needs_, source_, stop) \
	TEST(written, .id = family ".pmi.write_negative", .needs = needs_, .source = source_, \
	     .claim = "a write into a counter raises no PMI, whatever its sign, EN and INT are") \
	{ pmi_claim_written(t, stop); }

/* Check the ways in which LVTPC delivers a PMI (claims_delivery.c, claims_halt.c). */
void pmi_claim_without_int(struct test_ctx *t);
void pmi_claim_masked(struct test_ctx *t);
void pmi_claim_mask(struct test_ctx *t);
void pmi_claim_as_nmi(struct test_ctx *t);
void pmi_claim_fixed_pending(struct test_ctx *t);
void pmi_claim_fixed(struct test_ctx *t);
void pmi_claim_fixed_eoi(struct test_ctx *t);
void pmi_claim_halt_fixed(struct test_ctx *t);
void pmi_claim_halt_nmi(struct test_ctx *t);

#endif
