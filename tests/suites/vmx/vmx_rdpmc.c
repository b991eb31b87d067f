/* SPDX-License-Identifier: MIT */
/* RDPMC in the guest: RDPMC exiting, CR4.PCE of the guest, and the value. */
#include <tests/suites/vmx/vmx_guest.h>

#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/regs/cpu.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <pmu/core/pmu.h>
#include <pmu/core/program.h>
#include <tests/suites/common/needs.h>

#define EXITS     "SDM 3C, \"Instructions That Cause VM Exits Conditionally\": RDPMC"
#define PRIORITY  "SDM 3C, \"Relative Priority of Faults and VM Exits\""

enum { VALUE = 0x12345 };

static void begin(bool exits)
{
	msr_write(IA32_PMC(0), VALUE);
	guest_begin();
	if (exits)
		guest_set(VMX_PROC, VMX_PROC_RDPMC);
}

static void finish(void)
{
	guest_end();
	pmu_reset();
}

static void set_pce(bool is_on)
{
	const uint64_t cr4 = guest_read(VMCS_GUEST_CR4) & ~(uint64_t)CR4_PCE;

	guest_write(VMCS_GUEST_CR4, cr4 | (is_on ? CR4_PCE : 0));
}

static struct guest rdpmc(unsigned cpl, uint32_t index)
{
	struct guest g = { .code = vmx_guest_rdpmc, .cpl = cpl, .regs.cx = index };

	guest_try(&g);
	return g;
}

TEST(exits, .id = "vmx.rdpmc.exits", .needs = need_vmx, .source = EXITS,
     .claim = "with RDPMC exiting, an RDPMC that would not fault leaves the guest with reason 15")
{
	begin(true);
	for (unsigned i = 0; i < GUEST_RDPMC_WAYS; i++) {
		struct guest g;

		test_sub(t, "%s", guest_rdpmc_ways[i].name);
		set_pce(guest_rdpmc_ways[i].pce);
		g = rdpmc(guest_rdpmc_ways[i].cpl, 0);
		expect_exits(t, "basic exit reason", &g, VMX_REASON_RDPMC, "it is RDPMC's");
		expect_exact(t, "RIP at the exit", g.ip, (uintptr_t)vmx_guest_rdpmc,
		             "it is the instruction's");
	}
	finish();
}

TEST(direct, .id = "vmx.rdpmc.direct", .needs = need_vmx, .source = EXITS,
     .claim = "without RDPMC exiting, RDPMC reads the processor's counter")
{
	begin(false);
	for (unsigned i = 0; i < GUEST_RDPMC_WAYS; i++) {
		struct guest g;

		test_sub(t, "%s", guest_rdpmc_ways[i].name);
		set_pce(guest_rdpmc_ways[i].pce);
		g = rdpmc(guest_rdpmc_ways[i].cpl, 0);
		expect_exits(t, "basic exit reason", &g, VMX_REASON_VMCALL,
		             "RDPMC does not exit");
		expect_exact(t, "IA32_PMC0", guest_edx_eax(&g.regs), VALUE,
		             "as the host has written it");
	}
	finish();
}

static NEED_BOTH(need_vmx_fixed0, need_vmx, need_fixed0)

TEST(fixed, .id = "vmx.rdpmc.fixed", .needs = need_vmx_fixed0, .source = EXITS,
     .claim = "without RDPMC exiting, RDPMC of 40000000H reads IA32_FIXED_CTR0")
{
	struct guest g;

	begin(false);
	msr_write(IA32_FIXED_CTR(0), VALUE + 1);
	g = rdpmc(0, RDPMC_FIXED);
	expect_exact(t, "IA32_FIXED_CTR0", guest_edx_eax(&g.regs), VALUE + 1,
	             "as the host has written it");
	finish();
}

TEST(pce, .id = "vmx.rdpmc.pce", .needs = need_vmx, .source = PRIORITY,
     .claim = "RDPMC at CPL 3 with the guest's CR4.PCE = 0 is #GP(0) in the guest, with RDPMC "
              "exiting and without, also if the host has CR4.PCE = 1")
{
	for (unsigned is_exiting = 0; is_exiting <= 1; is_exiting++) {
		struct guest g;

		test_sub(t, is_exiting ? "RDPMC exiting" : "no RDPMC exiting");
		begin(is_exiting);
		set_pce(false);
		guest_write(VMCS_HOST_CR4, guest_read(VMCS_HOST_CR4) | CR4_PCE);
		g = rdpmc(3, 0);
		expect_exact(t, "vector in the guest", (uint64_t)g.vector, X86_GP,
		             "CR4.PCE of the guest forbids it, which comes before the exit");
		expect_exact(t, "error code", vmx_guest_error(), 0, "#GP(0)");
		cr4_write(cr4_read() & ~(uintptr_t)CR4_PCE);
		finish();
	}
}

/* An index that is #GP in the host. */
static uint32_t bad_index(void)
{
	return pmu_get()->gp_count + 8;
}

TEST(index, .id = "vmx.rdpmc.index", .needs = need_vmx, .source = "SDM 2B, RDPMC; " PRIORITY,
     .claim = "RDPMC of a counter that does not exist does in the guest what it does in the host; "
              "with RDPMC exiting it leaves the guest")
{
	uint64_t unused;
	const bool faults = is_fault(pmc_try_read(bad_index(), &unused));
	struct guest g;

	begin(false);
	g = rdpmc(0, bad_index());
	expect_exact(t, "vector in the guest", (uint64_t)(int64_t)g.vector,
	             (uint64_t)(int64_t)(faults ? X86_GP : -1), "as RDPMC in the host");
	guest_set(VMX_PROC, VMX_PROC_RDPMC);
	g = rdpmc(0, bad_index());
	expect_exits(t, "basic exit reason with RDPMC exiting", &g, VMX_REASON_RDPMC,
	             "a VM exit goes before a fault that is not about the CPL");
	finish();
}
