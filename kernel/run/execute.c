/* SPDX-License-Identifier: MIT */
#include <kernel/run/execute.h>

#include <stddef.h>

#include <arch/cpu/context.h>
#include <arch/cpu/control.h>
#include <arch/cpu/insn.h>
#include <arch/interrupts/local_apic.h>
#include <arch/modes/interrupt.h>
#include <arch/modes/modes.h>
#include <arch/modes/segments.h>
#include <arch/regs/cpu.h>
#include <arch/regs/table.h>
#include <arch/smp/smp.h>
#include <arch/svm/svm_hypervisor.h>
#include <arch/vmx/hypervisor.h>
#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <kernel/run/engine_hooks.h>
#include <kernel/run/guard.h>
#include <kernel/run/panic.h>
#include <kernel/run/perturb.h>
#include <kernel/run/watchdog.h>

static struct test_ctx context;
static struct context resume_point;
static bool is_in_test;
static bool has_begun;                  /* tests run, so there will be a result to print */

/* Describes the code to run: a test's body, or a part of a test of another processor. */
struct body {
	const struct test *test;
	execute_part_fn part;
	uintptr_t argument;
	unsigned seconds;              /* 0: no limit */
	uintptr_t own_cr4;             /* bits of CR4 that it may change */
	const char *noun;
};
static const struct body *running;

static bool is_interrupt(const struct unexpected_fault *f)
{
	unsigned vector = fault_vector(f->fault);

	return f->frame && (vector == X86_NMI || vector >= X86_EXCEPTIONS);
}

/* Without the end of an interrupt the APIC would hold back those of later tests. */
static void end_interrupt(unsigned vector)
{
	if (vector != X86_NMI && apic_get_state()->is_present && apic_is_in_service(vector))
		apic_end_of_interrupt();
}

bool execute_recover(const struct unexpected_fault *f, const char *text)
{
	if (is_interrupt(f))
		end_interrupt(fault_vector(f->fault));
	if (guard_is_on() ? !is_interrupt(f) : is_in_test)
		test_abort("%s", text);
	if (!is_interrupt(f) || !has_begun)
		return false;
	guard_note(text);
	return true;
}

static void end_hang(unsigned ticks)
{
	if (smp_self())
		test_abort("the %s hung: ended by the boot processor after %u s or more",
		           running->noun, running->seconds);
	test_abort("the %s hung: ended by the watchdog after %u ticks of 55 ms", running->noun,
	           ticks);
}

static void reset_all(void)
{
	FOR_EACH_ENGINE_HOOK(h)
		if ((*h)->reset)
			guard_work("the reset between two tests", (*h)->reset);
}

void test_abort(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	if (guard_is_on())
		guard_end(fmt, args);
	result_add_error(&context, fmt, args);
	va_end(args);
	if (!is_in_test)
		panic("test_abort() outside a test");
	context_resume(&resume_point, 1);
}

/* Holds what a test must leave as it was; a change is reported as an error and undone. */
struct machine_state { uintptr_t cr0, cr4, flags; };

static struct machine_state take_state(void)
{
	return (struct machine_state){ cr0_read(), has_cr4() ? cr4_read() : 0,
	                               flags_read() & EFLAGS_IF };
}

/* own_cr4 has the bits that keep their present value. */
static void restore_state(const struct machine_state *state, uintptr_t own_cr4)
{
	vmx_off();                       /* in VMX operation CR4.VMXE cannot be cleared */
	svm_off();
	cr0_write(state->cr0);
	if (has_cr4())
		cr4_write((state->cr4 & ~own_cr4) | (cr4_read() & own_cr4));
}

static void add_left_changed(const char *what)
{
	char text[RESULT_TEXT_SIZE];

	format_buf(text, sizeof(text), "the %s left %s changed", running->noun, what);
	result_add_error_text(&context, RESULT_STATE, text);
}

