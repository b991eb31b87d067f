/* SPDX-License-Identifier: MIT */
#include <kernel/run/watchdog.h>

#include <stddef.h>

#include <arch/clock/clocks.h>
#include <arch/clock/hpet.h>
#include <arch/clock/one_shot.h>
#include <arch/clock/pit.h>
#include <arch/cpu/context.h>
#include <arch/cpu/insn.h>
#include <arch/interrupts/ioapic.h>
#include <arch/interrupts/local_apic.h>
#include <arch/interrupts/pic.h>
#include <arch/modes/segments.h>
#include <arch/regs/cpu.h>
#include <arch/regs/table.h>
#include <arch/smp/smp.h>
#include <kernel/run/panic.h>
#include <kernel/run/perturb.h>
#include <kernel/run/watch.h>

_Static_assert(WATCHDOG_TICKS_PER_SECOND == 1000000 / WATCHDOG_TICK_US
               && WATCHDOG_TICK_US == ONE_SHOT_US_MAX, "watchdog.h");
#define TRIAL_US          1000u

/*
 * How long the interrupt of a trial may take: on hardware it arrives at once, in an emulator on a
 * busy host tens of milliseconds later.
 */
#define TRIAL_MS          50u
#define TRIAL_PAUSES      16u

/* A counter each, and a tick that was late, would be some ten. */
#define STRAYS_MAX        1000u

struct route {
	const char *name;
	bool is_nmi;
	const struct one_shot *timer;
	bool (*exists)(void);
	void (*connect)(void);
	void (*disconnect)(void);
};

static bool has_8254(void)         { return clock_get(CLOCK_8254)->khz != 0; }
static bool has_hpet(void)         { return clock_get(CLOCK_HPET)->khz && hpet_has_irq0(); }
static bool has_8254_apic(void)    { return has_8254() && has_ioapic(); }
static bool has_hpet_apic(void)    { return has_hpet() && has_ioapic(); }

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

static void connect_hpet2(void)    { hpet_connect_irq0(true); connect_pin2(); }
static void connect_hpet_pic(void) { hpet_connect_irq0(true); connect_pic(); }
static void disconnect_hpet2(void) { disconnect_pin2(); hpet_connect_irq0(false); }
static void disconnect_hpet(void)  { pic_mask_all(); hpet_connect_irq0(false); }

/*
 * Routes in the order of preference. PCs wire IRQ 0 to pin 2, some chip sets and emulators to pin
 * 0; the HPET's specification has pin 2. A clock that does not run has no route.
 */
static const struct route routes[] = {
	{ "the 8254 through IO-APIC pin 2, as an NMI",
	  true, &pit_one_shot, has_8254_apic, connect_pin2, disconnect_pin2 },
	{ "the 8254 through IO-APIC pin 0, as an NMI",
	  true, &pit_one_shot, has_8254_apic, connect_pin0, disconnect_pin0 },
	{ "the HPET through IO-APIC pin 2, as an NMI",
	  true, &hpet_one_shot, has_hpet_apic, connect_hpet2, disconnect_hpet2 },
	{ "the 8254 through the 8259, as an interrupt: a hang with interrupts off is not caught",
	  false, &pit_one_shot, has_8254, connect_pic, pic_mask_all },
	{ "the HPET through the 8259, as an interrupt: a hang with interrupts off is not caught",
	  false, &hpet_one_shot, has_hpet, connect_hpet_pic, disconnect_hpet },
};

static const struct route *route;
static volatile unsigned ticks, ticks_left;
static unsigned ticks_given;            /* set by watchdog_start() */
static SHARED volatile uint32_t renewals[CPUS_MAX], renewals_seen[CPUS_MAX];
static volatile bool is_trying, is_running;
static volatile bool is_strict;         /* an NMI that is no tick is an error */
static unsigned strays;                 /* NMIs outside a test, since watchdog_start() */
static void (*hang_hook)(unsigned ticks);
static void (*nmi_client)(struct frame *f, bool is_sure);
static void (*nmi_default)(void);

unsigned watchdog_ticks(void)    { return ticks; }
bool watchdog_has_ticks(void)    { return route != NULL; }

void watchdog_leave_to_boot(void)
{
	route = NULL;
	one_shot_select(NULL);
}

void nmi_set_handler(void (*handler)(struct frame *f, bool is_sure))
{
	nmi_client = handler;
}

void nmi_set_default(void (*handler)(void))
{
	nmi_default = handler;
}

