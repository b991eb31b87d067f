/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/events/event_code.h>

#include <stddef.h>

#include <arch/cpu/cache.h>
#include <arch/cpu/insn.h>
#include <arch/interrupts/local_apic.h>
#include <arch/modes/segments.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <pmu/workload/workload_rules.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/self_interrupts.h>

/* ------------------------------------------------------------------------ interrupts */

static void send_interrupts(uint32_t rounds, uint32_t argument)
{
	(void)argument;
	arch_interrupts_send(rounds, ARCH_INTERRUPT_FIXED);
}

static void send_nmis(uint32_t rounds, uint32_t argument)
{
	(void)argument;
	arch_interrupts_send(rounds, ARCH_INTERRUPT_NMI);
}

static void prepare_interrupts(uint32_t rounds)
{
	(void)rounds;
	arch_interrupts_prepare(ARCH_INTERRUPT_FIXED);
}

static void prepare_nmis(uint32_t rounds)
{
	(void)rounds;
	arch_interrupts_prepare(ARCH_INTERRUPT_NMI);
}

/* Tests run with IF = 1 where the watchdog is an interrupt. */
static void run_masked(const struct workload *w, uint32_t rounds, uint32_t argument)
{
	uintptr_t flags = flags_read();

	interrupts_disable();
	w->code(rounds, argument);
	flags_write(flags);
}

static void loop_masked(uint32_t rounds, uint32_t argument)
{
	run_masked(&workload_loop, rounds, argument);
}

static void cpuid_masked(uint32_t rounds, uint32_t argument)
{
	run_masked(&workload_cpuid, rounds, argument);
}

/* The interrupt is taken at the end: STI lets the next instruction run first. */
static void loop_with_pending(uint32_t rounds, uint32_t argument)
{
	uintptr_t flags = flags_read();

	interrupts_disable();
	apic_send_self(APIC_DELIVERY_FIXED, VECTOR_TEST);
	workload_loop.code(rounds, argument);
	interrupts_enable();
	cpu_pause();
	flags_write(flags);
}

/* ------------------------------------------------------------------------ walks, devices */

enum { SMALL_LINE = 32, LINE = 64, PAGE = 4096, CODE_PAGE_STRIDE = PAGE + SMALL_LINE };

/* How many steps of 32 bytes a line of this processor has: known before a window, where CPUID
 * would count. Processors that do not describe their caches have lines of 32 bytes. */
static uint32_t steps;

static uint32_t line_bytes(void)
{
	struct cache_shape shape;

	return cache_find_l1_data(&shape) ? shape.line : SMALL_LINE;
}

static void prepare_lines(uint32_t rounds)
{
	(void)rounds;
	steps = line_bytes() / SMALL_LINE;
}

#define BY_STEPS(function, workload) \
	static void function(uint32_t rounds, uint32_t argument) \
	{ \
		workload.code(rounds * steps, argument); \
	}

BY_STEPS(line_walk, workload_walk32)
BY_STEPS(line_store_walk, workload_store_walk32)
BY_STEPS(line_prefetchnta_walk, workload_prefetchnta_walk)
BY_STEPS(line_prefetcht1_walk, workload_prefetcht1_walk)
BY_STEPS(line_prefetcht2_walk, workload_prefetcht2_walk)
BY_STEPS(line_movntps_walk, workload_movntps_walk)

static void walk_twice(uint32_t rounds, uint32_t argument)
{
	line_walk(rounds, argument);
	line_walk(rounds, argument);
}

static void store_and_walk(uint32_t rounds, uint32_t argument)
{
	line_store_walk(rounds, argument);
	line_walk(rounds, argument);
}

static void prepare_code_walk(uint32_t rounds)
{
	pmu_code_write(SMALL_LINE, rounds);
}

static void prepare_line_code_walk(uint32_t rounds)
{
	pmu_code_write(line_bytes(), rounds);
}

static void prepare_code_walk64(uint32_t rounds)
{
	pmu_code_write(LINE, rounds);
}

static void prepare_code_page_walk(uint32_t rounds)
{
	pmu_code_write(CODE_PAGE_STRIDE, rounds);
}

/* Reads registers of a device, or memory that one shows. */
static void read_from(uintptr_t address, uint32_t rounds)
{
	workload_load_at.code(rounds, (uint32_t)address);
}

static void write_to(uintptr_t address, uint32_t rounds)
{
	workload_store_at.code(rounds, (uint32_t)address);
}

