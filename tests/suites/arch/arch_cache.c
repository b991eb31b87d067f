/* SPDX-License-Identifier: MIT */
/*
 * References to the last-level cache (2EH, unit mask 4FH) and misses of it (41H). SDM 3B,
 * "Pre-defined Architectural Performance Events", Last Level Cache References: "requests
 * originating from the core that reference a cache line in the last level on-die cache. The count
 * includes speculation ... may include hardware prefetches". So on silicon neither bound of a walk
 * holds, as prefetches may come first and count elsewhere. These tests judge the counts only where
 * the machine is exact.
 */
#include <tests/suites/common/counts/counting.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/workload/workload.h>
#include <tests/suites/arch/arch_sources.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/silicon/silicon.h>

#define REFERENCES EVENTS "Last Level Cache References"
#define MISSES     EVENTS "Last Level Cache Misses"

enum { LINE = 64 };

static const char *need_llc(struct test_ctx *t)
{
	const char *problem = need_event(t, EVENT_LLC_REFERENCE);

	return problem ? problem : need_event(t, EVENT_LLC_MISSES);
}

/* ------------------------------------------------------------------------ CPUID leaf 4 */

/* SDM 2A, "CPUID", leaf 4: each cache has a sub-leaf, inner caches first; type 0 ends the list. */
#define LEAF4_TYPE        FIELD(4, 0)
#define   LEAF4_TYPE_INSTRUCTIONS 2
#define LEAF4_WAYS        FIELD(31, 22)         /* EBX; as below, minus 1 */
#define LEAF4_PARTITIONS  FIELD(21, 12)
#define LEAF4_LINE        FIELD(11, 0)

/* The sizes of the largest inner cache and of the last cache that hold data, as leaf 4 reports
 * them; 0 if the leaf does not exist. */
struct caches { uint32_t inner, last; };

static struct caches read_caches(void)
{
	struct caches c = { 0, 0 };

	for (uint32_t i = 0; i < 8; i++) {
		struct cpuid_result r = cpuid_read(4, i);
		unsigned type = (unsigned)FIELD_GET(LEAF4_TYPE, r.eax);

		if (type == 0)
			break;
		if (type == LEAF4_TYPE_INSTRUCTIONS)
			continue;
		c.inner = c.last;
		c.last = (uint32_t)((FIELD_GET(LEAF4_WAYS, r.ebx) + 1)
		                    * (FIELD_GET(LEAF4_PARTITIONS, r.ebx) + 1)
		                    * (FIELD_GET(LEAF4_LINE, r.ebx) + 1) * (r.ecx + 1));
	}
	return c;
}

/* ------------------------------------------------------------------------ walks */

struct walk { uint64_t references, misses; };

/* Reads the first lines of the arena in so many passes. */
static void walk_passes(uint32_t lines, uint32_t passes)
{
	uint32_t size;
	uint32_t base = (uint32_t)(uintptr_t)pmu_workload_arena(&size);

	for (uint32_t i = 0; i < passes; i++)
		workload_walk.code(lines, base);
}

static void store_passes(uint32_t lines, uint32_t passes)
{
	uint32_t size;
	uint32_t base = (uint32_t)(uintptr_t)pmu_workload_arena(&size);

	for (uint32_t i = 0; i < passes; i++)
		workload_store_walk.code(lines, base);
}

static struct walk measure(void (*code)(uint32_t, uint32_t), uint32_t lines, uint32_t passes)
{
	const struct pmu_setup setups[] = {
		{ .counter = 0, .event = EVENT_LLC_REFERENCE, .flags = PMU_BOTH },
		{ .counter = 1, .event = EVENT_LLC_MISSES, .flags = PMU_BOTH },
	};
	struct pmu_reading r = counting_measure(setups, 2, code, lines, passes);

	return (struct walk){ r.count[0], r.count[1] };
}

/* Checks that on a cold machine every line is a reference and a miss. */
static void check_cold(struct test_ctx *t, void (*code)(uint32_t, uint32_t), uint32_t few,
                       uint32_t many)
{
	struct walk a = measure(code, few, 1), b = measure(code, many, 1);

	test_sub(t, "%" PRIu32 " lines, then %" PRIu32, few, many);
	expect_bounds(t, "references", b.references - a.references,
	              if_exact(many - few, "the inner caches were empty, so the last cache is "
	                       "asked for each line once"), ELSE_SHOWN);
	expect_bounds(t, "misses", b.misses - a.misses,
	              if_exact(many - few, "the last cache was empty, so each line misses once"),
	              ELSE_SHOWN);
}

static NEED_BOTH(need_walk, need_llc, need_gp2)

TEST(cold_reads, .id = "arch.cache.cold_reads", .needs = need_walk, .source = REFERENCES "; Misses",
     .runs = TEST_ALONE,
     .claim = "reading a line that no cache holds is one reference and one miss")
{
	static const uint32_t lines[] = { 1, 2, 3, 16, 64, 128, 256 };

	for (unsigned i = 0; i + 1 < COUNT_OF(lines); i++)
		check_cold(t, walk_passes, lines[i], lines[i + 1]);
}

