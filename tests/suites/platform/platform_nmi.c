/* SPDX-License-Identifier: MIT */
/* NMIs that this processor sends to itself: how many arrive, and when, in and out of a handler. */
#include <stddef.h>

#include <arch/cpu/insn.h>
#include <arch/interrupts/local_apic.h>
#include <arch/regs/cpu.h>
#include <kernel/run/test.h>
#include <kernel/run/watchdog.h>
#include <tests/suites/common/bounded_wait.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/platform/platform_snippets.h>

#define SOURCE "SDM 3A, \"Handling Multiple NMIs\"; " \
               "APM 2, \"NMI - Non-Maskable-Interrupt Exception\""

/* One scenario: what the handler does when it is first entered, and what it saw. */
struct scenario {
	unsigned sent_inside;           /* NMIs that the handler sends */
	bool is_iret_inside;            /* it executes an IRET then */
	volatile unsigned count;        /* times the handler was entered */
	volatile unsigned vectors;      /* the sum of the vectors in its frames */
	unsigned before_iret;           /* count in the first handler, 1 ms after NMIs were sent */
	unsigned after_iret;            /* the same after its own IRET */
	volatile unsigned ticks;        /* the watchdog's NMIs in between, which spoil the counts */
};

static struct scenario now;

static void enter_first(void)
{
	for (unsigned i = 0; i < now.sent_inside; i++)
		apic_send_self(APIC_DELIVERY_NMI, 0);
	wait_silence();
	now.before_iret = now.count;
	if (now.is_iret_inside)
		platform_iret();
	wait_silence();
	now.after_iret = now.count;
}

static void on_nmi(struct frame *f, bool is_sure)
{
	now.count++;
	now.vectors += f->vector;
	if (!is_sure)
		now.ticks++;
	if (now.count == 1)
		enter_first();
}

/* Sends one NMI and waits until count have arrived; tries again if the watchdog came in between. */
static void send_nmi(unsigned sent_inside, bool is_iret_inside, unsigned count)
{
	for (unsigned tries = 0; tries < 3; tries++) {
		now = (struct scenario){ .sent_inside = sent_inside,
		                         .is_iret_inside = is_iret_inside };
		watchdog_pet();
		nmi_set_handler(on_nmi);
		apic_send_self(APIC_DELIVERY_NMI, 0);
		wait_for_count(&now.count, count);
		nmi_set_handler(NULL);
		if (now.ticks == 0)
			return;
	}
}

TEST(nmi_once, .id = "platform.nmi.once", .needs = need_local_apic,
     .claim = "an NMI that the processor sends to itself arrives once, even with interrupts off",
     .source = "SDM 3A, \"Nonmaskable Interrupt (NMI)\"; "
               "APM 2, \"NMI - Non-Maskable-Interrupt Exception\"")
{
	uintptr_t before = flags_read();

	interrupts_disable();
	send_nmi(0, false, 1);
	flags_write(before);
	expect_exact(t, "NMIs that arrived", now.count, 1, "one was sent; IF does not mask it");
	expect_exact(t, "vector", now.vectors, X86_NMI,
	             "an NMI is vector 2, whatever the ICR's vector field");
}

TEST(nmi_blocked, .id = "platform.nmi.blocked", .needs = need_local_apic,
     .claim = "an NMI sent inside the NMI handler waits for its IRET and then arrives once",
     .source = SOURCE)
{
	send_nmi(1, false, 2);
	expect_exact(t, "NMIs before the handler's IRET", now.after_iret, 1,
	             "NMIs are blocked until the next IRET");
	expect_exact(t, "NMIs in all", now.count, 2,
	             "the blocked NMI is held, not lost, and not doubled");
}

TEST(nmi_merged, .id = "platform.nmi.merged", .needs = need_local_apic,
     .claim = "several NMIs sent inside the NMI handler arrive as one after its IRET",
     .source = SOURCE "; SDM 3C, \"NMI Handling While in SMM\": one request is latched")
{
	send_nmi(3, false, 2);
	expect_exact(t, "NMIs before the handler's IRET", now.after_iret, 1,
	             "NMIs are blocked until the next IRET");
	expect_exact(t, "NMIs in all", now.count, 2,
	             "a pending NMI is a latch of one bit, not a counter");
}

TEST(nmi_unblocked, .id = "platform.nmi.unblocked_by_iret", .needs = need_local_apic,
     .claim = "any IRET inside the NMI handler lets the next NMI in, nested", .source = SOURCE)
{
	send_nmi(1, true, 2);
	expect_exact(t, "NMIs before an IRET in the handler", now.before_iret, 1,
	             "NMIs are blocked until the next IRET");
	expect_exact(t, "NMIs after it, still in the handler", now.after_iret, 2,
	             "the IRET need not be the handler's last");
	expect_exact(t, "NMIs in all", now.count, 2, "two were sent");
}
