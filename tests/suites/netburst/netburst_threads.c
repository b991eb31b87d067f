/* SPDX-License-Identifier: MIT */
/*
 * Two threads that share one PMU: these tests check whose events an ESCR counts, when ACTIVE_THREAD
 * lets a counter count, and which registers are shared. The boot processor counts; the sibling
 * works on request.
 */
#include <tests/suites/netburst/netburst_threads.h>

#include <arch/modes/modes.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/counts/rings.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/siblings.h>
#include <tests/suites/common/smp_tests.h>

#define ESCRS "SDM 3B, \"ESCR MSRs\", thread-specific events"
#define MSRS "SDM 4, \"MSRs in the Pentium 4 and Intel Xeon Processors\": shared, unique"

/* Rounds of the sibling; it works twice, so that everything around its work cancels out. */
enum { FEW = 100, MORE = 3000 };

NEED_BOTH(need_netburst_thread_modes, need_netburst_threads, need_modes)

const char *need_netburst_no_threads(struct test_ctx *t)
{
	const char *problem = need_netburst(t);

	if (problem || !netburst_has_threads())
		return problem;
	return test_reason(t, "CPUID.1:EDX[28] = 1: the processor has threads");
}

static unsigned sibling_thread(void) { return netburst_thread() ^ 1; }

static uint32_t bits_of(unsigned thread, enum cpu_mode mode)
{
	return netburst_qualifiers(thread, mode_cpl(mode) ? PMU_USR : PMU_OS);
}

static struct pmu_setup setup(struct netburst_use *use, const char *event, unsigned counter,
                              uint32_t bits)
{
	struct pmu_setup s = netburst_setup(use, netburst_event_find(event), NULL, counter, 0);

	use->escr_value |= bits;
	return s;
}

/* ------------------------------------------------------------------------ what both do */

/* The sibling's work and this thread's; rounds 0 stands for none. */
struct job { void (*code)(uint32_t rounds, uint32_t mode); uint32_t rounds; enum cpu_mode mode; };
struct jobs { struct job own, sibling; };

static SHARED struct job sibling_job;
static struct job own_job;

static void run_job(const struct job *j)
{
	if (j->rounds)
		j->code(j->rounds, j->mode);
}

static void work(struct test_ctx *t, uintptr_t argument)
{
	(void)t;
	(void)argument;
	pmu_workload_begin();
	sibling_wait();
	run_job(&sibling_job);
	sibling_done();
	pmu_workload_end();
}

/* For pmu_window(): lets both threads work. */
static void work_both(uint32_t rounds, uint32_t argument)
{
	(void)rounds;
	(void)argument;
	sibling_go();
	run_job(&own_job);
	sibling_join();
}

static void run_jobs(struct test_ctx *t, const struct pmu_setup *setups, unsigned count,
                     const struct jobs *j)
{
	own_job = j->own;
	sibling_job = j->sibling;
	sibling_window(t, setups, count, work, 0, work_both, 0, 0);
}

/* Measures what more rounds count: RINGS_MORE of this thread's job, MORE of the sibling's. */
static void measure_jobs(struct test_ctx *t, const struct pmu_setup *setups, unsigned count,
                         const struct jobs *jobs, uint64_t more[])
{
	struct jobs few = *jobs, many = *jobs;
	uint64_t before[PMU_SETUPS_MAX];

	few.own.rounds = jobs->own.code ? RINGS_FEW : 0;
	many.own.rounds = jobs->own.code ? RINGS_MANY : 0;
	few.sibling.rounds = jobs->sibling.code ? FEW : 0;
	many.sibling.rounds = jobs->sibling.code ? FEW + MORE : 0;
	run_jobs(t, setups, count, &few);
	for (unsigned i = 0; i < count; i++)
		before[i] = pmu_read(setups[i].counter);
	run_jobs(t, setups, count, &many);
	for (unsigned i = 0; i < count; i++)
		more[i] = pmu_read(setups[i].counter) - before[i];
}

/* ------------------------------------------------------------------------ whose events */

static void check_pair(struct test_ctx *t, const char *event, unsigned counter, unsigned each,
                       const struct jobs *jobs, uint32_t own, uint32_t sibling)
{
	const uint32_t bits[2] = { bits_of(netburst_thread(), MODE_CPL3),
	                           bits_of(sibling_thread(), MODE_CPL3) };
	struct netburst_use uses[2];
	struct pmu_setup setups[2] = { setup(&uses[0], event, counter, bits[0]),
	                               setup(&uses[1], event, counter + 2, bits[1]) };
	uint64_t more[2];

	measure_jobs(t, setups, 2, jobs, more);
	test_sub(t, "%s", event);
	expect_exact(t, "this thread's bit", more[0], (uint64_t)own * each,
	             "it counts the additional rounds of this thread at CPL 3, and nothing else");
	expect_exact(t, "the sibling's bit", more[1], (uint64_t)sibling * each,
	             "it counts the additional rounds of the sibling at CPL 3, and nothing else");
	uses[0].escr_value |= bits[1];
	measure_jobs(t, setups, 1, jobs, more);
	expect_exact(t, "both bits", more[0], (uint64_t)(own + sibling) * each,
	             "they count the rounds of both threads");
}

