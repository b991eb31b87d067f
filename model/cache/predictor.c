/* SPDX-License-Identifier: MIT */
/* The branch predictor: directions, targets of indirect branches, a return stack; and the target
 * buffer of P5 and P6. */
#include <model/cache/caches_parts.h>

enum { STRONGLY_NOT_TAKEN, WEAKLY_NOT_TAKEN, WEAKLY_TAKEN, STRONGLY_TAKEN };

enum { PATTERN_COUNTER = 3, PATTERN_VALID = 4, PATTERN_TAG = 0xFFF8 };

/* 2^64 over the golden ratio spreads neighbours. Knuth, TAOCP 3, "Hashing". */
#define HASH_FACTOR UINT64_C(0x9E3779B97F4A7C15)

void cache_predictor_reset(struct cache_predictor *p)
{
	*p = (struct cache_predictor){ 0 };
	for (unsigned i = 0; i < CACHE_DIRECTIONS; i++)
		p->direction[i] = WEAKLY_NOT_TAKEN;
}

static unsigned counter_after(unsigned counter, bool is_taken)
{
	if (is_taken)
		return counter < STRONGLY_TAKEN ? counter + 1 : counter;
	return counter ? counter - 1 : counter;
}

/*
 * A pattern overrules once it was confirmed, so that the end of a long loop does not spoil the
 * middle of its next run. A direction that neither a pattern nor the branch alone predicted makes a
 * pattern. Histories of one branch never share an entry; branches may, but differ in their tags.
 */
static bool is_direction_wrong(struct cache_predictor *p, const struct cache_invented *size,
                               uint64_t ip, bool is_taken)
{
	uint32_t history = p->history & ((UINT32_C(1) << size->history_bits) - 1);
	uint32_t hash = (uint32_t)(ip * HASH_FACTOR >> 32);
	uint16_t *pattern = &p->pattern[(hash ^ history) & (size->pattern_entries - 1u)];
	uint8_t *direction = &p->direction[ip & (size->direction_entries - 1u)];
	unsigned tag = (hash >> 16 & PATTERN_TAG) | PATTERN_VALID;
	unsigned counter = *pattern & PATTERN_COUNTER;
	bool has_pattern = (*pattern & (PATTERN_TAG | PATTERN_VALID)) == tag;
	bool is_strong = counter == STRONGLY_NOT_TAKEN || counter == STRONGLY_TAKEN;
	unsigned decider = has_pattern && is_strong ? counter : *direction;
	bool is_wrong = (decider >= WEAKLY_TAKEN) != is_taken;

	if (has_pattern)
		*pattern = (uint16_t)(tag | counter_after(counter, is_taken));
	else if (is_wrong)
		*pattern = (uint16_t)(tag | (is_taken ? WEAKLY_TAKEN : WEAKLY_NOT_TAKEN));
	*direction = (uint8_t)counter_after(*direction, is_taken);
	p->history = p->history << 1 | is_taken;
	return is_wrong;
}

/* The prediction is the last target of this branch. A fresh entry is a branch at 0 to 0. */
static bool is_target_wrong(struct cache_predictor *p, const struct cache_invented *size,
                            uint64_t ip, uint64_t target)
{
	uint64_t entry = ip & (size->target_entries - 1u);
	bool is_wrong = p->target_ip[entry] != ip || p->target[entry] != target;

	p->target_ip[entry] = ip;
	p->target[entry] = target;
	return is_wrong;
}

/* A ring: a call too many overwrites the oldest return, a return too many finds a stale one. */
static void push_return(struct cache_predictor *p, const struct cache_invented *size, uint64_t ip)
{
	if (!size->return_entries)
		return;
	p->return_top = (p->return_top + 1) & (size->return_entries - 1u);
	p->returns[p->return_top] = ip;
}

static bool is_return_wrong(struct cache_predictor *p, const struct cache_invented *size,
                            uint64_t target)
{
	bool is_wrong = p->returns[p->return_top] != target;

	p->return_top = (p->return_top - 1) & (size->return_entries - 1u);
	return is_wrong;
}

bool cache_predictor_retire(struct caches *u, const struct refpmu_insn *insn)
{
	struct cache_predictor *p = &u->predictor;
	const struct cache_invented *size = u->core->geometry->invented;

	switch (insn->branch) {
	case REFPMU_JCC:
		return is_direction_wrong(p, size, insn->ip, insn->is_taken);
	case REFPMU_JMP_INDIRECT:
		return is_target_wrong(p, size, insn->ip, insn->next_ip);
	case REFPMU_CALL:
		push_return(p, size, insn->ip + insn->length);
		return false;
	case REFPMU_CALL_INDIRECT:
		push_return(p, size, insn->ip + insn->length);
		return is_target_wrong(p, size, insn->ip, insn->next_ip);
	case REFPMU_RET:
		if (!size->return_entries)
			return is_target_wrong(p, size, insn->ip, insn->next_ip);
		return is_return_wrong(p, size, insn->next_ip);
	default:
		return false;
	}
}

/* --------------------------------------------------------------- the target buffer of P5 and P6 */

/* Sets a conditional branch's direction to taken: nothing else is known of the branch. */
static void expect_taken(struct caches *u, uint64_t ip)
{
	const struct cache_invented *size = u->core->geometry->invented;

	u->predictor.direction[ip & (size->direction_entries - 1u)] = STRONGLY_TAKEN;
}

/* Adds a taken branch, or makes it the most recently used one of its set. */
static bool look_up(struct caches *u, uint64_t ip, bool is_taken)
{
	uint64_t found;

	if (!is_taken)
		return cache_find(&u->observed.btb, ip);
	cache_use(&u->observed.btb, ip, &found);
	return found;
}

/* Returns whether decoding alone predicts a branch that is not in the buffer as taken. */
static bool is_foreseen(const struct refpmu_insn *insn, bool is_target_wrong)
{
	switch (insn->branch) {
	case REFPMU_JCC:
		return insn->next_ip <= insn->ip;
	case REFPMU_JMP:
	case REFPMU_CALL:
		return true;
	case REFPMU_RET:
		return !is_target_wrong;
	default:
		return false;
	}
}

bool cache_btb_retire(struct caches *u, const struct refpmu_insn *insn)
{
	bool is_wrong = cache_predictor_retire(u, insn);
	bool is_taken = insn->branch != REFPMU_JCC || insn->is_taken;
	bool is_predicted;

	if (cache_is_far(insn->branch))
		return false;
	cache_observe(u)->is_btb_hit = look_up(u, insn->ip, is_taken);
	if (u->observed.pending.is_btb_hit) {
		is_predicted = insn->branch != REFPMU_JCC || is_taken != is_wrong;
	} else {
		is_predicted = is_taken && u->core->geometry->predicts_unknown &&
		               is_foreseen(insn, is_wrong);
		is_wrong = is_predicted != is_taken;
		if (insn->branch == REFPMU_JCC && is_taken)
			expect_taken(u, insn->ip);
	}
	u->observed.pending.is_predicted_taken = is_predicted;
	return is_wrong;
}
