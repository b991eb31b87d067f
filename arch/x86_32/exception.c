/* SPDX-License-Identifier: MIT */
/* Sorts exceptions and interrupts: handlers, code under test, expected faults, the unexpected. */
#include <arch/interrupt.h>

#include <stddef.h>

#include <arch/context.h>
#include <arch/insn.h>
#include <arch/regs/cpu.h>
#include <arch/segments.h>
#include <arch/x86_32/mode_run.h>
#include <arch/x86_32/tss.h>

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

static void report_unexpected(fault_t fault, uintptr_t ip, const struct frame *f)
{
	struct unexpected_fault u = {
		.fault = fault, .ip = ip, .cr2 = cr2_read(), .frame = f,
		.nesting = unexpected_nesting++,
	};

	unexpected_hook(&u);
}

void interrupt_report_unexpected(const struct frame *f)
{
	report_unexpected(fault_make(f->vector, f->error), f->ip, f);
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

static uint8_t emergency_stack[8192] __attribute__((aligned(16)));
static struct frame double_fault_frame;

/* In the kernel's task again, on a stack that is sound. */
static void after_double_fault(void)
{
	cr0_write(cr0_read() & ~(uintptr_t)CR0_TS);      /* every task switch sets it */
	if (mode_run_is_active())
		mode_run_end(&double_fault_frame);       /* does not return */
	report_unexpected(fault_make(X86_DF, 0), double_fault_frame.ip, NULL);
}

/* The registers as the task switch saved them; their values after #DF are not defined. */
static struct frame frame_from_task(const struct tss *task)
{
	return (struct frame){
		.ax = task->eax, .bx = task->ebx, .cx = task->ecx, .dx = task->edx,
		.si = task->esi, .di = task->edi, .bp = task->ebp,
		.ip = task->eip, .cs = task->cs, .flags = task->eflags, .vector = X86_DF,
	};
}

/*
 * Runs in the double-fault task: the processor has saved where it was in kernel_tss. What follows
 * is done by the kernel's own task, so that leaving it in any way leaves no nested task behind:
 * code under mode_run() ends with #DF as its fault, any other double fault is reported as
 * unexpected.
 */
void double_fault_dispatch(void)
{
	double_fault_frame = frame_from_task(&kernel_tss);
	kernel_tss.eip = (uint32_t)(uintptr_t)after_double_fault;
	kernel_tss.esp = (uint32_t)(uintptr_t)(emergency_stack + sizeof(emergency_stack) - 4);
	kernel_tss.eflags = EFLAGS_FIXED;
	kernel_tss.cs = SELECTOR_KERNEL_CODE;
	kernel_tss.ss = kernel_tss.ds = kernel_tss.es = SELECTOR_KERNEL_DATA;
}
