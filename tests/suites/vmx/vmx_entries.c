/* SPDX-License-Identifier: MIT */
/* That guests run at all: what the other tests of the suite stand on. */
#include <tests/suites/vmx/vmx_guest.h>

#include <arch/cpu/insn.h>
#include <arch/regs/cpu.h>
#include <tests/suites/common/needs.h>

TEST(vmcall, .id = "vmx.entry.vmcall", .needs = need_vmx,
     .source = "SDM 3C, \"Instructions That Cause VM Exits Unconditionally\"",
     .claim = "a guest that executes VMCALL leaves by exit reason 18 at that instruction, and VMX "
              "is off again afterwards");
static void vmcall(struct test_ctx *t)
{
	struct guest g = { .code = guest_sled(10) };

	guest_begin();
	guest_try(&g);
	expect_exact(t, "exit reason", g.reason, VMX_REASON_VMCALL, "VMCALL always exits");
	expect_exact(t, "RIP at the exit", g.ip, (uintptr_t)guest_vmcall,
	             "a VM exit by an instruction leaves RIP at it");
	guest_end();
	expect_bits(t, "CR4", cr4_read(), CR4_VMXE, 0, "VMXOFF, and CR4 as it was before");
}
