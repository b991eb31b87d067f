/* SPDX-License-Identifier: MIT */
/*
 * Drives NetBurst's counters. Source: SDM 3B, "Performance Monitoring (Processors Based on Intel
 * NetBurst Microarchitecture)". It does not check whether a register exists, because a test may
 * want to see what happens.
 */
#include <pmu/events/netburst_pmu.h>

#include <arch/cpu/fault.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/run/test.h>
#include <pmu/drivers/classes.h>
#include <pmu/drivers/suspend.h>

static uint32_t msr(const struct pmu *p, unsigned counter)
{
	(void)p;
	return MSR_COUNTER(counter);
}

static void name(const struct pmu *p, unsigned counter, char *buffer)
{
	(void)p;
	format_buf(buffer, PMU_NAME_SIZE, "%s", netburst_counters[counter].name);
}

/* ---------------------------------------------------------------------------- generic setups */

static const struct architectural { uint16_t event; const char *name, *masks; } architectural[] = {
	{ EVENT_INSTRUCTIONS_RETIRED, "instr_retired", "NBOGUSNTAG+NBOGUSTAG" },
	{ EVENT_BRANCH_INSTR_RETIRED, "branch_retired", NULL },
	{ EVENT_UNHALTED_CORE_CYCLES, "global_power_events", "RUNNING" },
};

#define FLAGS  ((unsigned)(PMU_BOTH | PMU_INT | PMU_EDGE | PMU_INV))

static const struct architectural *find_architectural(uint16_t event)
{
	for (size_t i = 0; i < COUNT_OF(architectural); i++)
		if (architectural[i].event == event)
			return &architectural[i];
	return NULL;
}

static uint32_t counters_for(uint16_t event)
{
	const struct architectural *a = find_architectural(event);

	return a ? netburst_event_counters(netburst_event_find(a->name)) : 0;
}

/* EDGE works only on a comparison: without CMASK, on that with one or more. */
static struct netburst_use translate(const struct pmu_setup *s)
{
	struct netburst_use use = { 0 };
	unsigned least = s->cmask ? s->cmask : s->flags & PMU_EDGE ? 1 : 0;
	const struct architectural *a = find_architectural(s->event);

	if (s->flags & ~FLAGS || s->cmask > 16)
		test_abort("%s was asked for what it does not have: CMASK %u, flags %XH",
		           netburst_counters[s->counter].name, s->cmask, s->flags);
	if (!a)
		test_abort("%s cannot count the architectural event %XH",
		           netburst_counters[s->counter].name, s->event);
	netburst_setup(&use, netburst_event_find(a->name), a->masks, s->counter, s->flags);
	if (least)
		use.cccr_value |= netburst_compare(least, s->cmask && s->flags & PMU_INV);
	use.cccr_value |= s->flags & PMU_EDGE ? CCCR_EDGE : 0;
	return use;
}

/* ---------------------------------------------------------------------------- programming */

/* The settings of each setup, and the ESCRs that are in use. */
static struct netburst_use uses[PMU_SETUPS_MAX];
static const struct netburst_escr *written[PMU_SETUPS_MAX];
static unsigned written_count;

/* An ESCR has one value for all of its counters, and either the ESCR or their CCCRs switch them. */
static void check_escr(const struct netburst_use *a, const struct netburst_use *b)
{
	if (!a->escr || a->escr != b->escr)
		return;
	if (a->escr_value != b->escr_value)
		test_abort("two setups want %s, one with %XH, the other with %XH", a->escr->name,
		           a->escr_value, b->escr_value);
	if (a->is_by_escr != b->is_by_escr)
		test_abort("two setups want %s, and one alone switches by it", a->escr->name);
}

static void take_uses(const struct pmu_setup *setups, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		uses[i] = setups[i].netburst ? *setups[i].netburst : translate(&setups[i]);
		if (uses[i].is_by_escr && !uses[i].escr)
			test_abort("setup %u switches by an ESCR and names none", i);
		for (unsigned j = 0; j < i; j++)
			check_escr(&uses[j], &uses[i]);
	}
}

static void stop_all(void)
{
	for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
		msr_write(MSR_CCCR(i), 0);
	while (written_count)
		msr_write(written[--written_count]->msr, 0);
}

static void write_escr(const struct netburst_use *use)
{
	if (!use->escr)
		return;
	msr_write(use->escr->msr, use->is_by_escr ? 0 : use->escr_value);
	written[written_count++] = use->escr;
}

static bool is_escr_in(const struct pmu_switch *s, uint32_t escr)
{
	for (unsigned i = 0; i < s->on_count; i++)
		if (s->on[i].msr == escr)
			return true;
	return false;
}

/*
 * A counter that is to be cascaded has no write of its own: it stops with the counter that started
 * it.
 */
static void add_switch(struct pmu_switch *s, const struct netburst_use *use, unsigned counter)
{
	if (use->is_by_escr && !is_escr_in(s, use->escr->msr))
		pmu_switch_add_on(s, use->escr->msr, use->escr_value);
	else if (!use->is_by_escr && use->cccr_value & CCCR_ENABLE)
		pmu_switch_add_on(s, MSR_CCCR(counter), use->cccr_value);
}

/* The counter that starts last stops first. The values for off are those for on without enables. */
static void add_off(struct pmu_switch *s)
{
	for (unsigned i = s->on_count; i-- > 0;) {
		bool is_cccr = s->on[i].msr >= MSR_CCCR(0)
		               && s->on[i].msr < MSR_CCCR(NETBURST_COUNTERS);

		pmu_switch_add_off(s, s->on[i].msr,
		                   is_cccr ? s->on[i].low & ~(uint32_t)CCCR_ENABLE : 0);
	}
}

