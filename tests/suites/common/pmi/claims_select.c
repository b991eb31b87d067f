/* SPDX-License-Identifier: MIT */
/* Counters with an event select and an INT each, on processors whose signs show the overflow. */
#include <kernel/lib/format.h>
#include <tests/suites/common/pmi/pmi_claims.h>
#include <tests/suites/common/pmi/pmi_windows.h>

static unsigned counters(void)
{
	return pmu_get()->gp_count;
}

/* The counter wrapped and counts on from 0. */
static void expect_wrapped(struct test_ctx *t, const char *what, unsigned counter)
{
	expect_bits(t, what, pmu_read(counter), (counter_mask(counter) >> 1) + 1, 0,
	            "its sign shows the overflow");
}

void pmi_claim_once(struct test_ctx *t)
{
	for (unsigned i = 0; i < counters(); i++) {
		struct pmu_setup s = user_instructions(i, 10);
		const struct pmi_log *log = pmi_run_one(&s, user_loop, 30000);
		char name[PMU_NAME_SIZE];

		test_sub(t, "%s, 60,000 instructions after the overflow",
		         pmu_counter_name(i, name));
		expect_exact(t, "PMIs", log->count, 1, "it overflowed once");
		expect_wrapped(t, "the counter", i);
	}
}

/* The other counter overflows as well, and does not interrupt. */
void pmi_claim_own_int(struct test_ctx *t)
{
	for (unsigned i = 0; i < counters(); i++) {
		unsigned other = (i + 1) % counters();
		struct pmu_setup both[] = { user_instructions(i, 100),
		                            user_instructions(other, UINT64_C(1) << 30) };
		char name[2][PMU_NAME_SIZE];

		both[0].flags = PMU_USR;
		test_sub(t, "%s overflows with INT = 0; %s has INT and does not",
		         pmu_counter_name(i, name[0]), pmu_counter_name(other, name[1]));
		expect_exact(t, "PMIs", pmi_run(&(const struct pmi_window){
			.setups = both, .count = 2, .code = user_nops, .rounds = 1000 })->count, 0,
			"the counter with INT did not overflow");
		expect_wrapped(t, "the counter that overflowed", i);
	}
}
