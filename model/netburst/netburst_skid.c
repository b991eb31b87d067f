/* SPDX-License-Identifier: MIT */
/*
 * The PMI of a counter of replay_event comes late: 65 to 72 retired instructions after the load or
 * store whose count raised it. Two facts come from a published measurement (B. Sprunt, "Pentium 4
 * Performance-Monitoring Features", IEEE Micro 2002): no distance is below 65 instructions, and 69
 * is the most frequent one, of 46.5 %. Invented: the shares of the others, and their order.
 *
 * Distances are those of the PMI's frame: the instruction that raised it is 0, the next one 1.
 * Chosen: only instructions of the thread that caused the event count, including those of handlers.
 * Such a PMI is due at once if that thread halts or writes a register of the PMU, and if any thread
 * writes the CCCR or stops the counter: it is not lost. RESET drops it, INIT does not. A second
 * one that is raised while one is under way comes together with it.
 */
#include <model/netburst/netburst_shared.h>

enum { NEAREST = 65, IN_A_ROW = 200 };
enum { STRIDE = 73 };                  /* shares no factor with IN_A_ROW */

/* Of IN_A_ROW PMIs, the number that comes at each distance, from the nearest one on. */
static const uint8_t shares[] = { 6, 10, 16, 27, 93, 22, 16, 10 };

/* Returns the distance of the next PMI. */
static unsigned draw(struct refpmu_cpu *m)
{
	unsigned rest = netburst_of(m)->skids++ % IN_A_ROW * STRIDE % IN_A_ROW, further = 0;

	while (rest >= shares[further])
		rest -= shares[further++];
	return NEAREST + further;
}

void netburst_skid_start(struct refpmu_cpu *m, unsigned counter)
{
	if (!m->netburst.skid)
		m->netburst.skid = (uint8_t)draw(m);
	m->netburst.skidding |= BIT32(counter);
}

void netburst_skid_end(struct refpmu_cpu *m)
{
	struct netburst_slot *slot = netburst_of(m)->slot;
	uint32_t counters = m->netburst.skidding;

	m->netburst.skid = 0;
	m->netburst.skidding = 0;
	for (unsigned i = 0; counters >> i; i++)
		if ((counters >> i & 1) && (slot[i].cccr & CCCR_OVF))
			netburst_assert_lines(m, &slot[i]);
}

void netburst_skid_end_of(struct refpmu_core *c, uint32_t counters)
{
	for (unsigned t = 0; t < c->threads; t++)
		if (c->thread[t]->netburst.skidding & counters)
			netburst_skid_end(c->thread[t]);
}
