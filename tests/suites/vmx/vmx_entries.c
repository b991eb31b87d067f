/* SPDX-License-Identifier: MIT */
/* That guests run, leave and fail as they must: what the other tests of the suite stand on. */
#include <tests/suites/vmx/vmx_guest.h>

#include <arch/cpu/insn.h>
#include <arch/modes/segments.h>
#include <arch/regs/cpu.h>
#include <arch/regs/table.h>
#include <pmu/core/pmi.h>
#include <tests/suites/common/needs.h>

#define EXITS  "SDM 3C, \"Instructions That Cause VM Exits\""

TEST(vmcall, .id = "vmx.entry.vmcall", .needs = need_vmx, .source = EXITS,
     .claim = "a guest that executes VMCALL leaves by exit reason 18 at that instruction, and VMX "
              "is off again afterwards")
{
	struct guest g = { .code = guest_sled(10) };

	guest_begin();
	guest_try(&g);
	expect_exits(t, "exit reason", &g, VMX_REASON_VMCALL, "VMCALL always exits");
	expect_exact(t, "RIP at the exit", g.ip, (uintptr_t)vmx_guest_end,
	             "a VM exit by an instruction leaves RIP at it");
	guest_end();
	expect_bits(t, "CR4", cr4_read(), CR4_VMXE, 0, "VMXOFF, and CR4 as it was before");
}

TEST(instructions, .id = "vmx.entry.instructions", .needs = need_vmx, .source = EXITS,
     .claim = "CPUID leaves the guest by reason 10, HLT with HLT exiting by reason 12, at CPL 0 "
              "with RIP at the instruction")
{
	static const struct { const uint8_t *code; const char *name; uint32_t reason; } rows[] = {
		{ vmx_guest_cpuid, "CPUID", VMX_REASON_CPUID },
		{ vmx_guest_hlt, "HLT", VMX_REASON_HLT },
	};

	guest_begin();
	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		struct guest g = { .code = rows[i].code };

		test_sub(t, "%s", rows[i].name);
		guest_try(&g);
		expect_exits(t, "exit reason", &g, rows[i].reason, "the instruction's");
		expect_exact(t, "RIP at the exit", g.ip, (uintptr_t)rows[i].code,
		             "a VM exit by an instruction leaves RIP at it");
	}
	guest_end();
}

/* ---------------------------------------------------------------------------- wrong controls */

static void expect_refusal(struct test_ctx *t, uint32_t field, uint32_t value, unsigned bit)
{
	const uint64_t before = guest_read(field);
	struct guest g = { .code = vmx_guest_end };

	test_sub(t, "field %XH, bit %u = %u", (unsigned)field, bit, value >> bit & 1);
	guest_write(field, value);
	guest_try(&g);
	guest_write(field, before);
	expect_exact(t, "VM-instruction error", g.error, VMX_ERROR_CONTROLS,
	             "7: the capability register does not allow the control");
}

TEST(controls, .id = "vmx.entry.controls", .needs = need_vmx,
     .source = "SDM 3C, \"Checks on VMX Controls\"; SDM 3D, \"VMX Capability Reporting Facility\"",
     .claim = "a control that the capability register does not allow fails the entry with error 7")
{
	static const uint16_t fields[VMX_CONTROLS] = {
		VMCS_PIN_CONTROLS, VMCS_PROC_CONTROLS, VMCS_EXIT_CONTROLS, VMCS_ENTRY_CONTROLS,
	};

	guest_begin();
	for (enum vmx_controls c = 0; c < VMX_CONTROLS; c++) {
		const uint32_t now = (uint32_t)guest_read(fields[c]);

		for (unsigned bit = 0; bit < 32; bit++) {
			if (!vmx_may_set(c, BIT32(bit)))
				expect_refusal(t, fields[c], now | BIT32(bit), bit);
			else if (!vmx_may_clear(c, BIT32(bit)))
				expect_refusal(t, fields[c], now & ~BIT32(bit), bit);
		}
	}
	guest_end();
}

/* ---------------------------------------------------------------------------- injected events */

static const struct event {
	uint32_t info, error;
	const char *name;
} events[] = {
	{ FIELD_PUT(VMCS_INFO_TYPE, VMCS_INFO_TYPE_NMI) | X86_NMI, 0, "an NMI" },
	{ FIELD_PUT(VMCS_INFO_TYPE, VMCS_INFO_TYPE_EXCEPTION) | VMCS_INFO_HAS_ERROR | X86_GP, 0,
	  "#GP(0)" },
};

TEST(injected, .id = "vmx.inject.delivered", .needs = need_vmx,
     .source = "SDM 3C, \"Vectored-Event Injection\"",
     .claim = "an injected event enters the guest's handler before the guest's first instruction, "
              "and causes neither a VM exit nor an interrupt of the host")
{
	for (unsigned i = 0; i < COUNT_OF(events); i++) {
		struct guest g = { .code = guest_sled(10) };

		test_sub(t, "%s", events[i].name);
		guest_begin();
		guest_write(VMCS_ENTRY_INFO, events[i].info | VMCS_INFO_VALID);
		guest_write(VMCS_ENTRY_ERROR_CODE, events[i].error);
		g.is_injected = true;
		guest_try(&g);
		expect_exact(t, "vector in the guest", (uint64_t)(int64_t)g.vector,
		             events[i].info & VMCS_INFO_VECTOR, "the injected one's");
		expect_exact(t, "interrupted RIP", vmx_guest_interrupted(), (uintptr_t)g.code,
		             "nothing of the guest has executed");
		expect_bits(t, "the field of the event", guest_read(VMCS_ENTRY_INFO),
		            VMCS_INFO_VALID, 0, "a VM exit clears its bit 31");
		guest_end();
	}
}
