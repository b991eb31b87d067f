/* SPDX-License-Identifier: MIT */
/*
 * The unit mask's states: L2_LD (29H) and L2_RQSTS (2EH) count requests by the state of the line in
 * L2: M (08H), E (04H), S (02H), or I (01H), which means that L2 does not have it. This processor
 * and one of another package read or write lines, which are then pushed out of the first cache by
 * reading others, so that L2 is asked for them again. All of this happens in one window; the test
 * sees it by how much more rounds add.
 */
#include <tests/suites/p6/p6_suite.h>

#include <arch/cpu/insn.h>
#include <arch/regs/table.h>
#include <arch/smp/smp.h>
#include <kernel/lib/format.h>
#include <pmu/events/events.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/smp_tests.h>

#define SOURCE P6_EVENTS ", L2_LD, L2_RQSTS, MESI; SDM 3A, \"Cache Control Protocol\""

/* SDM 3B, the same table: the states' bits in the unit mask. */
#define STATE_I    1u
#define STATE_S    2u
#define STATE_E    4u
#define STATE_M    8u
#define STATE_ANY  15u

/*
 * The lines are 64 bytes apart, so of two lines of 32 bytes, as they are up to the Pentium III, one
 * is used. The lines that push them out take twice the largest first cache (Pentium M, 32 KB); all
 * together take half of the smallest L2 (128 KB).
 */
enum { STRIDE = 64, LINES = 128, PUSH_LINES = 65536 / STRIDE };

/* Rounds of a window. */
enum { FEW = 2, MANY = 10, MORE = MANY - FEW };

/* Other requests in a round: for page tables, for the stack, and for the line that gives the other
 * processor its turn: one each for 18 pages and two levels, rounded up. */
enum { OTHERS = 32 };

static SHARED uint8_t lines[LINES * STRIDE] __attribute__((aligned(4096)));

static void read_lines(void)
{
	workload_walk.code(LINES, (uint32_t)(uintptr_t)lines);
}

static void write_lines(void)
{
	workload_store_walk.code(LINES, (uint32_t)(uintptr_t)lines);
}

static void push_out(void)
{
	uint32_t size;

	workload_walk.code(PUSH_LINES, (uint32_t)(uintptr_t)pmu_workload_arena(&size));
}

/* Returns a setup of this event. A Pentium M's mask also has a field of prefetched lines: this
 * selects all of them. */
static struct pmu_setup setup(unsigned counter, const char *name, unsigned states)
{
	const struct pmu_event *e = pmu_event_find(name);
	unsigned umask = (e->umask & ~STATE_ANY) | states;

	return p6_setup(counter, (uint16_t)(e->select | umask << 8), 0);
}

struct requests { uint64_t i, s, e, m; };

static struct requests measure(const char *name, void (*code)(uint32_t, uint32_t), uint32_t rounds)
{
	const struct pmu_setup far[] = { setup(0, name, STATE_I), setup(1, name, STATE_S) };
	const struct pmu_setup near[] = { setup(0, name, STATE_E), setup(1, name, STATE_M) };
	struct pmu_reading a, b;

	/* Two lengths are compared, so both begin with empty caches. */
	workload_find("wbinvd")->code(1, 0);
	a = pmu_measure_code(far, 2, code, rounds, 0);
	workload_find("wbinvd")->code(1, 0);
	b = pmu_measure_code(near, 2, code, rounds, 0);
	return (struct requests){ a.count[0], a.count[1], b.count[0], b.count[1] };
}

/* Returns what MORE rounds add, for each state. */
static struct requests added(const char *name, void (*code)(uint32_t rounds, uint32_t argument))
{
	struct requests few = measure(name, code, FEW), many = measure(name, code, MANY);

	return (struct requests){ many.i - few.i, many.s - few.s, many.e - few.e, many.m - few.m };
}

/* Checks requests of so many lines a round; where a first cache does not strictly replace its least
 * recently used line, a quarter of the lines may have stayed there. */
