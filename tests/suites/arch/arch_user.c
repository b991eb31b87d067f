/* SPDX-License-Identifier: MIT */
/*
 * The PMU as code at CPL 1, 2 and 3 sees it: the registers belong to the kernel, RDPMC reads the
 * counters if CR4.PCE allows it, and reading changes nothing.
 */
#include <stddef.h>

#include <arch/cpu/control.h>
#include <arch/cpu/fault.h>
#include <arch/regs/cpu.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/instruction.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>

#define RDPMC  "SDM 2B, \"RDPMC - Read Performance-Monitoring Counters\""

/* All modes outside CPL 0; a kernel runs those that it has. */
static const enum cpu_mode modes[] = { MODE_CPL1, MODE_CPL2, MODE_CPL3, MODE_CPL3_COMPAT,
                                       MODE_CPL3_16BIT, MODE_VM86 };
#define MODES  (COUNT_OF(modes))

static NEED_BOTH(need_user, need_arch, need_modes)

static uint32_t rdpmc_index(unsigned counter)
{
	return counter < PMU_FIXED ? counter : RDPMC_FIXED + (counter - PMU_FIXED);
}

/* Returns a value that differs in every counter, positive and with bits in each byte of the
 * low 31. */
static uint64_t pattern(unsigned counter)
{
	return 0x12345678u + 0x01010101u * counter;
}

static bool may_have_counter(unsigned counter)
{
	return pmu_has_counter(counter) || (counter >= PMU_FIXED
	       ? pmu_may_hide_fixed(pmu_get(), counter - PMU_FIXED)
	       : pmu_may_hide_gp(pmu_get(), counter));
}

/* Returns the index after the last counter of this kind that may exist. */
static uint32_t bad_index(uint32_t kind)
{
	unsigned i = kind == RDPMC_FIXED ? PMU_FIXED : 0;

	while (may_have_counter(i))
		i++;
	return rdpmc_index(i);
}

/* Stops all counters of instructions or cycles and writes their patterns. */
static void fill_counters(void)
{
	for (unsigned i = 0; i < 2 * PMU_FIXED; i++)
		if (pmu_has_counter(i))
			pmu_write(i, pattern(i));
}

static void set_pce(bool on)
{
	uintptr_t value = cr4_read() & ~(uintptr_t)CR4_PCE;

	cr4_write(on ? value | CR4_PCE : value);
}

static void for_each_counter(struct test_ctx *t, bool pce,
                             void (*judge)(struct test_ctx *t, enum cpu_mode mode,
                                           unsigned counter))
{
	char name[PMU_NAME_SIZE];

	fill_counters();
	set_pce(pce);
	for (size_t m = 0; m < MODES; m++) {
		if (!mode_exists(modes[m]))
			continue;
		for (unsigned i = 0; i < 2 * PMU_FIXED; i++) {
			if (!pmu_has_counter(i))
				continue;
			test_sub(t, "%s, %s", pmu_counter_name(i, name), mode_name(modes[m]));
			judge(t, modes[m], i);
		}
	}
	set_pce(false);
	test_sub(t, "%s", "");
}

static void judge_read(struct test_ctx *t, enum cpu_mode mode, unsigned counter)
{
	struct mode_result r = instruction_run(&insn_rdpmc, mode, rdpmc_index(counter));

	expect_outcome(t, &r, FAULT_NONE, "CR4.PCE = 1 opens RDPMC to every privilege level");
	expect_exact(t, "EDX:EAX", instruction_value(&r), pattern(counter), "it was written there");
	expect_exact(t, "the counter by RDMSR", pmu_read(counter), pattern(counter),
	             "reading it by RDPMC does not change it");
}

TEST(rdpmc_open, .id = "arch.user.rdpmc", .is_static = true, .needs = need_user, .source = RDPMC,
     .claim = "with CR4.PCE = 1 RDPMC outside CPL 0 reads each counter as RDMSR does at CPL 0")
{
	for_each_counter(t, true, judge_read);
}

static void judge_closed(struct test_ctx *t, enum cpu_mode mode, unsigned counter)
{
	struct mode_result r = instruction_run(&insn_rdpmc, mode, rdpmc_index(counter));

	expect_outcome(t, &r, fault_make(X86_GP, 0), "CR4.PCE = 0 and CPL > 0");
	expect_exact(t, "the counter by RDMSR", pmu_read(counter), pattern(counter),
	             "an RDPMC that faults does not change it");
}

TEST(rdpmc_closed, .id = "arch.user.rdpmc.closed", .is_static = true,
     .needs = need_user, .source = RDPMC,
     .claim = "with CR4.PCE = 0 RDPMC outside CPL 0 raises #GP(0)")
{
	for_each_counter(t, false, judge_closed);
}

TEST(rdpmc_bad, .id = "arch.user.rdpmc.bad_index", .is_static = true,
     .needs = need_user, .source = RDPMC,
     .claim = "an index without a counter raises #GP(0) outside CPL 0, too, with CR4.PCE = 1")
{
	const uint32_t bad[] = { bad_index(0), bad_index(RDPMC_FIXED), 0x10000 };

	set_pce(true);
	for (size_t m = 0; m < MODES; m++) {
		if (!mode_exists(modes[m]))
			continue;
		for (size_t i = 0; i < COUNT_OF(bad); i++) {
			struct mode_result r = instruction_run(&insn_rdpmc, modes[m], bad[i]);

			test_sub(t, "ECX = %08" PRIX32 "H, %s", bad[i], mode_name(modes[m]));
			expect_outcome(t, &r, fault_make(X86_GP, 0), "there is no such counter");
		}
	}
	set_pce(false);
}

