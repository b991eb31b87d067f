/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Compares the geometries of P5, P6 and NetBurst with the descriptors that CPUID leaf 2 returns. */
#include <arch/regs/table.h>
#include <tests/unit/model/cache/caches_rows.h>
#include <tests/unit/unit.h>

/* These are the descriptors that these processors have. Source: SDM 2A, CPUID, "Encoding of CPUID
 * Leaf 2 Descriptors". */
enum kind { L1I, L1D, L2, ITLB, DTLB, KINDS };

static const struct descriptor {
	uint8_t byte, kind;
	uint32_t size;                 /* KBytes, or pages of 4 KBytes */
	uint8_t ways, line;
} descriptors[] = {
	{ 0x01, ITLB, 32, 4, 0 },   { 0x03, DTLB, 64, 4, 0 },
	{ 0xB0, ITLB, 128, 4, 0 },  { 0xB3, DTLB, 128, 4, 0 },
	{ 0x06, L1I, 8, 4, 32 },    { 0x08, L1I, 16, 4, 32 },   { 0x30, L1I, 32, 8, 64 },
	{ 0x0A, L1D, 8, 2, 32 },    { 0x0C, L1D, 16, 4, 32 },   { 0x2C, L1D, 32, 8, 64 },
	{ 0x42, L2, 256, 4, 32 },   { 0x43, L2, 512, 4, 32 },
	{ 0x7D, L2, 2048, 8, 64 },  { 0x87, L2, 1024, 8, 64 },
	{ 0x60, L1D, 16, 8, 64 },   { 0x66, L1D, 8, 4, 64 },
	{ 0x3C, L2, 256, 4, 64 },   { 0x7A, L2, 256, 8, 64 },
	{ 0x50, ITLB, 64, 64, 0 },  { 0x51, ITLB, 128, 128, 0 }, { 0x5B, DTLB, 64, 64, 0 },
};

/* Has EAX, EBX, ECX and EDX of leaf 2. Bochs 3.0 poses as the Pentium II and III, and as both
 * NetBurst processors, which have a trace cache (70H) in place of L1I. */
struct leaf2 { uint32_t eax, registers[4]; };
static const struct leaf2 netburst[] = {
	{ 0x00000F12, { 0x665B5001, 0, 0, 0x007A7040 } },
	{ 0x00000F41, { 0x605B5101, 0, 0, 0x003C7040 } },
};
static const struct leaf2 p6[] = {
	{ 0x00000619, { 0x03020101, 0, 0, 0x06040A42 } },
	{ 0x00000634, { 0x03020101, 0, 0, 0x0C040843 } },
	{ 0x00000673, { 0x03020101, 0, 0, 0x0C040843 } },
	{ 0x00000695, { 0x02B3B001, 0, 0, 0x2C043087 } },
	{ 0x000006D6, { 0x02B3B001, 0xF0, 0, 0x2C04307D } },
};

static const struct descriptor *find(uint8_t byte)
{
	for (unsigned i = 0; i < COUNT_OF(descriptors); i++)
		if (descriptors[i].byte == byte)
			return &descriptors[i];
	return NULL;
}

static const struct cache_shape *shape_of(const struct cache_geometry *g, unsigned kind)
{
	const struct cache_shape *shapes[KINDS] = { &g->l1i, &g->l1d, &g->llc, &g->itlb, &g->dtlb };

	return shapes[kind];
}

static void check_descriptor(const struct cache_geometry *g, const struct descriptor *d)
{
	const struct cache_shape *shape = shape_of(g, d->kind);
	uint32_t entries = d->line ? d->size * 1024 / d->line : d->size;

	check_eq_u64("entries", shape->sets * shape->ways, entries);
	check_eq_u64("ways", shape->ways, d->ways);
	if (d->line)
		check_eq_u64("line", g->line_bytes, d->line);
}

static void check_leaf(const struct leaf2 *leaf, unsigned kinds)
{
	const struct cache_geometry *g = cache_geometry_find(leaf->eax);
	unsigned seen = 0;

	if (!check_true("the processor has a row", g != NULL))
		return;
	/* AL is the number of times that CPUID must be executed. */
	for (unsigned bit = 8; bit < 128; bit += 8) {
		const struct descriptor *d =
			find((uint8_t)(leaf->registers[bit / 32] >> bit % 32));

		if (!d)
			continue;
		check_descriptor(g, d);
		seen |= 1u << d->kind;
	}
	check_eq_u64("all were named", seen, kinds);
	check_true("no L3", !g->l2.ways);
}

UNIT_TEST(p6_has_the_geometry_of_leaf_2)
{
	for (unsigned i = 0; i < COUNT_OF(p6); i++)
		check_leaf(&p6[i], (1u << KINDS) - 1);
}

