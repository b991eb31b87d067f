/* SPDX-License-Identifier: MIT */
/* TSC offsetting, which moves the guest's TSC and no counter. */
#include <tests/suites/vmx/vmx_guest.h>

#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/regs/msr.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <pmu/core/program.h>
#include <tests/suites/common/needs.h>

#define OFFSETTING  "SDM 3C, \"Changes to Instruction Behavior in VMX Non-Root Operation\""

/* Longer than any machine here runs between two reads, and the same below 0. */
static const uint64_t offsets[] = { UINT64_C(1) << 40, -(UINT64_C(1) << 40), 0 };

static const struct { const void *code; uint32_t msr; const char *name; } readers[] = {
	{ vmx_guest_rdtsc, 0, "RDTSC" },
	{ vmx_guest_rdmsr, IA32_TIME_STAMP_COUNTER, "RDMSR of 10H" },
};

static uint64_t read_in_guest(unsigned reader)
{
	struct guest g = { .code = readers[reader].code, .regs.cx = readers[reader].msr };

	guest_run(&g);
	return guest_edx_eax(&g.regs);
}

TEST(offset, .id = "vmx.tsc.offset", .needs = need_vmx, .source = OFFSETTING,
     .claim = "with TSC offsetting, RDTSC and RDMSR in the guest read the TSC plus the offset, and "
              "the host's TSC stays")
{
	guest_begin();
	guest_set(VMX_PROC, VMX_PROC_TSC_OFFSETTING);
	for (unsigned i = 0; i < COUNT_OF(offsets); i++) {
		guest_write(VMCS_TSC_OFFSET, offsets[i]);
		for (unsigned r = 0; r < COUNT_OF(readers); r++) {
			const uint64_t before = tsc_read();
			const uint64_t inside = read_in_guest(r) - offsets[i];
			const uint64_t after = tsc_read();

			test_sub(t, "%s, offset %u", readers[r].name, i);
			expect_between(t, "the guest's TSC minus the offset", inside, before, after,
			               "low: the host's TSC before the entry; high: after it");
			expect_between(t, "the host's TSC", after - before, 0, offsets[0] / 2,
			               "low: it does not go back; high: half of the offset, which "
			               "would show");
		}
	}
	guest_end();
}

TEST(none, .id = "vmx.tsc.none", .needs = need_vmx, .source = OFFSETTING,
     .claim = "without TSC offsetting the field does nothing")
{
	guest_begin();
	guest_write(VMCS_TSC_OFFSET, offsets[0]);
	for (unsigned r = 0; r < COUNT_OF(readers); r++) {
		const uint64_t before = tsc_read(), inside = read_in_guest(r), after = tsc_read();

		test_sub(t, "%s", readers[r].name);
		expect_between(t, "the guest's TSC", inside, before, after,
		               "low: the host's TSC before the entry; high: after the exit");
	}
	guest_end();
}

TEST(exiting, .id = "vmx.tsc.exiting", .needs = need_vmx,
     .source = "SDM 3C, \"Instructions That Cause VM Exits Conditionally\": RDTSC",
     .claim = "with RDTSC exiting, RDTSC leaves the guest with reason 16")
{
	struct guest g = { .code = vmx_guest_rdtsc };

	guest_begin();
	guest_set(VMX_PROC, VMX_PROC_RDTSC);
	guest_try(&g);
	expect_exits(t, "basic exit reason", &g, VMX_REASON_RDTSC, "it is RDTSC's");
	guest_end();
}

/* Cycles, and reference cycles where there is a fixed counter of them. */
static void run(uint32_t rounds, uint32_t unused)
{
	struct guest g = { .code = vmx_guest_loop, .regs.cx = rounds };

	(void)unused;
	guest_run(&g);
}

/* What a guest reads is a multiple of the TSC plus an offset. */
static const struct { uint64_t times, offset; } scales[] = { { 2, 0 }, { 3, UINT64_C(1) << 40 } };

TEST(scaling, .id = "vmx.tsc.scaling", .needs = need_vmx_tsc_scaling, .source = OFFSETTING,
     .claim = "with TSC scaling, RDTSC and RDMSR in the guest read the TSC times the multiplier "
              "plus the offset")
{
	const struct pmu_setup cycles = {
		.counter = 0, .event = EVENT_UNHALTED_CORE_CYCLES, .flags = PMU_BOTH,
	};

	guest_begin();
	/* An emulator that has another clock while a counter runs must scale both. */
	pmu_measure_code(&cycles, 1, run, 10000, 0);
	guest_set(VMX_PROC, VMX_PROC_TSC_OFFSETTING | VMX_PROC_SECONDARY);
	guest_write(VMCS_PROC2_CONTROLS, VMX_PROC2_TSC_SCALING);
	for (unsigned i = 0; i < COUNT_OF(scales); i++) {
		const uint64_t times = scales[i].times;

		guest_write(VMCS_TSC_MULTIPLIER, times << 48);
		guest_write(VMCS_TSC_OFFSET, scales[i].offset);
		for (unsigned r = 0; r < COUNT_OF(readers); r++) {
			const uint64_t before = tsc_read();
			const uint64_t inside = read_in_guest(r) - scales[i].offset;
			const uint64_t after = tsc_read();

			test_sub(t, "%s, TSC times %u", readers[r].name, (unsigned)times);
			expect_between(t, "the guest's TSC minus the offset", inside,
			               times * before, times * after,
			               "low: the host's TSC before the entry, times that; high: "
			               "after it");
		}
	}
	guest_end();
	pmu_reset();
}

TEST(counters, .id = "vmx.tsc.counters", .needs = need_vmx, .source = OFFSETTING,
     .claim = "TSC offsetting moves neither the counter of cycles nor that of reference cycles")
{
	const struct pmu_setup setups[] = {
		{ .counter = 0, .event = EVENT_UNHALTED_CORE_CYCLES, .flags = PMU_BOTH },
		{ .counter = PMU_FIXED_CTR(2), .flags = PMU_BOTH },
	};
	const unsigned count = pmu_has_counter(PMU_FIXED_CTR(2)) ? 2 : 1;
	char name[PMU_NAME_SIZE];

	guest_begin();
	guest_set(VMX_PROC, VMX_PROC_TSC_OFFSETTING);
	for (unsigned i = 0; i < COUNT_OF(offsets); i++) {
		struct pmu_reading r;

		guest_write(VMCS_TSC_OFFSET, offsets[i]);
		r = pmu_measure_code(setups, count, run, 2000, 0);
		for (unsigned c = 0; c < count; c++) {
			test_sub(t, "%s, offset %u", pmu_counter_name(setups[c].counter, name), i);
			expect_between(t, "cycles of the guest", r.count[c], 1, offsets[0] / 2,
			               "low: the guest runs; high: half of the offset, which would "
			               "show");
		}
	}
	guest_end();
	pmu_reset();
}
