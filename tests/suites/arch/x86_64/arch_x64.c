/* SPDX-License-Identifier: MIT */
/* The parts of the PMU that only 64-bit mode shows: wide registers and wide addresses. */
#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/modes/modes.h>
#include <arch/modes/paging.h>
#include <arch/regs/cpu.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/instruction.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>

/* ------------------------------------------------------------------------ upper halves */

/* The sign bit of the low half is set, so that a sign extension shows; VALUE fits any width. */
#define VALUE   UINT64_C(0x9abcdef0)
#define UPPER   UINT64_C(0xa5a5a5a500000000)

static const struct mode_regs wide = {
	.ax = UPPER | 0x11111111, .dx = UPPER | 0x22222222, .cx = UPPER,
	.bx = UPPER | 0x33333333, .si = UPPER | 0x44444444, .di = UPPER | 0x55555555,
	.bp = UPPER | 0x66666666, .flags = EFLAGS_CF,
};

/* Returns what reading the stopped counter must give, as EDX:EAX. */
static uint64_t stopped_value(void)
{
	pmu_reset();
	pmu_write(0, VALUE);
	return pmu_read(0);
}

static void check_wide(struct test_ctx *t, const struct mode_result *r, uint64_t want)
{
	static const char why[] = "the upper halves of RAX and RDX are cleared; ECX alone matters";

	if (!expect_no_fault(t, "outcome", r->fault,
	                     "ECX is valid, whatever the upper half of RCX holds"))
		return;
	expect_exact(t, "RAX", r->regs.ax, want & UINT32_MAX, why);
	expect_exact(t, "RDX", r->regs.dx, want >> 32, why);
	expect_exact(t, "RCX", r->regs.cx, wide.cx, "RCX is read, not written");
	expect_exact(t, "RBX", r->regs.bx, wide.bx, "the instruction writes RDX and RAX only");
}

static void run_wide(struct test_ctx *t, const struct instruction *insn, enum cpu_mode mode,
                     uint32_t ecx, uint64_t want)
{
	struct mode_regs regs = wide;
	struct mode_result r;

	regs.cx |= ecx;
	r = mode_run(mode, insn->code, insn->size, &regs);
	test_sub(t, "%s, %s", insn->name, mode_name(mode));
	r.regs.cx &= ~(uintptr_t)ecx;
	check_wide(t, &r, want);
}

static NEED_BOTH(need_arch_and_modes, need_arch, need_modes)

TEST(rdpmc_upper, .id = "arch.x64.rdpmc_upper", .needs = need_arch_and_modes,
     .claim = "RDPMC clears the upper halves of RAX and RDX and ignores that of RCX",
     .source = "SDM 2B, \"RDPMC\"")
{
	const uint64_t want = stopped_value();

	cr4_write(cr4_read() | CR4_PCE);
	run_wide(t, &insn_rdpmc, MODE_CPL0, 0, want);
	run_wide(t, &insn_rdpmc, MODE_CPL3, 0, want);
	cr4_write(cr4_read() & ~(uintptr_t)CR4_PCE);
}

TEST(rdmsr_upper, .id = "arch.x64.rdmsr_upper", .needs = need_arch_and_modes,
     .claim = "RDMSR of a counter clears the upper halves of RAX and RDX and ignores that of RCX",
     .source = "SDM 2B, \"RDMSR\"")
{
	run_wide(t, &insn_rdmsr, MODE_CPL0, IA32_PMC(0), stopped_value());
}

TEST(wrmsr_upper, .id = "arch.x64.wrmsr_upper", .needs = need_arch_and_modes,
     .claim = "WRMSR of a counter writes EDX:EAX and ignores all three upper halves",
     .source = "SDM 2D, \"WRMSR\"")
{
	struct mode_regs regs = wide;
	struct mode_result r;

	regs.cx |= IA32_PMC(0);
	r = mode_run(MODE_CPL0, insn_wrmsr.code, insn_wrmsr.size, &regs);
	if (!expect_no_fault(t, "outcome", r.fault,
	                     "ECX is a counter, whatever the upper half of RCX holds"))
		return;
	expect_exact(t, "IA32_PMC0", pmu_read(0), wide.ax & UINT32_MAX,
	             "a legacy write takes EAX and extends its bit 31, which is 0");
	expect_exact(t, "RAX", r.regs.ax, wide.ax, "RAX is read, not written");
	expect_exact(t, "RDX", r.regs.dx, wide.dx, "RDX is read, not written");
}

/* ------------------------------------------------------------------------ code above 4 GB */

enum { ROUNDS = 1000, MISSING = 500 };

/* The page is mapped at both: in the lower half of the address space beyond 32 bits,
 * and in the upper half. */
static const uint64_t high_pages[] = { UINT64_C(0x100000000), UINT64_C(0xffff800000000000) };

typedef void (*code_fn)(uint32_t rounds, uint32_t argument);

static size_t loop_size(void)
{
	return (size_t)((uintptr_t)workload_loop.end - (uintptr_t)workload_loop.code);
}

