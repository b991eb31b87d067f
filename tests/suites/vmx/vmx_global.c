/* SPDX-License-Identifier: MIT */
/* What VM entries and exits do to IA32_PERF_GLOBAL_CTRL. */
#include <tests/suites/vmx/vmx_guest.h>

#include <arch/cpu/fault.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/core/pmu.h>
#include <pmu/core/program.h>
#include <tests/suites/common/needs.h>

#define ENTRY_SDM  "SDM 3C, \"Loading Guest Control Registers, Debug Registers, and MSRs\""
#define EXIT_SDM   "SDM 3C, \"Loading Host Control Registers, Debug Registers, MSRs\""
#define SAVE_SDM   "SDM 3C, \"Saving Control Registers, Debug Registers, and MSRs\""

/* Three values that differ in every way that matters: some, others, none. */
static uint64_t value_of(unsigned i)
{
	const struct pmu *p = pmu_get();
	const uint64_t some = IA32_PERF_GLOBAL_CTRL_EN_PMC(0) | IA32_PERF_GLOBAL_CTRL_EN_FIXED(1);
	const uint64_t others = IA32_PERF_GLOBAL_CTRL_EN_PMC(1) | IA32_PERF_GLOBAL_CTRL_EN_FIXED(0);
	const uint64_t legal = (BIT(p->gp_count) - 1) | (uint64_t)p->fixed_map << 32;
	const uint64_t values[] = { some & legal, others & legal, 0 };

	return values[i % COUNT_OF(values)];
}

enum { VALUES = 3 };

static uint64_t global(void)
{
	return msr_read(IA32_PERF_GLOBAL_CTRL);
}

static void finish(void)
{
	guest_end();
	msr_write(IA32_PERF_GLOBAL_CTRL, 0);
}

/* ---------------------------------------------------------------------------- entry */

TEST(entry_load, .id = "vmx.global.entry_load", .needs = need_vmx_entry_perf, .source = ENTRY_SDM,
     .claim = "with entry control 13, IA32_PERF_GLOBAL_CTRL is the field's value before the "
              "guest's first instruction")
{
	guest_begin();
	guest_set(VMX_ENTRY, VMX_ENTRY_LOAD_PERF);
	for (unsigned i = 0; i < VALUES; i++) {
		msr_write(IA32_PERF_GLOBAL_CTRL, value_of(i + 1));
		guest_write(VMCS_GUEST_PERF_GLOBAL_CTRL, value_of(i));
		expect_bits(t, "IA32_PERF_GLOBAL_CTRL in the guest",
		            guest_read_msr(IA32_PERF_GLOBAL_CTRL), UINT64_MAX, value_of(i),
		            "the entry loads it from the VMCS");
	}
	finish();
}

TEST(entry_kept, .id = "vmx.global.entry_kept", .needs = need_vmx, .source = ENTRY_SDM,
     .claim = "without entry control 13, a VM entry leaves IA32_PERF_GLOBAL_CTRL as it is")
{
	guest_begin();
	if (vmx_may_set(VMX_ENTRY, VMX_ENTRY_LOAD_PERF))
		guest_write(VMCS_GUEST_PERF_GLOBAL_CTRL, value_of(2));
	for (unsigned i = 0; i < VALUES; i++) {
		msr_write(IA32_PERF_GLOBAL_CTRL, value_of(i));
		expect_bits(t, "IA32_PERF_GLOBAL_CTRL in the guest",
		            guest_read_msr(IA32_PERF_GLOBAL_CTRL), UINT64_MAX, value_of(i),
		            "the entry does not load it");
	}
	finish();
}

/* ---------------------------------------------------------------------------- exit */

#define FIXED_BITS FIELD(34, 32)

/* Errata as AAJ141 are about the three fixed counters alone. */
static void expect_loaded(struct test_ctx *t, uint64_t want)
{
	expect_bits(t, "IA32_PERF_GLOBAL_CTRL after the exit", global(), ~FIXED_BITS,
	            want & ~FIXED_BITS, "the exit loads it from the VMCS");
	expect_bits(t, "IA32_PERF_GLOBAL_CTRL[34:32] after the exit", global(), FIXED_BITS,
	            want & FIXED_BITS, "the exit loads it from the VMCS");
}

