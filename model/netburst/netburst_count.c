/* SPDX-License-Identifier: MIT */
/*
 * NetBurst's counters: which of them count which thread in which ring, the filter that compares,
 * and cascades. Sources: SDM 3B, "CCCR MSRs", "Filtering Events", "Cascading Counters", "EXTENDED
 * CASCADING", "Performance Monitoring and Intel Hyper-Threading Technology in Processors Based on
 * Intel NetBurst Microarchitecture", "Non-Sleep Clockticks".
 *
 * A cycle belongs to the thread that spent it. The filter's input is what remains after event mask,
 * thread and CPL. In a cycle of a thread that is not counted the input is 0, and COMPLEMENT lets 0
 * pass; hence threshold 15 with COMPLEMENT counts every cycle of the core.
 */
#include <model/netburst/netburst_shared.h>

/* ---------------------------------------------------------------------------- plan */

static uint32_t overflown(const struct netburst *b)
{
	uint32_t counters = 0;

	for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
		if (b->slot[i].cccr & CCCR_OVF)
			counters |= BIT32(i);
	return counters;
}

/* Returns the counters whose overflow starts counter i, by its CCCR. */
static uint32_t who_starts(unsigned i, uint32_t cccr)
{
	uint32_t from = 0;

	if (cccr & CCCR_CASCADE)
		from |= netburst_cascades_from[i];
	if (cccr & CCCR_CASCNT_INTO)
		from |= netburst_extended_from[i];
	return from;
}

/* Starts or stops the counter, and finds the counters whose overflow may start it. */
static void start_or_stop(struct refpmu_core *c, unsigned i, uint32_t over)
{
	struct netburst_slot *s = &c->netburst.slot[i];
	uint32_t from = who_starts(i, s->cccr);
	bool is_enabled = s->cccr & CCCR_ENABLE;
	bool is_started = from & over;
	bool was_on = s->is_on;

	s->is_cascaded = is_started && !is_enabled;
	s->is_on = is_enabled || is_started;
	if (!is_enabled)
		c->netburst.starts |= from;
	if (!s->is_on || was_on)
		return;
	s->was_asserted = false;
	for (unsigned t = 0; t < c->threads; t++)
		c->thread[t]->netburst.now[i] = 0;
}

static void set_up_filter(struct netburst_slot *s)
{
	s->has_compare = s->cccr & CCCR_COMPARE;
	s->is_complement = s->cccr & CCCR_COMPLEMENT;
	s->threshold = (uint8_t)FIELD_GET(CCCR_THRESHOLD, s->cccr);
	s->is_edge = s->cccr & CCCR_EDGE;
}

/* ACTIVE_THREAD: the counter counts while this many threads are not inactive. */
static bool is_time(const struct refpmu_core *c, uint32_t cccr)
{
	enum { NONE = 1 << 0, ONE = 1 << 1, BOTH = 1 << 2 };
	static const uint8_t counts_while[] = { NONE, ONE, BOTH, NONE | ONE | BOTH };
	unsigned active = 0;

	if (!c->rules.netburst.has_threads)
		return true;
	for (unsigned t = 0; t < c->threads; t++)
		active += !c->thread[t]->netburst.is_inactive;
	return counts_while[FIELD_GET(CCCR_ACTIVE_THREAD, cccr)] >> active & 1;
}

bool netburst_is_qualified(const struct netburst_row *row, uint32_t escr, unsigned thread,
                           unsigned ring)
{
	static const uint32_t bits[NETBURST_THREADS][NETBURST_RINGS] = {
		{ [RING_OS] = (uint32_t)ESCR_T0_OS, [RING_USR] = (uint32_t)ESCR_T0_USR },
		{ [RING_OS] = (uint32_t)ESCR_T1_OS, [RING_USR] = (uint32_t)ESCR_T1_USR },
	};

	if (row->is_any)
		return escr & (bits[0][ring] | bits[1][ring]);
	return escr & bits[thread][ring];
}

