/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Compares the table of geometries with the registers that CPUID returns. */
#include <arch/regs/table.h>
#include <tests/unit/model/cache/caches_rows.h>
#include <tests/unit/unit.h>

/* Has a sub-leaf; EAX[7:0] has type and level. Source: SDM 2A, CPUID, "Deterministic Cache
 * Parameters Leaf". */
struct leaf4 {
	uint8_t type_and_level;        /* 21H L1 data, 22H L1 code, 43H L2, 63H L3 */
	uint32_t ebx;                  /* 31-22 ways, 21-12 partitions, 11-0 line, all minus 1 */
	uint32_t ecx;                  /* sets minus 1 */
};

/* These are the processors as which Bochs 3.0 poses. TLBs are for 4-KByte pages, with entries and
 * ways from leaf 2 or 18H. */
static const struct {
	uint32_t eax;
	unsigned itlb_entries, itlb_ways, dtlb_entries, dtlb_ways;
	struct leaf4 leaf4[4];
} posed[] = {
	{ 0x000006EC, 128, 4, 128, 4,
	  { { 0x21, 0x01C0003F, 0x0003F }, { 0x22, 0x01C0003F, 0x0003F },
	    { 0x43, 0x01C0003F, 0x00FFF } } },
	{ 0x000106C2, 32, 32, 64, 4,
	  { { 0x21, 0x0140003F, 0x0003F }, { 0x22, 0x01C0003F, 0x0003F },
	    { 0x43, 0x01C0003F, 0x003FF } } },
	{ 0x0001067A, 128, 4, 256, 4,
	  { { 0x21, 0x01C0003F, 0x0003F }, { 0x22, 0x01C0003F, 0x0003F },
	    { 0x43, 0x05C0003F, 0x00FFF } } },
	{ 0x000106E5, 128, 4, 64, 4,
	  { { 0x21, 0x01C0003F, 0x0003F }, { 0x22, 0x00C0003F, 0x0007F },
	    { 0x43, 0x01C0003F, 0x001FF }, { 0x63, 0x03C0003F, 0x01FFF } } },
	{ 0x00020652, 64, 4, 64, 4,
	  { { 0x21, 0x01C0003F, 0x0003F }, { 0x22, 0x00C0003F, 0x0007F },
	    { 0x43, 0x01C0003F, 0x001FF }, { 0x63, 0x02C0003F, 0x00FFF } } },
	{ 0x000206A7, 128, 4, 64, 4,
	  { { 0x21, 0x01C0003F, 0x0003F }, { 0x22, 0x01C0003F, 0x0003F },
	    { 0x43, 0x01C0003F, 0x001FF }, { 0x63, 0x03C0003F, 0x01FFF } } },
	{ 0x000306A9, 64, 4, 64, 4,
	  { { 0x21, 0x01C0003F, 0x0003F }, { 0x22, 0x01C0003F, 0x0003F },
	    { 0x43, 0x01C0003F, 0x001FF }, { 0x63, 0x03C0003F, 0x01FFF } } },
	{ 0x000306C3, 64, 8, 64, 4,
	  { { 0x21, 0x01C0003F, 0x0003F }, { 0x22, 0x01C0003F, 0x0003F },
	    { 0x43, 0x01C0003F, 0x001FF }, { 0x63, 0x03C0003F, 0x01FFF } } },
	{ 0x000306D4, 64, 8, 64, 4,
	  { { 0x21, 0x01C0003F, 0x0003F }, { 0x22, 0x01C0003F, 0x0003F },
	    { 0x43, 0x01C0003F, 0x001FF }, { 0x63, 0x03C0003F, 0x00FFF } } },
	{ 0x00050654, 64, 8, 64, 4,
	  { { 0x21, 0x01C0003F, 0x0003F }, { 0x22, 0x01C0003F, 0x0003F },
	    { 0x43, 0x03C0003F, 0x003FF }, { 0x63, 0x0280003F, 0x02FFF } } },
	{ 0x00060663, 64, 8, 64, 4,
	  { { 0x21, 0x01C0003F, 0x0003F }, { 0x22, 0x01C0003F, 0x0003F },
	    { 0x43, 0x03C0003F, 0x003FF }, { 0x63, 0x0280003F, 0x02FFF } } },
	{ 0x000706E5, 8, 8, 64, 4,
	  { { 0x21, 0x02C0003F, 0x0003F }, { 0x22, 0x01C0003F, 0x0003F },
	    { 0x43, 0x01C0003F, 0x003FF }, { 0x63, 0x03C0003F, 0x01FFF } } },
	{ 0x000806C1, 128, 8, 64, 4,
	  { { 0x21, 0x02C0003F, 0x0003F }, { 0x22, 0x01C0003F, 0x0003F },
	    { 0x43, 0x04C0003F, 0x003FF }, { 0x63, 0x01C0003F, 0x03FFF } } },
	{ 0x000806F8, 256, 8, 64, 4,
	  { { 0x21, 0x02C0003F, 0x0003F }, { 0x22, 0x01C0003F, 0x0003F },
	    { 0x43, 0x03C0003F, 0x007FF }, { 0x63, 0x0380003F, 0x15FFF } } },
	{ 0x000C0662, 256, 8, 128, 8,
	  { { 0x21, 0x02C0003F, 0x0003F }, { 0x22, 0x03C0003F, 0x0003F },
	    { 0x43, 0x02C0003F, 0x00FFF }, { 0x63, 0x02C0003F, 0x07FFF } } },
};

