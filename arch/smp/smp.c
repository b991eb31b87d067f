/* SPDX-License-Identifier: MIT */
/* Source: SDM 3A, "MP Initialization Protocol Algorithm for MP Systems", "Typical BSP
 * Initialization Sequence". */
#include <arch/smp/smp.h>

#include <arch/clock/clocks.h>
#include <arch/cpu/control.h>
#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/interrupts/local_apic.h>
#include <arch/modes/interrupt.h>
#include <arch/modes/low_memory.h>
#include <arch/modes/paging.h>
#include <arch/modes/private.h>
#include <arch/modes/segments.h>
#include <arch/regs/msr.h>
#include <arch/smp/ap.h>

/* Delays after INIT and after a STARTUP, as the SDM gives them. */
#define INIT_US           10000
#define STARTUP_US        200

/*
 * The time a processor may take from the second STARTUP to C code. Real ones take microseconds; an
 * emulator's thread on a busy host takes a time slice or two.
 */
#define START_MS          150

extern uint8_t stack_top[];

/*
 * What the processors share of each one. The boot processor writes it, except is_up and work, which
 * its own processor writes.
 */
struct slot {
	struct smp_cpu info;
	uintptr_t block;                /* its private memory; 0 if not yet allocated */
	volatile bool is_up, is_to_end, is_done;
	void (*volatile work)(uintptr_t argument);
	volatile uintptr_t argument;
};

static SHARED struct slot slots[CPUS_MAX];
static SHARED unsigned slot_count;
static SHARED void (*init_hook)(void);
static const char *problem = "smp_init() was not called";

unsigned smp_count(void)                        { return slot_count ? slot_count : 1; }
const struct smp_cpu *smp_get(unsigned cpu)     { return &slots[cpu].info; }
const char *smp_problem(void)                   { return problem; }

void *smp_private_of(unsigned cpu, const void *variable)
{
	if (cpu == smp_self())
		return (void *)(uintptr_t)variable;
	return paging_private_at(slots[cpu].block, variable);
}

void smp_send(unsigned cpu, unsigned delivery, unsigned vector)
{
	apic_send(slots[cpu].info.apic_id, delivery, vector);
}

bool smp_is_done(unsigned cpu)                  { return slots[cpu].is_done; }

/* ------------------------------------------------------------------------- sleeping and waking */

static volatile bool is_woken;

static void on_wake(struct frame *f)
{
	(void)f;
	is_woken = true;
	apic_end_of_interrupt();
}

void smp_install(void)
{
	interrupt_set_handler(VECTOR_WAKE, on_wake);
}

void smp_sleep_unless(bool (*is_awaited)(unsigned cpu), unsigned cpu)
{
	smp_install();
	interrupts_disable();
	if (!is_awaited(cpu))
		interrupts_enable_and_halt();
	interrupts_disable();
}

/* ----------------------------------------------------------------------- on the other processor */

static bool has_been_woken(unsigned cpu)
{
	(void)cpu;
	return is_woken;
}

static void work_for_ever(struct slot *s) __attribute__((noreturn));

/*
 * No wake-up may be under way while work is done, because tests count interrupts. So this waits for
 * the wake-up itself, not for the work; and the processor is idle only once its own wake-up has
 * left.
 */
static void work_for_ever(struct slot *s)
{
	for (;;) {
		while (!is_woken)
			smp_sleep_unless(has_been_woken, smp_self());
		is_woken = false;
		s->work(s->argument);
		s->is_to_end = false;
		s->is_done = true;
		smp_send(0, APIC_DELIVERY_FIXED, VECTOR_WAKE);
		s->work = NULL;
	}
}

bool smp_is_to_end(void)
{
	bool is_to_end = slots[smp_self()].is_to_end;

	slots[smp_self()].is_to_end = false;
	return is_to_end;
}

void ap_main(void)
{
	struct slot *s = &slots[smp_self()];

	segments_init();
	segments_set_page_directory(cr3_read());
	apic_init(apic_get_state()->is_x2apic);
	fpu_enable();
	s->info.topology = topology_of_this();
	s->info.core = cpuid_core();
	if (!s->info.is_running)        /* an INIT in between may have cleared it */
		init_hook();
	is_woken = false;
	s->is_up = true;
	work_for_ever(s);
}

/* ------------------------------------------------------------------------- on the boot
 * processor */

static bool is_up_within(const struct slot *s, unsigned ms)
{
	struct clock_limit limit = clock_limit_ms(ms);

	while (!s->is_up && !clock_is_over(&limit))
		cpu_pause();
	return s->is_up;
}

static void copy_bytes(uintptr_t to, const uint8_t *from, size_t size)
{
	for (size_t i = 0; i < size; i++)
		mmio_write8(to + i, from[i]);
}

