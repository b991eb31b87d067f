/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * What is told of lines adds up, whatever two processors do: those that came and have not gone are
 * there, and nothing that was written is lost without a write-back or a snoop that found it.
 */
#include <tests/unit/model/cache/caches_duo.h>

enum { LINES = 14, STEPS = 20000 };

/* Sums of what was told of one processor. */
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

/* How many lines are no longer dirty that were, of the bits in before. */
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

/* P6 hands a modified line over in the snoop: to memory for a read, to the other for a write. */
static void check_step(const struct cache_geometry *g, unsigned cpu, unsigned kind, uint32_t before,
                       const struct cache_traffic told[2])
{
	unsigned lost = cleaned(before);
	uint32_t written = told[0].bus[CACHE_BUS_WB] + told[1].bus[CACHE_BUS_WB];

	if (g->llc.ways && kind == REFPMU_READ)
		written += told[!cpu].snoop_hitm;
	check_eq_u64("lines that went back to memory", lost, written);
	check_eq_u64("nobody snoops himself", told[cpu].snoops, 0);
}

static void run(const struct cache_geometry *g, bool has_code)
{
	struct sums sums[2] = { { 0 } };
	uint32_t x = 99;

	start(g);
	for (unsigned i = 0; i < STEPS; i++) {
		uint32_t before = dirty_lines();
		struct cache_traffic told[2];
		unsigned cpu, line, kind;

		x = x * 1664525 + 1013904223;
		cpu = x >> 30 & 1;
		line = (x >> 16) % LINES;
		kind = (x >> 8) % 3;
		if (has_code && x >> 31)
			kind = REFPMU_READ, told[cpu] = fetch_line(cpu, line);
		else
			told[cpu] = use_line(cpu, kind, line);
		told[!cpu] = retire(!cpu);
		add(&sums[0], &told[0]);
		add(&sums[1], &told[1]);
		if (!has_code)
			check_step(g, cpu, kind, before, told);
		check_true("who has a line alone has it alone", is_coherent(line));
	}
	for (unsigned cpu = 0; cpu < 2 && g->llc.ways && !has_code; cpu++)
		check_eq_u64("lines in L2", sums[cpu].l2_in - sums[cpu].l2_out, lines_in_l2(cpu));
	check_true("something happened", sums[0].l1d_m_out > 100 && sums[0].hitm > 100);
}

UNIT_TEST(lines_of_p6_add_up)
{
	run(&small_p6, false);
}

UNIT_TEST(lines_of_the_pentium_add_up)
{
	run(&small_p5, false);
}

UNIT_TEST(code_leaves_all_coherent)
{
	run(&small_p6, true);
	run(&small_p5, true);
}

UNIT_MAIN()
