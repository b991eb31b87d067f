/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/counts/passages_code.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/interrupts/local_apic.h>
#include <arch/modes/segments.h>
#include <arch/regs/cpu.h>
#include <kernel/run/watchdog.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/counts/rings.h>
#include <tests/suites/common/fast_calls.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/self_interrupts.h>

/* ---------------------------------------------------------------------------- interrupts */

/* Rounds of the loop in which an interrupt arrives: as in self_interrupts.asm at most; few where an
 * interrupt comes after the same instruction each time. Elsewhere they are measured: sixteen times
 * those in which each of eight came, so that one that is late, as after a missed translation, is
 * within them, too. */
enum { SPIN_MAX = 20000, SPIN_MIN = 32, SPIN_EXACT = 200, TRIES = 8, MARGIN = 16 };
static uint32_t spins;

/* The timer's clocks from its start to its tick: at 20 MHz less than 1 us. */
enum { TICK = 16 };

/* Where MOV writes, and what: the ICR a command, or the timer's initial count a number. */
static uintptr_t target;
static uint32_t value;

/* IOPL 3 lets STI and CLI run at CPL 3. */
static void interrupt_code(uint32_t rounds, uint32_t mode)
{
	static const uint8_t code[] = {
		0xfb,                           /* STI */
		0x89, 0x02,                     /* next: MOV [EDX], EAX */
		0x89, 0xf3,                     /* MOV EBX, ESI */
		0xff, 0xcb,                     /* spin: DEC EBX */
		0x75, 0xfc,                     /* JNZ spin */
		0xff, 0xc9,                     /* DEC ECX */
		0x75, 0xf4,                     /* JNZ next */
		0xfa,                           /* CLI */
	};
	const struct mode_regs regs = { .ax = value, .cx = rounds, .dx = target, .si = spins,
	                                .flags = EFLAGS_IOPL };

	mode_run((enum cpu_mode)mode, code, sizeof(code), &regs);
}

/* Says whether interrupts that are sent one by one come within so many rounds. */
static bool come_within(uint32_t rounds)
{
	bool is_each = true;

	spins = rounds;
	arch_interrupts_take_count();
	for (unsigned i = 0; i < TRIES && is_each; i++) {
		interrupt_code(1, MODE_CPL0);
		is_each = arch_interrupts_take_count() == 1;
	}
	return is_each;
}

/* What is under way after the last try comes during the next one. */
static uint32_t measured_spins(void)
{
	uint32_t rounds = SPIN_MAX;

	while (rounds >= 2 * SPIN_MIN && come_within(rounds / 2))
		rounds /= 2;
	come_within(SPIN_MAX);
	return rounds < SPIN_MAX / MARGIN ? rounds * MARGIN : SPIN_MAX;
}

/* The handler of interrupts serves the timer's vector, too. */
static struct arch_interrupt_counts prepare(enum passage passage)
{
	const enum arch_interrupt kind = passage == PASSAGE_NMI ? ARCH_INTERRUPT_NMI
	                                                        : ARCH_INTERRUPT_FIXED;
	const uintptr_t base = apic_get_state()->base;

	target = base + APIC_ICR_LOW;
	value = APIC_ICR_ASSERT | (passage == PASSAGE_NMI
	                           ? (uint32_t)FIELD_PUT(APIC_LVT_DELIVERY, APIC_DELIVERY_NMI)
	                           : VECTOR_TEST);
	if (passage == PASSAGE_TIMER) {
		target = base + APIC_TIMER_INITIAL;
		value = TICK;
		apic_timer_start(VECTOR_TEST, 0);
	}
	return arch_interrupts_prepare(kind);
}

static bool is_interrupt(enum passage passage)
{
	return passage >= PASSAGE_INTERRUPT;
}

/* ---------------------------------------------------------------------------- rows */

#define ROUND "the instructions of a round and of its handler, and those that cross levels; low: " \
              "at the level where it was measured, or at the other one; high: at this one"

static const struct passage_row rows[] = {
	[PASSAGE_INT] = { "INT n", rings_int, BEGINS_BY_INSN, true, RINGS_FEW, RINGS_MORE,
	                  2, 1, 1, 0, ROUND },
	[PASSAGE_FAULT] = { "faults", rings_fault, BEGINS_BY_FAULT, true, RINGS_FEW, RINGS_MORE,
	                    2, 1, 1, 1, ROUND },
	[PASSAGE_SYSENTER] = { "SYSENTERs", fast_calls_by_sysenter, BEGINS_BY_INSN, false,
	                       RINGS_FEW, RINGS_MORE, 4, 1, 1, 2, ROUND },
	[PASSAGE_SYSCALL] = { "SYSCALLs", fast_calls_by_syscall, BEGINS_BY_INSN, false,
	                      RINGS_FEW, RINGS_MORE, 2, 1, 1, 2, ROUND },
	[PASSAGE_INTERRUPT] = { "interrupts", interrupt_code, BEGINS_BY_INTERRUPT, true, 2, 6,
	                        4, 1, 0, 0, ROUND },
	[PASSAGE_NMI] = { "NMIs", interrupt_code, BEGINS_BY_INTERRUPT, true, 2, 6,
	                  4, 1, 0, 0, ROUND },
	[PASSAGE_TIMER] = { "ticks of the timer", interrupt_code, BEGINS_BY_INTERRUPT, true, 2, 6,
	                    4, 1, 0, 0, ROUND },
};

struct passage_row passage_begin(enum passage passage)
{
	struct passage_row p = rows[passage];

	rings_open_gates();
	if (is_interrupt(passage)) {
		p.handler_insns = prepare(passage).handler_insns - 1;
		spins = pmu_is_exact() ? SPIN_EXACT : measured_spins();
		p.insns += 2 * spins;
		p.branches += spins;
		p.taken += spins;      /* all of the spin but the last, and the round's own */
	}
	if (passage == PASSAGE_SYSENTER)
		fast_calls_open_sysenter();
	if (passage == PASSAGE_SYSCALL)
		fast_calls_open_syscall();
	return p;
}

void passage_end(enum passage passage)
{
	if (passage == PASSAGE_TIMER)
		apic_timer_stop();
	if (passage == PASSAGE_SYSENTER)
		fast_calls_close_sysenter();
	if (passage == PASSAGE_SYSCALL)
		fast_calls_close_syscall();
}

bool passage_arrives(struct test_ctx *t, const struct passage_row *p, enum cpu_mode mode)
{
	uint32_t taken;

	if (p->begin != BEGINS_BY_INTERRUPT)
		return true;
	watchdog_pet();                /* its tick is an NMI */
	arch_interrupts_take_count();
	p->code(p->more, mode);
	taken = arch_interrupts_take_count();
	test_sub(t, "%s at %s", p->name, mode_name(mode));
	return expect_exact(t, "handlers that ran", taken, p->more,
	                    "one for each that was sent or ticked");
}

/* ---------------------------------------------------------------------------- needs */

/* APM 2, "SYSENTER and SYSEXIT": not in long mode. */
static const char *need_sysenter(struct test_ctx *t)
{
#ifdef __x86_64__
	if (counting_is_amd())
		return test_reason(t, "AMD's SYSENTER raises #UD in long mode");
#endif
	return need_cpu_sysenter(t);
}

const char *passages_need(struct test_ctx *t, enum passage passage)
{
	const char *reason = need_modes(t);

	if (reason)
		return reason;
	if (is_interrupt(passage))
		return need_xapic(t);
	if (passage == PASSAGE_SYSENTER)
		return need_sysenter(t);
	return passage == PASSAGE_SYSCALL ? need_cpu_syscall(t) : NULL;
}
