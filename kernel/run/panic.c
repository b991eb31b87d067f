/* SPDX-License-Identifier: MIT */
#include <kernel/run/panic.h>

#include <stdarg.h>

#include <arch/cpu/insn.h>
#include <arch/cpu/self.h>
#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <kernel/run/test.h>

#define PORT_QEMU_EXIT   0xf4      /* isa-debug-exit: QEMU ends with status (value << 1) | 1 */
#define PORT_BOCHS_EXIT  0x8900    /* Bochs ends when it has read the string "Shutdown" */

static SHARED struct end_hooks hooks;
static SHARED unsigned exit_value;      /* 0: the status */
static SHARED bool leaves_qemu, leaves_bochs;
static const char *test_id;
static bool is_test_over;

void panic_set_hooks(const struct end_hooks *wanted)
{
	hooks = *wanted;
}

void panic_set_test(const char *id, bool is_over)
{
	test_id = id;
	is_test_over = is_over;
}

void machine_set_leave(bool by_f4, bool by_8900)
{
	leaves_qemu = by_f4;
	leaves_bochs = by_8900;
}

void machine_set_exit(unsigned value)
{
	exit_value = value;
}

/* Returns if no such way was asked for: on a real machine any device may have these ports. */
static void try_to_leave(enum run_status status)
{
	interrupts_disable();
	if (leaves_qemu)
		port_out8(PORT_QEMU_EXIT, (uint8_t)(exit_value ? exit_value : status));
	for (const char *c = "Shutdown"; leaves_bochs && *c; c++)
		port_out8(PORT_BOCHS_EXIT, (uint8_t)*c);
}

void machine_leave(enum run_status status)
{
	try_to_leave(status);
	for (;;)
		cpu_halt();
}

void machine_end(enum run_status status)
{
	print("# end of run: status %u\n", (unsigned)status);
	console_flush();
	caches_write_back();            /* for the log in memory, if paging is off */
	try_to_leave(status);
	if (hooks.stay)
		hooks.stay(status);
	for (;;)
		cpu_halt();
}

/* Lets the first processor that panics print, also if it panics again; the others stay silent. */
static void be_the_only_one(void)
{
	static SHARED uint32_t speaker;
	uint32_t nobody = 0, own = smp_self() + 1;

	if (!__atomic_compare_exchange_n(&speaker, &nobody, own, false, __ATOMIC_SEQ_CST,
	                                 __ATOMIC_SEQ_CST) && nobody != own)
		for (;;)
			cpu_halt();
}

void panic(const char *fmt, ...)
{
	char reason[192];
	va_list args;

	interrupts_disable();
	be_the_only_one();
	exit_value = 0;
	if (hooks.before_panic)
		hooks.before_panic();

	va_start(args, fmt);
	format_vbuf(reason, sizeof(reason), fmt, args);
	va_end(args);
	print("Bail out! ");
	if (smp_self())
		print("cpu %u: ", smp_self());
	print("%s", reason);
	if (test_id)
		print(", %s the test %s", is_test_over ? "after" : "in", test_id);
	print("\n");
	machine_end(RUN_BROKEN);
}

static panic_recover_fn recover_hook;

#define WIDTH_LETTER  (sizeof(uintptr_t) == 8 ? "R" : "E")

static void describe(char *to, size_t size, const struct unexpected_fault *f)
{
	char name[FAULT_TEXT_SIZE];

	format_buf(to, size, "unexpected %s at %08lXH, CR2 = %08lXH, %sAX = %08lXH, %sCX = %08lXH",
	           fault_text(f->fault, name), (unsigned long)f->ip, (unsigned long)f->cr2,
	           WIDTH_LETTER, f->frame ? (unsigned long)f->frame->ax : 0,
	           WIDTH_LETTER, f->frame ? (unsigned long)f->frame->cx : 0);
}

static void on_unexpected(const struct unexpected_fault *f)
{
	char text[144];

	if (f->nesting > 1)
		machine_end(RUN_BROKEN);           /* even the report of a nested fault failed */
	describe(text, sizeof(text), f);
	if (f->nesting == 0 && recover_hook && recover_hook(f, text)) {
		interrupt_unexpected_is_over();
		return;
	}
	panic("%s%s", text, f->nesting ? ", while a fault was being reported" : "");
}

void panic_catch_faults(panic_recover_fn recover)
{
	recover_hook = recover;
	interrupt_set_unexpected_hook(on_unexpected);
}
