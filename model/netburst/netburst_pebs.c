/* SPDX-License-Identifier: MIT */
/*
 * NetBurst's PEBS: counter 16 for thread 0 of a core, 17 for thread 1, counting execution_event,
 * front_end_event or replay_event. Sources: SDM 3B, "Processor Event-Based Sampling (PEBS)" of
 * NetBurst, "PEBS and Intel Hyper-Threading Technology", "BTS and DS Save Area"; SDM 4,
 * MSR_PEBS_ENABLE.
 *
 * Chosen, where these are silent:
 *  - A counter of PEBS that overflows is armed. The next event of its thread is recorded when that
 *    instruction has retired, and reloads the counter. Several events of one instruction are taken
 *    one after the other; those after the recorded one are lost with the reload.
 *  - Neither sets OVF, and OVF_PMI does nothing while the counter records: the only PMI is that of
 *    the threshold, to LVTPC of the thread that caused the record. FORCE_OVF arms with each event.
 *  - Counter 16 records only events of thread 0, 17 those of thread 1. The other thread's events
 *    count, and leave the counter armed.
 *  - Bits 25 and 26 of MSR_PEBS_ENABLE are relative to the thread that reads, too: what one writes
 *    as bit 25 the other one reads as bit 26. INIT clears the bit of its own thread.
 *  - The linear IP is that of the next instruction. Records are those of format 0.
 *  - A write of the counter disarms it, and so does anything that ends its recording.
 *  - "When PEBS is active only one tagging mechanism may be used": here all of them continue.
 * A fault in the area shuts the processor down: SDM 4, MSR_MCG_MISC.
 */
#include <model/netburst/netburst_shared.h>
#include <model/sampling/records.h>

enum { FIRST_COUNTER = 16 };

static bool is_precise(const struct netburst_row *row)
{
	return row && row->escr[0] == MSR_CRU_ESCR2 &&
	       (row->select == FRONT_END_EVENT || row->select == REPLAY_EVENT ||
	        row->select == EXECUTION_EVENT);
}

/* Returns the thread's bit as the register holds it: bit 25 for thread 0, bit 26 for thread 1. */
static uint32_t enable_of(unsigned thread)
{
	return (uint32_t)PEBS_ENABLE_MY_THR << thread;
}

static unsigned counter_of(unsigned thread)
{
	return FIRST_COUNTER + thread;
}

static bool records(const struct netburst *b, unsigned thread)
{
	const struct netburst_slot *s = &b->slot[counter_of(thread)];

	return s->is_on && is_precise(s->row) && (b->pebs_enable & enable_of(thread));
}

void netburst_plan_pebs(struct refpmu_core *c)
{
	struct netburst *b = &c->netburst;

	b->pebs = 0;
	for (unsigned t = 0; t < c->threads; t++)
		if (records(b, t))
			b->pebs |= BIT32(counter_of(t));
	b->pebs_armed &= b->pebs;
	for (unsigned t = 0; t < c->threads; t++)
		c->thread[t]->pebs.due &= b->pebs;
}

uint32_t netburst_pebs_enable(const struct refpmu_cpu *m, uint32_t value)
{
	uint32_t mine = (uint32_t)PEBS_ENABLE_MY_THR, others = (uint32_t)PEBS_ENABLE_OTH_THR;

	if (!m->netburst.number)
		return value;
	return (value & ~(mine | others)) | (value & mine ? others : 0) |
	       (value & others ? mine : 0);
}

void netburst_pebs_move(struct refpmu_cpu *m, unsigned i, uint64_t events)
{
	struct netburst *b = netburst_of(m);
	struct netburst_slot *s = &b->slot[i];
	uint64_t sum = s->value + events;
	bool is_armed = b->pebs_armed >> i & 1, is_over = sum > NETBURST_COUNTER_VALUE;

	s->value = sum & NETBURST_COUNTER_VALUE;
	if (!is_armed && !is_over && !(s->cccr & CCCR_FORCE_OVF))
		return;
	b->pebs_armed |= BIT32(i);
	/* The last of the events armed the counter: the next event has not come yet. */
	if (!is_armed && (is_over ? s->value : events - 1) == 0)
		return;
	if (i == counter_of(m->netburst.number))
		m->pebs.due |= BIT32(i);
}

/* Reloads the counter; returns false if memory faulted. */
static bool reload(struct refpmu_cpu *m, unsigned counter)
{
	uint64_t value;

	if (!model_ds_reset_value(m, 0, &value))
		return false;
	netburst_of(m)->slot[counter].value = value & NETBURST_COUNTER_VALUE;
	return true;
}

void netburst_pebs_write(struct refpmu_cpu *m, const struct refpmu_insn *insn)
{
	unsigned counter = counter_of(m->netburst.number);
	uint64_t record[MODEL_PEBS_WORDS_MAX];
	struct model_pebs_sample sample = { .ip = insn->next_ip };
	enum model_ds_result result;

	m->pebs.due = 0;
	netburst_of(m)->pebs_armed &= ~BIT32(counter);
	m->host.read_registers(m->host.context, false, &sample.registers);
	result = model_ds_append(m, MODEL_DS_PEBS, record, model_pebs_record(m, &sample, record),
	                         false);
	if (result == MODEL_DS_FAULT || !reload(m, counter))
		m->host.shut_down(m->host.context);
	else if (result == MODEL_DS_THRESHOLD)
		m->is_pmi_due = true;
}
