/* SPDX-License-Identifier: MIT */
/* Op sampling at CPL 3, in 16-bit code, of code that never retires, while halted; INIT; others. */
#include <tests/suites/ibs/ibs_suite.h>

#include <arch/cpu/insn.h>
#include <arch/interrupts/local_apic.h>
#include <arch/modes/interrupt.h>
#include <arch/modes/low_memory.h>
#include <arch/modes/modes.h>
#include <arch/modes/segments.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/smp_init.h>
#include <tests/suites/common/smp_tests.h>

/* ---------------------------------------------------------------------------- modes */

static NEED_BOTH(need_ibs_modes, need_ibs_op_sampling, need_modes)

/* A loop that is the same in all modes: DEC CX or ECX, JNZ. */
static const uint8_t loop_code[] = { 0x90, 0x49, 0x75, 0xfc };
static const uint8_t loop_code_64[] = { 0x90, 0xff, 0xc9, 0x75, 0xfb };
enum { MODE_ROUNDS = 60000 };

struct places { unsigned inside, at_starts, with_cpl; };

/* Samples the loop in this mode. Its code was copied to low memory. */
static struct places sample_mode(enum cpu_mode mode)
{
	const struct ibs_log *log = ibs_get_log();
	const bool is_64 = mode_bits(mode) == 64;
	const struct mode_regs in = { .cx = MODE_ROUNDS };
	struct places n = { 0, 0, 0 };

	ibs_start(&(const struct ibs_plan){ .op = ibs_op(0x20, ibs_by_ops()), .is_varied = true });
	mode_run(mode, is_64 ? loop_code_64 : loop_code,
	         is_64 ? sizeof(loop_code_64) : sizeof(loop_code), &in);
	ibs_stop();
	for (unsigned i = 0; i < log->count && i < IBS_SAMPLES; i++) {
		uint64_t offset = log->sample[i].rip - LOW_CODE_BASE;

		if (offset >= sizeof(loop_code_64))
			continue;
		n.inside++;
		n.at_starts += offset == 0 || offset == 1 || offset == (is_64 ? 3 : 2);
		n.with_cpl += log->sample[i].cpl == mode_cpl(mode);
	}
	return n;
}

static void judge_mode(struct test_ctx *t, enum cpu_mode mode)
{
	struct places n = sample_mode(mode);

	expect_between(t, "samples of the loop", n.inside, 10, UINT64_MAX,
	               "low: 180000 instructions are 300 periods of 512 ops, and at three a "
	               "clock 29 of 2048 clocks; "
	               "high: none");
	if (ibs_rip_is_exact())
		expect_exact(t, "of these, at the first byte of an instruction", n.at_starts,
		             n.inside, "IbsOpRip is linear, whatever the mode");
	expect_bounds(t, "of these, interrupted at the loop's level", n.with_cpl,
	              if_exact(n.inside, "the interrupt comes at once"),
	              else_in(1, n.inside, "low: some; high: all"));
}

#define MODE(name, mode, where) \
	static void name(struct test_ctx *t) { judge_mode(t, mode); } \
	TEST_OF(name, .id = "ibs.op." #name, .needs = need_ibs_modes, .source = IBS_OP, \
	        .claim = "ops are sampled " where ", by their linear address")
MODE(cpl3, MODE_CPL3, "at CPL 3");
MODE(cpl0_16bit, MODE_CPL0_16BIT, "in 16-bit code at CPL 0");
MODE(cpl3_16bit, MODE_CPL3_16BIT, "in 16-bit code at CPL 3");

/* ---------------------------------------------------------------------------- retirement */

static volatile unsigned faults;

static void fault_often(uint32_t rounds, uint32_t unused)
{
	const struct mode_regs in = { .ax = 0 };
	static const uint8_t ud2[] = { 0x0f, 0x0b };

	(void)unused;
	for (uint32_t i = 0; i < rounds; i++)
		faults += is_fault(mode_run(MODE_CPL3, ud2, sizeof(ud2), &in).fault);
}

TEST(faults_test, .id = "ibs.op.no_faults", .needs = need_ibs_modes, .source = IBS_OP,
     .claim = "an instruction that faults does not retire, and is never sampled")
{
	const struct ibs_log *log = ibs_get_log();
	unsigned sampled = 0;

	faults = 0;
	ibs_window(&(const struct ibs_plan){ .op = ibs_op(0x09, ibs_by_ops()), .is_varied = true },
	           fault_often, 300, 0);
	for (unsigned i = 0; i < log->count && i < IBS_SAMPLES; i++)
		sampled += log->sample[i].rip == LOW_CODE_BASE;
	expect_exact(t, "faults", faults, 300, "each UD2 raises #UD");
	expect_exact(t, "samples of UD2", sampled, 0, "it does not retire");
}

