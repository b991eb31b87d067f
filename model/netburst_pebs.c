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
 *  - The linear IP is that of the next instruction.
 *  - A write of the counter disarms it, and so does all that ends its recording.
 *  - "When PEBS is active only one tagging mechanism may be used": here all of them go on.
 * A fault in the area shuts the processor down: SDM 4, MSR_MCG_MISC.
 */
#include <model/netburst_events.h>
#include <model/pebs.h>

enum { FIRST_COUNTER = 16, FRONT_END_EVENT = 0x08, REPLAY_EVENT = 0x09, EXECUTION_EVENT = 0x0c };

/* Of a record: flags, IP, then these of struct model_registers, 8 with 4 bytes each or all 16. */
static const uint8_t general_order[] = {
	0, 3, 1, 2, 6, 7, 5, 4, 8, 9, 10, 11, 12, 13, 14, 15
};
enum { FIELDS_32 = 10, FIELDS_64 = 18 };

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

static bool records(const struct model *m, unsigned thread)
{
	const struct model_rules *r = rules_of(m);
	const struct netburst *b = netburst_of(m);
	const struct netburst_slot *s = &b->slot[FIRST_COUNTER + thread];

	if (!r->netburst_has_pebs || !s->is_on || !is_precise(r, s->row))
		return false;
	return (b->pebs_enable & enable_of(thread)) || r->pebs_needs_no_enable;
}

void netburst_plan_pebs(struct model_core *c)
{
	struct netburst *b = &c->netburst;

	b->pebs = 0;
	for (unsigned t = 0; t < c->threads; t++)
		if (records(c->thread[t], t))
			b->pebs |= BIT32(FIRST_COUNTER + t);
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
	if (!is_armed && (sum > last ? s->value : events - 1) == 0) {
		b->pebs_armed |= BIT32(i);
		return;
	}
	b->pebs_armed |= BIT32(i);
	if (m->netburst.number == i - FIRST_COUNTER)
		m->pebs.due |= BIT32(i);
}

/* ---------------------------------------------------------------------------- writing */

static unsigned fill(struct model *m, const struct model_insn *insn, uint64_t record[FIELDS_64])
{
	struct model_registers now = { 0 };
	unsigned width = model_ds_width(m), fields = width == 4 ? FIELDS_32 : FIELDS_64;

	m->host.read_registers(m->host.context, false, &now);
	record[0] = now.flags;
	record[1] = insn->next_ip;
	for (unsigned i = 2; i < fields; i++)
		record[i] = now.general[general_order[i - 2]];
	for (unsigned i = 0; width == 4 && i < fields; i++)
		((uint32_t *)record)[i] = (uint32_t)record[i];
	return width * fields;
}

void netburst_pebs_write(struct model *m, const struct model_insn *insn)
{
	struct netburst *b = netburst_of(m);
	unsigned counter = FIRST_COUNTER + m->netburst.number;
	struct model *to = rules_of(m)->pebs_area_is_first ? m->core->thread[0] : m;
	uint64_t record[FIELDS_64], reset = 0;
	unsigned size;

	m->pebs.due = 0;
	b->pebs_armed &= ~BIT32(counter);
	size = fill(m, insn, record);
	switch (model_ds_append(to, MODEL_DS_PEBS, record, size, false)) {
	case MODEL_DS_THRESHOLD:
		m->is_pmi_due = true;
		break;
	case MODEL_DS_FAULT:
		m->host.shut_down(m->host.context);
		return;
	default:
		break;
	}
	if (!model_ds_reset_value(m, 0, &reset))
		m->host.shut_down(m->host.context);
	else if (!rules_of(m)->pebs_reloads_nothing)
		b->slot[counter].value = reset & ones(rules_of(m)->gp_width);
}
