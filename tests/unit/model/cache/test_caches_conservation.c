/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests that the reported numbers of lines add up, whatever two processors do: lines that came in
 * and have not left are in the cache, and no modified line is lost without a write-back or a snoop
 * that hit it.
 */
#include <tests/unit/model/cache/caches_duo.h>

enum { LINES = 14, STEPS = 20000 };

/* Sums up what one processor's costs report. */
struct sums {
	int64_t l1d_in, l2_in, l2_out, l1d_m_out, written_back, hitm;
};

static void add(struct sums *s, const struct cache_traffic *t)
{
	s->l1d_in += t->l1d_lines_in;
	s->l2_in += t->l2_lines_in;
	s->l2_out += t->l2_lines_out;
	s->l1d_m_out += t->l1d_m_lines_out;
	s->written_back += t->bus[CACHE_BUS_WB];
	s->hitm += t->snoop_hitm;
}

static unsigned lines_in_l2(unsigned cpu)
{
	unsigned count = 0;

	for (unsigned line = 0; line < LINES; line++)
		count += l2_state(cpu, line) != CACHE_I;
	return count;
}

static bool is_dirty(unsigned line)
{
	for (unsigned cpu = 0; cpu < 2; cpu++)
		if (l1d_state(cpu, line) == CACHE_M || l2_state(cpu, line) == CACHE_M)
			return true;
	return false;
}

static bool is_coherent(unsigned line)
{
	for (unsigned cpu = 0; cpu < 2; cpu++) {
		bool is_alone = l1d_state(cpu, line) >= CACHE_E || l2_state(cpu, line) >= CACHE_E;
		bool is_elsewhere = l1d_state(!cpu, line) || l2_state(!cpu, line);

		if (is_alone && is_elsewhere)
			return false;
	}
	return true;
}

/* Returns how many lines of the bitmap before, which were dirty, no longer are. */
static unsigned cleaned(uint32_t before)
{
	unsigned count = 0;

	for (unsigned line = 0; line < LINES; line++)
		count += (before >> line & 1) && !is_dirty(line);
	return count;
}

static uint32_t dirty_lines(void)
{
	uint32_t lines = 0;

	for (unsigned line = 0; line < LINES; line++)
		lines |= (uint32_t)is_dirty(line) << line;
	return lines;
}

/*
 * Checks one access. P6 hands a modified line over in the snoop: to memory for a read, to the other
 * processor for a write.
 */
static void check_step(const struct cache_geometry *g, unsigned cpu, unsigned kind, uint32_t before,
                       const struct cache_traffic observed[2])
{
	unsigned lost = cleaned(before);
	uint32_t written = observed[0].bus[CACHE_BUS_WB] + observed[1].bus[CACHE_BUS_WB];

	if (g->llc.ways && kind == REFPMU_READ)
		written += observed[!cpu].snoop_hitm;
	check_eq_u64("lines that went back to memory", lost, written);
	check_eq_u64("snoops of a processor by itself", observed[cpu].snoops, 0);
}

static void run(const struct cache_geometry *g, bool has_code)
{
	struct sums sums[2] = { { 0 } };
	uint32_t x = 99;

	start(g);
	for (unsigned i = 0; i < STEPS; i++) {
		uint32_t before = dirty_lines();
		struct cache_traffic observed[2];
		unsigned cpu, line, kind;

		x = x * 1664525 + 1013904223;
		cpu = x >> 30 & 1;
		line = (x >> 16) % LINES;
		kind = (x >> 8) % 3;
		if (has_code && x >> 31)
			kind = REFPMU_READ, observed[cpu] = fetch_line(cpu, line);
		else
			observed[cpu] = use_line(cpu, kind, line);
		observed[!cpu] = retire(!cpu);
		add(&sums[0], &observed[0]);
		add(&sums[1], &observed[1]);
		if (!has_code)
			check_step(g, cpu, kind, before, observed);
		check_true("a line that one cache has alone is in no other", is_coherent(line));
	}
	for (unsigned cpu = 0; cpu < 2 && g->llc.ways && !has_code; cpu++)
		check_eq_u64("lines in L2", sums[cpu].l2_in - sums[cpu].l2_out, lines_in_l2(cpu));
	check_true("something happened", sums[0].l1d_m_out > 100 && sums[0].hitm > 100);
}

UNIT_TEST(lines_of_p6_are_conserved)
{
	run(&small_p6, false);
}

UNIT_TEST(lines_of_the_pentium_are_conserved)
{
	run(&small_p5, false);
}

UNIT_TEST(code_leaves_all_caches_coherent)
{
	run(&small_p6, true);
	run(&small_p5, true);
}

UNIT_MAIN()