static void check_jobs(struct test_ctx *t, bool is_own, bool is_sibling)
{
	const struct jobs jobs = {
		.own = { is_own ? rings_loop : NULL, 0, MODE_CPL3 },
		.sibling = { is_sibling ? rings_loop : NULL, 0, MODE_CPL3 },
	};
	uint32_t own = is_own ? RINGS_MORE : 0, sibling = is_sibling ? MORE : 0;

	check_pair(t, "branch_retired", 12, 1, &jobs, own, sibling);
	check_pair(t, "instr_retired", 13, 2, &jobs, own, sibling);
}

TEST(other, .id = "netburst.thread.other", .runs = TEST_ON_BOOT,
     .needs = need_netburst_thread_modes,
     .source = ESCRS, .claim = "the sibling's events count with its own bits only")
{ check_jobs(t, false, true); }

TEST(own, .id = "netburst.thread.own", .runs = TEST_ON_BOOT,
     .needs = need_netburst_thread_modes,
     .source = ESCRS, .claim = "this thread's events do not count with the sibling's bits")
{ check_jobs(t, true, false); }

TEST(both, .id = "netburst.thread.both", .runs = TEST_ON_BOOT,
     .needs = need_netburst_thread_modes, .source = ESCRS,
     .claim = "while both threads work, each counts exactly by its own bits, and both "
              "bits give the sum")
{ check_jobs(t, true, true); }

TEST(independent, .id = "netburst.thread.independent", .runs = TEST_ON_BOOT,
     .needs = need_netburst_thread_modes, .source = ESCRS,
     .claim = "an event that is not thread specific counts the sibling with this thread's bits")
{
	const struct jobs jobs = { .sibling = { rings_x87, 0, MODE_CPL3 } };
	struct netburst_use uses[4];
	struct pmu_setup setups[2];
	uint64_t user[2], os[2];

	setups[0] = setup(&uses[0], "x87_FP_uop", 8, ESCR_T0_USR);
	setups[1] = setup(&uses[1], "x87_FP_uop", 10, ESCR_T1_USR);
	measure_jobs(t, setups, 2, &jobs, user);
	uses[0].escr_value ^= ESCR_T0_USR | ESCR_T0_OS;
	uses[1].escr_value ^= ESCR_T1_USR | ESCR_T1_OS;
	measure_jobs(t, setups, 2, &jobs, os);
	expect_between(t, "x87_FP_uop with T0_USR", user[0], MORE, 4 * MORE,
	               "low: one more FADD a round; high: so many micro-operations each");
	expect_same(t, "x87_FP_uop with T1_USR", user[1], user[0], MORE / 100,
	            "the count is that of T0_USR: either bit stands for any thread");
	expect_exact(t, "x87_FP_uop with T0_OS", os[0], 0, "the sibling works at CPL 3");
	expect_exact(t, "x87_FP_uop with T1_OS", os[1], 0, "the sibling works at CPL 3");
}

/* ------------------------------------------------------------------------ sixteen */

enum { OWN_ROUNDS = 8000, SIBLING_ROUNDS = 4000, AROUND = 1000 };

static void check_bits(struct test_ctx *t, uint32_t bits, const struct jobs *j)
{
	struct netburst_use use;
	struct pmu_setup s = setup(&use, "branch_retired", 12, bits);
	uint32_t want = bits & bits_of(netburst_thread(), j->own.mode) ? OWN_ROUNDS : 0;
	char what[48];

	want += bits & bits_of(sibling_thread(), j->sibling.mode) ? SIBLING_ROUNDS : 0;
	run_jobs(t, &s, 1, j);
	format_buf(what, sizeof(what), "branches, bits 3:0 = %" PRIX32 "H", bits);
	expect_between(t, what, pmu_read(12), want, want + (bits ? AROUND : 0),
	               "low: 8000 rounds of this thread, 4000 of the sibling, where their bits are "
	               "1; high: also what both do at CPL 0 to begin, to wait and to end");
}

static void check_sixteen(struct test_ctx *t, enum cpu_mode own, enum cpu_mode sibling)
{
	const struct jobs j = { { rings_loop, OWN_ROUNDS, own },
	                        { rings_loop, SIBLING_ROUNDS, sibling } };

	for (uint32_t bits = 0; bits < 16; bits++)
		check_bits(t, bits, &j);
}

#define SIXTEEN(name, own, sibling) \
	static void name(struct test_ctx *t) { check_sixteen(t, own, sibling); } \
	TEST_OF(name, .id = "netburst.thread." #name, .runs = TEST_ON_BOOT, \
	     .needs = need_netburst_thread_modes, \
	     .source = ESCRS, \
	     .claim = "with all of bits 3:0 set, each of two threads counts at its level")