static void qualify(struct netburst *b, unsigned i, uint32_t escr)
{
	const struct netburst_row *row = b->slot[i].row;

	if (row->kind >= NETBURST_FIRST_LEVEL)
		b->levels |= BIT32(i);
	if (row->kind == NETBURST_UOPS)
		b->uops |= BIT32(i);
	for (unsigned t = 0; t < NETBURST_THREADS; t++)
		for (unsigned ring = 0; ring < NETBURST_RINGS; ring++)
			if (netburst_is_qualified(row, escr, t, ring))
				b->counting[t][ring] |= BIT32(i);
}

/* Selects the event by CCCR and ESCR. Returns the ESCR's value, 0 if there is none. */
static uint32_t select_event(struct refpmu_core *c, unsigned i)
{
	const struct model_rules *r = &c->rules;
	struct netburst_slot *s = &c->netburst.slot[i];
	uint32_t number = (uint32_t)FIELD_GET(CCCR_ESCR_SELECT, s->cccr), escr, select;

	s->row = NULL;
	s->escr = (uint8_t)netburst_escr_of(r, i, number);
	if (s->escr == NETBURST_NO_ESCR)
		return 0;
	escr = c->netburst.escr[s->escr];
	select = (uint32_t)FIELD_GET(ESCR_EVENT_SELECT, escr);
	s->row = netburst_row_find(r, s->escr, select);
	s->mask = (uint16_t)FIELD_GET(ESCR_EVENT_MASK, escr);
	return escr;
}

/* An ESCR without an event select has no effect. SDM 3B, "Operating System Implications". */
static void choose(struct refpmu_core *c, unsigned i)
{
	struct netburst *b = &c->netburst;
	const struct netburst_slot *s = &b->slot[i];
	uint32_t escr = select_event(c, i);

	if (!s->is_on || !(escr & ESCR_EVENT_SELECT))
		return;
	b->running |= BIT32(i);
	if (!is_time(c, s->cccr))
		return;
	if (s->has_compare)
		b->compares |= BIT32(i);
	if (s->row)
		qualify(b, i, escr);
}

void netburst_plan(struct refpmu_cpu *m)
{
	struct refpmu_core *c = m->core;
	struct netburst *b = &c->netburst;
	uint32_t over = overflown(b);

	b->levels = b->uops = b->compares = b->starts = b->running = 0;
	__builtin_memset(b->counting, 0, sizeof(b->counting));
	for (unsigned t = 0; t < NETBURST_THREADS; t++)        /* the rest may be in use */
		b->fast[t][RING_OS].is_known = b->fast[t][RING_USR].is_known = false;
	for (unsigned i = 0; i < NETBURST_COUNTERS; i++) {
		start_or_stop(c, i, over);
		set_up_filter(&b->slot[i]);
		choose(c, i);
	}
	b->starts &= ~over;
	netburst_plan_pebs(c);
	netburst_skid_end_of(c, ~b->running);
	for (unsigned t = 0; t < c->threads; t++) {
		c->thread[t]->plan.has_own = b->running != 0;
		c->thread[t]->is_polling |= netburst_is_line(c->thread[t]);
	}
	model_update_activity(c->thread[0]);
}

void netburst_wake(struct refpmu_cpu *m)
{
	if (!m->netburst.is_inactive)
		return;
	m->netburst.is_inactive = false;
	netburst_plan(m);
}

/* ---------------------------------------------------------------------------- counting */

/* Notes a count, which may be an overflow; the count before it may have been one, too. */
static void note(struct refpmu_cpu *m, struct netburst_slot *s, bool is_overflow)
{
	bool is_due = s->is_due;
	bool was_set = s->cccr & CCCR_OVF;

	s->is_due = is_overflow;
	if (is_overflow)
		s->cccr |= (uint32_t)CCCR_OVF;
	if (is_due && (s->cccr & CCCR_OVF))
		netburst_raise(m, s);
	if (is_overflow && !was_set)
		netburst_plan(m);        /* the overflow may start another counter */
}

