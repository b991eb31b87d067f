/* SPDX-License-Identifier: MIT */
/* Looks at the PMU: is it absent, faulting, swallowing writes, dead, or counting? */
#include <pmu/core/pmu.h>

#include <stddef.h>

#include <arch/regs/perfmon.h>
#include <arch/smp/smp.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <kernel/run/test.h>
#include <kernel/run/watchdog.h>
#include <pmu/core/driver.h>
#include <pmu/workload/workload.h>

static struct pmu pmu;         /* of this processor, as all that is not SHARED */

const struct pmu *pmu_get(void) { return &pmu; }
const struct pmu *pmu_of(unsigned cpu) { return smp_private_of(cpu, &pmu); }

/* Is long enough that no stray events add up to as many. */
#define PROBE_ROUNDS  1000

/* Writes global control, the only register that only some versions of a class have. */
static fault_t switch_global(const struct pmu *p, uint64_t value)
{
	return p->version >= 2 ? msr_try_write(p->class->global_ctrl, value) : FAULT_NONE;
}

/* Threads that share a PMU select in its registers which of them counts. */
static uint64_t value_here(const struct pmu *p, const struct pmu_write *w)
{
	const struct pmu_driver *d = p->class->driver;

	return w->second && d->thread() ? w->second : w->value;
}

static fault_t switch_on(const struct pmu *p, const struct pmu_probe *probe)
{
	fault_t fault = switch_global(p, probe->global);

	for (unsigned i = 0; i < PMU_PROBE_WRITES; i++) {
		const struct pmu_write *w = &probe->on[i];

		if (!w->msr || is_fault(fault))
			break;
		fault = msr_try_write(w->msr, value_here(p, w));
	}
	return fault;
}

static void switch_off(const struct pmu *p, const struct pmu_probe *probe)
{
	switch_global(p, 0);
	for (unsigned i = PMU_PROBE_WRITES; i-- > 0;)
		if (probe->on[i].msr)
			msr_try_write(probe->on[i].msr, 0);
}

static fault_t count_with(const struct pmu *p, const struct pmu_probe *probe, uint32_t rounds,
                          uint64_t *count)
{
	uint64_t before = 0, after = 0;
	fault_t fault = msr_try_read(probe->counter, &before);

	watchdog_pet();                 /* delays its tick, which would be counted */
	if (!is_fault(fault))
		fault = switch_on(p, probe);
	if (!is_fault(fault))
		workload_loop.code(rounds, 0);
	switch_off(p, probe);
	if (!is_fault(fault))
		fault = msr_try_read(probe->counter, &after);
	*count = pmu_sign_extend(after - before, p->gp_width);
	return fault;
}

/* A tick of the watchdog would be counted; it is delayed first, so the second try gets none. */
static fault_t count_undisturbed(const struct pmu *p, const struct pmu_probe *probe,
                                 uint32_t rounds, uint64_t *count)
{
	unsigned ticks = watchdog_ticks();
	fault_t fault = count_with(p, probe, rounds, count);

	return ticks == watchdog_ticks() ? fault : count_with(p, probe, rounds, count);
}

fault_t pmu_count_loop(const struct pmu *p, uint32_t rounds, uint64_t *count)
{
	return count_undisturbed(p, &p->class->probe, rounds, count);
}

/*
 * Returns true if the register that starts the count, which is written last, keeps what is written.
 */
static bool is_holding(const struct pmu *p, uint64_t *got, const struct pmu_write **w)
{
	fault_t fault;

	*w = &p->class->probe.on[0];
	msr_try_write((*w)->msr, (*w)->value);
	fault = msr_try_read((*w)->msr, got);
	msr_try_write((*w)->msr, 0);
	return !is_fault(fault) && *got == (*w)->value;
}

/* SDM 4, IA32_MISC_ENABLE: bit 7, "Performance Monitoring Available", may only be read. */
static void judge_misc_enable(struct pmu *p)
{
	size_t used = strlen(p->verdict);
	uint64_t value;

	if (pmu_has(PMU_HAS_PERFMON_BIT)
	    && !is_fault(msr_try_read(IA32_MISC_ENABLE, &value))
	    && !(value & IA32_MISC_ENABLE_PERFMON))
		format_buf(p->verdict + used, sizeof(p->verdict) - used,
		           "; IA32_MISC_ENABLE[7] = 0 says that there is none");
}

#define VERDICT(p, ...) format_buf((p)->verdict, sizeof((p)->verdict), __VA_ARGS__)

/* Writes "IA32_PMC1 by 2029, IA32_FIXED_CTR0 by 2031": what the loop moves; "" if nothing. */
static void try_others(const struct pmu *p, char *text, size_t size)
{
	size_t used = 0;
	uint64_t count;

	text[0] = '\0';
	for (unsigned i = 0; i < p->class->other_count && used < size; i++) {
		const struct pmu_probe *probe = &p->class->others[i];

		if (!is_fault(count_undisturbed(p, probe, PROBE_ROUNDS, &count)) && count)
			used += (size_t)format_buf(text + used, size - used, "%s%s by %" PRId64,
			                           used ? ", " : "", probe->name, count);
	}
}

/* The first counter does not count. Another one may: then it is that counter, not the PMU. */
static void judge_dead(struct pmu *p, uint64_t count)
{
	char others[112];

	p->state = PMU_IS_DEAD;
	try_others(p, others, sizeof(others));
	if (others[0])
		VERDICT(p, "a dead counter: %u instructions moved %s by %" PRId64 ", but %s",
		        2 * PROBE_ROUNDS, p->class->probe.name, count, others);
	else
		VERDICT(p, "a dead PMU: its registers hold values, but %u instructions moved the "
		        "counter by %" PRId64 ", and no other", 2 * PROBE_ROUNDS, count);
}

static void judge(struct pmu *p)
{
	char text[FAULT_TEXT_SIZE];
	const struct pmu_write *w;
	uint64_t count, got = 0;
	fault_t fault;

	if (p->class->register_count == 0 || p->gp_count == 0 || p->gp_width - 1 > 63) {
		p->state = PMU_IS_ABSENT;
		VERDICT(p, "no PMU: %s", p->because);
		return;
	}
	fault = pmu_count_loop(p, PROBE_ROUNDS, &count);
	if (is_fault(fault)) {
		p->state = PMU_FAULTS;
		VERDICT(p, "a PMU that is not there: %s, but its registers raise %s",
		        p->because, fault_text(fault, text));
	} else if (!is_holding(p, &got, &w)) {
		p->state = PMU_SWALLOWS;
		VERDICT(p, "a PMU that is not there: MSR %" PRIX32 "H takes %" PRIX64 "H and reads "
		        "%" PRIX64 "H", w->msr, w->value, got);
	} else if ((int64_t)count < 2 * PROBE_ROUNDS) {
		judge_dead(p, count);
	} else {
		p->state = PMU_COUNTS;
		VERDICT(p, "a PMU that counts: %u instructions moved the counter by %" PRIu64,
		        2 * PROBE_ROUNDS, count);
	}
}

void pmu_examine(const struct pmu_class *class, bool is_forced)
{
	struct pmu *p = &pmu;

	*p = (struct pmu){
		.class = class, .is_forced = is_forced,
		.because = is_forced ? "uarch says so" : class->because,
		.gp_count = class->count, .gp_width = class->width,
	};
	if (class->enumerate)
		class->enumerate(p);
	pmu_save_initial(p);
	judge(p);
	judge_misc_enable(p);
}
