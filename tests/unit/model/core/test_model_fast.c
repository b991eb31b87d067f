/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests the fast path of plain instructions. A twin does not take the fast path, because of a trait
 * without meaning or a pending cost of nothing; it must count the same after each of many
 * instructions, and have the same caches.
 */
#include <tests/unit/model/netburst/model_netburst.h>

enum { STEPS = 40000, HASWELL = 0x306c3, PAGES = 6, LINES_OF_PAGE = 3, DIVISION = 4, LOCKED = 27 };

static struct several twin;

static uint64_t seed;

/* Returns a random number below bound, as random_below() of test_model_determinism.c. */
static uint32_t below(uint32_t bound)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((seed >> 33) % bound);
}

static void put_both(uint32_t msr, uint64_t value)
{
	put_msr(msr, value);
	several_put(&twin, 0, msr, value);
}

/* ---------------------------------------------------------------------------- instructions */

static bool is_netburst(const struct refpmu_cpu *m)
{
	return m->core->rules.cpuid_1_eax >> 8 == 0xf;
}

static void keep_from_short_way(struct refpmu_cpu *m)
{
	if (is_netburst(m))
		m->caches.observed.is_pending = true;
	else
		m->caches.is_pending = true;
}

static void touch_both(enum refpmu_access kind, uint64_t linear, unsigned size, bool is_cacheable)
{
	refpmu_access(&s.cpu[0].model, kind, linear, linear, size, is_cacheable);
	keep_from_short_way(&twin.cpu[0].model);
	refpmu_access(&twin.cpu[0].model, kind, linear, linear, size, is_cacheable);
}

/* Makes an access that a page's end cuts in two. */
static void access_both_pages(void)
{
	uint64_t end = 0x8000 + (1 + below(PAGES)) * 4096;
	unsigned first = 1 + below(3);

	touch_both(REFPMU_READ, end - first, first, true);
	touch_both(REFPMU_READ, end, 4 - first, true);
}

static void access_both(void)
{
	uint64_t linear = 0x8000 + below(PAGES) * 4096 + below(LINES_OF_PAGE) * 2048 + below(130);
	enum refpmu_access kind = below(4) ? REFPMU_READ : (enum refpmu_access)below(3);
	unsigned size = below(8) ? 4 : 1u << below(5);
	bool is_cacheable = below(50) != 0;

	if (linear % 4096 + size > 4096)
		linear -= size;
	touch_both(kind, linear, size, is_cacheable);
}

static uint64_t random_traits(void)
{
	switch (below(40)) {
	case 0:  return REFPMU_TRAIT(DIVISION);
	case 1:  return REFPMU_TRAIT(LOCKED);
	case 2:  return REFPMU_TRAIT_SERIALIZING;
	default: return below(2) ? REFPMU_TRAIT_PAIRABLE_U : 0;
	}
}

static void retire_both(uint64_t *ip, uint8_t cpl)
{
	struct refpmu_insn insn = { .ip = *ip, .length = (uint8_t)(1 + below(7)), .cpl = cpl,
	                            .cpl_after = cpl, .traits = random_traits() };

	insn.next_ip = insn.ip + insn.length;
	if (!below(8)) {
		insn.branch = (uint8_t)(1 + below(REFPMU_BRANCHES - 1));
		insn.is_taken = insn.branch != REFPMU_JCC || below(2);
		insn.next_ip = insn.is_taken ? 0x400000 + below(512) : insn.next_ip;
	}
	refpmu_retire(&s.cpu[0].model, &insn);
	keep_from_short_way(&twin.cpu[0].model);
	insn.traits |= is_netburst(&twin.cpu[0].model) ? REFPMU_TRAIT_PRIVATE : 0;
	refpmu_retire(&twin.cpu[0].model, &insn);
	*ip = insn.next_ip;
}