void nmi_unblock(void)
{
	struct context here;

	if (context_save(&here) == 0)
		context_resume(&here, 1);
}

void watchdog_pet(void)
{
	if (route)
		one_shot_start(WATCHDOG_TICK_US);
	else
		watch_pet();
}

/*
 * Returns true if the NMI came from the timer (on other processors: from the boot processor, which
 * has waited long enough). The timer has ended from a tick until it is started again, which happens
 * at once. So an NMI from elsewhere is not mistaken for a tick.
 */
static bool take_tick(void)
{
	if (smp_self())
		return smp_is_to_end();
	if (!(route || is_trying ? one_shot_has_expired() : watch_has_ticked()))
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
	nmi_client = NULL;      /* it may be what hangs, by a PMI that comes back at once */
	apic_mask_lvtpc();
	hang_hook(ticks);
}

/* One that comes back at once would interrupt the report of the one before it, and end the run. */
static void report_unexpected(struct frame *f)
{
	apic_mask_lvtpc();
	is_strict = false;
	interrupt_report_unexpected(f);
}

/*
 * Outside a test, an NMI that is no tick arrived late: it comes from a finished test or, in an
 * emulator on a busy host, from a tick whose timer was started again before the NMI arrived. One
 * after the other comes from a PMU that never stops, unless LVTPC is masked.
 */
static void take_stray(void)
{
	apic_mask_lvtpc();
	if (strays++ == STRAYS_MAX)
		panic("NMIs do not stop, and come neither from LVTPC nor from the watchdog");
}

static void on_nmi(struct frame *f)
{
	bool is_tick = take_tick();

	if (nmi_client)
		nmi_client(f, !is_tick);
	else if (!is_tick && nmi_default)
		nmi_default();
	else if (!is_tick && is_running && is_strict)
		report_unexpected(f);
	else if (!is_tick)
		take_stray();
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
static void pause(void)
{
	for (unsigned i = 0; i < TRIAL_PAUSES; i++)
		cpu_pause();
}

/* Starts the timer for 1 ms and returns whether the interrupt comes by this route. */
static bool is_working(const struct route *r)
{
	struct clock_limit limit = clock_limit_ms(TRIAL_MS);

	one_shot_select(r->timer);
	r->connect();
	ticks = 0;
	is_trying = true;
	one_shot_start(TRIAL_US);
	if (!r->is_nmi)
		interrupts_enable();
	while (ticks == 0 && !clock_is_over(&limit))
		pause();
	interrupts_disable();
	one_shot_has_expired();                 /* a late interrupt is not the next route's */
	is_trying = false;
	return ticks != 0;
}

void watchdog_init(void)
{
	watchdog_install();
	for (size_t i = 0; i < COUNT_OF(routes) && !route; i++) {
		if (!routes[i].exists())
			continue;
		/* Twice: KVM's 8254 may take an interrupt that the firmware's timer left behind for
		 * this one, and then drops this one. */
		if (is_working(&routes[i]) || is_working(&routes[i]))
			route = &routes[i];
		else
			routes[i].disconnect();
	}
	if (!route)
		one_shot_select(NULL);
}

const char *watchdog_describe(void)
{
	return route ? route->name : watch_describe();
}

static void start(unsigned seconds, void (*on_hang)(unsigned ticks), uint32_t sooner_us)
{
	hang_hook = on_hang;
	ticks = strays = 0;
	ticks_left = ticks_given = smp_self() ? 0 : seconds * WATCHDOG_TICKS_PER_SECOND;
	if (route)
		one_shot_start(WATCHDOG_TICK_US - sooner_us);
	else
		watch_begin();
	is_running = true;               /* last, as a tick may come during the start */
	if (route && !route->is_nmi)
		interrupts_enable();
}

void watchdog_start(unsigned seconds, void (*on_hang)(unsigned ticks))
{
	is_strict = true;
	start(seconds, on_hang, perturb(PERTURB_TICK));
}

void watchdog_guard(unsigned seconds, void (*on_hang)(unsigned ticks))
{
	is_strict = false;
	start(seconds, on_hang, 0);     /* a tick on the way would be the next test's NMI */
}

void watchdog_renew(void)
{
	ticks_left = ticks_given;
	renewals[smp_self()]++;
}

bool watchdog_has_renewed(unsigned cpu)
{
	const uint32_t before = renewals_seen[cpu];

	renewals_seen[cpu] = renewals[cpu];
	return renewals_seen[cpu] != before;
}

void watchdog_stop(void)
{
	is_running = false;
	watch_end();
	interrupts_disable();
}
