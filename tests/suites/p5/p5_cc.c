/* SPDX-License-Identifier: MIT */
/*
 * CC, the counters' controls in CESR: CC[0] counts at CPL 0, 1 and 2, CC[1] at CPL 3, and CC[2]
 * counts the clocks of an event instead of how often it begins.
 */
#include <tests/suites/p5/p5_suite.h>

#include <arch/cpu/fault.h>
#include <arch/regs/p5.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/counts/enables.h>
#include <tests/suites/common/counts/rings.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/mode_tests.h>

#define SOURCE P5_SDM ", CC0 and CC1"

#define COUNTS_WITH(name, mode, where, filter) \
	RINGS_MODE_TEST(name, mode, "p5.cc", need_p5_modes, SOURCE, where, filter)
MODE_TESTS(COUNTS_WITH, "CC[0]", "CC[0]", "CC[1]");

/* ------------------------------------------------------------------------ clocks */

/* Reads a line a round, none of which was read before: the pipe waits for each. */
static const uint8_t walk_code[] = {
	0x8b, 0x06,                     /* MOV EAX, [ESI] */
	0x83, 0xc6, 0x40,               /* ADD ESI, 64 */
	0xff, 0xc9,                     /* DEC ECX */
	0x75, 0xf7,                     /* JNZ to the MOV */
};

static void walk(uint32_t rounds, uint32_t mode)
{
	uint32_t size;
	struct mode_regs regs = { .cx = rounds };

	regs.si = (uintptr_t)pmu_workload_arena(&size);
	mode_run((enum cpu_mode)mode, walk_code, sizeof(walk_code), &regs);
}

/* Both lengths replace all of caches and TLBs (64 pages), so that the kernel
 * finds the same in them. */
enum { WALK_FEW = 5000, WALK_MANY = 10000, WALK_MORE = WALK_MANY - WALK_FEW };

/* One of the manual's events with a duration: clocks in which the pipe waits
 * for data that it reads. */
static const char *const waiting = "WAITING_FOR_DATA_MEMORY_READ_STALL_DURATION";

/* Holds what WALK_MORE rounds add to each counter, each with its own flags. */
struct added { uint64_t of[P5_COUNTERS]; };

static struct added added(enum cpu_mode mode, unsigned flags0, unsigned flags1)
{
	const struct pmu_setup both[] = {
		{ .counter = 0, .event = p5_event(waiting), .flags = flags0 },
		{ .counter = 1, .event = p5_event(waiting), .flags = flags1 },
	};
	struct pmu_reading few = pmu_measure_code(both, 2, walk, WALK_FEW, mode);
	struct pmu_reading many = pmu_measure_code(both, 2, walk, WALK_MANY, mode);

	return (struct added){ { many.count[0] - few.count[0], many.count[1] - few.count[1] } };
}

/* Lines of the kernel around the code under test that one walk pushes out and another does not: its
 * stack and the gates' tables. */
enum { KERNEL_LINES = 16 };

static void expect_begun(struct test_ctx *t, const char *what, uint64_t got)
{
	expect_between(t, what, got, WALK_MORE - KERNEL_LINES, WALK_MORE + WALK_MORE / 8,
	               "low: each of 5000 more lines is waited for once, except 16 of the kernel; "
	               "high: an eighth more, for page tables, with two entries for 64 lines");
}

static void expect_clocks(struct test_ctx *t, const char *what, uint64_t got, uint64_t begun)
{
	expect_between(t, what, got, 2 * begun, UINT32_MAX,
	               "low: a read from the bus takes at least two of its clocks, which are no "
	               "faster than the processor's; high: a second");
}

/* Checks that a difference is 0, allowing as much below 0 as above, modulo the counter's width. */
static void expect_nothing(struct test_ctx *t, const char *what, uint64_t got, uint32_t clocks)
{
	uint64_t off = got & BIT(39) ? -got & P5_COUNTER_MASK : got;

	expect_bounds(t, what, off,
	              if_exact_in(0, KERNEL_LINES * clocks, "more rounds at another level add "
	                          "nothing here; low and high: 16 lines of the kernel, fewer or "
	                          "more"), ELSE_SHOWN);
}

static void check_clocks(struct test_ctx *t, enum cpu_mode mode)
{
	unsigned own = rings_is_os(mode_cpl(mode)) ? PMU_OS : PMU_USR, other = PMU_BOTH & ~own;
	struct added got = added(mode, own, own | PMU_CLOCKS);
	uint32_t each = (uint32_t)got.of[1] / WALK_MORE + 1;

	test_sub(t, "%s, 5000 more lines", mode_name(mode));
	expect_begun(t, "CTR0, CC[2] = 0, its level", got.of[0]);
	expect_clocks(t, "CTR1, CC[2] = 1, its level", got.of[1], got.of[0]);
	got = added(mode, PMU_BOTH | PMU_CLOCKS, PMU_BOTH);
	expect_begun(t, "CTR1, CC = 011", got.of[1]);
	expect_clocks(t, "CTR0, CC = 111", got.of[0], got.of[1]);
	got = added(mode, other, other | PMU_CLOCKS);
	expect_nothing(t, "CTR0, CC[2] = 0, the other level", got.of[0], 1);
	expect_nothing(t, "CTR1, CC[2] = 1, the other level", got.of[1], each);
}