/* FORCE_OVF makes each count an overflow. */
static void count_once(struct refpmu_cpu *m, struct netburst_slot *s, uint32_t n)
{
	uint64_t sum = s->value + n;

	s->value = sum & NETBURST_COUNTER_VALUE;
	note(m, s, sum > NETBURST_COUNTER_VALUE || (s->cccr & CCCR_FORCE_OVF));
}

/* Returns how often the counter can count n before it needs attention. */
static uint64_t times_until_overflow(const struct netburst_slot *s, uint32_t n)
{
	if (s->is_due || (s->cccr & CCCR_FORCE_OVF))
		return 0;
	return (NETBURST_COUNTER_VALUE - s->value) / n;
}

void netburst_move(struct refpmu_cpu *m, unsigned i, uint32_t n, uint64_t times)
{
	struct netburst_slot *s = &netburst_of(m)->slot[i];
	uint64_t plain;

	if (!n || !times)
		return;
	if (netburst_of(m)->pebs >> i & 1) {
		netburst_pebs_move(m, i, n * times);
		return;
	}
	while ((plain = times_until_overflow(s, n)) < times) {
		s->value += n * plain;
		count_once(m, s, n);
		times -= plain + 1;
	}
	s->value += n * times;
}

void netburst_input(struct refpmu_cpu *m, unsigned i, uint32_t n)
{
	if (netburst_of(m)->slot[i].has_compare)
		m->netburst.now[i] = (uint16_t)(m->netburst.now[i] + n);
	else
		netburst_move(m, i, n, 1);
}

static bool passes(const struct netburst_slot *s, uint32_t input)
{
	uint32_t n = input < NETBURST_LEVEL_MAX ? input : NETBURST_LEVEL_MAX;

	return (n > s->threshold) != s->is_complement;
}

/* Passes this many cycles with this input, for a counter that compares. */
static void compare(struct refpmu_cpu *m, unsigned i, uint32_t input, uint64_t cycles)
{
	struct netburst_slot *s = &netburst_of(m)->slot[i];
	bool is_asserted = passes(s, input);
	bool is_rise = is_asserted && !s->was_asserted;

	if (!cycles)
		return;
	s->was_asserted = is_asserted;
	if (s->is_edge)
		netburst_move(m, i, is_rise, 1);
	else
		netburst_move(m, i, is_asserted, cycles);
}

void netburst_look_at_cycles(struct refpmu_cpu *m, uint64_t cycles)
{
	const struct netburst *b = netburst_of(m);
	uint32_t here = b->counting[m->netburst.number][m->ring];
	uint32_t levels = b->levels & here;
	uint32_t compares = b->compares;

	for (unsigned i = 0; i < NETBURST_COUNTERS && (levels | compares) >> i; i++) {
		uint32_t level = levels >> i & 1 ? netburst_level(m, i) : 0;
		uint32_t input = m->netburst.now[i] + level;

		m->netburst.now[i] = 0;
		if (compares >> i & 1) {
			compare(m, i, input, 1);
			compare(m, i, level, cycles - 1);
		} else if (level) {
			netburst_move(m, i, level, cycles);
		}
	}
}

/* Returns the cycles until the counter overflows, if it counts in each as in this one. */
static uint64_t until_overflow(const struct refpmu_cpu *m, unsigned i)
{
	const struct netburst_slot *s = &netburst_of(m)->slot[i];
	uint32_t level = s->has_compare ? 1 : netburst_level(m, i);

	return (NETBURST_COUNTER_VALUE - s->value) / (level ? level : 1) + 1;
}

/* The run of equal cycles ends there so that the other counter counts from the next cycle on. */
void netburst_cut_at_cascade(const struct refpmu_cpu *m, struct model_equal_cycles *s)
{
	const struct netburst *b = netburst_of(m);
	uint32_t here = b->counting[m->netburst.number][m->ring];
	uint32_t movers = (b->compares | (b->levels & here)) & b->starts;

	FOR_EACH_BIT(i, movers) {
		uint64_t cycles = until_overflow(m, i);

		if (cycles < s->cycles)
			s->cycles = cycles;
	}
}
