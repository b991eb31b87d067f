/* SPDX-License-Identifier: MIT */
/*
 * NetBurst's PEBS: counter 16 for thread 0 of a core, 17 for thread 1, counting execution_event,
 * front_end_event or replay_event. Sources: SDM 3B, "Processor Event-Based Sampling (PEBS)" of
 * NetBurst, "PEBS and Intel Hyper-Threading Technology", "BTS and DS Save Area"; SDM 4,
 * MSR_PEBS_ENABLE.
 *
 * Chosen, where these are silent:
 *  - A counter of PEBS that overflows is armed; the next event of its thread is recorded, when that
 *    instruction has retired, and reloads the counter. Several events of one instruction are taken
 *    one after the other; what comes after the recorded one is lost with the reload.
 *  - Neither sets OVF, and OVF_PMI does nothing while the counter records: the one PMI is that of
 *    the threshold, to LVTPC of the thread whose record it is. FORCE_OVF arms with each event.
 *  - Counter 16 records events of thread 0 alone, 17 those of thread 1: another one's count, and
 *    leave it armed.
 *  - Bits 25 and 26 of MSR_PEBS_ENABLE are relative to the thread that reads, too: what one writes
 *    as bit 25 the other one reads as bit 26. INIT clears the bit of its own thread.
 *  - The linear IP is that of the next instruction. Records are those of format 0.
 *  - A write of the counter disarms it, and so does all that ends its recording.
 *  - "When PEBS is active only one tagging mechanism may be used": here all of them go on.
 * A fault in the area shuts the processor down: SDM 4, MSR_MCG_MISC.
 */
#include <model/netburst/netburst_events.h>
#include <model/sampling/debug_store.h>

enum { FIRST_COUNTER = 16, FRONT_END_EVENT = 0x08, REPLAY_EVENT = 0x09, EXECUTION_EVENT = 0x0c };

/* ---------------------------------------------------------------------------- who records */

bool netburst_row_is_replay(const struct netburst_row *row)
{
	return row && row->escr[0] == MSR_CRU_ESCR2 && row->select == REPLAY_EVENT;
}

static bool is_precise(const struct model_rules *r, const struct netburst_row *row)
{
	if (!row || r->pebs_takes_any_event)
		return row != NULL;
	return row->escr[0] == MSR_CRU_ESCR2 &&
	       (row->select == FRONT_END_EVENT || row->select == REPLAY_EVENT ||
	        row->select == EXECUTION_EVENT);
}

/* As the register holds it: bit 25 is thread 0's, bit 26 thread 1's. */
static uint32_t enable_of(unsigned thread)
{
	return (uint32_t)PEBS_ENABLE_MY_THR << thread;
}

static unsigned counter_of(const struct model_rules *r, unsigned thread)
{
	return FIRST_COUNTER + (thread ^ r->pebs_counter_flip);
}

bool netburst_pebs_is_on(const struct model *m, unsigned i)
{
	for (unsigned t = 0; t < m->core->threads; t++)
		if (i == counter_of(rules_of(m), t) && (netburst_of(m)->pebs_enable & enable_of(t)))
			return true;
	return false;
}

static bool records(const struct model *m, unsigned thread)
{
	const struct model_rules *r = rules_of(m);
	unsigned i = counter_of(r, thread);
	const struct netburst_slot *s = &netburst_of(m)->slot[i];

	if (!s->is_on || !is_precise(r, s->row))
		return false;
	return netburst_pebs_is_on(m, i) || r->pebs_needs_no_enable;
}

void netburst_plan_pebs(struct model_core *c)
{
	struct netburst *b = &c->netburst;

	b->pebs = 0;
	for (unsigned t = 0; t < c->threads; t++)
		if (records(c->thread[t], t))
			b->pebs |= BIT32(counter_of(&c->rules, t));
	b->pebs_armed &= b->pebs;
	for (unsigned t = 0; t < c->threads; t++)
		c->thread[t]->pebs.due &= b->pebs;
}

