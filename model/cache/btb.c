/* SPDX-License-Identifier: MIT */
/* The branch target buffer of P5 and P6: which branches are known. */
#include <model/cache/caches_parts.h>

/* A taken branch comes in, or is the most recently used one of its set. */
static bool look_up(struct caches *u, uint64_t ip, bool is_taken)
{
	struct cache_told *told = &u->told;
	const struct cache_shape *shape = &u->core->geometry->btb;
	uint64_t *set = cache_set(told->btb, shape, ip);
	uint64_t tag = cache_tag(ip, told->btb_stamp);

	if (is_taken)
		return cache_lookup(set, shape->ways, tag) != 0;
	return cache_find(set, shape->ways, tag) != NULL;
}

/* What decoding says of a branch that is not known, and is taken: is it predicted so? */
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
	cache_tell(u)->is_btb_hit = look_up(u, insn->ip, is_taken);
	if (u->told.pending.is_btb_hit) {
		is_predicted = insn->branch != REFPMU_JCC || is_taken != is_wrong;
	} else {
		is_predicted = is_taken && u->core->geometry->predicts_unknown &&
		               is_foreseen(insn, is_wrong);
		is_wrong = is_predicted != is_taken;
		if (insn->branch == REFPMU_JCC && is_taken)
			cache_predictor_expect_taken(u, insn->ip);
	}
	u->told.pending.is_predicted_taken = is_predicted;
	return is_wrong;
}
