/* SPDX-License-Identifier: MIT */
/*
 * Sorts exceptions and interrupts: for handlers, for code under test, expected faults, and
 * unexpected ones.
 */
#include <arch/modes/interrupt.h>

#include <stddef.h>

#include <arch/cpu/insn.h>
#include <arch/modes/mode_run.h>
#include <arch/modes/segments.h>
#include <arch/regs/cpu.h>

struct fixup { uint32_t insn, resume; };

extern const struct fixup fixup_table[], fixup_table_end[];

static interrupt_handler handlers[256];
static void (*unexpected_hook)(const struct unexpected_fault *f);
static unsigned unexpected_nesting;

interrupt_handler interrupt_set_handler(unsigned vector, interrupt_handler handler)
{
	interrupt_handler before = handlers[vector];

	handlers[vector] = handler;
	return before;
}

void interrupt_set_unexpected_hook(void (*hook)(const struct unexpected_fault *f))
{
	unexpected_hook = hook;
}

void interrupt_unexpected_is_over(void)
{
	unexpected_nesting = 0;
}

void interrupt_reset_handlers(void)
{
	for (unsigned vector = 0; vector < 256; vector++)
		if (vector != X86_NMI)
			handlers[vector] = NULL;
	idt_reset();
}

static bool is_handled(struct frame *f)
{
	interrupt_handler handler = handlers[f->vector];

	if (!handler)
		return false;
	handler(f);
	return true;
}

static bool is_fixed_up(struct frame *f)
{
	for (const struct fixup *fix = fixup_table; fix < fixup_table_end; fix++) {
		if (fix->insn != f->ip)
			continue;
		f->ip = fix->resume;
		f->si = fault_make(f->vector, f->error).raw;
		return true;
	}
	return false;
}

void exception_report(fault_t fault, uintptr_t ip, const struct frame *f)
{
	struct unexpected_fault u = {
		.fault = fault, .ip = ip, .cr2 = cr2_read(), .frame = f,
		.nesting = unexpected_nesting++,
	};

	unexpected_hook(&u);
}

void interrupt_report_unexpected(const struct frame *f)
{
	exception_report(fault_make(f->vector, f->error), f->ip, f);
}

void exception_dispatch(struct frame *f)
{
	bool is_interrupt = f->vector == X86_NMI || f->vector >= X86_EXCEPTIONS;

	if (is_interrupt && is_handled(f))
		return;
	if (mode_run_is_active())
		mode_run_end(f);                 /* does not return */
	if (!is_interrupt && (is_handled(f) || is_fixed_up(f)))
		return;
	interrupt_report_unexpected(f);
}
