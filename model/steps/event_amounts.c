/* SPDX-License-Identifier: MIT */
/*
 * How much of an event an instruction is, by the row of the event's table.
 * Source: SDM 3B, "Performance-Monitoring Events", the tables of the P6 family and the Pentium.
 *
 * Invented: an instruction has one micro-operation, one more for each of its reads and writes, and
 * three more if it serialises or branches far.
 */
#include <model/steps/steps.h>

#include <arch/regs/table.h>

/* P6: unit masks of L2 events and of segment events. */
enum { UMASK_ALL_AGENTS = 0x20, UMASK_MESI = 0xf };
enum { UMASK_ES = 1, UMASK_DS = 2, UMASK_FS = 4, UMASK_GS = 8, UMASK_ALL_SEGMENTS = 0xf };

/* ---------------------------------------------------------------------------- conditions */

#define UNITS (REFPMU_TRAIT_X87 | REFPMU_TRAIT_MMX)

/* EMMS belongs to neither unit. */
static uint64_t unit_of(const struct refpmu_insn *insn)
{
	return insn->traits & REFPMU_TRAIT_EMMS ? 0 : insn->traits & UNITS;
}

static bool is_transition(const struct refpmu_cpu *m, const struct model_retired *retired,
                          uint64_t to)
{
	uint64_t unit = unit_of(retired->insn);

	return (unit & to) && m->last_unit && unit != m->last_unit;
}

static bool is_so(const struct refpmu_cpu *m, const struct model_retired *retired,
                  unsigned condition)
{
	const struct cache_traffic *t = retired->traffic;
	bool is_branch = retired->insn->branch != REFPMU_NO_BRANCH;
	bool is_taken = is_branch && retired->insn->is_taken;
	bool is_missed = retired->cost->is_mispredicted, is_hit = is_branch && t->is_btb_hit;

	switch (condition) {
	case IS_TAKEN:              return is_taken;
	case IS_MISSED:             return is_missed;
	case IS_TAKEN_AND_MISSED:   return is_taken && is_missed;
	case IS_BRANCH_OR_SERIALIZING:
		return is_branch || (retired->insn->traits & REFPMU_TRAIT_SERIALIZING);
	case IS_BTB_HIT:            return is_hit;
	case IS_BTB_MISS:           return is_branch && !is_hit;
	case IS_TAKEN_OR_BTB_HIT:   return is_taken || is_hit;
	case IS_MISSED_OR_BTB_MISS: return is_missed || (is_branch && !is_hit);
	case IS_WRONGLY_TAKEN:      return is_branch && !is_taken && is_missed;
	case IS_FLUSH:              return is_missed || (is_taken && !is_hit);
	case IS_IN_U_PIPE:          return !t->is_in_v_pipe;
	case IS_IN_V_PIPE:          return t->is_in_v_pipe;
	case IS_MISSED_IN_V_PIPE:   return is_missed && t->is_in_v_pipe;
	case ARE_BOTH_MEMORY:       return t->are_both_memory;
	case IS_BANK_CONFLICT:      return t->is_bank_conflict;
	case IS_TO_FP:              return is_transition(m, retired, REFPMU_TRAIT_X87);
	case IS_TO_MMX:             return is_transition(m, retired, REFPMU_TRAIT_MMX);
	case IS_TO_FP_OR_MMX:       return is_transition(m, retired, UNITS);
	case MISSED_ALL_CACHES:     return retired->cost->llc_misses;
	case HIT_A_CACHE:           return !retired->cost->llc_misses;
	case IS_PREDICTED:          return is_branch && !is_missed;
	case BRINGS_NO_LINE:        return !t->l1d_lines_in;
	case IS_SPLIT:              return t->splits;
	case IS_NOT_SPLIT:          return !t->splits;
	case IS_NO_UPDATE:          return !t->data_updates;
	case IS_NOT_TAKEN:          return is_branch && !is_taken;
	case IS_RIGHTLY_TAKEN:      return is_taken && !is_missed;
	case IS_RIGHTLY_NOT_TAKEN:  return is_branch && !is_taken && !is_missed;
	case HAS_NO_DATA:           return !t->data_reads && !t->data_writes;
	case HAS_DATA:              return t->data_reads || t->data_writes;
	case ON_ALL:                return true;
	default: return retired->insn->breakpoints >> (condition - IS_BREAKPOINT_0) & 1;
	}
}

/* ---------------------------------------------------------------------------- quantities */

static uint32_t sum_of_fields(const struct model_event *e, const struct cache_traffic *traffic)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < EVENT_FIELDS_MAX && e->field[i]; i++)
		sum += model_field_at(traffic, e->field[i]);
	return sum;
}

/* enum cache_state is in the order of the unit mask's bits. */
static uint32_t sum_of_l2(const struct model_event *e, uint8_t umask, const struct cache_l2 *l2)
{
	return cache_sum_of(l2, e->requests, e->states ? e->states : umask);
}

/* Returns the bits of refpmu_insn.segments for a unit mask. */
static uint8_t segments_of(uint8_t umask)
{
	enum { ES = 1 << 0, DS = 1 << 3, FS = 1 << 4, GS = 1 << 5 };

	return (uint8_t)((umask & UMASK_ES ? ES : 0) | (umask & UMASK_DS ? DS : 0) |
	                 (umask & UMASK_FS ? FS : 0) | (umask & UMASK_GS ? GS : 0));
}

