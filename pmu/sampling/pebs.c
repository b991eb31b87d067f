/* SPDX-License-Identifier: MIT */
/*
 * Programs counters that write PEBS records. Source: SDM 3B, "Processor Event Based Sampling
 * (PEBS)" by microarchitecture; "Processor Event-Based Sampling (PEBS)" of NetBurst.
 */
#include <pmu/sampling/pebs.h>

#include <arch/cpu/fault.h>
#include <arch/regs/perfmon.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <kernel/run/test.h>
#include <pmu/core/dangers.h>
#include <pmu/core/pmu.h>

static bool is_netburst(void) { return pmu_has(PMU_HAS_CCCRS); }

bool pebs_get(unsigned i, enum pebs_field field, uint64_t *value)
{
	return pebs_get_at(ds_record(DS_PEBS, i), field, value);
}

/* ---------------------------------------------------------------------------- needs */

const char *pebs_unavailable(void)
{
	static char text[96];
	const struct pmu *p = pmu_get();
	uint64_t value = 0;

	if (!pmu_has(PMU_HAS_CCCRS | PMU_HAS_LEAF_0AH))
		return "the PMU has no PEBS";
	if (is_fault(msr_try_read(IA32_MISC_ENABLE, &value))
	    || value & IA32_MISC_ENABLE_PEBS_UNAVAILABLE) {
		format_buf(text, sizeof(text), "IA32_MISC_ENABLE = %" PRIX64
		           "H: bit 12, PEBS unavailable", value);
		return text;
	}
	if (!pebs_layout()) {
		format_buf(text, sizeof(text), "IA32_PERF_CAPABILITIES = %" PRIX64
		           "H: PEBS record format %u is not known", p->capabilities, pebs_format());
		return text;
	}
	return danger_reason("pebs");
}

const char *need_pebs(struct test_ctx *t)
{
	const char *reason = need_ds(t);

	if (reason)
		return reason;
	return pebs_unavailable() ? test_reason(t, "%s", pebs_unavailable()) : NULL;
}

static unsigned count_bits(uint64_t map)
{
	unsigned n = 0;

	for (; map; map &= map - 1)
		n++;
	return n;
}

const char *need_pebs_counters(struct test_ctx *t, unsigned count)
{
	const char *reason = need_pebs(t);
	const struct pebs_event *e;
	uint64_t all = 0;

	for (unsigned i = 0; !reason && (e = pebs_event_at(i)) != NULL; i++)
		all |= e->counters;
	if (!reason && count_bits(all) < count)
		return test_reason(t, "PEBS has %u counters here, bitmap %" PRIX64 "H",
		                   count_bits(all), all);
	return reason;
}

/* ---------------------------------------------------------------------------- setups */

/* Returns the counter that keeps the block of the tagging ESCR powered; its count is not used. */
static unsigned tagging_counter(const struct netburst_event *e)
{
	uint32_t counters = netburst_event_counters(e);

	for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
		if (counters >> i & 1)
			return i;
	test_abort("no counter reaches %s", e->name);
}

static void set_up_tagging(struct pebs_use *use, const struct netburst_metric *m, unsigned flags)
{
	const struct netburst_event *e = netburst_event_find(m->upstream);
	uint32_t counters = netburst_event_counters(e);

	use->tagging_counter = tagging_counter(e);
	for (unsigned i = 0; m->upstream_escr && i < NETBURST_COUNTERS; i++)
		if ((counters >> i & 1)
		    && netburst_event_escr(e, i) == m->upstream_escr)
			use->tagging_counter = i;
	netburst_setup(&use->tagging, e, m->upstream_masks, use->tagging_counter, flags);
	if (m->tag_value)
		use->tagging.escr_value |= (uint32_t)(ESCR_TAG_ENABLE
		                                      | FIELD_PUT(ESCR_TAG_VALUE, m->tag_value));
}

/* SDM 3B, "PEBS": OVF_PMI of the counter stays 0; the buffer's threshold interrupts. */
static struct pmu_setup netburst_pebs(struct pebs_use *use, const struct pebs_event *e,
                                      unsigned counter, unsigned flags)
{
	const struct netburst_metric *m = e->metric;
	struct pmu_setup s;

	if (!m)
		test_abort("%s: the table of metrics has no %s", e->name, e->manual);
	memset(use, 0, sizeof(*use));
	s = netburst_setup(&use->counting, netburst_event_find(m->event), m->masks, counter, flags);
	use->metric = m;
	if (m->upstream)
		set_up_tagging(use, m, flags);
	return s;
}

