/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/counts/enables.h>

#include <kernel/lib/format.h>
#include <kernel/run/watchdog.h>
#include <pmu/core/program.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/common/silicon/silicon.h>

/* Executes two instructions a round. */
enum { INSNS = 2 * ENABLES_ROUNDS };

static uint64_t count(unsigned counter, unsigned bits, const struct enables *e)
{
	uint64_t value;

	pmu_reset();
	watchdog_pet();
	e->write(counter, bits);
	workload_loop.code(ENABLES_ROUNDS, 0);
	user_loop(ENABLES_ROUNDS, 0);
	value = pmu_read(counter);
	pmu_reset();
	return value;
}

/* Writes "EN = 1, INT = 0". */
static void describe(char *text, size_t size, unsigned bits, const struct enables *e)
{
	size_t at = 0;

	for (unsigned i = 0; i < e->count && at < size; i++)
		at += (size_t)format_buf(text + at, size - at, "%s%s = %u", i ? ", " : "",
		                         e->names[i], bits >> i & 1);
}

static void judge(struct test_ctx *t, unsigned counter, unsigned bits, const struct enables *e)
{
	const unsigned levels = e->levels(counter, bits);
	const uint64_t got = count(counter, bits, e);
	const unsigned loops = levels == PMU_BOTH ? 2 : 1;
	const bool is_deaf = levels == PMU_USR
	                     && silicon_has_upper(SILICON_UPPER_COUNTERS_DEAF, counter);
	char name[PMU_NAME_SIZE], text[120];

	describe(text, sizeof(text), bits, e);
	test_sub(t, "%s", text);
	pmu_counter_name(counter, name);
	if (!levels)
		expect_exact(t, name, got, 0, "these bits do not let it count");
	else if (is_deaf)
		silicon_leaves_out(t, SILICON_UPPER_COUNTERS_DEAF, "IA32_PMC4 to 7");
	else if (e->counts_insns)
		expect_between(t, name, got, loops * INSNS,
		               loops * INSNS + INSNS / 2,
		               "low: two instructions in each round of the loops at these levels; "
		               "high: what is around them, which is less than half a loop");
	else
		expect_between(t, name, got, !counting_may_rest(counter), UINT32_MAX,
		               "low: it counts at these levels, if its event happens; high: a "
		               "second");
}

void expect_enables(struct test_ctx *t, unsigned counter, const struct enables *e)
{
	for (unsigned bits = 0; bits < 1u << e->count; bits++)
		judge(t, counter, bits, e);
	test_sub(t, "%s", "");
}
