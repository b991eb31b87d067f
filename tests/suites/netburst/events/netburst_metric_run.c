/* SPDX-License-Identifier: MIT */
/*
 * netburst.tagging and netburst.replay: runs rows of metrics. A metric is an event at retirement
 * that counts what something else tags: an ESCR, or MSR_PEBS_ENABLE and MSR_PEBS_MATRIX_VERT. The
 * allocator chooses counters and ESCRs.
 */
#include <tests/suites/common/events/event_run.h>

#include <stddef.h>

#include <arch/cpu/fault.h>
#include <kernel/lib/format.h>
#include <pmu/events/netburst_pmu.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/netburst_suite.h>

static const struct netburst_metric *find(const struct event_exercise *row)
{
	const struct netburst_metric *m = netburst_metric_find(row->event);

	if (!m)
		test_abort("there is no metric %s in the table", row->event);
	return m;
}

const char *netburst_metric_need(struct test_ctx *t)
{
	unsigned count;
	const struct event_exercise *rows = event_rows_of(t, &count);
	const char *problem = need_netburst(t);
	char buffer[FAULT_TEXT_SIZE];
	fault_t fault;

	if (problem)
		return problem;
	fault = msr_try_write(MSR_PEBS_ENABLE, find(rows)->pebs_enable);
	if (is_fault(fault))
		return test_reason(t, "WRMSR of %" PRIX32 "H to MSR_PEBS_ENABLE: %s",
		                   find(rows)->pebs_enable, fault_text(fault, buffer));
	msr_try_write(MSR_PEBS_ENABLE, 0);
	return event_row_code_need(t, &rows[0]);
}

/* Without an ESCR that tags, nothing is tagged. About replay the sources contradict each other. */
static void check_untagged(struct test_ctx *t, const struct event_exercise *row,
                           const struct netburst_metric *m, const struct pmu_setup *setups)
{
	uint64_t got;

	netburst_set_replay(m->pebs_enable & ~(uint32_t)PEBS_ENABLE_UOP_TAG, m->pebs_matrix_vert);
	got = event_row_difference(row, setups, 1);
	if (m->pebs_enable) {
		test_sub(t, "%s, UOP_TAG = 0%s", row->moves, m->upstream ? ", no ESCR" : "");
		test_report(t, m->name, "%" PRId64 "; not judged: the manual contradicts itself "
		            "about the bit", got);
	} else {
		test_sub(t, "%s, no ESCR tags", row->moves);
		expect_exact(t, m->name, got, 0, "nothing is tagged");
	}
}

static void run_row(struct test_ctx *t, const struct event_exercise *row, bool is_first)
{
	const struct netburst_metric *m = find(row);
	struct netburst_request requests[2];
	struct netburst_use uses[2];
	struct pmu_setup setups[2];
	char problem[128];
	unsigned count = netburst_metric_requests(m, PMU_BOTH, requests);

	if (!netburst_allocate(requests, count, setups, uses, problem, sizeof(problem)))
		test_abort("%s: %s", m->name, problem);
	netburst_set_replay(m->pebs_enable, m->pebs_matrix_vert);
	event_row_judge(t, row, setups, count, m->name);
	if (is_first)
		check_untagged(t, row, m, setups);
	netburst_set_replay(0, 0);
}

void netburst_metric_run(struct test_ctx *t)
{
	unsigned count;
	const struct event_exercise *rows = event_rows_of(t, &count);

	for (unsigned i = 0; i < count; i++)
		if (!event_row_code_need(t, &rows[i]))
			run_row(t, &rows[i], i == 0);
	test_sub(t, "%s", "");
}
