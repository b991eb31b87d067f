/* SPDX-License-Identifier: MIT */
#include <pmu/drivers/suspend.h>

#include <stdbool.h>
#include <stddef.h>

#include <arch/regs/amd.h>
#include <arch/regs/netburst.h>
#include <arch/regs/perfmon.h>
#include <kernel/run/watchdog.h>
#include <pmu/core/driver.h>
#include <pmu/core/program.h>
#include <pmu/events/netburst_pmu.h>

/* Suffices for NetBurst, which has the most. */
enum { KEPT_MAX = NETBURST_ESCRS + 1 };

/* Saves, for a register of this processor, the bits of it that pausing clears. */
static struct warm_log { uint32_t msr; uint64_t bits, kept; } registers[KEPT_MAX];
static unsigned register_count;
static bool is_listed, is_suspended;

static void add(uint32_t msr, uint64_t bits)
{
	uint64_t value;

	if (register_count < KEPT_MAX && !is_fault(msr_try_read(msr, &value)))
		registers[register_count++] = (struct warm_log){ .msr = msr, .bits = bits };
}

static void add_row(const struct pmu_pausable *row)
{
	const struct pmu *p = pmu_get();
	uint32_t msr;

	if (p->version < row->since || (row->until && p->version > row->until))
		return;
	for (unsigned i = row->count ? row->count : p->gp_count; i-- > 0;) {
		msr = row->msr_of ? row->msr_of(i) : row->msr + i * row->stride;
		if (msr)
			add(msr, row->bits);
	}
}

/* Lists, once for each processor, which of the registers it has. */
static void list(void)
{
	const struct pmu_driver *d = pmu_get()->class->driver;

	if (is_listed)
		return;
	is_listed = true;
	pmu_set_forget_hook(pmu_suspend_forget);
	for (unsigned i = 0; d && i < d->pausable_count; i++)
		add_row(&d->pausables[i]);
}

/* Returns the address by which a register is listed: where AMD's have two, the later one. */
static uint32_t listed_as(uint32_t msr)
{
	const uint32_t n = msr - PERF_LEGACY_CTL(0);
	bool has_two = pmu_has(PMU_HAS_CORE_CTLS) && n < PERF_LEGACY_COUNTERS;

	return has_two ? PERF_CTL(n) : msr;
}

static struct warm_log *find(uint32_t msr)
{
	list();
	msr = listed_as(msr);
	for (unsigned i = 0; i < register_count; i++)
		if (registers[i].msr == msr)
			return &registers[i];
	return NULL;
}

/* Saves the bits and removes them from the register's value. */
static void keep(struct warm_log *k, uint64_t value)
{
	k->kept = value & k->bits;
	if (k->kept)
		msr_try_write(k->msr, value & ~k->bits);
}

void pmu_suspend(void)
{
	uint64_t value;

	list();
	if (is_suspended)
		return;
	for (unsigned i = register_count; i-- > 0;)
		if (!is_fault(msr_try_read(registers[i].msr, &value)))
			keep(&registers[i], value);
	is_suspended = true;
}

void pmu_resume(void)
{
	uint64_t value;

	if (!is_suspended)
		return;
	is_suspended = false;
	for (unsigned i = 0; i < register_count; i++)
		if (registers[i].kept && !is_fault(msr_try_read(registers[i].msr, &value)))
			msr_try_write(registers[i].msr, value | registers[i].kept);
}

void pmu_suspend_forget(void)
{
	is_listed = is_suspended = false;      /* `uarch` may have changed the PMU */
	register_count = 0;
}

/* ---------------------------------------------------------------------------- parking */

enum { COUNTERS_MAX = PMU_FIXED + 16 };
static struct { uint32_t msr; uint64_t value; } parked[COUNTERS_MAX];
static unsigned parked_count;