/* ---------------------------------------------------------------------- while a counter counts */

/* Executes RDPMC; MOV ESI, EAX; ten NOPs; RDPMC. */
static void read_twice(uint32_t rounds, uint32_t index);
static struct mode_result twice;

static void read_twice(uint32_t rounds, uint32_t index)
{
	static const uint8_t code[] = { 0x0f, 0x33, 0x89, 0xc6, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90,
	                                0x90, 0x90, 0x90, 0x90, 0x0f, 0x33 };
	const struct mode_regs regs = { .ax = rounds, .cx = index };

	twice = mode_run(MODE_CPL3, code, sizeof(code), &regs);
}

/* RDPMC is not ordered with its neighbours: only a machine that runs in order must
 * give the exact number. */
static void judge_running(struct test_ctx *t, unsigned counter)
{
	struct pmu_setup s = user_instructions(counter, 0);
	uint64_t base = user_base(counter);
	char name[PMU_NAME_SIZE];

	s.flags = PMU_USR;
	test_sub(t, "%s", pmu_counter_name(counter, name));
	pmu_program(&s, 1);
	set_pce(true);
	pmu_window(read_twice, 0, rdpmc_index(counter));
	set_pce(false);
	if (!expect_no_fault(t, "RDPMC at CPL 3", twice.fault, "CR4.PCE = 1"))
		return;
	expect_exact(t, "the whole count", pmu_read(counter), base + 13,
	             "RDPMC, MOV, ten NOPs, RDPMC: reading does not stop the counter");
	expect_bounds(t, "second reading less the first",
	              (uint64_t)(intptr_t)(twice.regs.ax - twice.regs.si),
	              if_exact(12, "the first RDPMC, MOV, ten NOPs"),
	              else_in(0, 13, "low: RDPMC may execute early; high: all the instructions of "
	                      "the code"));
}

TEST(rdpmc_running, .id = "arch.user.rdpmc.running", .needs = need_user, .source = RDPMC,
     .claim = "RDPMC at CPL 3 reads a running counter of CPL 3 and does not disturb it")
{
	for (unsigned i = 0; i <= PMU_FIXED_CTR(0); i++)
		if (pmu_has_counter(i))
			judge_running(t, i);
}

/* ------------------------------------------------------------------------------- the registers */

/* The value written differs from the register's in bits that every register has. */
static void judge_register(struct test_ctx *t, enum cpu_mode mode, uint32_t msr, bool is_write)
{
	uint64_t before, after;
	struct mode_result r;

	if (is_fault(msr_try_read(msr, &before)))
		return;
	r = is_write ? instruction_run_with(&insn_wrmsr, mode, msr, before ^ 0x30)
	             : instruction_run(&insn_rdmsr, mode, msr);
	expect_outcome(t, &r, fault_make(X86_GP, 0), "the instruction is for CPL 0 only");
	msr_try_read(msr, &after);
	expect_exact(t, "the register", after, before, "the fault leaves it as it was");
}

/* Takes the registers out of their reset state: counters hold values, controls are those of
 * a run. */
static void use_registers(struct pmu_setup *all)
{
	unsigned count = 0;

	for (unsigned i = 0; i < 2 * PMU_FIXED && count < PMU_SETUPS_MAX; i++) {
		if (!pmu_has_counter(i))
			continue;
		all[count] = user_instructions(i, 0);
		all[count].start = pattern(i);
		count++;
	}
	pmu_program(all, count);
}

static void judge_registers_in(struct test_ctx *t, enum cpu_mode mode, bool is_write)
{
	const struct pmu *p = pmu_get();

	for (unsigned i = 0; i < p->class->register_count; i++) {
		const struct pmu_register *row = &p->class->registers[i];

		for (unsigned j = 0; j < pmu_register_count(p, row); j++) {
			test_sub(t, "%s (%" PRIX32 "H), %s", row->name, row->msr + j,
			         mode_name(mode));
			judge_register(t, mode, row->msr + j, is_write);
		}
	}
}

static void judge_registers(struct test_ctx *t, bool is_write)
{
	struct pmu_setup all[PMU_SETUPS_MAX];

	use_registers(all);
	for (size_t m = 0; m < MODES; m++)
		if (mode_exists(modes[m]))
			judge_registers_in(t, modes[m], is_write);
	test_sub(t, "%s", "");
}

TEST(user_rdmsr, .id = "arch.user.rdmsr", .is_static = true,
     .needs = need_user, .source = "SDM 2B, RDMSR",
     .claim = "RDMSR of every PMU register in use raises #GP(0) outside CPL 0")
{
	judge_registers(t, false);
}

TEST(user_wrmsr, .id = "arch.user.wrmsr", .is_static = true,
     .needs = need_user, .source = "SDM 2C, WRMSR",
     .claim = "WRMSR to every PMU register in use raises #GP(0) outside CPL 0 and changes nothing")
{
	judge_registers(t, true);
}