static void enter_both(void)
{
	if (below(2)) {
		refpmu_exception(&s.cpu[0].model, 13);
		refpmu_exception(&twin.cpu[0].model, 13);
	} else {
		refpmu_interrupt(&s.cpu[0].model, 0x40);
		refpmu_interrupt(&twin.cpu[0].model, 0x40);
	}
}

/* ---------------------------------------------------------------------------- comparing */

static bool is_same(const void *a, const void *b, size_t size)
{
	return memcmp(a, b, size) == 0;
}

static bool are_counters_same(void)
{
	const struct refpmu_cpu *a = &s.cpu[0].model, *b = &twin.cpu[0].model;
	const struct netburst *c = &s.core[0]->netburst, *d = &twin.core[0]->netburst;
	bool is_equal = true;

	for (unsigned i = 0; i < MODEL_COUNTERS; i++)
		is_equal &= a->counter[i].value == b->counter[i].value;
	for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
		is_equal &= c->slot[i].value == d->slot[i].value &&
		            c->slot[i].cccr == d->slot[i].cccr;
	return is_equal && s.cpu[0].pmis == twin.cpu[0].pmis;
}

static bool are_twins(void)
{
	const struct refpmu_cpu *a = &s.cpu[0].model, *b = &twin.cpu[0].model;

	return a->cycles == b->cycles && a->ring == b->ring &&
	       a->bus_phase == b->bus_phase && is_same(a->now, b->now, sizeof(a->now)) &&
	       is_same(a->busy, b->busy, sizeof(a->busy)) && are_counters_same();
}

static bool are_tags_same(const struct cache_tags *a, const struct cache_tags *b)
{
	return is_same(a->tags, b->tags, (size_t)a->shape.sets * a->shape.ways * sizeof(*a->tags));
}

/* Checks that stamps and tags are equal, because both twins were used alike. */
static void check_caches(void)
{
	const struct cache_core *a = &s.core[0]->caches, *b = &twin.core[0]->caches;
	const struct caches *u = &s.cpu[0].model.caches, *v = &twin.cpu[0].model.caches;

	check_true("the tags of L1D are equal", are_tags_same(&a->l1d, &b->l1d));
	check_true("the tags of L1I are equal", are_tags_same(&a->l1i, &b->l1i));
	check_true("the tags of the data TLB are equal", are_tags_same(&u->dtlb, &v->dtlb));
	check_true("the tags of the code TLB are equal", are_tags_same(&u->itlb, &v->itlb));
}

static void step_both(uint64_t *ip)
{
	uint8_t cpl = *ip & 0x100 ? 3 : 0;

	for (unsigned n = below(6) ? below(2) : below(4); n; n--)
		access_both();
	if (!below(30))
		access_both_pages();
	if (below(100))
		retire_both(ip, cpl);
	else
		enter_both();
}

static void compare(void)
{
	uint64_t ip = 0x400000;

	for (unsigned step = 0; step < STEPS; step++) {
		step_both(&ip);
		if (!are_twins()) {
			check_eq_u64("the first step after which the twins differ", step, STEPS);
			check_eq_u64("cycles", s.cpu[0].model.cycles, twin.cpu[0].model.cycles);
			return;
		}
	}
	check_true("many cycles were counted", s.cpu[0].model.cycles > STEPS / 3);
	check_caches();
}

/* Starts both twins from zero bytes, so that their stamps are equal. */
static void start_both(uint32_t signature)
{
	memset(&s, 0, sizeof(s));
	memset(&twin, 0, sizeof(twin));
	several_create(&s, signature, 1, 1, 1);
	several_create(&twin, signature, 1, 1, 1);
	seed = signature;
}

/* ---------------------------------------------------------------------------- tests */

