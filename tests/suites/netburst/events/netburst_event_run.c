/* SPDX-License-Identifier: MIT */
/*
 * netburst.events.NAME: runs rows of NetBurst's events, each on the first counter of each ESCR that
 * has the event; netburst.routing tests what other counters do. Before that, it programs each mask
 * of the event once and checks the registers.
 */
#include <tests/suites/common/events/event_run.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <pmu/events/netburst_pmu.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/netburst_suite.h>

static const struct netburst_event *find(const struct event_exercise *row)
{
	const struct netburst_event *e = netburst_event_find(row->event);

	if (!e)
		test_abort("there is no event %s in the table", row->event);
	return e;
}

/* Returns NULL if one of the rows can run here or has no code; else the first one's reason. */
static const char *code_need(struct test_ctx *t, const struct event_exercise *rows, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (!event_row_code_need(t, &rows[i]))
			return NULL;
	return event_row_code_need(t, &rows[0]);
}

const char *netburst_event_need(struct test_ctx *t)
{
	unsigned count;
	const struct event_exercise *rows = event_rows_of(t, &count);
	const char *problem = need_netburst(t);

	if (problem)
		return problem;
	if (!netburst_event_exists(find(rows)))
		return test_reason(t,
		                   "event %s does not exist on this model: CPUID.1:EAX = %" PRIX32
		                   "H", rows->event, cpuid_read(1, 0).eax);
	return code_need(t, rows, count);
}

/* Finds the first counter that counts the event by its ESCR 0 or 1; returns false if none
 * exists. */
static bool first_counter(const struct netburst_event *e, unsigned escr, unsigned *counter)
{
	const struct netburst_escr *found;

	if (!e->escrs[escr])
		return false;
	found = e->escrs[escr];
	for (unsigned c = 0; c < NETBURST_COUNTERS; c++)
		if ((found->counters & netburst_event_counters(e)) >> c & 1) {
			*counter = c;
			return true;
		}
	return false;
}

/* ------------------------------------------------------------------------ registers */

/* Checks that, as the driver programs them, the ESCR holds this event and mask,
 * and the CCCR this ESCR. */
static void check_registers(struct test_ctx *t, const struct netburst_event *e, unsigned counter,
                            const char *masks)
{
	const struct netburst_escr *escr = netburst_event_escr(e, counter);
	struct netburst_use use;
	struct pmu_setup setup = netburst_setup(&use, e, masks, counter, PMU_BOTH);
	uint16_t bits = 0;

	netburst_event_mask(e, masks, &bits);
	pmu_program(&setup, 1);
	test_sub(t, "%s, mask %s", netburst_counters[counter].name, masks ? masks : "all");
	expect_bits(t, escr->name, msr_read(escr->msr), ESCR_EVENT_SELECT | ESCR_EVENT_MASK,
	            FIELD_PUT(ESCR_EVENT_SELECT, e->select) | FIELD_PUT(ESCR_EVENT_MASK, bits),
	            "these are event select and mask of the manual's table");
	expect_bits(t, netburst_counters[counter].cccr_name,
	            msr_read(netburst_counters[counter].cccr), CCCR_ESCR_SELECT,
	            FIELD_PUT(CCCR_ESCR_SELECT, escr->select), "this is the ESCR's number");
}

static void check_all_registers(struct test_ctx *t, const struct netburst_event *e)
{
	for (unsigned escr = 0; escr < NETBURST_ESCRS_PER_EVENT; escr++) {
		unsigned counter;

		if (!first_counter(e, escr, &counter))
			continue;
		check_registers(t, e, counter, NULL);
		for (unsigned i = 0; i < NETBURST_MASKS_MAX && e->masks[i].name; i++)
			check_registers(t, e, counter, e->masks[i].name);
	}
	pmu_reset();
}

/* ------------------------------------------------------------------------ counts */

/*
 * The counting of active entries includes only those that its partner allocates: the other ESCR
 * needs the same masks. SDM 3B, notes on IOQ_active_entries and bsq_active_entries.
 */
static unsigned add_partner(const struct event_exercise *row, struct pmu_setup *setup,
                            struct netburst_use *use)
{
	const char *partner = strcmp(row->event, "IOQ_active_entries") == 0   ? "IOQ_allocation"
	                      : strcmp(row->event, "bsq_active_entries") == 0 ? "BSQ_allocation"
	                                                                      : NULL;

	if (!partner)
		return 0;
	*setup = netburst_setup(use, netburst_event_find(partner), row->mask, 0, PMU_BOTH);
	return 1;
}

/* Each thing that the event counts belongs to one of its masks, so the masks add up. */
static void check_masks(struct test_ctx *t, const struct event_exercise *row, unsigned counter)
{
	const struct netburst_event *e = find(row);
	struct netburst_use use;
	struct pmu_setup setup = netburst_setup(&use, e, NULL, counter, PMU_BOTH);
	uint64_t all = event_row_difference(row, &setup, 1), sum = 0;

	for (unsigned i = 0; i < NETBURST_MASKS_MAX && e->masks[i].name; i++) {
		setup = netburst_setup(&use, e, e->masks[i].name, counter, PMU_BOTH);
		sum += event_row_difference(row, &setup, 1);
	}
	event_row_judge_masks(t, row, sum, all);
}

static void run_row(struct test_ctx *t, const struct event_exercise *row)
{
	const struct netburst_event *e = find(row);

	for (unsigned escr = 0; escr < NETBURST_ESCRS_PER_EVENT; escr++) {
		struct netburst_use uses[2];
		struct pmu_setup setups[2];
		unsigned counter, count;

		if (!first_counter(e, escr, &counter))
			continue;
		setups[0] = netburst_setup(&uses[0], e, row->mask, counter, PMU_BOTH);
		count = 1 + add_partner(row, &setups[1], &uses[1]);
		event_row_judge(t, row, setups, count, netburst_counters[counter].name);
		if (row->flags & EXERCISE_MASKS)
			check_masks(t, row, counter);
	}
}

void netburst_event_run(struct test_ctx *t)
{
	unsigned count;
	const struct event_exercise *rows = event_rows_of(t, &count);

	check_all_registers(t, find(rows));
	for (unsigned i = 0; i < count; i++) {
		test_sub(t, "%s", "");
		if (!rows[i].moves)
			event_row_report(t, &rows[i]);
		else if (!event_row_code_need(t, &rows[i]))
			run_row(t, &rows[i]);
	}
	test_sub(t, "%s", "");
}
