/* SPDX-License-Identifier: MIT */
/*
 * Bits 3:0 of an ESCR select the thread whose events count, and the level of privilege. A
 * thread-specific event counts for thread n where its CPL matches Tn_OS (CPL 0) or Tn_USR (CPL 1,
 * 2, 3); another event counts where any of the two threads' bits matches.
 */
#include <tests/suites/netburst/netburst_threads.h>

#include <arch/cpu/self.h>
#include <arch/modes/modes.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/counts/enables.h>
#include <tests/suites/common/counts/rings.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>

#define TS "SDM 3B, \"ESCR MSRs\", thread-specific events"

#define T0_OS  ESCR_T0_OS
#define T0_USR ESCR_T0_USR
#define T1_OS  ESCR_T1_OS
#define T1_USR ESCR_T1_USR
#define T1     (T1_OS | T1_USR)
#define ALL    FIELD(3, 0)

/* instr_retired may count an instruction that is under way when the counter starts or stops. */
enum { STARTS = 2, ATTEMPTS = 4 };

/* ------------------------------------------------------------------------ thread specific */

/* Even and odd ESCRs; counts per round of rings_loop(). */
static const struct { const char *event, *masks; uint8_t counter, each; } counted[] = {
	{ "branch_retired", NULL, 12, 1 },
	{ "instr_retired", "NBOGUSNTAG+NBOGUSTAG", 13, 2 },
	{ "branch_retired", NULL, 14, 1 },
	{ "instr_retired", "NBOGUSNTAG+NBOGUSTAG", 15, 2 },
};
enum { COUNTED = COUNT_OF(counted) };

static void set_up(struct pmu_setup *setups, struct netburst_use *uses, uint32_t bits)
{
	for (unsigned i = 0; i < COUNTED; i++) {
		setups[i] = netburst_setup(&uses[i], netburst_event_find(counted[i].event),
		                           counted[i].masks, counted[i].counter, 0);
		uses[i].escr_value |= bits;
	}
}

static bool is_branch(unsigned i) { return counted[i].each == 1; }

static bool expect_count(struct test_ctx *t, unsigned i, const struct netburst_use *use,
                         uint64_t got, uint64_t want)
{
	char what[64];

	format_buf(what, sizeof(what), "%s by %s", counted[i].event, use->escr->name);
	return expect_same(t, what, got, want, is_branch(i) ? 0 : STARTS,
	                   "500 more rounds count where this thread's bit for their level is 1");
}

/*
 * The other thread sleeps. If this one is not the boot processor's, the boot processor may have to
 * wake up for its clock's tick, which its own bits count: then the code runs again.
 */
static void check_mode(struct test_ctx *t, uint32_t bits, enum cpu_mode mode)
{
	struct pmu_setup setups[COUNTED];
	struct netburst_use uses[COUNTED];
	uint64_t got[COUNTED];
	unsigned level = mode_cpl(mode) ? PMU_USR : PMU_OS;
	bool is_counted = bits & netburst_qualifiers(netburst_thread(), level);

	set_up(setups, uses, bits);
	for (unsigned tries = smp_self() ? ATTEMPTS : 1; tries; tries--) {
		rings_measure(setups, COUNTED, rings_loop, mode, got);
		if (got[0] == (is_counted ? RINGS_MORE : 0) && got[0] == got[2])
			break;
	}
	test_sub(t, "%s", mode_name(mode));
	for (unsigned i = 0; i < COUNTED; i++)
		expect_count(t, i, &uses[i], got[i],
		             is_counted ? (uint64_t)RINGS_MORE * counted[i].each : 0);
}

/* Checks these bits, one or none, in every mode. */
static void check(struct test_ctx *t, uint32_t bits)
{
	bool is_one = !(bits & (bits - 1));

	FOR_EACH_MODE(mode)
		if (is_one || mode <= MODE_CPL3)
			check_mode(t, bits, mode);
}

#define QUALIFY(name, bits) \
	static void name(struct test_ctx *t) { check(t, bits); } \
	TEST_OF(name, .id = "netburst.qualify." #name, .source = TS, .runs = TEST_ALONE, \
	     .needs = (bits) & T1 ? need_netburst_thread_modes : need_netburst_modes, \
	     .claim = "these of bits 3:0 count each thread at their levels, and nothing else")

QUALIFY(none, 0);
QUALIFY(t0_os, T0_OS);
QUALIFY(t0_usr, T0_USR);
QUALIFY(t0, T0_OS | T0_USR);
QUALIFY(t1_os, T1_OS);
QUALIFY(t1_usr, T1_USR);
QUALIFY(t1, T1);
QUALIFY(t0_os_t1_os, T0_OS | T1_OS);
QUALIFY(t0_os_t1_usr, T0_OS | T1_USR);
QUALIFY(t0_usr_t1_os, T0_USR | T1_OS);
QUALIFY(t0_usr_t1_usr, T0_USR | T1_USR);
QUALIFY(t0_t1_os, T0_OS | T0_USR | T1_OS);
QUALIFY(t0_t1_usr, T0_OS | T0_USR | T1_USR);
QUALIFY(t0_os_t1, T0_OS | T1);
QUALIFY(t0_usr_t1, T0_USR | T1);
QUALIFY(all, ALL);