enum { POSED = COUNT_OF(posed) };

static const struct cache_shape *shape_of(const struct cache_geometry *g, uint8_t type_and_level)
{
	switch (type_and_level) {
	case 0x21: return &g->l1d;
	case 0x22: return &g->l1i;
	case 0x43: return g->l2.ways ? &g->l2 : &g->llc;
	default:   return &g->llc;
	}
}

UNIT_TEST(caches_have_the_geometry_of_leaf_4)
{
	for (unsigned i = 0; i < POSED; i++) {
		const struct cache_geometry *g = cache_geometry_find(posed[i].eax);

		if (!check_true("the processor has a row", g != NULL))
			continue;
		for (const struct leaf4 *leaf = posed[i].leaf4; leaf < posed[i].leaf4 + 4; leaf++) {
			const struct cache_shape *shape = shape_of(g, leaf->type_and_level);

			if (leaf->type_and_level == 0) {
				check_eq_u64("no L3", g->l2.ways, 0);
				continue;
			}
			check_eq_u64("ways", shape->ways, (leaf->ebx >> 22) + 1);
			check_eq_u64("partitions", (leaf->ebx >> 12 & 0x3FF) + 1, 1);
			check_eq_u64("line", g->line_bytes, (leaf->ebx & 0xFFF) + 1);
			check_eq_u64("sets", shape->sets, leaf->ecx + 1);
		}
	}
}

UNIT_TEST(tlbs_have_the_geometry_of_cpuid)
{
	for (unsigned i = 0; i < POSED; i++) {
		const struct cache_geometry *g = cache_geometry_find(posed[i].eax);

		if (!check_true("the processor has a row", g != NULL))
			continue;
		check_eq_u64("ITLB entries", g->itlb.sets * g->itlb.ways, posed[i].itlb_entries);
		check_eq_u64("ITLB ways", g->itlb.ways, posed[i].itlb_ways);
		check_eq_u64("DTLB entries", g->dtlb.sets * g->dtlb.ways, posed[i].dtlb_entries);
		check_eq_u64("DTLB ways", g->dtlb.ways, posed[i].dtlb_ways);
	}
}

static void check_entries(const char *what, unsigned entries, unsigned most)
{
	check_true(what, entries >= 1 && entries <= most && (entries & (entries - 1)) == 0);
}

UNIT_TEST(predictors_are_powers_of_two)
{
	for (unsigned i = 0; i < POSED; i++) {
		const struct cache_geometry *g = cache_geometry_find(posed[i].eax);
		const struct cache_invented *p = g->invented;

		check_entries("directions", p->direction_entries, CACHE_DIRECTIONS);
		check_entries("patterns", p->pattern_entries, CACHE_PATTERNS);
		check_entries("targets", p->target_entries, CACHE_TARGETS);
		check_entries("returns", p->return_entries, CACHE_RETURNS);
		check_true("a branch's histories have an entry each",
		           1u << p->history_bits <= p->pattern_entries);
	}
}

UNIT_TEST(every_miss_costs_more_than_the_level_above)
{
	for (unsigned i = 0; i < POSED; i++) {
		const struct cache_geometry *g = cache_geometry_find(posed[i].eax);
		const struct cache_invented *cycles = g->invented;

		check_true("L2 and last level", cycles->l2_cycles < cycles->llc_cycles);
		check_true("last level and memory", cycles->llc_cycles < cycles->memory_cycles);
		check_eq_u64("with an L3, L2 has a price", cycles->l2_cycles != 0, g->l2.ways != 0);
		check_true("walk", cycles->walk_cycles > 0);
		check_true("misprediction", cycles->mispredict_cycles > 0);
	}
}

UNIT_TEST(stepping_and_type_do_not_matter)
{
	const struct cache_geometry *g = cache_geometry_find(0x000306C0);

	check_true("stepping F has the same row", g && cache_geometry_find(0x000306CF) == g);
	check_true("OverDrive has the same row", g && cache_geometry_find(0x000316C3) == g);
	check_true("reserved bits are ignored", g && cache_geometry_find(0xF003C6C3) == g);
}

UNIT_TEST(unknown_processors_have_no_row)
{
	check_true("0 has no row", !cache_geometry_find(0));
	check_true("family 0FH, model 5 has no row", !cache_geometry_find(0x00000F51));
	check_true("another extended model has no row", !cache_geometry_find(0x000B06C3));
	check_true("another extended family has no row", !cache_geometry_find(0x001306C3));
	check_true("another model has no row", !cache_geometry_find(0x000306B3));
}

UNIT_MAIN()
