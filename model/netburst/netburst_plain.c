/* SPDX-License-Identifier: MIT */
/*
 * The short way of NetBurst's plain instructions, nine of ten in most code: neither a branch nor of
 * any kind that is counted, no memory but one aligned load that hits, no new line of code, nothing
 * of others on the bus. What counts then is the same each time, so it is asked once. All that it
 * does netburst_retire() would do as well, only later: tests compare the two.
 */
#include <model/netburst/netburst_events.h>

/* What the Pentium looks at alone. */
#define IGNORED (MODEL_TRAIT_PAIRABLE_U | MODEL_TRAIT_PAIRABLE_V)

/* The instruction as netburst_retire() would know it. */
static void tell(const struct model *m, struct netburst_told *told)
{
	told->insns = 1;
	netburst_tell_uops(told);
	netburst_tag(m, told);
}

static void ask(struct model *m, struct netburst_plain *plain, unsigned loads)
{
	const struct model_insn insn = { .branch = MODEL_NO_BRANCH };
	const struct cache_cost cost = { .is_alone = false };
	const struct cache_traffic traffic = { .data_reads = loads };
	struct netburst_told told = { .insn = &insn, .cost = &cost, .traffic = &traffic };

	tell(m, &told);
	plain->counters[loads] = 0;
	plain->is_possible &= !told.execution_tags && !netburst_of(m)->uops;
	for (unsigned i = 0; i < NETBURST_COUNTERS; i++) {
		uint32_t n;

		if (!(netburst_of(m)->counting[m->netburst.number][m->ring] >> i & 1))
			continue;
		n = netburst_events_of(m, i, &told);
		plain->n[loads][i] = (uint8_t)n;
		plain->counters[loads] |= n ? BIT32(i) : 0;
		plain->is_possible &= n <= UINT8_MAX;
	}
}

/* For m's thread and ring. */
static const struct netburst_plain *plain_of(struct model *m)
{
	struct netburst_plain *plain = &netburst_of(m)->plain[m->netburst.number][m->ring];

	if (!plain->is_known) {
		plain->is_known = plain->is_possible = true;
		ask(m, plain, 0);
		ask(m, plain, 1);
	}
	return plain;
}

static void count(struct model *m, const struct netburst_plain *plain, unsigned loads)
{
	for (uint32_t left = plain->counters[loads]; left; left &= left - 1) {
		unsigned i = (unsigned)__builtin_ctz(left);

		netburst_input(m, i, plain->n[loads][i]);
	}
}

bool netburst_retire_plain(struct model *m, const struct model_insn *insn)
{
	unsigned ring = rules_of(m)->usr_cpls >> insn->cpl & 1 ? RING_USR : RING_OS;
	const struct netburst_plain *plain;
	unsigned loads = cache_has_plain_read(&m->caches);

	if (insn->branch != MODEL_NO_BRANCH || (insn->traits & ~IGNORED) || ring != m->ring ||
	    !m->is_active || m->netburst.is_inactive)
		return false;
	plain = plain_of(m);
	if (!plain->is_possible || !cache_retire_plain(&m->caches, insn))
		return false;
	m->retired++;
	netburst_take_slots(m, UOPS_DELIVERED, 1 + loads);
	count(m, plain, loads);
	netburst_end_instruction(m, insn, false);
	return true;
}

/* A store under way is asked for its bytes: not here. */
bool netburst_access_plain(struct model *m, enum model_access kind, uint64_t linear,
                           uint64_t physical, unsigned size, bool is_cacheable)
{
	if (kind != MODEL_READ || !is_cacheable || m->busy[UNIT_STORE_BUFFER] ||
	    !cache_read_plain(&m->caches, linear, physical, size))
		return false;
	m->netburst.was_tagged = false;
	return true;
}
