/* SPDX-License-Identifier: MIT */
/*
 * Claims about a PMI that hold wherever LVTPC delivers it. Each is a whole test; pmi_windows.h says
 * what it needs, and each generation's suite gives it an id.
 */
#ifndef TESTS_SUITES_COMMON_PMI_PMI_CLAIMS_H
#define TESTS_SUITES_COMMON_PMI_PMI_CLAIMS_H

#include <stdbool.h>

#include <kernel/run/test.h>

/* Makes pmi_claim_NAME() a test of a generation. */
#define PMI_CLAIM(name, id_, needs_, source_, text) \
	static void name(struct test_ctx *t) { pmi_claim_##name(t); } \
	TEST(name, .id = id_, .needs = needs_, .claim = text, .source = source_)

/*
 * Returns whether this processor's LVTPC must mask itself when it handles a PMI. No source says so
 * for the Pentium Pro to III, and software written for them does without: there the bit is
 * reported, not judged.
 */
bool pmi_masks_itself(void);

/* PMIs after exactly N events, for every counter, and their addresses: claims_period.c. */
void pmi_claim_period_user(struct test_ctx *t);
void pmi_claim_period_kernel(struct test_ctx *t);
void pmi_claim_period_long(struct test_ctx *t);
void pmi_claim_every_counter(struct test_ctx *t);
void pmi_claim_skid_user(struct test_ctx *t);
void pmi_claim_skid_kernel(struct test_ctx *t);

/* A counter reloaded again and again, with a witness, and IA32_FIXED_CTR0: claims_reload.c. */
void pmi_claim_reload_short(struct test_ctx *t);
void pmi_claim_reload_long(struct test_ctx *t);
void pmi_claim_reload_witness(struct test_ctx *t);
void pmi_claim_reload_fixed(struct test_ctx *t);

/* Overflows of two counters, and of all that count instructions: claims_two.c. */
void pmi_claim_two_apart(struct test_ctx *t);
void pmi_claim_two_together(struct test_ctx *t);
void pmi_claim_many(struct test_ctx *t);
void pmi_claim_nested(struct test_ctx *t);

/* The ways LVTPC delivers: claims_delivery.c, claims_halt.c. */
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
