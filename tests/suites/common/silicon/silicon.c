/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/silicon/silicon.h>

#include <stddef.h>

#include <kernel/machine/machine.h>
#include <pmu/core/program.h>

static const struct silicon_row {
	uint8_t family;
	uint8_t models[SILICON_MODELS_MAX];    /* and 0 after the last one */
	const char *why;
} rows[SILICON_COUNT] = {
#define ROW(name, family_, models_, source, tests, demanded, effect) \
	[SILICON_##name] = { family_, { models_ }, source ": " effect },
	SILICON_ROWS(ROW)
#undef ROW
};

/* Returns whether it is one of these models; model 0 of NetBurst is the first of its list. */
static bool is_listed(const struct silicon_row *r, unsigned model)
{
	for (size_t i = 0; i < SILICON_MODELS_MAX && (i == 0 || r->models[i]); i++)
		if (r->models[i] == model)
			return true;
	return false;
}

/* The rows of E-cores name hybrid processors, whose P-cores they do not mean. */
static bool is_right_core(enum silicon row)
{
	return (row != SILICON_E_CORE_BRANCHES && row != SILICON_E_CORE_FAR
	        && row != SILICON_E_CORE_GUESTS)
	       || machine_cpu()->core_type == CORE_TYPE_ATOM || machine_cpu()->core_type == 0;
}

bool silicon_has(enum silicon row)
{
	const struct cpu_identity *cpu = machine_cpu();

	return !pmu_is_exact() && cpu->family == rows[row].family
	       && is_listed(&rows[row], cpu->model) && is_right_core(row);
}

bool silicon_has_upper(enum silicon row, unsigned counter)
{
	return counter >= 4 && counter < PMU_FIXED && silicon_has(row);
}

const char *silicon_why(enum silicon row)
{
	return rows[row].why;
}

const char *silicon_need_not(struct test_ctx *t, enum silicon row)
{
	return silicon_has(row) ? test_reason(t, "model %XH, %s", machine_cpu()->model,
	                                      rows[row].why) : NULL;
}

bool silicon_leaves_out(struct test_ctx *t, enum silicon row, const char *what)
{
	if (silicon_has(row))
		test_report(t, what, "not judged: %s", rows[row].why);
	return silicon_has(row);
}

void silicon_expect_same(struct test_ctx *t, const char *what, uint64_t got, uint64_t want,
                         unsigned irets, const char *why)
{
	expect_bounds(t, what, got, if_exact(want, why),
	              silicon_in(SILICON_IRET_COUNTS_TWICE, else_exact(want, why), want - irets,
	                         want + irets));
}

struct bounds silicon_in(enum silicon row, struct bounds usual, uint64_t low, uint64_t high)
{
	return silicon_has(row) ? else_in(low, high, rows[row].why) : usual;
}

struct bounds silicon_shown(enum silicon row, struct bounds usual)
{
	return silicon_has(row) ? else_shown(rows[row].why) : usual;
}