TEST(cold_writes, .id = "arch.cache.cold_writes", .needs = need_walk,
     .runs = TEST_ALONE, .source = REFERENCES "; Misses",
     .claim = "writing a line that no cache holds is one reference and one miss")
{
	static const uint32_t lines[] = { 1, 2, 3, 16, 64, 128, 256 };

	for (unsigned i = 0; i + 1 < COUNT_OF(lines); i++)
		check_cold(t, store_passes, lines[i], lines[i + 1]);
}

TEST(large_reads, .id = "arch.cache.large_reads", .needs = need_walk, .source = REFERENCES,
     .runs = TEST_ALONE,
     .claim = "a walk over more than the first cache holds has at least one reference a line")
{
	uint32_t size, lines;

	pmu_workload_arena(&size);
	for (lines = 2048; lines <= size / LINE; lines *= 2) {
		struct walk w = measure(walk_passes, lines, 1);

		test_sub(t, "%" PRIu32 " lines", lines);
		expect_bounds(t, "references", w.references,
		              if_exact_in(lines, lines + 64, "low: each line once; high: also the "
		                          "window's own code and data, less than 64 lines"),
		              ELSE_SHOWN);
	}
}

TEST(inner_hits, .id = "arch.cache.inner_hits", .needs = need_walk, .source = REFERENCES,
     .runs = TEST_ALONE,
     .claim = "reading what the first cache holds makes no reference to the last one")
{
	/* 8 KB are less than half of any first-level data cache of a processor with these
	 * events. */
	struct walk once = measure(walk_passes, 128, 1), often = measure(walk_passes, 128, 100);

	/* The first pass did not run the code of the loop from its second pass on: 2 lines. */
	expect_bounds(t, "references of 99 passes more over 8 KB",
	              often.references - once.references,
	              if_exact_in(0, 2, "low: no count is negative; high: the lines of code that "
	                          "start another pass"), ELSE_SHOWN);
}

static const char *need_two_levels(struct test_ctx *t)
{
	const char *problem = need_walk(t);
	struct caches c;
	uint32_t size;

	if (problem)
		return problem;
	c = read_caches();
	pmu_workload_arena(&size);
	if (c.inner == 0 || c.last == 0)
		return test_reason(t, "CPUID leaf 4 reports caches of %" PRIu32 " and %" PRIu32
		                   " bytes; the test needs two levels", c.inner, c.last);
	if (2 * c.inner > size || 4 * c.inner > c.last)
		return test_reason(t, "inner cache %" PRIu32 " bytes, last cache %" PRIu32
		                   " bytes, memory for the walk %" PRIu32 " bytes: twice the inner "
		                   "one must fit into the walk and half of the last one",
		                   c.inner, c.last, size);
	return NULL;
}

/* A walk over twice the inner caches finds nothing in them if they drop their oldest lines
 * first. */
TEST(last_hits, .id = "arch.cache.last_hits", .needs = need_two_levels,
     .runs = TEST_ALONE, .source = REFERENCES "; Misses; SDM 2A, CPUID leaf 4",
     .claim = "a second walk over lines that fit into the last cache only has "
              "references but no misses")
{
	uint32_t lines = 2 * read_caches().inner / LINE;
	struct walk once = measure(walk_passes, lines, 1), twice = measure(walk_passes, lines, 2);
	uint64_t references = twice.references - once.references;

	test_sub(t, "%" PRIu32 " lines", lines);
	expect_bounds(t, "references of the second walk", references,
	              if_exact_in(lines / 2, 2 * lines, "low: the inner caches hold at most half "
	                          "of the lines; high: each line twice"), ELSE_SHOWN);
	expect_bounds(t, "misses of the second walk", twice.misses - once.misses,
	              if_exact_in(0, 2, "low: no count is negative; high: the lines of code that "
	                          "start the second walk"), ELSE_SHOWN);
}

TEST(misses_are_references, .id = "arch.cache.misses_are_references", .needs = need_walk,
     .runs = TEST_ALONE, .source = MISSES,
     .claim = "in one window there are no more misses than references; counts of two windows are "
              "reported")
{
	static const uint32_t lines[] = { 1, 64, 1024, 4096, 16384 };
	uint32_t size;

	pmu_workload_arena(&size);
	for (unsigned i = 0; i < COUNT_OF(lines) && lines[i] <= size / LINE; i++) {
		struct walk w = measure(walk_passes, lines[i], 2);

		test_sub(t, "two walks over %" PRIu32 " lines", lines[i]);
		if (is_comparable(counting_is_together()))
			expect_between_unless(t, SILICON_CACHE_INEXACT, "misses", w.misses, 0,
			                      w.references, "low: no count is negative; high: a "
			                      "miss is a reference that found nothing");
		else
			test_report(t, "misses", "%" PRId64 "; references of another window: %"
			            PRId64, w.misses, w.references);
	}
}

TEST(no_walk, .id = "arch.cache.registers", .needs = need_walk, .source = REFERENCES,
     .runs = TEST_ALONE,
     .claim = "more rounds of a loop that touches no memory make no more references")
{
	struct walk few = measure(workload_loop.code, 10, 0);
	struct walk many = measure(workload_loop.code, 10000, 0);

	expect_bounds(t, "references", many.references - few.references,
	              if_exact(0, "DEC and JNZ need no line except their own"), ELSE_SHOWN);
	expect_bounds(t, "misses", many.misses - few.misses,
	              if_exact(0, "DEC and JNZ need no line except their own"), ELSE_SHOWN);
}
