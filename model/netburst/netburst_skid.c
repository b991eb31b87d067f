/* SPDX-License-Identifier: MIT */
/*
 * The PMI of a counter of replay_event comes late: that many retired instructions behind the load
 * or store whose count raised it, by a table of weights among the rules (rules_netburst.c).
 * In each run of as many PMIs as the weights sum up to each distance comes as often as its weight.
 *
 * Distances are those of the PMI's frame: the instruction that raised it is 0, the next one 1.
 * Chosen: instructions of the thread whose event it was count, those of handlers among them. Such a
 * PMI is due at once where that thread halts or writes a register of the PMU, and where anybody
 * writes the CCCR or stops the counter: it is not lost. RESET forgets it, INIT does not. A second
 * one that is raised while one is on its way comes together with that.
 */
#include <model/netburst/netburst_shared.h>

enum { STRIDE = 73 };                  /* shares no factor with the sum, 200 */

/* How far behind the next PMI is. */
static unsigned draw(struct model *m)
{
	const struct model_rules *r = rules_of(m);
	unsigned sum = 0, distance = 0, rest;

	for (unsigned i = 0; i < MODEL_SKIDS; i++)
		sum += r->skid_weight[i];
	rest = netburst_of(m)->skids++ % sum * STRIDE % sum;
	while (rest >= r->skid_weight[distance])
		rest -= r->skid_weight[distance++];
	return r->skid_from + distance;
}

void netburst_skid_start(struct model *m, unsigned counter)
{
	if (!m->netburst.skid)
		m->netburst.skid = (uint8_t)draw(m);
	m->netburst.skidding |= BIT32(counter);
}

void netburst_skid_end(struct model *m)
{
	struct netburst *b = netburst_of(m);
	uint32_t counters = m->netburst.skidding;

	m->netburst.skid = 0;
	m->netburst.skidding = 0;
	for (unsigned i = 0; counters >> i; i++)
		if ((counters >> i & 1) && (b->slot[i].cccr & CCCR_OVF))
			netburst_assert_lines(m, &b->slot[i]);
}

void netburst_skid_end_of(struct model_core *c, uint32_t counters)
{
	for (unsigned t = 0; t < c->threads; t++)
		if (c->thread[t]->netburst.skidding & counters)
			netburst_skid_end(c->thread[t]);
}