TEST(wrong_path, .id = "ibs.op.retired_only", .needs = need_ibs_op_sampling, .source = IBS_OP,
     .claim = "instructions that are fetched on a wrong path alone are never sampled")
{
	const struct ibs_log *log;
	uintptr_t buffer;
	unsigned sampled = 0;

	log = ibs_sample_mix(200, &buffer);
	for (unsigned i = 0; i < log->count && i < IBS_SAMPLES; i++) {
		const uint8_t *ip = (const uint8_t *)(uintptr_t)log->sample[i].rip;

		if (ibs_row_of(&log->sample[i]))
			sampled += ip[0] == 0x0f && ip[1] == 0x0b;
	}
	expect_exact(t, "samples of a UD2 behind a jump", sampled, 0, "it is never executed");
	expect_between(t, "samples", log->count, 1, UINT64_MAX, "low: there are some; high: none");
}

/* ---------------------------------------------------------------------------- HLT */

static void on_timer(struct frame *f)
{
	(void)f;
	apic_end_of_interrupt();
}

/* Returns the count of ops that a HLT of so many us leaves, without a sample. */
static uint64_t count_over_halt(uint32_t us)
{
	uint64_t count;

	ibs_start(&(const struct ibs_plan){ .op = ibs_op(0xffff, IbsOpCtl_CntCtl),
	                                    .delivery = IBS_MASKED });
	apic_timer_start(VECTOR_TEST, apic_timer_clocks(us));
	interrupts_enable_and_halt();
	interrupts_disable();
	count = FIELD_GET(IbsOpCtl_CurCnt, msr_read(IbsOpCtl));
	ibs_stop();
	apic_timer_stop();
	return count;
}

TEST(halt, .id = "ibs.op.halt", .needs = need_ibs_current, .source = IBS_OP ", IbsOpCurCnt",
     .claim = "the counter of ops stands still while the processor is halted")
{
	enum { SHORT = 1000, LONG = 11000 };
	uintptr_t flags = flags_read();
	interrupt_handler before = interrupt_set_handler(VECTOR_TEST, on_timer);
	uint64_t few, many;

	interrupts_disable();
	few = count_over_halt(SHORT);
	many = count_over_halt(LONG);
	flags_write(flags);
	interrupt_set_handler(VECTOR_TEST, before);
	test_report(t, "ops over a HLT", "%u of 1 ms, %u of 11 ms", (unsigned)few, (unsigned)many);
	expect_between(t, "ops over a HLT of 11 ms", many, few / 2, few + 5000,
	               "low: the same instructions execute before and after it; high: the "
	               "watchdog's tick may come, whose handler has less than 5000 ops");
}

/* ---------------------------------------------------------------------------- processors */

static NEED_BOTH(need_ibs_others, need_ibs_op, need_secondaries)

static uint64_t own_rip(void) { return 0x1000 * (smp_self() + 1); }

static void hold_part(struct test_ctx *t, uintptr_t unused)
{
	(void)t, (void)unused;
	msr_write(IbsOpRip, own_rip());
	msr_write(IbsOpCtl, FIELD_PUT(IbsOpCtl_MaxCnt, smp_self() + 1));
	msr_write(IbsFetchCtl, FIELD_PUT(IbsFetchCtl_MaxCnt, smp_self() + 3));
}

static void check_part(struct test_ctx *t, uintptr_t unused)
{
	(void)unused;
	expect_exact(t, "IbsOpRip", msr_read(IbsOpRip), own_rip(), "written here");
	expect_exact(t, "IbsOpCtl", msr_read(IbsOpCtl), smp_self() + 1, "written here");
	expect_exact(t, "IbsFetchCtl", msr_read(IbsFetchCtl) & IbsFetchCtl_MaxCnt, smp_self() + 3,
	             "written here");
	ibs_reset();
}

TEST(independent, .id = "ibs.smp.independent", .runs = TEST_ON_BOOT, .needs = need_ibs_others,
     .source = IBS_APM, .claim = "each processor has registers of IBS of its own")
{
	hold_part(t, 0);
	smp_do_on_all(t, hold_part, 0);
	check_part(t, 0);
	smp_do_on_all(t, check_part, 0);
}

/* No manual says what INIT does. */
static unsigned kept(struct kept_register *r)
{
	unsigned count = 0;

	keep_register(r, &count, "IbsOpRip", IbsOpRip, 0x123456)->is_open = true;
	keep_register(r, &count, "IbsOpCtl", IbsOpCtl, 0x1234)->is_open = true;
	keep_register(r, &count, "IbsFetchCtl", IbsFetchCtl, 0x4321)->is_open = true;
	return count;
}

TEST(init, .id = "ibs.smp.init", .runs = TEST_ON_BOOT, .needs = need_ibs_others,
     .source = IBS_APM,
     .claim = "a processor comes back from INIT with its controls as they were (on silicon they "
              "are reported)")
{
	judge_init(t, kept);
}