static void check_state(const struct machine_state *before)
{
	struct machine_state now = take_state();

	if (now.cr0 != before->cr0)
		add_left_changed("CR0");
	if ((now.cr4 ^ before->cr4) & ~running->own_cr4)
		add_left_changed("CR4");
	if (now.flags != before->flags)
		add_left_changed("EFLAGS.IF");
}

static const char *find_danger(const char *id)
{
	const char *reason = NULL;

	FOR_EACH_ENGINE_HOOK(h)
		reason = reason || !(*h)->danger ? reason : (*h)->danger(id);
	return reason;
}

static void check_hooks(void)
{
	FOR_EACH_ENGINE_HOOK(h) {
		const char *left = (*h)->left_running ? (*h)->left_running() : NULL;

		if (left)
			result_add_error_text(&context, RESULT_STATE, left);
	}
}

/* Takes room on the caller's stack, only to move its stack pointer. */
static inline __attribute__((always_inline)) void lower_stack(void)
{
	volatile char *room = __builtin_alloca(1 + 16 * perturb(PERTURB_STACK));

	*room = 0;
}

/*
 * Runs the body. Returns false if test_abort() ended it, at whatever depth. It is not inlined, so
 * that no variable of the caller is in a register across the second return.
 */
static bool __attribute__((noinline)) has_run_to_its_end(const struct body *body)
{
	if (context_save(&resume_point) != 0)
		return false;
	lower_stack();
	is_in_test = true;
	if (body->part)
		body->part(&context, body->argument);
	else
		body->test->run(&context);
	return true;
}

/* A body without a time limit may run others inside it, and is the running one again afterwards. */
struct outer {
	const struct body *running;
	struct context resume_point;
	bool is_in_test;
};

static void run_body(const struct body *body)
{
	const struct outer outer = { running, resume_point, is_in_test };
	struct machine_state before;

	perturb_wait();
	running = body;
	if (body->seconds)
		watchdog_start(body->seconds, end_hang);
	before = take_state();
	if (has_run_to_its_end(body)) {
		if (!body->part)
			check_hooks();
		check_state(&before);
	} else {
		console_forget_holds(smp_self());
	}
	restore_state(&before, body->own_cr4);
	running = outer.running;
	resume_point = outer.resume_point;
	is_in_test = outer.is_in_test;
	watchdog_stop();
}

static void drop(struct frame *f)
{
	(void)f;
	apic_end_of_interrupt();
}

/* Drops interrupts that a test left pending in the local APIC, from the timer or its own IPI. */
static void drop_interrupts(void)
{
	static const unsigned vectors[] = { VECTOR_APIC_TIMER, VECTOR_TEST };

	if (!apic_get_state()->is_present)
		return;
	for (size_t i = 0; i < COUNT_OF(vectors); i++)
		interrupt_set_handler(vectors[i], drop);
	apic_timer_stop();
	interrupts_enable();
	cpu_pause();                     /* after this instruction STI's shadow is over */
	interrupts_disable();
	for (size_t i = 0; i < COUNT_OF(vectors); i++)
		interrupt_set_handler(vectors[i], NULL);
}

void execute_clean_up(void)
{
	watchdog_pet();
	mode_run_cancel();
	interrupt_unexpected_is_over();
	watchdog_install();              /* from here on even a late tick has its handler */
	interrupt_reset_handlers();
	watchdog_install();
	smp_install();
	apic_mask_lvtpc();               /* a PMU that never stops would hold up all that follows */
	nmi_unblock();                   /* else a tick comes in the next test, at its first IRET */
	drop_interrupts();
	reset_all();
}

static const char *reason;

static void ask_needs(void)
{
	reason = find_danger(context.test->id);
	if (!reason && context.test->needs)
		reason = context.test->needs(&context);
}

static bool have_asked_needs(void)
{
	return guard_work("the check of what the test needs", ask_needs);
}

bool execute_would_skip(const struct test *test)
{
	result_init(&context, test);
	return have_asked_needs() && reason;
}

