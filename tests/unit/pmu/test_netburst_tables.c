/* SPDX-License-Identifier: MIT */
/* LINK: pmu/events/tables/netburst_register_table.c pmu/events/tables/netburst_event_table.c */
/* LINK: pmu/events/tables/netburst_metric_table.c pmu/events/netburst_find.c */
/* LINK: pmu/events/event_text.c kernel/lib/format.c */
#include <pmu/events/netburst_pmu.h>

#include <kernel/machine/machine.h>
#include <tests/unit/unit.h>

static struct cpu_identity cpu = { .vendor = VENDOR_INTEL, .family = 0xf, .model = 2 };

const struct cpu_identity *machine_cpu(void) { return &cpu; }

#define FOR_EACH_COUNTER(c) \
	for (const struct netburst_counter *c = netburst_counters; \
	     c < netburst_counters + NETBURST_COUNTERS; c++)
#define FOR_EACH_ESCR(e) \
	for (const struct netburst_escr *e = netburst_escrs; e < netburst_escrs + NETBURST_ESCRS; \
	     e++)
#define FOR_EACH_EVENT(e) \
	for (const struct netburst_event *e = netburst_events; \
	     e < netburst_events + NETBURST_EVENTS; e++)

static unsigned number(const struct netburst_counter *c)
{
	return (unsigned)(c - netburst_counters);
}

static bool is_set(uint32_t bits, unsigned n) { return bits >> n & 1; }

UNIT_TEST(there_are_four_blocks_of_4_4_4_and_6_counters)
{
	unsigned sizes[NETBURST_BLOCKS] = { 0 };

	FOR_EACH_COUNTER(c) {
		check_eq_u64(c->name, c->msr, 0x300 + number(c));
		check_eq_u64(c->cccr_name, c->cccr, 0x360 + number(c));
		check_eq_u64("pair", c->pair, number(c) / 2);
		sizes[c->block]++;
	}
	check_eq_u64("BPU", sizes[NETBURST_BPU], 4);
	check_eq_u64("MS", sizes[NETBURST_MS], 4);
	check_eq_u64("FLAME", sizes[NETBURST_FLAME], 4);
	check_eq_u64("IQ", sizes[NETBURST_IQ], 6);
}

/* The first pair of a block is even, the second odd; 16 is even, 17 odd. */
UNIT_TEST(even_escrs_reach_even_counters)
{
	FOR_EACH_COUNTER(c)
		check_eq_u64(c->name, c->parity,
		             number(c) < 16 ? number(c) / 2 % 2 : number(c) % 2);
	FOR_EACH_ESCR(e) {
		unsigned parity = (unsigned)(e->name[strlen(e->name) - 1] - '0') % 2;

		FOR_EACH_COUNTER(c)
			check_eq_u64(e->name, is_set(e->counters, number(c)),
			             c->block == e->block && c->parity == parity);
	}
}

UNIT_TEST(escrs_have_msrs_of_their_own_in_their_order)
{
	uint32_t last = 0;

	FOR_EACH_ESCR(e) {
		check_true(e->name, e->msr > last && e->msr >= 0x3a0 && e->msr <= 0x3e1);
		check_true("no hole", e->msr != 0x3bf && e->msr != 0x3c6 && e->msr != 0x3c7
		           && (e->msr < 0x3ce || e->msr > 0x3df));
		check_true("listed once", netburst_escr_find(e->name) == e);
		check_true("select of three bits", e->select <= 7);
		check_true("models", (e->models & ~NETBURST_ALL_MODELS) == 0);
		last = e->msr;
	}
}

/* The way from a counter by the number leads back to the ESCR that has the number. */
UNIT_TEST(a_counter_selects_each_of_its_escrs_by_one_number)
{
	FOR_EACH_COUNTER(c) {
		unsigned reached = 0, selected = 0;

		FOR_EACH_ESCR(e) {
			if (!is_set(e->counters, number(c)))
				continue;
			check_true(e->name, netburst_escr_of(number(c), e->select) == e);
			reached++;
		}
		for (unsigned select = 0; select < 8; select++)
			selected += netburst_escr_of(number(c), select) != NULL;
		check_eq_u64(c->name, selected, reached);
	}
}

/* SSU_ESCR0 has no twin; all others come in pairs with one number. */
UNIT_TEST(twins_have_one_number)
{
	FOR_EACH_ESCR(e) {
		char twin[24];

		snprintf(twin, sizeof(twin), "%s", e->name);
		twin[strlen(twin) - 1] ^= 1;
		if (!netburst_escr_find(twin))
			check_str("without a twin", e->name, "MSR_SSU_ESCR0");
		else
			check_eq_u64(twin, netburst_escr_find(twin)->select, e->select);
	}
}

/* SDM 3B, "Cascading Counters": both ways between the pairs of a block; 16 and 17 start none. */
UNIT_TEST(cascades_go_both_ways)
{
	FOR_EACH_COUNTER(c) {
		FOR_EACH_COUNTER(from) {
			bool is_started = is_set(c->cascades_from, number(from));

			if (number(c) < 16)
				check_eq_u64(c->name, is_started, number(from) == (number(c) ^ 2));
			else
				check_eq_u64(c->name, is_started, number(from) == number(c) - 2);
		}
		check_true("bit 11 has a name",
		           (c->extended_from != 0) == (c->extended_name != NULL));
	}
}

UNIT_TEST(extended_cascades_say_in_their_name_what_starts_what)
{
	unsigned count = 0;

	FOR_EACH_COUNTER(c) {
		unsigned from, into;

		if (!c->extended_name)
			continue;
		check_true("name", sscanf(c->extended_name, "CASCNT%uINTO%u", &from, &into) == 2);
		check_eq_u64(c->name, number(c), 12 + into);
		check_eq_u64(c->extended_name, c->extended_from, UINT64_C(1) << (12 + from));
		count++;
	}
	check_eq_u64("with bit 11", count, 4);
}