static uint32_t count_bits(uint8_t bits)
{
	uint32_t count = 0;

	for (; bits; bits &= (uint8_t)(bits - 1))
		count++;
	return count;
}

/* GDTR, IDTR, LDTR and TR are segment registers to the P5. */
static uint32_t count_segments(const struct model_event *e, const struct refpmu_insn *insn)
{
	return count_bits(insn->segments) + (e->counts_tables &&
	                                     (insn->traits & REFPMU_TRAIT_TABLE_LOAD));
}

/* Unit mask of MMX_INSTR_TYPE_EXEC, from bit 0. */
static bool is_of_type(uint8_t umask, uint64_t traits)
{
	static const uint64_t types[] = {
		REFPMU_TRAIT_MMX_MUL, REFPMU_TRAIT_MMX_SHIFT, REFPMU_TRAIT_MMX_PACK,
		REFPMU_TRAIT_MMX_UNPACK, REFPMU_TRAIT_MMX_LOGICAL, REFPMU_TRAIT_MMX_ARITH
	};
	uint64_t wanted = 0;

	for (unsigned i = 0; i < COUNT_OF(types); i++)
		wanted |= umask >> i & 1 ? types[i] : 0;
	return traits & wanted;
}

uint32_t model_uops(const struct model_retired *retired)
{
	const struct cache_traffic *t = retired->traffic;

	return 1 + t->data_reads + t->data_writes +
	       (retired->cost->is_alone ? UOPS_OF_MICROCODE : 0);
}

/* A multiply and add is two operations for each pair of operands. */
static uint32_t count_flops(uint64_t traits)
{
	uint32_t flops = traits & REFPMU_TRAIT_UOP_PACKED_SP ? 4
	               : traits & REFPMU_TRAIT_UOP_PACKED_DP ? 2 : 1;

	return flops << !!(traits & REFPMU_TRAIT_VECTOR_256) << !!(traits & REFPMU_TRAIT_FLOP_MAC);
}

static uint32_t quantity(const struct refpmu_cpu *m, const struct model_counter *c,
                         const struct model_event *e, const struct model_retired *retired)
{
	const struct cache_traffic *t = retired->traffic;

	switch (e->kind) {
	case EVENT_ONE:
		return 1;
	case EVENT_FIELDS:
		return sum_of_fields(e, t);
	case EVENT_BUS:
		return model_sum_of_bus(e->bus, c->umask & UMASK_ALL_AGENTS ? t->bus_any : t->bus);
	case EVENT_L2:
		return sum_of_l2(e, c->umask, retired->cost->l2);
	case EVENT_L2_STROBES:
		return sum_of_l2(e, UMASK_MESI, retired->cost->l2) + t->l2_lines_in;
	case EVENT_SEGMENTS:
		return count_segments(e, retired->insn);
	case EVENT_SEGMENTS_BY_UMASK:
		return count_bits(retired->insn->segments & segments_of(c->umask));
	case EVENT_SEGMENTS_RENAMED:
		return count_bits(retired->insn->segments & segments_of(UMASK_ALL_SEGMENTS));
	case EVENT_SEGMENTS_BY_NUMBER:
		return count_bits(retired->insn->segments & c->umask);
	case EVENT_BLOCKED_LOADS:
		return m->blocked_loads;
	case EVENT_MMX_TYPE:
		return is_of_type(c->umask, retired->insn->traits);
	case EVENT_FLOPS:
		return count_flops(retired->insn->traits);
	case EVENT_ALL_UOPS:
		return model_uops(retired);
	default:
		return 0;
	}
}

static uint32_t count_of_row(const struct refpmu_cpu *m, const struct model_counter *c,
                             const struct model_event *e, const struct model_retired *retired)
{
	uint64_t traits = retired->insn->traits;

	if ((e->traits && !(traits & e->traits)) || (traits & e->also) != e->also ||
	    (traits & e->without))
		return 0;
	if (e->branches && !(e->branches >> retired->insn->branch & 1))
		return 0;
	if (!is_so(m, retired, e->condition))
		return 0;
	return quantity(m, c, e, retired) * (e->weight ? e->weight : 1);
}

/* Passes each row of the counter's event that applies to its unit mask. */
#define FOR_EACH_ROW(e, c) \
	for (const struct model_event *e = (c)->event; e == (c)->event || e->adds; e++) \
		if (model_has_umask(e, (c)->umask))

uint32_t model_event_count(const struct refpmu_cpu *m, const struct model_counter *c,
                           const struct model_retired *retired)
{
	uint32_t sum = 0;

	FOR_EACH_ROW(e, c)
		sum += count_of_row(m, c, e, retired);
	return sum;
}

void model_note_unit(struct refpmu_cpu *m, const struct refpmu_insn *insn)
{
	if (unit_of(insn))
		m->last_unit = unit_of(insn);
}

uint32_t model_event_of_entry(const struct model_counter *c, unsigned entry)
{
	uint32_t sum = 0;

	FOR_EACH_ROW(e, c)
		if (e->entries & entry)
			sum += entry == ENTRY_INTERRUPT && e->interrupt_weight ? e->interrupt_weight
			                                                       : 1;
	return sum;
}
