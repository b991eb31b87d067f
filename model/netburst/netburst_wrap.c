/* SPDX-License-Identifier: MIT */
/*
 * From a counter's wrap to a PMI. Sources: SDM 3B, "CCCR MSRs": OVF, FORCE_OVF, OVF_PMI ("the PMI
 * is generated on the next event count after the counter has overflowed"); "Generating an Interrupt
 * on Overflow"; "CCCR MSRs" of Hyper-Threading: OVF_PMI_T0, OVF_PMI_T1.
 *
 * From that next count on the line to the local APIC of the thread is asserted, as long as OVF and
 * OVF_PMI are 1: LVTPC, which each PMI masks, gives another PMI once it is unmasked.
 *
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

/* Returns whether the counter interrupts this thread. */
static bool interrupts(const struct netburst_slot *s, unsigned thread)
{
	return s->cccr & (thread ? CCCR_OVF_PMI_T1 : CCCR_OVF_PMI_T0);
}

/* Asserts the counter's lines to the threads that its CCCR names: their PMIs are due. */
static void assert_lines(struct refpmu_cpu *m, struct netburst_slot *s)
{
	if (s->is_cascaded && rules_of(m)->netburst.cascade_has_no_pmi)
		return;
	for (unsigned t = 0; t < m->core->threads; t++) {
		struct refpmu_cpu *to = m->core->thread[t];

		if (!interrupts(s, t))
			continue;
		to->is_pmi_due = true;
		to->is_polling = true;
		s->is_line[t] = true;
	}
}

void netburst_drop_line(struct netburst_slot *s)
{
	for (unsigned t = 0; t < NETBURST_THREADS; t++)
		if (!(s->cccr & CCCR_OVF) || !interrupts(s, t))
			s->is_line[t] = false;
}

bool netburst_is_line(const struct refpmu_cpu *m)
{
	for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
		if (netburst_of(m)->slot[i].is_line[m->netburst.number])
			return true;
	return false;
}

/* ---------------------------------------------------------------------------- late PMIs */

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

static void start_late(struct refpmu_cpu *m, unsigned counter)
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
	FOR_EACH_BIT(i, counters)
		if (slot[i].cccr & CCCR_OVF)
			assert_lines(m, &slot[i]);
}

void netburst_skid_end_of(struct refpmu_core *c, uint32_t counters)
{
	for (unsigned t = 0; t < c->threads; t++)
		if (c->thread[t]->netburst.skidding & counters)
			netburst_skid_end(c->thread[t]);
}

/* ---------------------------------------------------------------------------- raising */

static bool is_replay(const struct netburst_row *row)
{
	return row && row->escr[0] == MSR_CRU_ESCR2 && row->select == REPLAY_EVENT;
}

void netburst_raise(struct refpmu_cpu *m, struct netburst_slot *s)
{
	if (is_replay(s->row))
		start_late(m, (unsigned)(s - netburst_of(m)->slot));
	else
		assert_lines(m, s);
}
