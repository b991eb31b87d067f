/* SPDX-License-Identifier: MIT */
/* PEBS with a counter that a guest moves. */
#include <tests/suites/vmx/vmx_guest.h>

#include <arch/cpu/fault.h>
#include <arch/regs/perfmon.h>
#include <kernel/lib/format.h>
#include <pmu/core/program.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/sampling/pebs_window.h>

static NEED_BOTH(need_vmx_pebs, need_vmx, need_pebs_any)
static NEED_BOTH(need_vmx_pebs_perf, need_vmx_both_perf, need_pebs_any)

extern const uint8_t image_start[], private_end[];

/* The period is long enough that the host's handling of one exit is sampled at most once. */
enum { EXITS = 4000, MISSING = 996 };

TEST(exits, .id = "vmx.pebs.exits", .needs = need_vmx_pebs,
     .source = PEBS_SDM "; SDM 3C, VM exits and VM entries know nothing of PEBS",
     .claim = "PEBS across 4000 VM exits writes records of this kernel and of its guest, and "
              "leaves every byte outside of the buffer as it was, also once the buffer is full")
{
	struct pebs_use use;
	const struct pmu_setup s = pebs_any(&use, PMU_BOTH, MISSING);
	unsigned records, wrong = 0;

	guest_begin();
	records = pebs_window_run(&(const struct pebs_window){
		.setups = &s, .count = 1, .code = guest_cpuid_exits, .rounds = EXITS });
	guest_end();
	for (unsigned i = 0; i < records; i++)
		wrong += !pebs_is_within(i, (uintptr_t)image_start, (uintptr_t)private_end);
	expect_exact(t, "records", records, ds_room(DS_PEBS),
	             "the guest and this kernel have events enough to fill the buffer");
	expect_exact(t, "records of other code", wrong, 0, "all code is this kernel's image");
	expect_no_damage(t);
	pmu_reset();
}

/* The guest's instructions alone are counted, so that they alone are sampled. */
TEST(guest, .id = "vmx.pebs.guest", .needs = need_vmx_pebs_perf, .source = PEBS_SDM,
     .claim = "PEBS of a counter that IA32_PERF_GLOBAL_CTRL enables in the guest alone records "
              "instructions of the guest alone")
{
	struct pebs_use use;
	struct guest g = { .code = vmx_guest_nops };
	const struct pmu_setup s = pebs_any(&use, PMU_BOTH, 9);
	const struct pebs_window w = { .setups = &s, .count = 1 };
	unsigned records, wrong = 0;

	guest_begin();
	guest_set(VMX_ENTRY, VMX_ENTRY_LOAD_PERF);
	guest_set(VMX_EXIT, VMX_EXIT_LOAD_PERF);
	guest_write(VMCS_GUEST_PERF_GLOBAL_CTRL, BIT(s.counter));
	guest_write(VMCS_HOST_PERF_GLOBAL_CTRL, 0);
	pebs_window_begin(&w);
	guest_run(&g);
	records = pebs_window_end();
	guest_end();
	for (unsigned i = 0; i < records; i++)
		wrong += !pebs_is_within(i, (uintptr_t)vmx_guest_nops, (uintptr_t)vmx_guest_end);
	expect_records(t, "records", records, GUEST_NOPS, 9);
	expect_exact(t, "records of other code", wrong, 0, "the counter is off in the host");
	expect_no_damage(t);
	pmu_reset();
}
