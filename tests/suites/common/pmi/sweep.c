/* SPDX-License-Identifier: MIT */
/*
 * The code is always the same; the preset alone moves the overflow. Two windows far from an
 * overflow tell what the code counts, so that nothing here depends on whether a WRMSR counts
 * itself. The number of the action's instruction comes from an RDPMC in its place.
 */
#include <tests/suites/common/pmi/sweep.h>

#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/regs/amd.h>
#include <arch/regs/cpu.h>
#include <arch/regs/netburst.h>
#include <kernel/lib/format.h>
#include <kernel/run/watchdog.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/common/pmi/sweep_code.h>

enum { FARTHEST = 64 };

/*
 * Counts to an overflow that does not come: more than any handler in a window retires. It is also
 * what SWEEP_COUNTER writes.
 */
#define FAR  (UINT64_C(1) << 30)

/*
 * No manual says within how many instructions an overflow reaches the status register and LVTPC.
 * Nearer than this, a machine that is not exact is judged by its counter alone. The number is the
 * instructions that four clocks retire at four in a clock.
 */
#define UNSETTLED  16

struct sweep {
	enum sweep_action action;
	struct pmu_setup setup;
	uint64_t position;             /* instructions counted before the action's */
	uint64_t total;                /* instructions counted in the whole window */
	uint64_t rewritten;            /* SWEEP_COUNTER: the counter's value after the window */
	uint64_t missing;              /* counts to the overflow in this window */
	bool is_near;                  /* nothing settles the status and the PMI */
};

/* ---------------------------------------------------------------------------- one window */

static void set_write(uint32_t msr, uint64_t value)
{
	sweep_write = (struct sweep_write){ msr, (uint32_t)value, (uint32_t)(value >> 32) };
}

static bool is_netburst(void)
{
	return pmu_has(PMU_HAS_CCCRS);
}

/*
 * A legacy write of IA32_PMC0 extends bit 31; NetBurst's and AMD's counters take all of their bits.
 */
static void set_counter_write(uint64_t value)
{
	uint32_t msr = pmu_counter_msr(pmi_counter(0));

	set_write(msr, is_netburst() || counting_is_amd() ? value & counter_mask(pmi_counter(0))
	                                                  : (uint32_t)value);
}

/* Where AMD has six counters, the one of IA32_PERFEVTSEL0 is PERF_CTL0, which is PerfEvtSel0. */
static uint32_t select(void)
{
	return counting_is_amd() ? PERF_LEGACY_CTL(0) : IA32_PERFEVTSEL(0);
}

/* Returns IA32_PERFEVTSEL0, which P6 calls PerfEvtSel0, as programmed but with EN = 0. */
static uint64_t control_without_en(const struct pmu_setup *s)
{
	return (msr_read(select()) & ~(uint64_t)IA32_PERFEVTSEL_EN) | s->event |
	       IA32_PERFEVTSEL_OS | (s->flags & PMU_INT ? IA32_PERFEVTSEL_INT : 0);
}

static void prepare_action(const struct sweep *s)
{
	switch (s->action) {
	case SWEEP_EN:
		if (is_netburst())
			set_write(MSR_CCCR(pmi_counter(0)), 0);
		else
			set_write(select(), control_without_en(&s->setup));
		break;
	case SWEEP_GLOBAL_CTRL:
		set_write(pmu_get()->class->global_ctrl, 0);
		break;
	case SWEEP_COUNTER:
		set_counter_write(0 - FAR);
		break;
	case SWEEP_DEBUGCTL:
		set_write(IA32_DEBUGCTL, IA32_DEBUGCTL_LBR);
		break;
	case SWEEP_STATUS:
		set_write(counting_is_amd() ? PerfCntrGlobalStatusClr
		                            : IA32_PERF_GLOBAL_OVF_CTRL,
		          counter_bit(pmi_counter(0)));
		break;
	case SWEEP_RDPMC:
		set_write(pmu_rdpmc_index(pmi_counter(0)), 0);
		break;
	case SWEEP_HLT:
		wake_after(1);
		break;
	}
}

static const struct sweep *current;

static void before(void) { prepare_action(current); }

static void (*code_of(enum sweep_action action))(uint32_t rounds, uint32_t argument)
{
	return action == SWEEP_RDPMC ? sweep_by_rdpmc
	       : action == SWEEP_HLT ? sweep_by_hlt : sweep_by_wrmsr;
}

/* Runs one window with an overflow after so many counts. Only the HLT needs interrupts. */
static const struct pmi_log *run_once(struct sweep *s, uint64_t missing, unsigned interrupt)
{
	const struct pmi_log *log;
	uintptr_t flags = flags_read();

	s->missing = missing;
	s->setup = pmi_instructions(pmi_counter(0), PMU_OS | interrupt, 0);
	s->setup.start = 0 - missing;
	current = s;
	interrupts_disable();
	if (s->action == SWEEP_HLT)
		interrupts_enable();
	log = pmi_run(&(const struct pmi_window){ .setups = &s->setup, .count = 1,
	              .code = code_of(s->action), .before = before });
	if (s->action == SWEEP_HLT)
		wake_stop();
	if (s->action == SWEEP_DEBUGCTL)
		msr_write(IA32_DEBUGCTL, 0);
	flags_write(flags);
	return log;
}