uint32_t netburst_pebs_enable(const struct model *m, uint32_t value)
{
	uint32_t mine = (uint32_t)PEBS_ENABLE_MY_THR, others = (uint32_t)PEBS_ENABLE_OTH_THR;
	uint32_t swapped = value & ~(mine | others);

	if ((m->netburst.number != 0) == rules_of(m)->pebs_threads_are_swapped)
		return value;
	swapped |= value & mine ? others : 0;
	return swapped | (value & others ? mine : 0);
}

/* SDM 3B, "BTS and DS Save Area": INIT ends it. */
void netburst_init_pebs(struct model *m)
{
	netburst_of(m)->pebs_enable &= ~enable_of(m->netburst.number);
}

/* ---------------------------------------------------------------------------- counting */

void netburst_pebs_move(struct model *m, unsigned i, uint64_t events)
{
	const struct model_rules *r = rules_of(m);
	struct netburst *b = netburst_of(m);
	struct netburst_slot *s = &b->slot[i];
	uint64_t sum = s->value + events, last = ones(r->gp_width);
	bool is_armed = b->pebs_armed >> i & 1, is_forced = s->cccr & CCCR_FORCE_OVF;

	s->value = sum & last;
	if (!is_armed && sum <= last && !is_forced)
		return;
	b->pebs_armed |= BIT32(i);
	if (!is_armed && !r->pebs_is_early && (sum > last ? s->value : events - 1) == 0)
		return;
	if (i == counter_of(r, m->netburst.number))
		m->pebs.due |= BIT32(i);
}

/* ---------------------------------------------------------------------------- writing */

static void take_sample(struct model *m, const struct model_insn *insn, struct model_pebs_sample *s)
{
	const struct model_rules *r = rules_of(m);

	*s = (struct model_pebs_sample) { .ip = insn->next_ip + r->pebs_ip_extra };
	m->host.read_registers(m->host.context, false, &s->registers);
}

static void interrupt(struct model *m, enum model_ds_result result)
{
	const struct model_rules *r = rules_of(m);
	struct model *to = r->pebs_pmi_is_first ? m->core->thread[0] : m;

	if (r->pebs_never_interrupts || result == MODEL_DS_FULL)
		return;
	to->is_pmi_due |= result == MODEL_DS_THRESHOLD || r->pebs_interrupts_each;
}

/* false: a fault. */
static bool reload(struct model *m, unsigned counter)
{
	const struct model_rules *r = rules_of(m);
	uint64_t value;

	if (!model_ds_reset_value(m, r->pebs_slot_is_next, &value))
		return false;
	value = (value & ~r->pebs_reset_lost) + r->pebs_reset_extra;
	if (!r->pebs_reloads_nothing)
		netburst_of(m)->slot[counter].value = value & ones(r->gp_width);
	return true;
}

void netburst_pebs_write(struct model *m, const struct model_insn *insn)
{
	const struct model_rules *r = rules_of(m);
	unsigned counter = counter_of(r, m->netburst.number);
	struct model *first = m->core->thread[0];
	struct model *to = r->pebs_area_is_first && first->ds_area ? first : m;
	uint64_t record[MODEL_PEBS_WORDS_MAX];
	struct model_pebs_sample sample;
	enum model_ds_result result;

	m->netburst.is_pebs_late = r->pebs_is_late && !m->netburst.is_pebs_late;
	if (m->netburst.is_pebs_late)
		return;                /* and again after the next instruction */
	m->pebs.due = 0;
	netburst_of(m)->pebs_armed &= ~BIT32(counter);
	take_sample(m, insn, &sample);
	result = model_ds_append(to, MODEL_DS_PEBS, record, model_pebs_record(m, &sample, record),
	                         false);
	if (result == MODEL_DS_FAULT || !reload(m, counter))
		m->host.shut_down(m->host.context);
	else
		interrupt(m, result);
}