TEST(reserved_t1, .id = "netburst.no_threads.escr_bits", .needs = need_netburst_no_threads,
     .source = TS,
     .claim = "what T1_OS and T1_USR do without Hyper-Threading is reported")
{
	struct pmu_setup setups[COUNTED];
	struct netburst_use uses[COUNTED];
	struct pmu_reading r;
	uint64_t value = 0;
	char fault[FAULT_TEXT_SIZE];
	fault_t written = msr_try_write(MSR_CRU_ESCR2, T1);

	if (is_fault(written)) {
		test_report(t, "WRMSR of bits 1:0", "%s", fault_text(written, fault));
		return;
	}
	msr_try_read(MSR_CRU_ESCR2, &value);
	set_up(setups, uses, T1);
	r = pmu_measure(setups, COUNTED, &workload_loop, RINGS_MANY, 0);
	test_report(t, "bits 1:0 = 11b", "read back as %u, branches counted: %" PRId64,
	            (unsigned)(value & T1), r.count[0]);
}

/* ------------------------------------------------------------------------ not thread specific */

static uint64_t x87_uops(uint32_t bits, enum cpu_mode mode)
{
	struct netburst_use use;
	struct pmu_setup s = netburst_setup(&use, netburst_event_find("x87_FP_uop"), NULL, 8, 0);
	uint64_t more;

	use.escr_value |= bits;
	rings_measure(&s, 1, rings_x87, mode, &more);
	return more;
}

TEST(any_thread, .id = "netburst.qualify.any_thread", .needs = need_netburst_modes,
     .runs = TEST_ALONE,
     .source = TS,
     .claim = "for an event that is not thread specific, T0 and T1 bits count the same")
{
	const uint32_t last = netburst_has_threads() ? ALL : T0_OS | T0_USR;
	const uint32_t step = netburst_has_threads() ? 1 : T0_USR;
	char what[32];

	pmu_workload_begin();
	for (enum cpu_mode mode = MODE_CPL0; mode <= MODE_CPL3; mode++) {
		uint32_t own = mode == MODE_CPL0 ? T0_OS | T1_OS : T0_USR | T1_USR;
		uint64_t all = x87_uops(last, mode);

		test_sub(t, "x87_FP_uop, %s", mode_name(mode));
		expect_between(t, "with all bits", all, RINGS_MORE, 4 * RINGS_MORE,
		               "low: 5000 more FADDs; high: so many micro-operations each");
		for (uint32_t bits = 0; bits < last; bits += step) {
			format_buf(what, sizeof(what), "bits 3:0 = %XH", bits);
			expect_same(t, what, x87_uops(bits, mode), bits & own ? all : 0,
			            bits & own ? RINGS_MORE / 100 : 0,
			            "the count is that of all bits if a bit for this level is set, "
			            "whichever thread it is for, else 0");
		}
	}
	pmu_workload_end();
}

/* ------------------------------------------------------------------------ crossing levels */

static uint64_t at_least(unsigned each)
{
	return each ? (uint64_t)each * RINGS_MORE - STARTS : 0;
}

/* Checks what one round certainly counts at its level and at CPL 0, and what
 * crosses between the levels. */
static void check_crossing(struct test_ctx *t, void (*code)(uint32_t, uint32_t), unsigned user,
                           unsigned kernel, unsigned crossing, unsigned crossing_user)
{
	static const unsigned levels[] = { PMU_OS, PMU_USR, PMU_BOTH };
	const struct netburst_event *e = netburst_event_find("instr_retired");
	struct netburst_use use;
	uint64_t got[3];

	rings_open_gates();
	for (enum cpu_mode mode = MODE_CPL1; mode <= MODE_CPL3; mode++) {
		for (unsigned i = 0; i < 3; i++) {
			struct pmu_setup s = netburst_setup(&use, e, "NBOGUSNTAG+NBOGUSTAG", 12,
			                                    levels[i]);

			rings_measure(&s, 1, code, mode, &got[i]);
		}
		test_sub(t, "%s", mode_name(mode));
		expect_same(t, "at CPL 0 and at CPL 1, 2, 3", got[0] + got[1], got[2], 2 * STARTS,
		            "each instruction has one level, and both bits together counted all");
		expect_bounds(t, "at CPL 1, 2, 3", got[1],
		              if_exact((uint64_t)(user + crossing_user) * RINGS_MORE,
		                       "an instruction that crosses levels counts at the level it "
		                       "leaves"), ELSE_NOTHING);
		expect_between(t, "at CPL 1, 2, 3", got[1], at_least(user),
		               (uint64_t)(user + crossing) * RINGS_MORE + STARTS,
		               "low: what begins and ends there; high: also all that crosses");
		expect_between(t, "at CPL 0", got[0], at_least(kernel),
		               (uint64_t)(kernel + crossing) * RINGS_MORE + STARTS,
		               "low: what begins and ends there; high: also all that crosses");
	}
}