UNIT_TEST(each_event_has_masks_that_do_not_overlap)
{
	FOR_EACH_EVENT(e) {
		uint16_t seen = 0;

		check_true(e->name, e->select <= 0x3f && e->description && e->description[0]);
		check_true("listed once", netburst_event_find(e->name) == e);
		check_true("it has masks", e->masks[0].name != NULL);
		for (unsigned i = 0; i < NETBURST_MASKS_MAX && e->masks[i].name; i++) {
			uint16_t bits;

			check_true("of its own", e->masks[i].bits && !(seen & e->masks[i].bits));
			check_true("by name", netburst_event_mask(e, e->masks[i].name, &bits));
			check_eq_u64(e->masks[i].name, bits, e->masks[i].bits);
			seen = (uint16_t)(seen | e->masks[i].bits);
		}
		check_eq_u64(e->name, seen, e->all);
	}
}

/* The manual prints 3 for events of FSB_ESCR0 and 1, whose number is 6 in its table of ESCRs. */
static bool is_known_exception(const char *name)
{
	return strcmp(name, "b2b_cycles") == 0 || strcmp(name, "bnr") == 0
	       || strcmp(name, "snoop") == 0 || strcmp(name, "response") == 0;
}

UNIT_TEST(an_events_select_is_that_of_its_escrs)
{
	FOR_EACH_EVENT(e) {
		for (unsigned i = 0; i < NETBURST_ESCRS_PER_EVENT && e->escrs[i]; i++) {
			const struct netburst_escr *escr = e->escrs[i];

			check_true(escr->name, !escr->without_event);
			if (is_known_exception(e->name))
				check_true(e->name,
				           escr->select == 6 && e->cccr_select == 3 && e->unsure);
			else
				check_eq_u64(e->name, e->cccr_select, escr->select);
		}
		check_true(e->name, netburst_event_counters(e) || !netburst_event_exists(e));
	}
}

static bool is_used(const struct netburst_escr *escr)
{
	FOR_EACH_EVENT(e)
		for (unsigned i = 0; i < NETBURST_ESCRS_PER_EVENT && e->escrs[i]; i++)
			if (e->escrs[i] == escr)
				return true;
	return false;
}

UNIT_TEST(an_escr_has_an_event_or_a_reason)
{
	FOR_EACH_ESCR(e)
		check_eq_u64(e->name, is_used(e), e->without_event == NULL);
}

/* Two events of one ESCR differ in their select. */
UNIT_TEST(an_escrs_events_are_told_apart)
{
	FOR_EACH_EVENT(a)
		FOR_EACH_EVENT(b)
			if (a < b && a->escrs[0] == b->escrs[0])
				check_true(a->name, a->select != b->select);
}

UNIT_TEST(masks_by_name)
{
	const struct netburst_event *e = netburst_event_find("branch_retired");
	uint16_t bits;

	check_true("two", netburst_event_mask(e, "MMNM+MMTM", &bits) && bits == 0xa);
	check_true("all", netburst_event_mask(e, NULL, &bits) && bits == 0xf);
	check_true("none of this name", !netburst_event_mask(e, "MMN", &bits));
	check_true("an empty one", !netburst_event_mask(e, "MMNM+", &bits));
}

UNIT_TEST(metrics_name_events_masks_and_escrs)
{
	uint16_t bits;

	check_eq_u64("metrics", netburst_metric_count, 19);
	for (unsigned i = 0; i < netburst_metric_count; i++) {
		const struct netburst_metric *m = &netburst_metrics[i];
		const struct netburst_event *e = netburst_event_find(m->event);

		check_true(m->name, netburst_metric_find(m->name) == m);
		check_true(m->event, e && netburst_event_mask(e, m->masks, &bits));
		check_true("without PEBS", !(m->pebs_enable & PEBS_ENABLE_MY_THR));
		if (!m->upstream)
			continue;
		e = netburst_event_find(m->upstream);
		check_true(m->upstream, e && netburst_event_mask(e, m->upstream_masks, &bits));
		check_true("it tags", e->tagging >= NETBURST_TAGS_FRONT_END
		                      && e->tagging <= NETBURST_TAGS_REPLAY);
		if (m->upstream_escr)
			check_true(m->upstream_escr->name, m->upstream_escr == e->escrs[0]
			                                   || m->upstream_escr == e->escrs[1]);
	}
}

UNIT_TEST(models_differ_in_iq_escrs_instr_completed_and_bit_11)
{
	const struct netburst_escr *iq = netburst_escr_find("MSR_IQ_ESCR1");
	const struct netburst_event *completed = netburst_event_find("instr_completed");

	cpu.model = 1;
	check_true("model 1", netburst_has_escr(iq) && !netburst_event_exists(completed)
	                      && !netburst_has_extended_cascading());
	check_eq_u64("no counter", netburst_event_counters(completed), 0);
	cpu.model = 2;
	check_true("model 2", netburst_has_escr(iq) && !netburst_event_exists(completed)
	                      && netburst_has_extended_cascading());
	cpu.model = 4;
	check_true("model 4", !netburst_has_escr(iq) && netburst_event_exists(completed)
	                      && netburst_has_extended_cascading());
	check_eq_u64("its counters", netburst_event_counters(completed), 0x3f000);
	cpu.model = 0;
	check_true("model 0, on which it is not certain", !netburst_has_escr(iq));
	cpu.model = 2;
}

UNIT_MAIN()
