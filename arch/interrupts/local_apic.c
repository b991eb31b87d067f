/* SPDX-License-Identifier: MIT */
/* Source: SDM 3A, "Advanced Programmable Interrupt Controller (APIC)". */
#include <arch/interrupts/local_apic.h>

#include <arch/clock/clocks.h>
#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/modes/segments.h>
#include <arch/regs/msr.h>

#define ICR_MS              10          /* an IPI leaves in a few us */
#define RATE_US             1000        /* a measurement of the timer's rate */
#define RATE_MEASUREMENTS   3           /* where the timer ends before it is read */
#define READINGS_MAX        32
#define USUAL_TIMER_KHZ     100000u     /* where no clock measures it */

static uint32_t timer_khz;
static struct apic_state state = { .reason = "apic_init() was not called" };

const struct apic_state *apic_get_state(void) { return &state; }

uint32_t apic_read(uint32_t offset)
{
	if (state.is_x2apic)
		return (uint32_t)msr_read(IA32_X2APIC(offset));
	return mmio_read32(state.base + offset);
}

void apic_write(uint32_t offset, uint32_t value)
{
	if (state.is_x2apic)
		msr_write(IA32_X2APIC(offset), value);
	else
		mmio_write32(state.base + offset, value);
}

uint32_t apic_get_id(void)
{
	uint32_t id = apic_read(APIC_ID);

	return state.is_x2apic ? id : id >> 24;
}

void apic_end_of_interrupt(void)
{
	apic_write(APIC_EOI, 0);
}

void apic_mask_lvtpc(void)
{
	if (state.is_present && state.has_lvtpc)
		apic_write(APIC_LVTPC, APIC_LVT_MASK);
}

bool apic_is_in_service(unsigned vector)
{
	return (apic_read(APIC_ISR(vector)) >> (vector & 31) & 1) != 0;
}

bool apic_is_requested(unsigned vector)
{
	return (apic_read(APIC_IRR(vector)) >> (vector & 31) & 1) != 0;
}

/*
 * Family 5 has no IA32_APIC_BASE. On later ones CPUID's bit follows EN, or is clear although EN is
 * set.
 */
static void find_by_cpuid(void)
{
	state.is_present = cpuid_get(CPUID_APIC) != 0;
	state.base = APIC_DEFAULT_ADDRESS;
	state.reason = state.is_present ? "CPUID.1:EDX[9] (APIC) = 1" : "CPUID.1:EDX[9] (APIC) = 0";
}

/* Firmware of P6 laptops left EN clear. If there is an APIC, EN can be set until the next reset. */
static uint64_t enable_globally(uint64_t base)
{
	uint64_t now;

	if (is_fault(msr_try_write(IA32_APIC_BASE, base | IA32_APIC_BASE_EN))
	    || is_fault(msr_try_read(IA32_APIC_BASE, &now)))
		return base;
	state.was_globally_disabled = (now & IA32_APIC_BASE_EN) != 0;
	return now;
}

static void find_by_base(uint64_t base)
{
	if (!(base & IA32_APIC_BASE_EN))
		base = enable_globally(base);
	state.is_present = (base & IA32_APIC_BASE_EN) != 0;
	state.is_x2apic = state.is_present && (base & IA32_APIC_BASE_EXTD) != 0;
	state.base = (uintptr_t)(base & IA32_APIC_BASE_ADDRESS);
	state.reason = state.is_present ? "IA32_APIC_BASE[11] (EN) = 1"
	                                : "IA32_APIC_BASE[11] (EN) = 0 and cannot be set";
}

static void find(void)
{
	uint64_t base;

	state = (struct apic_state){ .reason = "no MSRs, no CPUID.1:EDX[9]" };
	if (!cpuid_get(CPUID_MSR) || cpuid_get(CPUID_BASE_FAMILY) < 6)
		find_by_cpuid();
	else if (is_fault(msr_try_read(IA32_APIC_BASE, &base)))
		find_by_cpuid();
	else
		find_by_base(base);
}

/*
 * A version of 0 or all ones means that memory, or nothing, answers at that address instead of an
 * APIC.
 */
static void check_version(void)
{
	uint32_t version = apic_read(APIC_VERSION);

	if (version != 0 && version != UINT32_MAX)
		return;
	state.is_present = false;
	state.reason = "nothing answers at the address of the local APIC";
}

/*
 * The version's number of the highest entry is 3 on P5: timer, LINT0, LINT1 and error. LVTPC exists
 * if the number is 4 or more, from P6 on.
 */
static void find_lvtpc(void)
{
	state.has_lvtpc = FIELD_GET(APIC_VERSION_MAX_LVT, apic_read(APIC_VERSION)) >= 4;
	state.found_lvtpc = state.has_lvtpc ? apic_read(APIC_LVTPC) : 0;
}

static void mask_entries(void)
{
	static const uint32_t entries[] = { APIC_LVT_TIMER, APIC_LVT_ERROR, APIC_LVTPC };

	for (unsigned i = 0; i < (state.has_lvtpc ? 3 : 2); i++)
		apic_write(entries[i], APIC_LVT_MASK);
}

/* x2APIC mode can only be entered from xAPIC mode, and left only by disabling the APIC. */
static void enter_x2apic(void)
{
	uint64_t base = msr_read(IA32_APIC_BASE) | IA32_APIC_BASE_EXTD;

	state.is_x2apic = !is_fault(msr_try_write(IA32_APIC_BASE, base));
}