TEST(transitions, .id = "netburst.qualify.transitions", .needs = need_netburst_modes,
     .runs = TEST_ALONE,
     .source = TS, .claim = "INT n and the IRET of its handler count at one of the two levels")
{
	check_crossing(t, rings_int, 2, 0, 2, 1);
}

/* UD2 does not retire, but instr_retired may count it where it starts. */
TEST(faults, .id = "netburst.qualify.faults", .needs = need_netburst_modes,
     .runs = TEST_ALONE,
     .source = TS, .claim = "the handler of a fault counts at CPL 0, the code at its own level")
{
	check_crossing(t, rings_fault, 2, 1, 2, 0);
}

/* Measures parts of one window's clocks: two counters and two ESCRs, one after the other. */
TEST(clocks, .id = "netburst.qualify.clocks", .needs = need_netburst_modes,
     .runs = TEST_ALONE, .source = TS,
     .claim = "clocks at CPL 0 and clocks at CPL 1 to 3 add up to the clocks at all levels")
{
	const struct netburst_event *e = netburst_event_find("global_power_events");
	struct netburst_use uses[3];
	struct pmu_setup apart[] = { netburst_setup(&uses[0], e, NULL, 0, PMU_OS),
	                             netburst_setup(&uses[1], e, NULL, 2, PMU_USR) };
	struct pmu_setup both = netburst_setup(&uses[2], e, NULL, 0, PMU_BOTH);
	const struct bounds at_work = else_in(2 * RINGS_MORE / INSNS_PER_CYCLE_MAX, UINT32_MAX,
	                                      "low: 16 instructions a clock; high: a second");

	for (enum cpu_mode mode = MODE_CPL0; mode <= MODE_CPL3; mode++) {
		uint64_t part[2], all;

		for (unsigned runs = 0;
		     runs < 2 || should_run_again(runs, part[mode != MODE_CPL0], at_work); runs++)
			rings_measure(apart, 2, rings_loop, mode, part);
		for (unsigned warm = 0; warm < 2; warm++)
			rings_measure(&both, 1, rings_loop, mode, &all);
		test_sub(t, "%s", mode_name(mode));
		expect_between(t, "clocks at the loop's level", part[mode != MODE_CPL0],
		               at_work.low, at_work.high, at_work.why);
		expect_bounds(t, "OS alone + USR alone", part[0] + part[1],
		              if_exact(all, "each clock has one level"), ELSE_SHOWN);
	}
}

/* ------------------------------------------------------------------------ what lasts */

TEST(lasting, .id = "netburst.qualify.lasting", .needs = need_netburst,
     .source = "SDM 3B, \"ESCR MSRs\"",
     .claim = "events that last for several cycles count only those in the ESCR's rings")
{
	struct netburst_use uses[2];
	const struct pmu_setup setups[] = {
		netburst_setup(&uses[0], netburst_event_find("global_power_events"), "RUNNING", 0,
		               PMU_OS),
		netburst_setup(&uses[1], netburst_event_find("TC_deliver_mode"), NULL, 4, PMU_USR),
	};
	struct pmu_reading r = pmu_measure(setups, 2, &workload_loop, 1000, 0);

	expect_between(t, "global_power_events, OS, at CPL 0", r.count[0], 1, UINT64_MAX,
	               "low: time passes; high: the manual does not say how much");
	expect_exact(t, "TC_deliver_mode, USR, at CPL 0", r.count[1], 0,
	             "nothing runs at CPL 1 to 3");
}

/* ------------------------------------------------------------------------ all combinations */

enum { ENABLE, OS, USR, OVF_PMI };

static void write_enables(unsigned x, unsigned bits)
{
	const unsigned flags = (unsigned)(enables_if(bits, OS, PMU_OS)
	                                  | enables_if(bits, USR, PMU_USR));
	struct netburst_use use;

	netburst_setup(&use, netburst_event_find("instr_retired"), "NBOGUSNTAG+NBOGUSTAG", x,
	               flags);
	msr_write(use.escr->msr, use.escr_value);
	msr_write(MSR_CCCR(x), (use.cccr_value & ~CCCR_ENABLE)
	          | enables_if(bits, ENABLE, CCCR_ENABLE)
	          | enables_if(bits, OVF_PMI, netburst_ovf_pmi(netburst_thread())));
}

static unsigned levels_of(unsigned x, unsigned bits)
{
	(void)x;
	return bits >> ENABLE & 1
	       ? (unsigned)(enables_if(bits, OS, PMU_OS) | enables_if(bits, USR, PMU_USR)) : 0;
}

TEST(combinations, .id = "netburst.qualify.combinations", .needs = need_netburst_modes,
     .source = NETBURST_SDM ", ESCR MSRs, CCCR MSRs",
     .claim = "a counter counts at the levels that its ESCR says, if ENABLE is 1, whatever OVF_PMI "
              "is")
{
	static const struct enables e = {
		{ "ENABLE", "OS", "USR", "OVF_PMI" }, 4, write_enables, levels_of, true,
	};

	for (unsigned x = 12; x < NETBURST_COUNTERS; x++)
		expect_enables(t, x, &e);
}
