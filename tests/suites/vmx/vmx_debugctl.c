/* SPDX-License-Identifier: MIT */
/* What VM entries and exits do to IA32_DEBUGCTL. */
#include <tests/suites/vmx/vmx_guest.h>

#include <arch/cpu/fault.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <tests/suites/common/needs.h>

#define ENTRY_SDM  "SDM 3C, \"Loading Guest Control Registers, Debug Registers, and MSRs\""
#define EXIT_SDM   "SDM 3C, \"Loading Host Control Registers, Debug Registers, MSRs\""
#define SAVE_SDM   "SDM 3C, \"Saving Control Registers, Debug Registers, and MSRs\""

/* Every processor of this suite has these bits. BTF does nothing without EFLAGS.TF. */
static const uint64_t values[] = {
	IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI | IA32_DEBUGCTL_BTF,
	IA32_DEBUGCTL_FREEZE_LBRS_ON_PMI,
	0,
};

static uint64_t value_of(unsigned i)
{
	return values[i % COUNT_OF(values)];
}

static void finish(void)
{
	guest_end();
	msr_write(IA32_DEBUGCTL, 0);
}

TEST(entry_load, .id = "vmx.debugctl.entry_load", .needs = need_vmx, .source = ENTRY_SDM,
     .claim = "with entry control 2, IA32_DEBUGCTL is the field's value in the guest")
{
	guest_begin();
	for (unsigned i = 0; i < COUNT_OF(values); i++) {
		msr_write(IA32_DEBUGCTL, value_of(i + 1));
		guest_write(VMCS_GUEST_DEBUGCTL, value_of(i));
		expect_bits(t, "IA32_DEBUGCTL in the guest", guest_read_msr(IA32_DEBUGCTL),
		            UINT64_MAX, value_of(i), "the entry loads it from the VMCS");
	}
	finish();
}

TEST(entry_kept, .id = "vmx.debugctl.entry_kept", .needs = need_vmx_free_entry_debug,
     .source = ENTRY_SDM,
     .claim = "without entry control 2, a VM entry leaves IA32_DEBUGCTL as it is")
{
	guest_begin();
	guest_clear(VMX_ENTRY, VMX_ENTRY_LOAD_DEBUG);
	for (unsigned i = 0; i < COUNT_OF(values); i++) {
		msr_write(IA32_DEBUGCTL, value_of(i));
		guest_write(VMCS_GUEST_DEBUGCTL, value_of(i + 1));
		expect_bits(t, "IA32_DEBUGCTL in the guest", guest_read_msr(IA32_DEBUGCTL),
		            UINT64_MAX, value_of(i), "the entry does not load it");
	}
	finish();
}

TEST(exit_clears, .id = "vmx.debugctl.exit_clears", .needs = need_vmx, .source = EXIT_SDM,
     .claim = "every VM exit clears IA32_DEBUGCTL, whatever the guest and the host had there")
{
	guest_begin();
	for (unsigned i = 0; i < COUNT_OF(values); i++) {
		msr_write(IA32_DEBUGCTL, value_of(i + 1));
		guest_write(VMCS_GUEST_DEBUGCTL, value_of(i));
		guest_write_msr(IA32_DEBUGCTL, value_of(i + 2));
		expect_bits(t, "IA32_DEBUGCTL after the exit", msr_read(IA32_DEBUGCTL), UINT64_MAX,
		            0, "a VM exit clears it");
	}
	finish();
}

TEST(exit_save, .id = "vmx.debugctl.exit_save", .needs = need_vmx, .source = SAVE_SDM,
     .claim = "with exit control 2, a VM exit saves the guest's IA32_DEBUGCTL in its field, before "
              "it clears the register")
{
	guest_begin();
	for (unsigned i = 0; i < COUNT_OF(values); i++) {
		guest_write(VMCS_GUEST_DEBUGCTL, value_of(i + 1));
		guest_write_msr(IA32_DEBUGCTL, value_of(i));
		expect_bits(t, "the guest's field of IA32_DEBUGCTL",
		            guest_read(VMCS_GUEST_DEBUGCTL), UINT64_MAX, value_of(i),
		            "the exit saves what the guest's WRMSR left");
	}
	finish();
}