static void expect_state(struct test_ctx *t, const char *what, uint64_t got, unsigned each)
{
	uint64_t stayed = unless_exact(each / 4), own = unless_exact(OTHERS);

	/* One of two windows may find its own lines in another state: own is added to all three. */
	expect_between(t, what, got + own, MORE * (each - stayed), MORE * (each + OTHERS) + 2 * own,
	               "low: these lines are in this state in each of eight more rounds; high: "
	               "also page tables, the stack, and the line of the turn");
}

static void expect_states(struct test_ctx *t, const char *name, struct requests got,
                          struct requests each)
{
	test_sub(t, "%s, eight more rounds", name);
	expect_state(t, "M", got.m, (unsigned)each.m);
	expect_state(t, "E", got.e, (unsigned)each.e);
	expect_state(t, "S", got.s, (unsigned)each.s);
	expect_state(t, "I", got.i, (unsigned)each.i);
}

/* ------------------------------------------------------------------------ one processor */

static void read_and_push(uint32_t rounds, uint32_t argument)
{
	(void)argument;
	while (rounds--) {
		read_lines();
		push_out();
	}
}

static void write_push_read(uint32_t rounds, uint32_t argument)
{
	(void)argument;
	while (rounds--) {
		write_lines();
		push_out();
		read_lines();
	}
}

/* Empties L2 and writes it back. */
static void forget_lines(void)
{
	uint32_t size;
	uint32_t arena = (uint32_t)(uintptr_t)pmu_workload_arena(&size);

	workload_walk.code(size / STRIDE, arena);
}

TEST(exclusive, .id = "p6.mesi.exclusive", .needs = need_p6, .runs = TEST_ALONE, .source = SOURCE,
     .claim = "lines that no processor wrote and no other processor reads are E")
{
	forget_lines();
	expect_states(t, "L2_LD", added("L2_LD", read_and_push),
	              (struct requests){ .e = LINES + PUSH_LINES });
}

TEST(modified, .id = "p6.mesi.modified", .needs = need_p6, .runs = TEST_ALONE, .source = SOURCE,
     .claim = "lines that were written are M, even after the first cache has written them back")
{
	forget_lines();
	expect_states(t, "L2_LD", added("L2_LD", write_push_read),
	              (struct requests){ .m = LINES, .e = PUSH_LINES });
}

static const char *const names[] = { "L2_IFETCH", "L2_LD", "L2_ST", "L2_RQSTS" };

TEST(none, .id = "p6.mesi.none", .needs = need_p6, .runs = TEST_ALONE, .source = SOURCE,
     .claim = "with no state in the unit mask the events of L2 count nothing")
{
	for (unsigned i = 0; i < COUNT_OF(names); i++) {
		const struct pmu_setup both[] = {
			p6_setup(0, pmu_event_find(names[i])->select, 0),
			p6_setup(1, pmu_event_find(names[i])->select, 0),
		};
		struct pmu_reading r = pmu_measure_code(both, 2, write_push_read, MANY, 0);

		test_sub(t, "%s, unit mask 00H", names[i]);
		expect_exact(t, "PerfCtr0", r.count[0], 0, "the mask selects no state");
		expect_exact(t, "PerfCtr1", r.count[1], 0, "the mask selects no state");
	}
}

static uint64_t count_of(unsigned counter, const char *name, unsigned states)
{
	const struct pmu_setup s = setup(counter, name, states);

	return pmu_measure_code(&s, 1, write_push_read, MANY, 0).count[0];
}

static void check_sum(struct test_ctx *t, unsigned x, const char *name)
{
	uint64_t parts = count_of(x, name, STATE_I) + count_of(x, name, STATE_S)
	                 + count_of(x, name, STATE_E) + count_of(x, name, STATE_M);
	uint64_t pairs = count_of(x, name, STATE_I | STATE_S)
	                 + count_of(x, name, STATE_E | STATE_M);
	uint64_t all = count_of(x, name, STATE_ANY);

	test_sub(t, "%s on PerfCtr%u", name, x);
	expect_bounds(t, "I, S, E and M", parts, if_exact(all, "a request has one of four states"),
	              ELSE_SHOWN);
	expect_bounds(t, "IS and EM", pairs, if_exact(all, "bits of the mask combine states"),
	              ELSE_SHOWN);
}