static void excuse(struct test_ctx *t)
{
	FOR_EACH_ENGINE_HOOK(h) {
		const char *erratum = (*h)->erratum ? (*h)->erratum(t) : NULL;

		if (!erratum)
			continue;
		t->status = TEST_ERRATUM;
		format_buf(t->reason, sizeof(t->reason), "%s", erratum);
	}
}

/* Completes the result with what was found outside of the test's own function. */
static void finish_result(void)
{
	const char *between = guard_take_text();

	test_sub(&context, "%s", "");
	if (between)
		result_add_error_text(&context, "between two tests", between);
	result_finish(&context);
	FOR_EACH_ENGINE_HOOK(h)
		if ((*h)->check_reset)
			(*h)->check_reset(&context);
	excuse(&context);
}

static bool was_disturbed(void)
{
	bool was = false;

	FOR_EACH_ENGINE_HOOK(h)
		if ((*h)->was_disturbed)
			was |= (*h)->was_disturbed();
	return was;
}

static bool is_blind(void)
{
	FOR_EACH_ENGINE_HOOK(h)
		if ((*h)->is_blind && (*h)->is_blind())
			return true;
	return false;
}

static void (*clean_others)(void);

static void run_again(const struct body *body)
{
	execute_clean_up();
	if (clean_others)
		clean_others();
	result_init(&context, body->test);
	run_body(body);
}

/* Repeats a failure where SMIs leave no trace; checks that do not fail each time are only shown. */
static void run_in_doubt(const struct body *body)
{
	static struct doubt doubt;

	doubt_begin(&doubt, &context);
	do {
		run_again(body);
	} while (doubt_keep(&doubt, &context) && context.status == TEST_FAIL
	         && doubt.runs < TEST_TRIES_MAX);
	if (doubt.checks || context.status > TEST_FAIL)
		return;
	result_init(&context, body->test);
	test_report(&context, "failed, and held when it ran again",
	            "in %u runs; the first of these, %s: got %s, want %s", doubt.runs,
	            doubt.first.what, doubt.first.got, doubt.first.want);
}

/* Repeats a test that fails after a disturbance. */
static void run_test(const struct test *test)
{
	const struct body body = { .test = test, .seconds = TEST_SECONDS, .noun = "test" };
	unsigned repeats = 0;

	was_disturbed();
	run_body(&body);
	while (context.status == TEST_FAIL && repeats < TEST_REPEATS_MAX && was_disturbed()) {
		repeats++;
		run_again(&body);
	}
	if (context.status == TEST_FAIL && is_blind())
		run_in_doubt(&body);
	if (repeats)
		test_report(&context, "disturbed by an SMI or a tick, and repeated", "%u", repeats);
}

const struct test_ctx *execute_test(const struct test *test, void (*clean_others_up)(void))
{
	bool is_asked;

	has_begun = true;
	clean_others = clean_others_up;
	panic_set_test(test->id, false);
	result_init(&context, test);
	reset_all();
	is_asked = have_asked_needs();
	if (is_asked && reason)
		result_set_skip(&context, reason);
	else if (is_asked)
		run_test(test);
	panic_set_test(test->id, true);
	execute_clean_up();
	finish_result();
	return &context;
}

const struct test_ctx *execute_part(const struct test *test, execute_part_fn part,
                                    uintptr_t argument)
{
	panic_set_test(test->id, false);
	result_init(&context, test);
	run_body(&(struct body){ .test = test, .part = part, .argument = argument,
	                         .seconds = TEST_SECONDS, .noun = "test" });
	panic_set_test(test->id, true);
	return &context;
}

const struct test_ctx *execute_work(const struct test *work, execute_part_fn part,
                                    uintptr_t argument, unsigned seconds)
{
	result_init(&context, work);
	run_body(&(struct body){ .test = work, .part = part, .argument = argument,
	                         .seconds = seconds, .own_cr4 = CR4_PCE, .noun = "command" });
	return &context;
}