static void prepare_low_memory(const struct slot *s)
{
	struct ap_boot *b = (struct ap_boot *)LOW_AP_PARAMS;

	copy_bytes(LOW_AP_BASE, ap_blob, (size_t)(ap_blob_end - ap_blob));
	*b = (struct ap_boot){
		.cr0 = (uint32_t)cr0_read(), .cr4 = (uint32_t)cr4_read(),
		.cr3 = (uint32_t)paging_fill_for(s->block),
		.stack = (uint32_t)(uintptr_t)stack_top,
	};
#ifdef __x86_64__
	b->efer = (uint32_t)msr_read(IA32_EFER);
#endif
}

/* Sends INIT, STARTUP and, if that was not enough, another STARTUP. */
static bool wake_up(struct slot *s)
{
	uint32_t id = s->info.apic_id;

	s->is_up = false;
	prepare_low_memory(s);
	apic_send(id, APIC_DELIVERY_INIT, 0);
	clock_wait_us(INIT_US);
	apic_send_init_deassert(id);
	apic_send(id, APIC_DELIVERY_STARTUP, LOW_AP_BASE >> 12);
	clock_wait_us(STARTUP_US);
	if (!s->is_up)
		apic_send(id, APIC_DELIVERY_STARTUP, LOW_AP_BASE >> 12);
	return is_up_within(s, START_MS);
}

/*
 * Copies this processor's data as they are now, so that the other one has all that this one knows.
 * The stack is last and is not copied.
 */
static bool make_private(struct slot *s, unsigned cpu, uintptr_t (*take_memory)(uint32_t size))
{
	const uint32_t *from = (const uint32_t *)private_start;
	size_t words = (size_t)(stack_guard - private_start) / sizeof(*from);

	s->block = take_memory(paging_private_size());
	if (!s->block)
		return false;
	for (size_t i = 0; i < words; i++)
		((uint32_t *)s->block)[i] = from[i];
	*(unsigned *)paging_private_at(s->block, &smp_own_number) = cpu;
	return true;
}

static void start_one(unsigned cpu, uintptr_t (*take_memory)(uint32_t size))
{
	struct slot *s = &slots[cpu];

	if (s->info.apic_id > APIC_ID_MAX && !apic_get_state()->is_x2apic)
		s->info.problem = "its APIC ID needs x2APIC mode (the word x2apic)";
	else if (!make_private(s, cpu, take_memory))
		s->info.problem = "there is no memory for its data";
	else if (!wake_up(s))
		s->info.problem = "it did not start: no sign of life after INIT and two STARTUPs";
	else
		s->info.is_running = true;
}

static const char *find_problem(bool is_low_free)
{
	if (!apic_get_state()->is_present)
		return "there is no local APIC";
	if (!is_paging_on())
		return "paging is off";
	return is_low_free ? NULL : "memory B000H to BFFFH is not free";
}

void smp_init(const struct smp_plan *plan)
{
	uint32_t own = apic_get_state()->is_present ? apic_get_id() : 0;

	init_hook = plan->init;
	slots[0].info = (struct smp_cpu){
		.apic_id = own, .is_running = true, .topology = topology_of_this(),
		.core = cpuid_core(),
	};
	slot_count = 1;
	problem = find_problem(plan->is_low_free);
	for (unsigned i = 0; i < plan->count && slot_count < plan->limit && !problem; i++) {
		if (plan->apic_ids[i] == own)
			continue;
		plan->tell(slot_count - 1);
		slots[slot_count].info.apic_id = plan->apic_ids[i];
		start_one(slot_count, plan->take_memory);
		slot_count++;
	}
}

bool smp_reset(unsigned cpu)
{
	slots[cpu].work = NULL;
	return wake_up(&slots[cpu]);
}

void smp_start(unsigned cpu, void (*work)(uintptr_t argument), uintptr_t argument)
{
	slots[cpu].is_to_end = slots[cpu].is_done = false;
	slots[cpu].argument = argument;
	slots[cpu].work = work;
	smp_send(cpu, APIC_DELIVERY_FIXED, VECTOR_WAKE);
}

/* The wake-up that the processor sent has been taken, or is taken now. */
void smp_finish(unsigned cpu)
{
	while (slots[cpu].work)
		cpu_pause();
	smp_install();
	interrupts_enable();
	cpu_pause();                    /* after this instruction STI's shadow is over */
	interrupts_disable();
}

void smp_ask_to_end(unsigned cpu)
{
	slots[cpu].is_to_end = true;
	smp_send(cpu, APIC_DELIVERY_NMI, 0);
}

void smp_give_up(unsigned cpu, const char *why)
{
	slots[cpu].info.is_running = false;
	slots[cpu].info.problem = why;
}

void smp_barrier_wait(struct smp_barrier *barrier, unsigned count)
{
	uint32_t round = barrier->round;

	if (__atomic_add_fetch(&barrier->arrived, 1, __ATOMIC_SEQ_CST) == count) {
		barrier->arrived = 0;
		barrier->round = round + 1;
		return;
	}
	while (barrier->round == round)
		cpu_pause();
}
