/* SPDX-License-Identifier: MIT */
/* Source: SDM 3A, "Local Vector Table"; SDM 3B, "Generating an Interrupt on Overflow". */
#include <pmu/core/pmi.h>

#include <stddef.h>

#include <arch/cpu/insn.h>
#include <arch/interrupts/local_apic.h>
#include <arch/regs/cpu.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <kernel/run/test.h>
#include <kernel/run/watchdog.h>
#include <pmu/core/program.h>

/* A PAUSE takes about 10 ns or more; a PMI arrives within a microsecond, or never. */
#define WAIT_PAUSES  100000u

/* The longest skid seen on silicon is some hundred cycles; a PAUSE takes 4 or more. */
#define SETTLE_PAUSES  500u

static struct pmi_log seen;
static void (*client)(struct frame *f);
static uint32_t entry;                  /* LVTPC, unmasked */
/* A handler may read these at any instruction, so no store may move past one to LVTPC. */
static volatile bool is_masked_here;    /* LVTPC is masked by this code, or may be */
static volatile bool was_tick;          /* the last PMI's handler found the watchdog's tick */

const struct pmi_log *pmi_get_log(void) { return &seen; }

/* Returns NULL, or why there is no LVTPC. */
static const char *lvtpc_missing(void)
{
	static char text[64];

	if (!apic_get_state()->is_present)
		return apic_get_state()->reason;
	if (apic_get_state()->has_lvtpc)
		return NULL;
	format_buf(text, sizeof(text), "the APIC's version register says max LVT = %u",
	           (unsigned)FIELD_GET(APIC_VERSION_MAX_LVT, apic_read(APIC_VERSION)));
	return text;
}

const char *pmi_unavailable(void)
{
	static char text[128];
	const char *missing = lvtpc_missing();

	if (pmu_get()->class->no_pmi || !missing)
		return pmu_get()->class->no_pmi;
	format_buf(text, sizeof(text), "no LVTPC: %s", missing);
	return text;
}

unsigned pmi_lag(void)
{
	return pmu_get()->class->pmi_lag;
}

uint64_t pmi_start(uint64_t missing)
{
	return missing ? pmi_lag() - missing : 0;
}

void pmi_acknowledge(void)
{
	pmu_clear_status(pmu_status());
	apic_write(APIC_LVTPC, entry);
}

static unsigned cpl_of(const struct frame *f)
{
	return f->flags & EFLAGS_VM ? 3 : f->cs & 3;
}

static void take(struct frame *f)
{
	unsigned i = seen.count++;

	is_masked_here = false;
	if (i < PMI_LOG_SIZE) {
		seen.ip[i] = f->ip;
		seen.cpl[i] = cpl_of(f);
		seen.status[i] = pmu_status();
		seen.lvtpc[i] = apic_read(APIC_LVTPC);
	}
	if (client)
		client(f);
	else
		pmi_acknowledge();
}

/*
 * If the watchdog's tick came at the same time, the traces of a PMI tell whether there was one: an
 * overflow in the status register, or LVTPC's mask if it was not set here. Without such traces this
 * NMI was the tick's own. If a tick came while the handler of a PMI began, that handler found it,
 * and the tick's own NMI is the next one.
 *
 * Without a status register an overflow shows in the changed sign of a counter. This is checked at
 * each NMI, so that the overflow of this one does not make the next one look like a PMI. A counter
 * that the handler wrote again, and that overflowed before the handler's end, counts for the next
 * NMI.
 */
static void on_nmi(struct frame *f, bool is_sure)
{
	bool is_masked = !is_masked_here && (apic_read(APIC_LVTPC) & APIC_LVT_MASK);
	bool may_be_tick = !is_sure || was_tick;
	bool has_status = pmu_has_status();
	uint32_t overflows = has_status ? 0 : pmu_take_overflows();

	was_tick = false;
	seen.user_returns += cpl_of(f) != 0;
	if (may_be_tick && !is_masked) {
		if (has_status ? pmu_status() == 0 : overflows == 0)
			return;
		seen.unsure++;
	}
	was_tick = !is_sure;
	seen.at_ticks += !is_sure;
	take(f);
}

static void on_interrupt(struct frame *f)
{
	seen.user_returns += cpl_of(f) != 0;
	take(f);
	apic_end_of_interrupt();
}

/*
 * Writes LVTPC. While its mask may come from this code, the handler of a tick must not take it for
 * a PMI's.
 */
static void write_lvtpc(uint32_t value)
{
	const volatile unsigned *count = &seen.count;
	unsigned count_before = *count;

	is_masked_here = is_masked_here || (value & APIC_LVT_MASK);
	apic_write(APIC_LVTPC, value);
	if (!(value & APIC_LVT_MASK) && *count == count_before)  /* else a handler wrote it */
		is_masked_here = false;
}

void pmi_listen(enum pmi_delivery delivery, void (*on_pmi)(struct frame *f))
{
	if (lvtpc_missing())
		test_abort("there is no LVTPC: %s", lvtpc_missing());
	memset(&seen, 0, sizeof(seen));
	client = on_pmi;
	entry = delivery == PMI_NMI ? (uint32_t)FIELD_PUT(APIC_LVT_DELIVERY, APIC_DELIVERY_NMI)
	                            : PMI_VECTOR;
	was_tick = false;
	is_masked_here = true;
	nmi_set_handler(delivery == PMI_NMI ? on_nmi : NULL);
	interrupt_set_handler(PMI_VECTOR, delivery == PMI_FIXED ? on_interrupt : NULL);
	write_lvtpc(entry);
}

bool pmi_wait(unsigned count)
{
	const volatile unsigned *now = &seen.count;

	for (unsigned i = 0; i < WAIT_PAUSES && *now < count; i++)
		cpu_pause();
	return *now >= count;
}

void pmi_settle(void)
{
	for (unsigned i = 0; i < SETTLE_PAUSES; i++)
		cpu_pause();
}

void pmi_set_mask(bool masked)
{
	uint32_t lvtpc = apic_read(APIC_LVTPC) & ~APIC_LVT_MASK;

	write_lvtpc(masked ? lvtpc | APIC_LVT_MASK : lvtpc);
}

static void drop(struct frame *f)
{
	(void)f;
	apic_end_of_interrupt();
}

/*
 * An interrupt in service belongs to a handler that a test left; one that is requested waits for
 * STI.
 */
static void drop_fixed(void)
{
	uintptr_t flags = flags_read();

	if (apic_is_in_service(PMI_VECTOR))
		apic_end_of_interrupt();
	if (!apic_is_requested(PMI_VECTOR))
		return;
	interrupt_set_handler(PMI_VECTOR, drop);
	interrupts_enable();
	for (unsigned i = 0; i < WAIT_PAUSES && apic_is_requested(PMI_VECTOR); i++)
		cpu_pause();
	flags_write(flags);
}

void pmi_stop(void)
{
	if (lvtpc_missing())
		return;
	write_lvtpc(APIC_LVT_MASK);
	drop_fixed();
	nmi_set_handler(NULL);
	interrupt_set_handler(PMI_VECTOR, NULL);
	is_masked_here = false;
}