/* Maps a copy of the loop at another address. */
static code_fn map_loop(uint64_t linear)
{
	uint32_t size;
	uint8_t *arena = pmu_workload_arena(&size);

	memcpy(arena, (const void *)(uintptr_t)workload_loop.code, loop_size());
	if (paging_map_high(linear, (uintptr_t)arena, PAGE_P | PAGE_RW | PAGE_US))
		return (code_fn)linear;
	test_abort("%016" PRIx64 "H cannot be mapped", linear);
}

static void check_count(struct test_ctx *t, code_fn code)
{
	struct pmu_setup setups[PMU_SETUPS_MAX];
	unsigned count = counting_setups(setups, EVENT_INSTRUCTIONS_RETIRED, PMU_BOTH);
	struct pmu_reading low = counting_measure(setups, count, workload_loop.code, ROUNDS, 0);
	struct pmu_reading high = counting_measure(setups, count, code, ROUNDS, 0);
	char name[PMU_NAME_SIZE];

	for (unsigned i = 0; i < count; i++)
		expect_exact(t, pmu_counter_name(setups[i].counter, name), high.count[i],
		             low.count[i], "it runs the same instructions as below 4 GB");
}

static void check_pmi(struct test_ctx *t, code_fn code)
{
	const struct pmu_setup s = {
		.counter = 0, .event = EVENT_INSTRUCTIONS_RETIRED, .flags = PMU_BOTH | PMU_INT,
		.start = 0 - (uint64_t)MISSING,
	};
	const struct pmi_log *log = pmi_run_one(&s, code, ROUNDS);

	if (expect_exact(t, "PMIs", log->count, 1, "one counter overflowed once"))
		expect_between(t, "RIP that the PMI found", log->ip[0], (uintptr_t)code,
		               (uintptr_t)code + loop_size() - 1,
		               "low and high: the loop, which runs on for longer than any skid");
}

TEST(high_ip, .id = "arch.x64.high_ip", .needs = need_pmi,
     .claim = "code beyond 4 GB counts as code below it does, and a PMI's frame holds "
              "all 64 bits of RIP",
     .source = "SDM 1, \"Canonical Addressing\"; SDM 3A, \"64-Bit Mode Stack Frame\"")
{
	for (size_t i = 0; i < COUNT_OF(high_pages); i++) {
		code_fn code = map_loop(high_pages[i]);

		test_sub(t, "code at %016" PRIx64 "H", high_pages[i]);
		check_count(t, code);
		check_pmi(t, code);
		paging_unmap_high();
	}
}

/* ------------------------------------------------------------------------ IA32_DS_AREA */

#define CPUID_LA57  CPUID_FIELD(0x07, 0, ECX, 16, 16)

static const char *need_ds(struct test_ctx *t)
{
	const char *reason = need_arch(t);

	if (!reason && !cpuid_get(CPUID_DS))
		return test_reason(t, "CPUID.1:EDX[21] (DS) = 0");
	return reason;
}

static const uint64_t canonical[] = {
	0, 0x1000, UINT64_C(0x00007ffffffff000), UINT64_C(0xffff800000000000),
	UINT64_C(0xfffffffffffff000),
};

/* width is that of linear addresses in bits; where LA57 exists, WRMSR uses 57 whatever CR4 says. */
static const struct { uint64_t value; unsigned width; } non_canonical[] = {
	{ UINT64_C(0x0000800000000000), 48 }, { UINT64_C(0xffff7ffffffff000), 48 },
	{ UINT64_C(0x0100000000000000), 57 }, { UINT64_C(0xfefffffffffff000), 57 },
	{ UINT64_C(0x8000000000000000), 57 },
};

TEST(ds_area, .id = "arch.x64.ds_area", .needs = need_ds,
     .claim = "IA32_DS_AREA holds any canonical address; a non-canonical one raises #GP(0)",
     .source = "SDM 2D, \"WRMSR\", 64-Bit Mode Exceptions; SDM 1, \"Canonical Addressing\"")
{
	unsigned width = cpuid_get(CPUID_LA57) ? 57 : 48;

	for (size_t i = 0; i < COUNT_OF(canonical); i++) {
		test_sub(t, "%016" PRIx64 "H", canonical[i]);
		expect_no_fault(t, "WRMSR", msr_try_write(IA32_DS_AREA, canonical[i]), "canonical");
		expect_exact(t, "IA32_DS_AREA", msr_read(IA32_DS_AREA), canonical[i],
		             "it was written");
	}
	msr_write(IA32_DS_AREA, 0);
	for (size_t i = 0; i < COUNT_OF(non_canonical); i++) {
		if (non_canonical[i].width < width)
			continue;
		test_sub(t, "%016" PRIx64 "H", non_canonical[i].value);
		expect_fault(t, "WRMSR", msr_try_write(IA32_DS_AREA, non_canonical[i].value),
		             X86_GP, 0, "the address is not canonical");
		expect_exact(t, "IA32_DS_AREA", msr_read(IA32_DS_AREA), 0,
		             "a write that faults changes nothing");
		msr_write(IA32_DS_AREA, 0);
	}
}