enum { CRU2 = 0x3cc, RAT0 = 0x3bc, MOB0 = 0x3aa, SAAT1 = 0x3af };
#define REPLAY    (UINT32_C(9) << 25 | UINT32_C(1) << 9 | T0)
#define FRONT_END (UINT32_C(8) << 25 | UINT32_C(1) << 9 | T0)
#define UOPS      (UINT32_C(1) << 25 | UINT32_C(1) << 9 | T0)
#define UOP_TYPE  (UINT32_C(2) << 25 | UINT32_C(2) << 9)
#define BLOCKED   (UINT32_C(3) << 25 | UINT32_C(0x30) << 9 | T0)
#define SPLIT     (UINT32_C(4) << 25 | UINT32_C(2) << 9 | T0)
#define OF_MOB    (ACTIVE(3) | SELECT(2))
#define OF_SAAT   (ACTIVE(3) | SELECT(2))
#define OF_CRU2   (ACTIVE(3) | SELECT(5))

static void on_netburst(uint32_t signature, uint32_t cru2, uint32_t cru0, uint32_t bits)
{
	start_both(signature);
	put_both(PEBS_ENABLE, UINT32_C(1) << 24 | UINT32_C(3) << 9 | 7);
	put_both(MATRIX_VERT, 3);
	put_both(RAT0, UOP_TYPE);
	put_both(CRU2, cru2);
	put_both(CRU_ESCR0, cru0);
	put_both(FSB_ESCR0, RUNNING | T0_USR);
	put_both(COUNTER + 13, BEFORE(1000));
	put_both(CCCR + 12, OF_CRU2 | ENABLE);
	put_both(CCCR + 13, OF_CRU2 | ENABLE | PMI_T0);
	put_both(CCCR + 16, OF_CRU | ENABLE | bits);
	put_both(MOB0, BLOCKED);
	put_both(SAAT1, SPLIT);
	put_both(CCCR + 2, OF_MOB | ENABLE);
	put_both(CCCR + 10, OF_SAAT | ENABLE);
	put_both(CCCR + 0, OF_FSB | ENABLE);
	compare();
}

UNIT_TEST(netburst_replays)
{
	on_netburst(WILLAMETTE, REPLAY, INSTR_RETIRED | T0, 0);
	on_netburst(PRESCOTT, REPLAY, INSTR_RETIRED | T0_OS, THRESHOLD(1));
}

UNIT_TEST(netburst_tags_at_the_front_end)
{
	on_netburst(WILLAMETTE, FRONT_END, INSTR_RETIRED | T0_USR, 0);
	on_netburst(PRESCOTT, FRONT_END, INSTR_RETIRED | T0, THRESHOLD(2) | COMPLEMENT | EDGES);
}

UNIT_TEST(netburst_counts_micro_operations)
{
	on_netburst(WILLAMETTE, REPLAY, UOPS, 0);
	on_netburst(PRESCOTT, FRONT_END, UOPS, THRESHOLD(1));
}

static void on_haswell(uint64_t pmc0, uint64_t pmc1)
{
	start_both(HASWELL);
	put_both(FIXED_CTRL, 0xb3b);
	put_both(PMC0 + 1, ONES(48) - 5000);
	put_both(EVTSEL0, pmc0 | EN | OS | USR);
	put_both(EVTSEL0 + 1, pmc1 | EN | USR | INT);
	put_both(EVTSEL0 + 2, LLC_REFERENCES | EN | OS | USR);
	put_both(GLOBAL, ONES(3) | ONE(32) | ONE(33) | ONE(34));
	compare();
}

UNIT_TEST(architectural_events)
{
	on_haswell(INSTRUCTIONS, BRANCHES);
	on_haswell(INSTRUCTIONS | CMASK(2) | EDGE, CYCLES);
	on_haswell(BRANCH_MISSES | CMASK(1) | INV, INSTRUCTIONS | CMASK(4));
}

/* Counts loads that retire, and loads that missed L1D. */
UNIT_TEST(memory_events)
{
	on_haswell(0x81d0, 0x08d1);
	on_haswell(0x82d0, INSTRUCTIONS);
}

UNIT_MAIN()
