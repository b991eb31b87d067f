/* SPDX-License-Identifier: MIT */
#include <kernel/run/watchdog.h>

#include <stddef.h>

#include <arch/cpu/insn.h>
#include <arch/cpu/pit.h>
#include <arch/interrupts/ioapic.h>
#include <arch/interrupts/local_apic.h>
#include <arch/interrupts/pic.h>
#include <arch/modes/segments.h>
#include <arch/regs/cpu.h>
#include <arch/smp/smp.h>
#include <kernel/run/perturb.h>

#define TICK_CLOCKS       65535u                          /* 55 ms, the longest one shot */
_Static_assert(WATCHDOG_TICKS_PER_SECOND == PIT_HZ / TICK_CLOCKS, "watchdog.h");
#define TRIAL_CLOCKS      1193u                           /* 1 ms */

/*
 * The polls of the 8254 during a trial of 1 ms; pit.c says how long a poll takes. Once the 8254's
 * output has risen, the interrupt must arrive within TRIAL_GRACE more polls: on hardware it arrives
 * at once, in an emulator on a busy host tens of milliseconds later.
 */
#define TRIAL_POLLS       200000u
#define TRIAL_GRACE       20000u
#define TRIAL_PAUSES      16u

struct route {
	const char *name;
	bool is_nmi;
	bool (*exists)(void);
	void (*connect)(void);
	void (*disconnect)(void);
};

static bool has_apic_pair(void)    { return has_ioapic(); }
static bool always(void)           { return true; }

static uint8_t own_id(void)
{
	return apic_get_state()->is_present ? (uint8_t)apic_get_id() : 0;
}

static void connect_pin2(void)     { ioapic_route_nmi(2, own_id()); }
static void connect_pin0(void)     { ioapic_route_nmi(0, own_id()); }
static void disconnect_pin2(void)  { ioapic_mask(2); }
static void disconnect_pin0(void)  { ioapic_mask(0); }

static void connect_pic(void)
{
	if (apic_get_state()->is_present)
		apic_write(APIC_LVT_LINT0,
		           (uint32_t)FIELD_PUT(APIC_LVT_DELIVERY, APIC_DELIVERY_EXTINT));
	pic_unmask_timer();
}

/*
 * Routes in the order of preference. PCs wire IRQ 0 to pin 2, some chip sets and emulators to pin
 * 0.
 */
static const struct route routes[] = {
	{ "the 8254 through IO-APIC pin 2, as an NMI",
	  true,  has_apic_pair, connect_pin2, disconnect_pin2 },
	{ "the 8254 through IO-APIC pin 0, as an NMI",
	  true,  has_apic_pair, connect_pin0, disconnect_pin0 },
	{ "the 8254 through the 8259, as an interrupt: a hang with interrupts off is not caught",
	  false, always,        connect_pic,  pic_mask_all },
};

static const struct route *route;
static volatile unsigned ticks, ticks_left;
static unsigned ticks_given;            /* set by watchdog_start() */
static volatile bool is_trying, is_running;
static void (*hang_hook)(unsigned ticks);
static void (*nmi_client)(struct frame *f, bool is_sure);
static void (*nmi_default)(void);

unsigned watchdog_ticks(void)    { return ticks; }
bool watchdog_has_ticks(void)    { return route != NULL; }

void watchdog_leave_to_boot(void)
{
	route = NULL;
}

void nmi_set_handler(void (*handler)(struct frame *f, bool is_sure))
{
	nmi_client = handler;
}

void nmi_set_default(void (*handler)(void))
{
	nmi_default = handler;
}

void watchdog_pet(void)
{
	if (route)
		pit_start_one_shot(TICK_CLOCKS);
}

/*
 * Returns true if the NMI came from the 8254 (on other processors: from the boot processor, which
 * has waited long enough). The 8254's output is high from a tick until the 8254 is started again,
 * which happens at once. So it is never high for long, and an NMI from elsewhere is not mistaken
 * for a tick.
 */
static bool take_tick(void)
{
	if (smp_self())
		return smp_is_to_end();
	if (!(route || is_trying) || !pit_has_expired())
		return false;
	ticks++;
	watchdog_pet();
	return true;
}

static void on_tick(void)
{
	if (!is_running || ticks_left-- > 0)
		return;
	is_running = false;
	hang_hook(ticks);
}

/*
 * Outside a test, an NMI that is no tick arrived late: it comes from a finished test or, in an
 * emulator on a busy host, from a tick whose timer was started again before the NMI arrived.
 */
static void on_nmi(struct frame *f)
{
	bool is_tick = take_tick();

	if (nmi_client)
		nmi_client(f, !is_tick);
	else if (!is_tick && nmi_default)
		nmi_default();
	else if (!is_tick && is_running)
		interrupt_report_unexpected(f);
	if (is_tick)
		on_tick();
}

static void on_interrupt(struct frame *f)
{
	(void)f;
	pic_end_of_interrupt();
	if (take_tick())
		on_tick();
}

static void ignore_spurious(struct frame *f)
{
	(void)f;
}

void watchdog_install(void)
{
	nmi_client = NULL;
	interrupt_set_handler(X86_NMI, on_nmi);
	interrupt_set_handler(VECTOR_IRQ_TIMER, on_interrupt);
	interrupt_set_handler(VECTOR_IRQ_SPURIOUS1, ignore_spurious);
	interrupt_set_handler(VECTOR_APIC_SPURIOUS, ignore_spurious);
}

/*
 * The processor pauses between polls, because an emulator runs its devices meanwhile; a processor
 * that only accessed ports would keep it from doing so.
 */
static bool has_expired_after_pause(void)
{
	for (unsigned i = 0; i < TRIAL_PAUSES; i++)
		cpu_pause();
	return pit_has_expired();
}

/* Starts the 8254 for 1 ms and returns whether the interrupt comes by this route. */
static bool is_working(const struct route *r)
{
	unsigned polls = 0, grace = 0;

	r->connect();
	ticks = 0;
	is_trying = true;
	pit_start_one_shot(TRIAL_CLOCKS);
	if (!r->is_nmi)
		interrupts_enable();
	while (ticks == 0 && polls < TRIAL_POLLS && grace < TRIAL_GRACE) {
		polls++;
		if (has_expired_after_pause())
			grace++;
	}
	interrupts_disable();
	is_trying = false;
	return ticks != 0;
}

void watchdog_init(void)
{
	watchdog_install();
	for (size_t i = 0; i < sizeof(routes) / sizeof(routes[0]) && !route; i++) {
		if (!routes[i].exists())
			continue;
		/* Twice: KVM's 8254 may take an interrupt that the firmware's timer left behind for
		 * this one, and then drops this one. */
		if (is_working(&routes[i]) || is_working(&routes[i]))
			route = &routes[i];
		else
			routes[i].disconnect();
	}
}

const char *watchdog_describe(void)
{
	return route ? route->name
	       : "none: the 8254 does not interrupt this machine, a hang is not caught";
}

void watchdog_start(unsigned seconds, void (*on_hang)(unsigned ticks))
{
	hang_hook = on_hang;
	ticks = 0;
	ticks_left = ticks_given = smp_self() ? 0 : seconds * WATCHDOG_TICKS_PER_SECOND;
	if (route)
		pit_start_one_shot((uint16_t)(TICK_CLOCKS - perturb(PERTURB_TICK)));
	is_running = true;               /* last, as a tick may come during the start */
	if (route && !route->is_nmi)
		interrupts_enable();
}

void watchdog_renew(void)
{
	ticks_left = ticks_given;
}

void watchdog_stop(void)
{
	is_running = false;
	interrupts_disable();
}