/* Runs it again if an SMI or a tick fell into it; where no SMI is seen, until two runs agree. */
static const struct pmi_log *run(struct sweep *s, uint64_t missing, unsigned interrupt)
{
	enum { TRIES = 5 };
	const struct pmi_log *log = run_once(s, missing, interrupt);
	uint64_t last = pmu_read(pmi_counter(0)) - 1;

	for (unsigned i = 1; i < TRIES; i++) {
		const uint64_t value = pmu_read(pmi_counter(0));

		if (pmu_was_disturbed() || (pmu_is_blind() && value != last))
			log = run_once(s, missing, interrupt);
		else
			break;
		last = value;
	}
	return log;
}

/* ---------------------------------------------------------------------------- what must hold */

/* Returns how far a value of the counter is beyond the preset of the window. */
static uint64_t counted(const struct sweep *s, uint64_t value)
{
	return pmu_difference(pmi_counter(0), value, 0 - s->missing);
}

/* Returns whether so many counts after the preset come in this window. */
static bool comes(const struct sweep *s, uint64_t counts)
{
	return counts <= (s->action == SWEEP_COUNTER ? s->position : s->total);
}

/* A CCCR holds the overflow's bit, too. */
static bool clears_status(const struct sweep *s)
{
	return s->action == SWEEP_STATUS || (s->action == SWEEP_EN && is_netburst());
}

static bool judge_value(struct test_ctx *t, const struct sweep *s)
{
	unsigned counter = pmi_counter(0);
	uint64_t value = pmu_read(counter);

	if (s->action == SWEEP_COUNTER)
		return expect_exact(t, "the counter", pmu_difference(counter, value, s->rewritten),
		                    0, "it counts on from the value written, as it does far from "
		                    "an overflow");
	return expect_same(t, "counts from the preset", counted(s, value), s->total,
	                   s->action == SWEEP_HLT ? pmi_return_slack() : 0,
	                   "the same code far from an overflow counts so many");
}

static bool judge_read(struct test_ctx *t, const struct sweep *s)
{
	if (s->action != SWEEP_RDPMC)
		return true;
	return expect_bounds(t, "counts that RDPMC read", counted(s, sweep_read),
	                     if_exact(s->position, "all instructions before the RDPMC"),
	                     else_in(0, s->total, "low: it began there; high: the whole window"));
}

static bool judge_status(struct test_ctx *t, const struct sweep *s)
{
	bool is_cleared = clears_status(s) && s->missing <= s->position;
	bool is_set = (pmu_status() & counter_bit(pmi_counter(0))) != 0;

	if (!pmu_has_status())
		return true;
	if (s->is_near && (clears_status(s) || s->action == SWEEP_COUNTER)) {
		test_report(t, "the overflow's status bit", "%u", is_set);
		return true;
	}
	return expect_exact(t, "the overflow's status bit", is_set,
	                    comes(s, s->missing) && !is_cleared,
	                    "1 if the counter wrapped, unless the action cleared it afterwards");
}

/* On NetBurst the PMI comes with the count after the overflow, which the action may prevent. */
static bool judge_pmis(struct test_ctx *t, const struct sweep *s, const struct pmi_log *log)
{
	bool is_due = comes(s, s->missing + pmi_lag()) && !s->is_near;

	return expect_between(t, "PMIs", log->count, is_due, comes(s, s->missing),
	                      "low: one if it is due long enough before the action, or after it; "
	                      "high: one for an overflow");
}

/* ---------------------------------------------------------------------------- the sweep */

/* Finds what the code counts far from an overflow, and where in it the action is. */
static void find_counts(struct sweep *s)
{
	struct sweep reading = { .action = SWEEP_RDPMC };

	run(&reading, FAR, 0);
	s->position = counted(&reading, sweep_read);
	run(s, FAR, 0);
	s->rewritten = pmu_read(pmi_counter(0));
	s->total = counted(s, s->rewritten);
}

static bool judge_distance(struct test_ctx *t, struct sweep *s, int distance)
{
	uint64_t missing = s->position + 1 + (uint64_t)(int64_t)distance;
	const struct pmi_log *log;

	s->is_near = !pmu_is_exact() && distance >= -UNSETTLED && distance <= UNSETTLED;
	test_sub(t, "overflow at %d instructions from the action, INT = 0", distance);
	log = run(s, missing, 0);
	if (!expect_exact(t, "PMIs", log->count, 0, "no overflow with INT = 1") ||
	    !judge_value(t, s) || !judge_read(t, s) || !judge_status(t, s))
		return false;
	test_sub(t, "overflow at %d instructions from the action, INT = 1", distance);
	log = run(s, missing, PMU_INT);
	return judge_pmis(t, s, log);
}

void sweep_judge(struct test_ctx *t, enum sweep_action action)
{
	struct sweep s = { .action = action };

	find_counts(&s);
	if (!expect_between(t, "the number of the action's instruction", s.position + 1,
	                    FARTHEST + 1, FAR, "low: all distances are in the window; high: no "
	                    "overflow comes"))
		return;
	for (int distance = -FARTHEST; distance <= FARTHEST; distance++) {
		watchdog_renew();       /* where a guest's HLT takes 20 ms, all take seconds */
		if (!judge_distance(t, &s, distance))
			return;
	}
}