/*
 * CCCRs are disabled first, so that COMPARE = 0 and nothing counts while counters are written
 * (erratum N15: a write may add the counter's input at that time). Then ESCR, counter and CCCR are
 * written.
 */
static void program(const struct pmu *p, const struct pmu_setup *setups, unsigned count,
                    struct pmu_switch *s)
{
	take_uses(setups, count);
	stop_all();
	for (unsigned i = 0; i < count; i++) {
		uint32_t cccr = uses[i].cccr_value;

		write_escr(&uses[i]);
		msr_write(MSR_COUNTER(setups[i].counter),
		          setups[i].start & UINT64_MAX >> (64 - p->gp_width));
		msr_write(MSR_CCCR(setups[i].counter),
		          uses[i].is_by_escr ? cccr : cccr & ~(uint32_t)CCCR_ENABLE);
	}
	for (unsigned i = count; i-- > 0;)
		add_switch(s, &uses[i], setups[i].counter);
	add_off(s);
	if (s->on_count)
		return;
	/* With cascaded counters only, both writes of the window repeat the value that is there. */
	pmu_switch_add_on(s, MSR_CCCR(setups[0].counter), uses[0].cccr_value);
	pmu_switch_add_off(s, MSR_CCCR(setups[0].counter), uses[0].cccr_value);
}

/* ---------------------------------------------------------------------------- overflows */

static uint64_t status(const struct pmu *p)
{
	uint64_t bits = 0, cccr;

	for (unsigned i = 0; i < p->gp_count; i++) {
		msr_try_read(MSR_CCCR(i), &cccr);
		bits |= (uint64_t)(FIELD_GET(CCCR_OVF, cccr)) << i;
	}
	return bits;
}

static void clear_status(const struct pmu *p, uint64_t bits)
{
	uint64_t cccr;

	for (unsigned i = 0; i < p->gp_count; i++)
		if ((bits >> i & 1) && !is_fault(msr_try_read(MSR_CCCR(i), &cccr)))
			msr_try_write(MSR_CCCR(i), cccr & ~CCCR_OVF);
}

/* ---------------------------------------------------------------------------- running counters */

/*
 * Returns true if the ESCR that the CCCR selects lets it count. The clock needs an event, too, but
 * no ring.
 */
static bool is_fed(unsigned counter, uint64_t cccr)
{
	const struct netburst_escr *escr =
		netburst_escr_of(counter, (unsigned)FIELD_GET(CCCR_ESCR_SELECT, cccr));
	uint64_t value = 0;

	if (!escr || is_fault(msr_try_read(escr->msr, &value)) || !(value & ESCR_EVENT_SELECT))
		return false;
	return (cccr & CCCR_COMPARE)
	       || (value & (ESCR_T0_OS | ESCR_T0_USR | ESCR_T1_OS | ESCR_T1_USR));
}

static bool is_started(unsigned counter, uint64_t cccr, uint64_t overflowed)
{
	const struct netburst_counter *c = &netburst_counters[counter];

	return (cccr & CCCR_ENABLE) || (cccr & CCCR_CASCADE && c->cascades_from & overflowed)
	       || (cccr & CCCR_CASCNT_INTO && c->extended_from & overflowed);
}

static const char *running(const struct pmu *p)
{
	static char text[80];
	uint64_t overflowed = status(p), cccr;

	for (unsigned i = 0; i < p->gp_count; i++) {
		msr_try_read(MSR_CCCR(i), &cccr);
		if (!is_started(i, cccr, overflowed) || !is_fed(i, cccr))
			continue;
		format_buf(text, sizeof(text), "%s = %" PRIX64 "H: counter %u was left running",
		           netburst_counters[i].cccr_name, cccr, i);
		return text;
	}
	return NULL;
}

/* ---------------------------------------------------------------------------- the monitor */

static void examine(const struct pmu *p, struct pmu_examined *e)
{
	(void)p;
	e->control = pmu_awake_value(MSR_CCCR(e->counter));
	e->escr = netburst_escr_of(e->counter,
	                           (unsigned)FIELD_GET(CCCR_ESCR_SELECT, e->control));
	if (e->escr && !netburst_has_escr(e->escr))
		e->escr = NULL;
	e->select = e->escr ? pmu_awake_value(e->escr->msr) : 0;
}

static const char *sure(const struct pmu *p, unsigned counter, struct pmu_switch *s)
{
	struct netburst_use use;

	(void)p;
	netburst_clock_setup(&use, counter);
	pmu_switch_add_on(s, MSR_CCCR(counter), use.cccr_value | CCCR_ENABLE);
	pmu_switch_add_on(s, use.escr->msr, use.escr_value);
	return "clocks";
}

static uint32_t escr(unsigned i)
{
	return netburst_has_escr(&netburst_escrs[i]) ? netburst_escrs[i].msr : 0;
}

static const struct pmu_pausable pausables[] = {
	{ .count = NETBURST_ESCRS, .msr_of = escr, .bits = UINT32_MAX },
	{ .count = 1, .msr = MSR_DEBUGCTLA, .bits = MSR_DEBUGCTLA_LBR },
};

const struct pmu_driver pmu_driver_netburst = {
	.program = program, .msr = msr, .name = name, .status = status,
	.clear_status = clear_status, .counters_for = counters_for, .running = running,
	.thread = netburst_thread, .examine = examine, .sure = sure, PAUSABLES(pausables),
};