TEST(sum, .id = "p6.mesi.sum", .needs = need_p6, .runs = TEST_ALONE, .source = SOURCE,
     .claim = "each request has one state: the counts by state add up to the count of all")
{
	for (unsigned i = 0; i < COUNT_OF(names); i++)
		for (unsigned x = 0; x < P6_COUNTERS; x++)
			check_sum(t, x, names[i]);
}

/* ------------------------------------------------------------------------ two packages */

enum deed { DEED_NONE, DEED_READ, DEED_WRITE, DEED_END };

static SHARED volatile uint32_t asked __attribute__((aligned(STRIDE)));

/* For the other processor's pmu_window(): does what it is asked to do, until the end. */
static void serve(uint32_t rounds, uint32_t argument)
{
	(void)rounds;
	(void)argument;
	for (;;) {
		enum deed deed = asked;        /* is read once, as it may change at any time */

		if (deed == DEED_END)
			return;
		if (deed == DEED_READ)
			read_lines();
		else if (deed == DEED_WRITE)
			write_lines();
		if (deed != DEED_NONE)
			asked = DEED_NONE;
		cpu_pause();
	}
}

/* This processor counts as well, so that its work is that of a processor that counts. */
static void serve_part(struct test_ctx *t, uintptr_t argument)
{
	const struct pmu_setup s = p6_setup(0, P6_INSTRUCTIONS, 0);

	(void)argument;
	expect_between(t, "instructions of the other processor",
	               pmu_measure_code(&s, 1, serve, 0, 0).count[0], 1, UINT64_MAX,
	               "low: it read or wrote; high: it waits as long as it takes");
	pmu_reset();
}

static void ask(enum deed deed)
{
	asked = deed;
	while (asked != DEED_NONE)
		cpu_pause();
}

static void shared_rounds(uint32_t rounds, uint32_t argument)
{
	(void)argument;
	while (rounds--) {
		ask(DEED_READ);
		push_out();
		read_lines();
	}
}

static void shared_after_write(uint32_t rounds, uint32_t argument)
{
	(void)argument;
	while (rounds--) {
		write_lines();
		ask(DEED_READ);
		push_out();
		read_lines();
	}
}

static void invalid_rounds(uint32_t rounds, uint32_t argument)
{
	(void)argument;
	while (rounds--) {
		ask(DEED_WRITE);
		push_out();
		read_lines();
	}
}

static void with_other(struct test_ctx *t, const char *name, void (*code)(uint32_t, uint32_t),
                       struct requests each)
{
	unsigned cpu = p6_other_package();
	struct requests got;

	asked = DEED_NONE;
	secondaries_begin(t, cpu, serve_part, 0);
	got = added(name, code);
	asked = DEED_END;
	secondaries_join(t, cpu);
	expect_states(t, name, got, each);
}

TEST(shared, .id = "p6.smp.mesi_shared", .needs = need_p6_packages, .runs = TEST_ON_BOOT,
     .source = SOURCE, .claim = "lines that a processor of another package also reads are S")
{
	static const struct requests each = { .s = LINES, .e = PUSH_LINES };

	with_other(t, "L2_LD", shared_rounds, each);
	test_sub(t, "%s", "");
	with_other(t, "L2_LD", shared_after_write, each);
}

TEST(invalid, .id = "p6.smp.mesi_invalid", .needs = need_p6_packages, .runs = TEST_ON_BOOT,
     .source = SOURCE, .claim = "lines that a processor of another package wrote are I here")
{
	with_other(t, "L2_LD", invalid_rounds, (struct requests){ .i = LINES, .e = PUSH_LINES });
}