uint32_t pmu_place_to_write(unsigned counter, uint64_t value)
{
	const struct pmu *p = pmu_get();
	uint32_t msr = pmu_counter_msr(counter);
	uint64_t mask = UINT64_MAX >> (64 - pmu_counter_width(counter));

	if (counter >= PMU_FIXED || !pmu_has(PMU_HAS_SIGNED_WRITES)
	    || ((uint64_t)(int64_t)(int32_t)value & mask) == value)
		return msr;
	return p->capabilities & IA32_PERF_CAPABILITIES_FW_WRITE ? IA32_A_PMC(counter) : 0;
}

void pmu_park_counters(void)
{
	uint64_t value;

	parked_count = 0;
	for (unsigned i = 0; i < COUNTERS_MAX; i++) {
		uint32_t msr;

		if (!pmu_has_counter(i)
		    || is_fault(msr_try_read(pmu_counter_msr(i), &value)))
			continue;
		msr = pmu_place_to_write(i, value);
		if (!msr)
			continue;
		msr_try_write(msr, 0);
		parked[parked_count].msr = msr;
		parked[parked_count++].value = value;
	}
}

void pmu_unpark_counters(void)
{
	for (unsigned i = 0; i < parked_count; i++)
		msr_try_write(parked[i].msr, parked[i].value);
}

/* ---------------------------------------------------------------------------- registers */

fault_t pmu_awake_read(uint32_t msr, uint64_t *value)
{
	const struct warm_log *k = find(msr);
	fault_t fault;

	pmu_suspend();
	fault = msr_try_read(msr, value);
	if (k && !is_fault(fault))
		*value |= k->kept;
	return fault;
}

uint64_t pmu_awake_value(uint32_t msr)
{
	uint64_t value;

	return is_fault(pmu_awake_read(msr, &value)) ? 0 : value;
}

fault_t pmu_awake_write(uint32_t msr, uint64_t value)
{
	struct warm_log *k = find(msr);
	uint64_t now;
	fault_t fault;

	pmu_suspend();
	if (!k)
		return msr_try_write(msr, value);
	pmu_park_counters();
	fault = msr_try_write(msr, value);
	if (!is_fault(fault) && !is_fault(msr_try_read(k->msr, &now)))
		keep(k, now);
	pmu_unpark_counters();
	return fault;
}

fault_t pmu_awake_rdpmc(uint32_t index, uint64_t *value)
{
	pmu_suspend();
	return pmc_try_read(index, value);
}

/* ---------------------------------------------------------------------------- code */

/* Returns true if a PMI clears enable bits. They must then be read after the code has run. */
static bool is_frozen_by_pmi(void)
{
	uint64_t value;

	return pmu_debugctl() && !is_fault(msr_try_read(IA32_DEBUGCTL, &value))
	       && (value & pmu_debugctl() & (IA32_DEBUGCTL_FREEZE_LBRS_ON_PMI
	                                     | IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI));
}

/*
 * Lists the writes of a window. Omits those that do not fit, which are far more than counters can
 * use.
 */
static void list_switches(struct pmu_switch *s)
{
	uint64_t off[PMU_SWITCH_MAX];

	for (unsigned i = 0; i < register_count && s->on_count < PMU_SWITCH_MAX; i++) {
		const struct warm_log *k = &registers[i];

		if (!k->kept || is_fault(msr_try_read(k->msr, &off[s->on_count])))
			continue;
		pmu_switch_add_on(s, k->msr, off[s->on_count] | k->kept);
	}
	for (unsigned i = s->on_count; i-- > 0;)
		pmu_switch_add_off(s, s->on[i].msr, off[i]);
}

void pmu_awake_run(void (*code)(uint32_t rounds, uint32_t argument), uint32_t rounds,
                   uint32_t argument)
{
	static struct pmu_switch window;

	pmu_suspend();
	watchdog_pet();
	window.on_count = window.off_count = 0;
	if (!is_frozen_by_pmi())
		list_switches(&window);
	if (window.on_count) {
		pmu_window_take(&window, code, rounds, argument);
		return;
	}
	pmu_resume();
	code(rounds, argument);
	pmu_suspend();
}
