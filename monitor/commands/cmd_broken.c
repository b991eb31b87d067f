/* SPDX-License-Identifier: MIT */
/*
 * broken: fails on purpose, in each way in which a command could fail. It exists only with the word
 * `broken`; tests/host checks the monitor's reaction.
 */
#include <monitor/tools/command.h>

#include <stddef.h>

#include <arch/cpu/control.h>
#include <arch/cpu/insn.h>
#include <arch/interrupts/local_apic.h>
#include <arch/modes/interrupt.h>
#include <arch/regs/cpu.h>
#include <arch/regs/table.h>
#include <kernel/console/console.h>
#include <kernel/lib/string.h>
#include <kernel/run/test.h>
#include <kernel/run/watchdog.h>
#include <pmu/core/pmi.h>
#include <pmu/drivers/suspend.h>

static volatile bool forever = true;
static volatile unsigned depth;

static void hang(void)
{
	interrupts_disable();
	while (forever)
		cpu_pause();
}

static void hang_with_interrupts(void)
{
	interrupts_enable();
	while (forever)
		cpu_pause();
}

static void hang_here(struct frame *f)
{
	(void)f;
	hang();
}

/* Nothing notices this on the boot processor, so it is for another one. */
static void hang_in_nmi(void)
{
	interrupt_set_handler(X86_NMI, hang_here);
	apic_send_self(APIC_DELIVERY_NMI, 0);
	hang();
}

static void hang_printing(void)
{
	console_hold();
	hang();
}

static void fault(void)
{
	static volatile uintptr_t page_0;                       /* page 0 is not present */

	*(volatile char *)page_0 = 0;
}

static void fail(void)           { monitor_fail("it failed"); }
static void stop(void)           { test_abort("it was aborted"); }
static void leave_cr0(void)      { cr0_write(cr0_read() ^ CR0_TS); }
static void leave_cr4(void)      { cr4_write(cr4_read() ^ CR4_TSD); }
static void leave_if(void)       { interrupts_enable(); }
static void send_nmi(void)       { apic_send_self(APIC_DELIVERY_NMI, 0); }
static void leave_counters(void) { pmu_resume(); }
static void leave_listening(void) { pmi_listen(PMI_NMI, hang_here); }
static void capture_nothing(char c) { (void)c; }
static void leave_captured(void) { console_capture(capture_nothing); }

static void (*volatile again)(void);

static void recurse(void)
{
	volatile char room[512];

	room[depth++ % sizeof(room)] = 1;
	again();
	room[0] = 0;                    /* prevents a tail call */
}

static void overflow_stack(void)
{
	again = recurse;
	recurse();
}

/* These two end the machine, which the fuzzer must notice. */
static void halt(void)
{
	interrupts_disable();
	watchdog_stop();
	interrupt_set_handler(X86_NMI, hang_here);
	for (;;)
		cpu_halt();
}

static void lose_handler(void)   { interrupt_set_handler(X86_NMI, NULL); }

static const struct way { const char *name; void (*go)(void); } ways[] = {
	{ "hang", hang }, { "hang_with_interrupts", hang_with_interrupts },
	{ "hang_in_nmi", hang_in_nmi }, { "hang_printing", hang_printing },
	{ "fault", fault }, { "fail", fail }, { "stop", stop }, { "stack", overflow_stack },
	{ "leave_cr0", leave_cr0 }, { "leave_cr4", leave_cr4 }, { "leave_if", leave_if },
	{ "leave_counters", leave_counters }, { "leave_listening", leave_listening },
	{ "leave_captured", leave_captured }, { "nmi", send_nmi },
	{ "halt", halt }, { "lose_handler", lose_handler },
};

COMMAND(broken, .syntax = "WAY", .summary = "fails on purpose", .example = "broken fault",
        .is_broken = true)
{
	words_expect(w, 1, 1);
	for (size_t i = 0; i < COUNT_OF(ways); i++)
		if (strcmp(w->word[1], ways[i].name) == 0) {
			ways[i].go();
			return;
		}
	for (size_t i = 0; i < COUNT_OF(ways); i++)
		print("%s\n", ways[i].name);
}