SIXTEEN(cpl0_cpl0, MODE_CPL0, MODE_CPL0);
SIXTEEN(cpl0_cpl3, MODE_CPL0, MODE_CPL3);
SIXTEEN(cpl3_cpl0, MODE_CPL3, MODE_CPL0);
SIXTEEN(cpl3_cpl3, MODE_CPL3, MODE_CPL3);

/* ------------------------------------------------------------------------ registers */

/* Registers, and two values of bits that each of them has. */
struct shared { uint32_t first, count; uint64_t here, there; };
static const struct shared shared[] = {
	{ MSR_COUNTER(0), NETBURST_COUNTERS, 0x1234567890, 0xedcba98765 },
	{ MSR_CCCR(0), NETBURST_COUNTERS, CCCR_ACTIVE_THREAD | CCCR_COMPARE,
	  CCCR_ACTIVE_THREAD | CCCR_COMPLEMENT | CCCR_THRESHOLD },
	{ MSR_ESCR_BLOCK0, 26, ESCR_T0_OS | ESCR_EVENT_MASK, ESCR_T1_USR | ESCR_EVENT_SELECT },
	{ MSR_ESCR_BLOCK1, 6, ESCR_T0_OS | ESCR_EVENT_MASK, ESCR_T1_USR | ESCR_EVENT_SELECT },
	{ MSR_ESCR_BLOCK2, 6, ESCR_T0_OS | ESCR_EVENT_MASK, ESCR_T1_USR | ESCR_EVENT_SELECT },
	{ MSR_ESCR_BLOCK3, 2, ESCR_T0_OS | ESCR_EVENT_MASK, ESCR_T1_USR | ESCR_EVENT_SELECT },
};

static void expect_msrs(struct test_ctx *t, const struct shared *s, bool is_there)
{
	char what[24];

	for (uint32_t i = 0; i < s->count; i++) {
		format_buf(what, sizeof(what), "MSR %XH", s->first + i);
		expect_exact(t, what, msr_read(s->first + i), is_there ? s->there : s->here,
		             "it holds what the other thread wrote");
	}
}

static void write_msrs(const struct shared *s, bool is_there)
{
	for (uint32_t i = 0; i < s->count; i++)
		msr_write(s->first + i, is_there ? s->there : s->here);
}

static void read_then_write(struct test_ctx *t, uintptr_t index)
{
	expect_msrs(t, &shared[index], false);
	write_msrs(&shared[index], true);
}

TEST(registers, .id = "netburst.thread.registers", .runs = TEST_ON_BOOT,
     .needs = need_netburst_thread_modes,
     .source = MSRS,
     .claim = "counters, CCCRs and ESCRs exist once: what one thread writes the other reads")
{
	for (unsigned i = 0; i < COUNT_OF(shared); i++) {
		write_msrs(&shared[i], false);
		secondaries_do(t, smp_find(true), read_then_write, i);
		expect_msrs(t, &shared[i], true);
	}
}

/* IA32_DS_AREA, and MSR_DEBUGCTLA, whose bit 1, BTF, does nothing while EFLAGS.TF is 0. */
static const struct { const char *name; uint32_t msr; uint64_t value; } unique[] = {
	{ "IA32_DS_AREA", 0x600, 0x12340000 },
	{ "MSR_DEBUGCTLA", 0x1d9, BIT(1) },
};

enum { KEPT_MAX = 2 };
static SHARED uint64_t kept[KEPT_MAX];
static SHARED bool is_stored[KEPT_MAX];

static void write_unique(struct test_ctx *t, uintptr_t i)
{
	uint64_t value = 0;

	(void)t;
	is_stored[i] = !is_fault(msr_try_read(unique[i].msr, &kept[i]))
	               && !is_fault(msr_try_write(unique[i].msr, kept[i] ^ unique[i].value))
	               && !is_fault(msr_try_read(unique[i].msr, &value))
	               && value == (kept[i] ^ unique[i].value);
}

static void restore_unique(struct test_ctx *t, uintptr_t i)
{
	(void)t;
	msr_try_write(unique[i].msr, kept[i]);
}

TEST(own_registers, .id = "netburst.thread.own_registers", .runs = TEST_ON_BOOT,
     .needs = need_netburst_thread_modes,
     .source = MSRS,
     .claim = "each thread has its own IA32_DS_AREA and MSR_DEBUGCTLA")
{
	for (unsigned i = 0; i < COUNT_OF(unique); i++) {
		uint64_t before = 0, after = 0;
		fault_t fault = msr_try_read(unique[i].msr, &before);

		secondaries_do(t, smp_find(true), write_unique, i);
		msr_try_read(unique[i].msr, &after);
		secondaries_do(t, smp_find(true), restore_unique, i);
		if (is_fault(fault) || !is_stored[i])
			test_report(t, unique[i].name,
			            "the sibling's register does not hold values");
		else
			expect_exact(t, unique[i].name, after, before,
			             "the sibling wrote another value into its own register");
	}
}
