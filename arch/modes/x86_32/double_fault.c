/* SPDX-License-Identifier: MIT */
/* Handles #DF by a task gate: first on a stack of its own, then in the kernel's task. */
#include <arch/modes/interrupt.h>

#include <stddef.h>

#include <arch/cpu/insn.h>
#include <arch/modes/mode_run.h>
#include <arch/modes/segments.h>
#include <arch/modes/x86_32/tss.h>
#include <arch/regs/cpu.h>

void double_fault_dispatch(void);

static uint8_t emergency_stack[8192] __attribute__((aligned(16)));
static struct frame double_fault_frame;

/* Runs in the kernel's task again, on a sound stack. */
static void after_double_fault(void)
{
	cr0_write(cr0_read() & ~(uintptr_t)CR0_TS);      /* set by every task switch */
	if (mode_run_is_active())
		mode_run_end(&double_fault_frame);       /* does not return */
	exception_report(fault_make(X86_DF, 0), double_fault_frame.ip, NULL);
}

/*
 * Returns the registers that the task switch saved. After #DF their values are not architecturally
 * defined.
 */
static struct frame frame_from_task(const struct tss *task)
{
	return (struct frame){
		.ax = task->eax, .bx = task->ebx, .cx = task->ecx, .dx = task->edx,
		.si = task->esi, .di = task->edi, .bp = task->ebp,
		.ip = task->eip, .cs = task->cs, .flags = task->eflags, .vector = X86_DF,
	};
}

/*
 * Runs in the double-fault task; the processor has saved the interrupted state in kernel_tss. The
 * rest is done in the kernel's own task, so that no nested task remains however it is left: code
 * under mode_run() ends with #DF as its fault, any other double fault is reported as unexpected.
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