/* Writes 0 to the task priority, which is 0 while tests run. */
static void read_apic(uint32_t rounds, uint32_t argument)
{
	read_from(apic_get_state()->base + APIC_VERSION + argument, rounds);
}

static void write_apic(uint32_t rounds, uint32_t argument)
{
	write_to(apic_get_state()->base + APIC_TPR + argument, rounds);
}

/* A page of a text screen has 25 lines of 160 bytes, and 96 bytes more, at B8000H. */
enum { VIDEO_UNSEEN = 0xb8000 + 25 * 160 };

static void read_video(uint32_t rounds, uint32_t argument)
{
	read_from(VIDEO_UNSEEN + argument, rounds);
}

static void write_video(uint32_t rounds, uint32_t argument)
{
	write_to(VIDEO_UNSEEN + argument, rounds);
}

/* Writes the code that it executes, at argument: a RET, with its own value. */
enum { RET = 0xc3 };

static void modify_code(uint32_t rounds, uint32_t argument)
{
	volatile uint8_t *code = (volatile uint8_t *)(uintptr_t)argument;

	for (uint32_t i = 0; i < rounds; i++) {
		*code = RET;
		((void (*)(void))(uintptr_t)code)();
	}
}

/* ------------------------------------------------------------------------ all of them */

enum { BY_LINE = UINT32_MAX };          /* a stride: that of the processor's lines */

#define BY_LINES(text, function) \
	{ .name = text, .code = function, .prepare = prepare_lines, .stride = BY_LINE }

static const struct event_code codes[] = {
	{ "interrupts", send_interrupts, .prepare = prepare_interrupts, .need = need_local_apic },
	{ "nmis", send_nmis, .prepare = prepare_nmis, .need = need_local_apic },
	{ "pending_loop", loop_with_pending, .prepare = prepare_interrupts,
	  .need = need_local_apic },
	{ .name = "loop_masked", .code = loop_masked },
	{ .name = "cpuid_masked", .code = cpuid_masked },
	BY_LINES("line_walk", line_walk),
	BY_LINES("line_store_walk", line_store_walk),
	BY_LINES("line_walk_twice", walk_twice),
	BY_LINES("line_store_and_walk", store_and_walk),
	BY_LINES("line_prefetchnta_walk", line_prefetchnta_walk),
	BY_LINES("line_prefetcht1_walk", line_prefetcht1_walk),
	BY_LINES("line_prefetcht2_walk", line_prefetcht2_walk),
	BY_LINES("line_movntps_walk", line_movntps_walk),
	{ "line_code_walk", pmu_code_walk, .prepare = prepare_line_code_walk, .stride = BY_LINE },
	{ "code_walk", pmu_code_walk, .prepare = prepare_code_walk, .stride = SMALL_LINE },
	{ "code_walk64", pmu_code_walk, .prepare = prepare_code_walk64, .stride = LINE },
	{ "code_page_walk", pmu_code_walk, .prepare = prepare_code_page_walk,
	  .stride = CODE_PAGE_STRIDE },
	{ .name = "modify_code", .code = modify_code },
	{ "apic_reads", read_apic, .need = need_xapic },
	{ "apic_writes", write_apic, .need = need_xapic },
	{ .name = "video_reads", .code = read_video },
	{ .name = "video_writes", .code = write_video },
};

struct event_code event_code_find(const char *name)
{
	const struct workload *w = workload_find(name);
	struct event_code found = { .name = name };

	for (size_t i = 0; i < COUNT_OF(codes); i++)
		if (strcmp(codes[i].name, name) == 0)
			found = codes[i];
	if (found.stride == BY_LINE)
		found.stride = line_bytes();
	if (found.code)
		return found;
	if (!w)
		test_abort("no code is called %s", name);
	found.code = w->code;
	found.stride = workload_rule_of(name)->stride;
	return found;
}

const char *event_code_need(struct test_ctx *t, const struct event_code *c, uint32_t rounds,
                            uint32_t offset)
{
	const struct workload *w = workload_find(c->name);
	uint32_t size;
	uint64_t end = offset + (uint64_t)c->stride * rounds;

	if (w && workload_problem(w))
		return test_reason(t, "%s, %s needs it", workload_problem(w), w->name);
	pmu_workload_arena(&size);
	if (c->stride && end >= size)
		return test_reason(t, "%s of %" PRIu32 " rounds goes to %" PRIu64 " bytes, the "
		                   "memory for it has %" PRIu32, c->name, rounds, end, size);
	return c->need ? c->need(t) : NULL;
}