TEST(exit_unsaved, .id = "vmx.debugctl.exit_unsaved", .needs = need_vmx_free_exit_debug,
     .source = SAVE_SDM,
     .claim = "without exit control 2, a VM exit leaves the guest's field of IA32_DEBUGCTL as it "
              "is, and clears the register")
{
	guest_begin();
	guest_clear(VMX_EXIT, VMX_EXIT_SAVE_DEBUG);
	for (unsigned i = 0; i < COUNT_OF(values); i++) {
		guest_write(VMCS_GUEST_DEBUGCTL, value_of(i + 1));
		guest_write_msr(IA32_DEBUGCTL, value_of(i));
		expect_bits(t, "the guest's field of IA32_DEBUGCTL",
		            guest_read(VMCS_GUEST_DEBUGCTL), UINT64_MAX, value_of(i + 1),
		            "the exit does not save the register");
		expect_bits(t, "IA32_DEBUGCTL after the exit", msr_read(IA32_DEBUGCTL), UINT64_MAX,
		            0, "a VM exit clears it");
	}
	finish();
}

TEST(failed_entry, .id = "vmx.debugctl.failed_entry", .needs = need_vmx,
     .source = "SDM 3C, \"VM-Entry Failures During or After Loading Guest State\"",
     .claim = "an entry that fails on the guest's state clears IA32_DEBUGCTL as an exit does")
{
	struct guest g = { .code = vmx_guest_end };

	guest_begin();
	msr_write(IA32_DEBUGCTL, value_of(0));
	guest_write(VMCS_LINK_POINTER, 0xfff);
	guest_try(&g);
	expect_exits(t, "basic exit reason", &g, VMX_REASON_INVALID_GUEST,
	             "the VMCS link pointer is neither aligned nor all ones");
	expect_bits(t, "IA32_DEBUGCTL", msr_read(IA32_DEBUGCTL), UINT64_MAX, 0,
	            "the processor is loaded as by a VM exit");
	finish();
}

/*
 * WRMSR tells which bits this processor reserves. A bit that WRMSR takes and does not keep may be
 * either. LBR, TR, BTS and BTINT stay out of the guest: it would record.
 */
static const uint64_t tried = ~(IA32_DEBUGCTL_LBR | IA32_DEBUGCTL_TR | IA32_DEBUGCTL_BTS |
                                IA32_DEBUGCTL_BTINT);

TEST(reserved, .id = "vmx.debugctl.reserved", .needs = need_vmx,
     .source = "SDM 3C, \"Checks on Guest Control Registers, Debug Registers, and MSRs\"",
     .claim = "with entry control 2, a bit in the guest's field that WRMSR refuses fails the entry "
              "as invalid guest state, and none that WRMSR keeps does")
{
	guest_begin();
	for (unsigned bit = 0; bit < 64; bit++) {
		struct guest g = { .code = vmx_guest_end };
		const bool is_refused = (tried >> bit & 1)
		                        && is_fault(msr_try_write(IA32_DEBUGCTL, BIT(bit)));
		const bool is_kept = (msr_read(IA32_DEBUGCTL) & BIT(bit)) != 0;

		msr_write(IA32_DEBUGCTL, 0);
		if (!(tried >> bit & 1) || !(is_refused || is_kept))
			continue;
		test_sub(t, "bit %u", bit);
		guest_write(VMCS_GUEST_DEBUGCTL, BIT(bit));
		guest_try(&g);
		expect_exits(t, "basic exit reason", &g,
		             is_refused ? VMX_REASON_INVALID_GUEST : VMX_REASON_VMCALL,
		             "33 for a reserved bit; otherwise the guest runs to its VMCALL");
	}
	finish();
}
