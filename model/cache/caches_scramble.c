/* SPDX-License-Identifier: MIT */
/* Fills caches, TLBs and predictors as other code would: such code is executed, so the contents are
 * always possible ones. */
#include <model/cache/caches_parts.h>

/*
 * Three of four accesses are near the tests, to lines that these may find. The others are far, to
 * lines of the same sets, which replace lines. Each time executes little code, because counting
 * starts a hundred thousand times a run; the effects add up.
 */
enum { STIR_INSNS = 128 };
#define NEAR_FIRST UINT64_C(0x100000)
#define NEAR_SPAN  UINT64_C(0x400000)
#define FAR_FIRST  UINT64_C(0x1000000)
#define FAR_SPAN   UINT64_C(0x4000000)

/* splitmix64: Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators. */
uint64_t cache_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);

	z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
	return z ^ z >> 31;
}

/* Returns an address that is aligned to 8 bytes. */
static uint64_t pick_address(uint64_t random)
{
	uint64_t address = random & 3 ? NEAR_FIRST + (random >> 8) % NEAR_SPAN
	                              : FAR_FIRST + (random >> 8) % FAR_SPAN;

	return address & ~UINT64_C(7);
}

static void execute_one(struct caches *u, uint64_t *state)
{
	static const uint8_t branches[] = {
		REFPMU_NO_BRANCH, REFPMU_JCC, REFPMU_JCC, REFPMU_JMP, REFPMU_JMP_INDIRECT,
		REFPMU_CALL, REFPMU_CALL_INDIRECT, REFPMU_RET,
	};
	static const uint8_t accesses[] = { REFPMU_READ, REFPMU_READ, REFPMU_WRITE,
	                                    REFPMU_READ_WRITE };
	uint64_t random = cache_random(state), data = pick_address(cache_random(state));
	struct refpmu_insn insn = {
		.ip = pick_address(cache_random(state)) + (random >> 8 & 7), .length = 2,
		.branch = branches[random & 7], .is_taken = true,
	};
	struct cache_cost cost;

	if (insn.branch == REFPMU_JCC)
		insn.is_taken = random >> 16 & 1;
	insn.next_ip = insn.ip + insn.length;
	if (insn.branch != REFPMU_NO_BRANCH && insn.is_taken)
		insn.next_ip = pick_address(cache_random(state));
	cache_access(u, accesses[random >> 24 & 3], data, data, 4, true);
	cache_retire(u, &insn, &cost);
}

/* Drops all traffic since before: nothing may count it. */
static void hush(struct caches *u, const struct cache_bus_sums *before)
{
	struct cache_machine *machine = u->core->package->machine;

	u->observed.seen = machine->bus = *before;
	for (struct cache_package *p = machine->packages; p; p = p->next)
		for (struct cache_core *c = p->cores; c; c = c->next)
			c->snooped = (struct cache_snooped){ 0 };
}

void cache_scramble(struct caches *u, uint64_t *state)
{
	const struct cache_bus_sums before = u->core->package->machine->bus;

	for (uint64_t left = cache_random(state) % STIR_INSNS; left; left--)
		execute_one(u, state);
	cache_drop(u);
	hush(u, &before);
}