struct pmu_setup pebs_setup(struct pebs_use *use, const struct pebs_event *e, unsigned counter,
                            unsigned flags, uint64_t missing)
{
	struct pmu_setup s = { .counter = counter, .event = e->event, .flags = flags };

	if (is_netburst())
		s = netburst_pebs(use, e, counter, flags);
	else if (pebs_layout() && pebs_layout()->is_adaptive)
		s.flags |= PMU_ADAPTIVE;
	s.start = -missing;
	return s;
}

unsigned pebs_counter(const struct pebs_event *e, unsigned n)
{
	for (unsigned i = 0; i < 64; i++)
		if ((e->counters >> i & 1) && n-- == 0)
			return i;
	return PMU_NO_COUNTER;
}

/* SDM 3B, "DS Save Area": NetBurst has one; "PEBS Counter Reset": eight, later 32 general ones. */
unsigned pebs_slot(unsigned counter)
{
	if (is_netburst())
		return 0;
	if (counter < PMU_FIXED)
		return counter;
	return counter - PMU_FIXED + (pebs_format() >= 5 ? 32 : 8);
}

const uint64_t *pebs_resets(const struct pmu_setup *setups, unsigned count)
{
	static uint64_t resets[PEBS_RESETS];

	memset(resets, 0, sizeof(resets));
	for (unsigned i = 0; i < count; i++) {
		unsigned width = pmu_counter_width(setups[i].counter);

		resets[pebs_slot(setups[i].counter)] =
			setups[i].start & UINT64_MAX >> (64 - width);
	}
	return resets;
}

/* ---------------------------------------------------------------------------- on and off */

static const struct pebs_use *tagging;         /* what netburst_enable() switched on */

/*
 * The manual's order is: first what tags, then the tags' mechanism with PEBS. The window enables
 * the counter's CCCR.
 */
static void netburst_enable(const struct pebs_use *use)
{
	if (use->metric->upstream) {
		msr_write(use->tagging.escr->msr, use->tagging.escr_value);
		msr_write(MSR_CCCR(use->tagging_counter), use->tagging.cccr_value);
		tagging = use;
	}
	netburst_set_replay(use->metric->pebs_enable | (uint32_t)PEBS_ENABLE_MY_THR,
	                    use->metric->pebs_matrix_vert);
}

uint64_t pebs_enable_bits(const struct pmu_setup *setups, unsigned count)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < count; i++)
		bits |= BIT(setups[i].counter);        /* PMU_FIXED is bit 32 */
	return bits;
}

void pebs_enable(const struct pmu_setup *setups, unsigned count)
{
	if (!is_netburst()) {
		msr_write(IA32_PEBS_ENABLE, pebs_enable_bits(setups, count));
		return;
	}
	for (unsigned i = 0; i < count; i++)
		netburst_enable((const struct pebs_use *)(const void *)setups[i].netburst);
}

static void netburst_disable(void)
{
	netburst_set_replay(0, 0);
	if (!tagging)
		return;
	msr_write(MSR_CCCR(tagging->tagging_counter), 0);
	msr_write(tagging->tagging.escr->msr, 0);
	tagging = NULL;
}

void pebs_disable(void)
{
	if (is_netburst())
		netburst_disable();
	else
		msr_write(IA32_PEBS_ENABLE, 0);
}

static bool may_have_pebs(void)
{
	const struct pmu *p = pmu_get();

	return cpuid_get(CPUID_DS) && p->state == PMU_COUNTS
	       && pmu_has(PMU_HAS_CCCRS | PMU_HAS_LEAF_0AH);
}

/* NetBurst's bits other than 25 and 26 only tag, without PEBS. */
const char *pebs_running(void)
{
	const uint64_t mask = is_netburst() ? PEBS_ENABLE_MY_THR | PEBS_ENABLE_OTH_THR : UINT64_MAX;
	static char text[64];
	uint64_t value;

	if (!may_have_pebs() || is_fault(msr_try_read(IA32_PEBS_ENABLE, &value)) || !(value & mask))
		return NULL;
	format_buf(text, sizeof(text), "IA32_PEBS_ENABLE = %" PRIX64 "H: PEBS was left on", value);
	return text;
}

void pebs_reset(void)
{
	uint64_t value;

	tagging = NULL;
	if (!may_have_pebs())
		return;
	if (!is_fault(msr_try_read(IA32_PEBS_ENABLE, &value)) && value)
		msr_try_write(IA32_PEBS_ENABLE, 0);
	pebs_forget_data_cfg();
}