#define CLOCKS_TEST(name, suffix, mode) \
	static void name(struct test_ctx *t) { check_clocks(t, mode); } \
	TEST_OF(name, .id = "p5.cc.clocks." suffix, .needs = need_p5_modes, .runs = TEST_ALONE, \
	     .source = SOURCE ", 101, 110, 111; " P5_EVENTS ", 1AH", \
	     .claim = "CC[2] = 1 counts an event's clocks, CC[2] = 0 how often it begins")

CLOCKS_TEST(clocks0, "cpl0", MODE_CPL0);
CLOCKS_TEST(clocks1, "cpl1", MODE_CPL1);
CLOCKS_TEST(clocks2, "cpl2", MODE_CPL2);
CLOCKS_TEST(clocks3, "cpl3", MODE_CPL3);

TEST(off, .id = "p5.cc.off", .needs = need_p5_modes, .source = SOURCE ", 000 and 100",
     .claim = "with CC = 000 and CC = 100 nothing counts")
{
	const char *const names[] = { "INSTRUCTIONS_EXECUTED", waiting };

	for (unsigned i = 0; i < COUNT_OF(names); i++) {
		for (enum cpu_mode mode = MODE_CPL0; mode <= MODE_CPL3; mode++) {
			const struct pmu_setup both[] = {
				{ .counter = i, .event = p5_event(names[i]) },
				{ .counter = !i, .event = p5_event(names[i]),
				  .flags = PMU_CLOCKS },
			};
			struct pmu_reading r = pmu_measure_code(both, 2, walk, WALK_MANY, mode);

			test_sub(t, "%s, %s", names[i], mode_name(mode));
			expect_exact(t, "CC = 000", r.count[0], 0, "no level is selected");
			expect_exact(t, "CC = 100", r.count[1], 0, "no level is selected");
		}
	}
}

/* ------------------------------------------------------------------------ transitions */

/* p5.instructions.interrupts tests whether entering a handler counts; here each
 * count has one level. */
static void check_sum(struct test_ctx *t, void (*code)(uint32_t rounds, uint32_t mode),
                      enum cpu_mode mode, uint16_t event)
{
	const struct pmu_setup apart[] = { { .counter = 0, .event = event, .flags = PMU_OS },
	                                   { .counter = 1, .event = event, .flags = PMU_USR } };
	const struct pmu_setup all = { .counter = 0, .event = event, .flags = PMU_BOTH };
	struct pmu_reading r = pmu_measure_code(apart, 2, code, RINGS_MANY, mode);

	test_sub(t, "%s, event %02XH", mode_name(mode), event);
	expect_exact(t, "CC = 001 and CC = 010 together", r.count[0] + r.count[1],
	             pmu_measure_code(&all, 1, code, RINGS_MANY, mode).count[0],
	             "CC = 011 counts both levels");
}

TEST(transitions, .id = "p5.cc.transitions", .needs = need_p5_modes, .source = SOURCE,
     .claim = "an instruction that crosses levels counts at one of them: CPL 0 to 2 and "
              "CPL 3 add up to all")
{
	rings_open_gates();
	for (enum cpu_mode mode = MODE_CPL0; mode <= MODE_CPL3; mode++) {
		check_sum(t, rings_int, mode, counting_event(COUNTING_INSNS));
		check_sum(t, rings_int, mode, counting_event(COUNTING_BRANCHES));
		check_sum(t, rings_fault, mode, counting_event(COUNTING_INSNS));
	}
}

/* ------------------------------------------------------------------------ all combinations */

enum { CC_0, CC_1, PC, OTHERS };

static void write_enables(unsigned x, unsigned bits)
{
	const uint64_t own = P5_EVENT_INSTRUCTIONS
	                     | enables_if(bits, CC_0, FIELD_PUT(CESR_CC0, CESR_CC_OS))
	                     | enables_if(bits, CC_1, FIELD_PUT(CESR_CC0, CESR_CC_USR))
	                     | enables_if(bits, PC, CESR_PC0);
	const uint64_t other = enables_if(bits, OTHERS, FIELD_PUT(CESR_CC0, CESR_CC_ANY_CPL));

	msr_write(CESR, own << CESR_SHIFT(x) | other << CESR_SHIFT(!x));
}

static unsigned levels_of(unsigned x, unsigned bits)
{
	(void)x;
	return (unsigned)(enables_if(bits, CC_0, PMU_OS) | enables_if(bits, CC_1, PMU_USR));
}

TEST(combinations, .id = "p5.cc.combinations", .needs = need_p5_modes, .source = SOURCE,
     .claim = "a counter counts at the levels that its CC says, whatever PC and the other CC are")
{
	static const struct enables e = {
		{ "CC[0]", "CC[1]", "PC", "CC[1:0] of the other counter" }, 4, write_enables,
		levels_of, true,
	};

	for (unsigned x = 0; x < P5_COUNTERS; x++)
		expect_enables(t, x, &e);
}