TEST(exit_load, .id = "vmx.global.exit_load", .needs = need_vmx_exit_perf, .source = EXIT_SDM,
     .claim = "with exit control 12, IA32_PERF_GLOBAL_CTRL is the host field's value after a VM "
              "exit, whatever the guest has written")
{
	guest_begin();
	guest_set(VMX_EXIT, VMX_EXIT_LOAD_PERF);
	for (unsigned i = 0; i < VALUES; i++) {
		guest_write(VMCS_HOST_PERF_GLOBAL_CTRL, value_of(i));
		guest_write_msr(IA32_PERF_GLOBAL_CTRL, value_of(i + 1));
		expect_loaded(t, value_of(i));
	}
	finish();
}

TEST(exit_kept, .id = "vmx.global.exit_kept", .needs = need_vmx, .source = EXIT_SDM,
     .claim = "without exit control 12, a VM exit leaves IA32_PERF_GLOBAL_CTRL as the guest had "
              "it")
{
	guest_begin();
	if (vmx_may_set(VMX_EXIT, VMX_EXIT_LOAD_PERF))
		guest_write(VMCS_HOST_PERF_GLOBAL_CTRL, value_of(2));
	for (unsigned i = 0; i < VALUES; i++) {
		msr_write(IA32_PERF_GLOBAL_CTRL, value_of(i + 1));
		guest_write_msr(IA32_PERF_GLOBAL_CTRL, value_of(i));
		expect_bits(t, "IA32_PERF_GLOBAL_CTRL after the exit", global(), UINT64_MAX,
		            value_of(i), "the exit does not load it");
	}
	finish();
}

TEST(exit_save, .id = "vmx.global.exit_save", .needs = need_vmx_save_perf, .source = SAVE_SDM,
     .claim = "with exit control 30, a VM exit saves the guest's IA32_PERF_GLOBAL_CTRL in its "
              "field, before control 12 loads the host's")
{
	guest_begin();
	guest_set(VMX_EXIT, VMX_EXIT_SAVE_PERF | VMX_EXIT_LOAD_PERF);
	for (unsigned i = 0; i < VALUES; i++) {
		guest_write(VMCS_HOST_PERF_GLOBAL_CTRL, value_of(i + 2));
		guest_write(VMCS_GUEST_PERF_GLOBAL_CTRL, value_of(i + 1));
		guest_write_msr(IA32_PERF_GLOBAL_CTRL, value_of(i));
		expect_bits(t, "the guest's field of IA32_PERF_GLOBAL_CTRL",
		            guest_read(VMCS_GUEST_PERF_GLOBAL_CTRL), UINT64_MAX, value_of(i),
		            "the exit saves what the guest's WRMSR left");
	}
	finish();
}

TEST(exit_unsaved, .id = "vmx.global.exit_unsaved", .needs = need_vmx_entry_perf,
     .source = SAVE_SDM,
     .claim = "without exit control 30, a VM exit leaves the guest's field of "
              "IA32_PERF_GLOBAL_CTRL as it is")
{
	guest_begin();
	for (unsigned i = 0; i < VALUES; i++) {
		guest_write(VMCS_GUEST_PERF_GLOBAL_CTRL, value_of(i + 1));
		guest_write_msr(IA32_PERF_GLOBAL_CTRL, value_of(i));
		expect_bits(t, "the guest's field of IA32_PERF_GLOBAL_CTRL",
		            guest_read(VMCS_GUEST_PERF_GLOBAL_CTRL), UINT64_MAX, value_of(i + 1),
		            "the exit does not save the register");
	}
	finish();
}

/* ---------------------------------------------------------------------------- reserved bits */

/* WRMSR tells which bits this processor reserves; the suite arch.* judges that. */
static bool is_reserved(unsigned bit)
{
	const bool is = is_fault(msr_try_write(IA32_PERF_GLOBAL_CTRL, BIT(bit)));

	msr_write(IA32_PERF_GLOBAL_CTRL, 0);
	return is;
}