UNIT_TEST(netburst_has_the_geometry_of_leaf_2)
{
	for (unsigned i = 0; i < COUNT_OF(netburst); i++)
		check_leaf(&netburst[i], ((1u << KINDS) - 1) & ~(1u << L1I));
}

/* The caches have 8 KBytes and 2 ways each, with MMX 16 KBytes and 4 ways. Source: Pentium
 * Processor Family Developer's Manual. */
UNIT_TEST(the_pentiums_have_the_geometry_of_their_manual)
{
	static const struct { uint32_t eax, bytes, ways, itlb_ways, dtlb_ways; } rows[] = {
		{ 0x0000052C, 8192, 2, 4, 4 }, { 0x00000543, 16384, 4, 32, 64 },
	};

	for (unsigned i = 0; i < 2; i++) {
		const struct cache_geometry *g = cache_geometry_find(rows[i].eax);

		if (!check_true("the processor has a row", g != NULL))
			continue;
		check_eq_u64("line", g->line_bytes, 32);
		check_eq_u64("L1I", g->l1i.sets * g->l1i.ways * 32, rows[i].bytes);
		check_eq_u64("L1D", g->l1d.sets * g->l1d.ways * 32, rows[i].bytes);
		check_eq_u64("L1I ways", g->l1i.ways, rows[i].ways);
		check_eq_u64("L1D ways", g->l1d.ways, rows[i].ways);
		check_eq_u64("ITLB", g->itlb.sets * g->itlb.ways, 32);
		check_eq_u64("DTLB", g->dtlb.sets * g->dtlb.ways, 64);
		check_eq_u64("ITLB ways", g->itlb.ways, rows[i].itlb_ways);
		check_eq_u64("DTLB ways", g->dtlb.ways, rows[i].dtlb_ways);
		check_true("no L2, no L3", !g->l2.ways && !g->llc.ways);
		check_true("stores go around", g->writes_around && g->locks_always && g->pairs);
	}
	check_true("CACHE_P54C finds the Pentium's row",
	           cache_geometry_find(CACHE_P54C) == cache_geometry_find(0x52C));
	check_true("CACHE_P55C finds the row of the Pentium with MMX",
	           cache_geometry_find(CACHE_P55C) == cache_geometry_find(0x543));
}

static const uint32_t legacy[] = {
	CACHE_P54C, CACHE_P55C, 0x619, 0x634, 0x673, 0x695, 0x6D6,
	0xF12, 0xF29, 0xF34, 0xF41, 0xF64
};

static bool is_power_of_two(uint32_t n)
{
	return n && (n & (n - 1)) == 0;
}

UNIT_TEST(all_legacy_geometries_report_traffic)
{
	for (unsigned i = 0; i < COUNT_OF(legacy); i++) {
		const struct cache_geometry *g = cache_geometry_find(legacy[i]);
		const struct cache_invented *p = g->invented;

		check_true("costs have traffic", g->observes_traffic);
		check_eq_u64("bytes of a fetched block",
		             g->fetch_bytes, i < 2 ? 32 : i < 7 ? 16 : 8);
		check_eq_u64("entries of the branch target buffer",
		             g->btb.sets * g->btb.ways, i < 2 ? 256 : 512);
		check_true("the number of directions is a power of two and fits",
		           is_power_of_two(p->direction_entries) &&
		           p->direction_entries <= CACHE_DIRECTIONS);
		check_true("the number of patterns is a power of two and fits",
		           is_power_of_two(p->pattern_entries) &&
		           p->pattern_entries <= CACHE_PATTERNS &&
		           1u << p->history_bits <= p->pattern_entries);
		check_true("the number of targets is a power of two and fits",
		           is_power_of_two(p->target_entries) &&
		           p->target_entries <= CACHE_TARGETS);
		check_true("returns", p->return_entries <= CACHE_RETURNS);
		check_eq_u64("only the first has no return stack", p->return_entries == 0, i == 0);
		check_true("memory is dearer", p->memory_cycles > p->llc_cycles);
		check_eq_u64("L2 has a price where there is one", p->llc_cycles != 0,
		             g->llc.ways != 0);
		check_true("walk, misprediction", p->walk_cycles && p->mispredict_cycles);
	}
}

UNIT_TEST(other_geometries_report_no_traffic)
{
	static const uint32_t others[] = { 0x6EC, 0x106C2, 0x1067A, 0x306C3, 0xC0662 };

	for (unsigned i = 0; i < COUNT_OF(others); i++)
		check_true("costs have no traffic",
		           !cache_geometry_find(others[i])->observes_traffic);
}

UNIT_MAIN()