void apic_init(bool want_x2apic)
{
	uint32_t spurious;

	find();
	if (state.is_present)
		check_version();
	if (!state.is_present)
		return;
	if (want_x2apic && !state.is_x2apic && cpuid_get(CPUID_X2APIC))
		enter_x2apic();
	find_lvtpc();
	spurious = apic_read(APIC_SVR);
	state.was_software_disabled = !(spurious & APIC_SVR_ENABLE);
	apic_write(APIC_SVR, (spurious & ~(uint32_t)APIC_SVR_VECTOR) | APIC_SVR_ENABLE
	                     | VECTOR_APIC_SPURIOUS);
	apic_write(APIC_TPR, 0);
	mask_entries();
}

/*
 * The interrupt must not arrive before what this processor has stored for the other one: a store to
 * the xAPIC's page is in order, but in x2APIC mode WRMSR does not wait (SDM 3A, "MSR Access in
 * x2APIC Mode").
 */
static void send_command(uint32_t id, uint32_t command)
{
	struct clock_limit limit = clock_limit_ms(ICR_MS);

	if (state.is_x2apic) {
		cpu_fence();
		msr_write(IA32_X2APIC(APIC_ICR_LOW), (uint64_t)id << 32 | command);
		return;
	}
	apic_write(APIC_ICR_HIGH, id << 24);
	apic_write(APIC_ICR_LOW, command);
	while ((apic_read(APIC_ICR_LOW) & APIC_ICR_BUSY) && !clock_is_over(&limit))
		cpu_pause();
}

void apic_send(uint32_t id, unsigned delivery, unsigned vector)
{
	uint32_t level = delivery == APIC_DELIVERY_INIT && !state.is_x2apic ? APIC_ICR_LEVEL : 0;

	send_command(id, (uint32_t)APIC_ICR_ASSERT | level | vector
	                 | (uint32_t)FIELD_PUT(APIC_LVT_DELIVERY, delivery));
}

/*
 * SDM 3A, "Issuing IPIs in x2APIC mode": in that mode the ICR has neither level nor trigger mode.
 */
void apic_send_init_deassert(uint32_t id)
{
	if (!state.is_x2apic)
		send_command(id, (uint32_t)APIC_ICR_LEVEL
		                 | (uint32_t)FIELD_PUT(APIC_LVT_DELIVERY, APIC_DELIVERY_INIT));
}

/*
 * The self shorthand allows only fixed delivery (SDM 3A, table "Valid Combinations for the ...
 * ICR"), so all interrupts are sent to this processor's own ID instead.
 */
void apic_send_self(unsigned delivery, unsigned vector)
{
	apic_send(apic_get_id(), delivery, vector);
}

void apic_timer_start(unsigned vector, uint32_t count)
{
	apic_write(APIC_TIMER_DIVIDE, APIC_TIMER_DIVIDE_BY_1);
	apic_write(APIC_LVT_TIMER, vector);
	apic_write(APIC_TIMER_INITIAL, count);
}

void apic_timer_stop(void)
{
	apic_write(APIC_LVT_TIMER, APIC_LVT_MASK);
	apic_write(APIC_TIMER_INITIAL, 0);
}

/* A reading of the timer, made within `width` ticks of the TSC after `tsc`. */
struct timer_reading {
	uint64_t tsc, width;
	uint32_t clocks;
};

/*
 * Returns the first reading that took 10 us at most, else the shortest one: a host may suspend the
 * machine in any of them, as one with two busy cores did for milliseconds. Between two readings it
 * may do so, because the timer and the TSC run on.
 */
static struct timer_reading read_timer(void)
{
	struct timer_reading best = { 0, UINT64_MAX, 0 };

	for (unsigned i = 0; i < READINGS_MAX && best.width > tsc_khz() / 100; i++) {
		const uint64_t before = tsc_read();
		const uint32_t clocks = apic_read(APIC_TIMER_CURRENT);
		const uint64_t width = tsc_read() - before;

		if (width < best.width)
			best = (struct timer_reading){ before, width, clocks };
	}
	return best;
}

/* Returns the timer's clocks per ms, by the TSC, or 0 if the timer had ended meanwhile. */
static uint32_t measure_rate(void)
{
	struct timer_reading first, last;
	uint64_t ticks, clocks;

	apic_timer_start(APIC_LVT_MASK, UINT32_MAX);
	first = read_timer();
	clock_wait_us(RATE_US);
	last = read_timer();
	apic_timer_stop();
	ticks = last.tsc - first.tsc;
	clocks = (uint64_t)(first.clocks - last.clocks) * tsc_khz();
	return !ticks || ticks >> 32 || clocks >> 32 >= ticks || !last.clocks ? 0
	       : divide_u64(clocks, (uint32_t)ticks);
}

void apic_timer_measure(void)
{
	uint32_t khz = 0;

	if (!state.is_present || !tsc_khz())
		return;
	for (unsigned i = 0; i < RATE_MEASUREMENTS && !khz; i++)
		khz = measure_rate();
	timer_khz = khz;
}

uint32_t apic_timer_khz(void)
{
	return timer_khz ? timer_khz : USUAL_TIMER_KHZ;
}

uint32_t apic_timer_clocks(uint32_t us)
{
	const uint64_t product = (uint64_t)us * apic_timer_khz();

	return product >> 32 >= 1000 ? UINT32_MAX : divide_u64(product, 1000);
}