TEST(reserved_guest, .id = "vmx.global.reserved_guest", .needs = need_vmx_entry_perf,
     .source = "SDM 3C, \"Checks on Guest Control Registers, Debug Registers, and MSRs\"",
     .claim = "with entry control 13, a bit in the guest's field that WRMSR refuses fails the "
              "entry as invalid guest state, and no other bit does")
{
	guest_begin();
	guest_set(VMX_ENTRY, VMX_ENTRY_LOAD_PERF);
	for (unsigned bit = 0; bit < 64; bit++) {
		struct guest g = { .code = vmx_guest_end };

		test_sub(t, "bit %u", bit);
		guest_write(VMCS_GUEST_PERF_GLOBAL_CTRL, BIT(bit));
		guest_try(&g);
		expect_exits(t, "basic exit reason", &g,
		             is_reserved(bit) ? VMX_REASON_INVALID_GUEST : VMX_REASON_VMCALL,
		             "33 for a reserved bit; otherwise the guest runs to its VMCALL");
	}
	finish();
}

TEST(reserved_host, .id = "vmx.global.reserved_host", .needs = need_vmx_exit_perf,
     .source = "SDM 3C, \"Checks on Host Control Registers, MSRs, and SSP\"",
     .claim = "with exit control 12, a bit in the host's field that WRMSR refuses fails the entry "
              "with error 8, and no other bit does")
{
	guest_begin();
	guest_set(VMX_EXIT, VMX_EXIT_LOAD_PERF);
	for (unsigned bit = 0; bit < 64; bit++) {
		struct guest g = { .code = vmx_guest_end };

		test_sub(t, "bit %u", bit);
		guest_write(VMCS_HOST_PERF_GLOBAL_CTRL, BIT(bit));
		guest_try(&g);
		expect_exact(t, "VM-instruction error", g.error,
		             is_reserved(bit) ? VMX_ERROR_HOST_STATE : 0,
		             "8 for a reserved bit; otherwise the entry succeeds");
	}
	finish();
}

TEST(unchecked, .id = "vmx.global.unchecked", .needs = need_vmx_both_perf,
     .source = "SDM 3C, \"Checks on the Guest State Area\": if the control is 1",
     .claim = "without the controls neither field is checked, and no bit in them does anything")
{
	guest_begin();
	msr_write(IA32_PERF_GLOBAL_CTRL, value_of(0));
	for (unsigned bit = 0; bit < 64; bit++) {
		struct guest g = { .code = vmx_guest_end };

		test_sub(t, "bit %u", bit);
		guest_write(VMCS_GUEST_PERF_GLOBAL_CTRL, BIT(bit));
		guest_write(VMCS_HOST_PERF_GLOBAL_CTRL, BIT(bit));
		guest_try(&g);
		expect_exact(t, "VM-instruction error", g.error, 0, "the field is not checked");
		expect_exits(t, "basic exit reason", &g, VMX_REASON_VMCALL,
		             "the guest runs to its VMCALL");
		expect_bits(t, "IA32_PERF_GLOBAL_CTRL after the exit", global(), UINT64_MAX,
		            value_of(0), "neither entry nor exit loads it");
	}
	finish();
}

TEST(failed_entry, .id = "vmx.global.failed_entry", .needs = need_vmx_both_perf,
     .source = "SDM 3C, \"VM-Entry Failures During or After Loading Guest State\"",
     .claim = "an entry that fails on the guest's state loads the host's IA32_PERF_GLOBAL_CTRL as "
              "an exit does")
{
	struct guest g = { .code = vmx_guest_end };

	guest_begin();
	guest_set(VMX_ENTRY, VMX_ENTRY_LOAD_PERF);
	guest_set(VMX_EXIT, VMX_EXIT_LOAD_PERF);
	msr_write(IA32_PERF_GLOBAL_CTRL, value_of(1));
	guest_write(VMCS_HOST_PERF_GLOBAL_CTRL, value_of(0));
	guest_write(VMCS_GUEST_PERF_GLOBAL_CTRL, BIT(63));
	guest_try(&g);
	expect_exits(t, "basic exit reason", &g, VMX_REASON_INVALID_GUEST,
	             "bit 63 is reserved");
	expect_loaded(t, value_of(0));
	finish();
}
