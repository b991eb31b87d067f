/* SPDX-License-Identifier: MIT */
/* Which accesses to MSRs of the PMU leave the guest, and what those do that do not. */
#include <tests/suites/vmx/vmx_guest.h>

#include <arch/cpu/fault.h>
#include <arch/regs/cpu.h>
#include <arch/regs/msr.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <pmu/core/program.h>
#include <tests/suites/common/needs.h>

#define BITMAPS  "SDM 3C, \"MSR-Bitmap Address\""
#define EXITS    "SDM 3C, \"Instructions That Cause VM Exits Conditionally\""

/* Registers of the PMU, with a value that each keeps and by which nothing counts. */
static const struct row { uint32_t msr; const char *name; uint64_t value; } rows[] = {
	{ IA32_PMC(0), "IA32_PMC0", 0x123 },
	{ IA32_PMC(1), "IA32_PMC1", 0x456 },
	{ IA32_PERFEVTSEL(0), "IA32_PERFEVTSEL0", IA32_PERFEVTSEL_USR | 0xc0 },
	{ IA32_PERFEVTSEL(1), "IA32_PERFEVTSEL1", IA32_PERFEVTSEL_OS | 0xc4 },
	{ IA32_FIXED_CTR(0), "IA32_FIXED_CTR0", 0x789 },
	{ IA32_FIXED_CTR_CTRL, "IA32_FIXED_CTR_CTRL", 0x3 },
	{ IA32_PERF_GLOBAL_CTRL, "IA32_PERF_GLOBAL_CTRL", 0x2 },
	{ IA32_DEBUGCTL, "IA32_DEBUGCTL", IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI },
};

#define FOR_EACH_ROW(r) for (const struct row *r = rows; r < rows + COUNT_OF(rows); r++)

static bool is_there(struct test_ctx *t, const struct row *r)
{
	uint64_t unused;

	test_sub(t, "%s", r->name);
	return !is_fault(msr_try_read(r->msr, &unused));
}

static void finish(void)
{
	guest_end();
	msr_write(IA32_DEBUGCTL, 0);
	pmu_reset();
}

static struct guest access_of(const struct row *r, bool is_write)
{
	return (struct guest){
		.code = is_write ? vmx_guest_wrmsr : vmx_guest_rdmsr,
		.regs = { .cx = r->msr, .ax = (uint32_t)r->value,
			  .dx = (uint32_t)(r->value >> 32) } };
}

/* A write of DEBUGCTL does not outlive the exit, so the exit's field has it. */
static uint64_t after(const struct row *r)
{
	return r->msr == IA32_DEBUGCTL ? guest_read(VMCS_GUEST_DEBUGCTL) : msr_read(r->msr);
}

TEST(reads, .id = "vmx.msr.reads", .needs = need_vmx_bitmaps, .source = BITMAPS,
     .claim = "RDMSR of a register whose bit in the bitmap is 0 reads the processor's register")
{
	guest_begin();
	FOR_EACH_ROW(r) {
		if (!is_there(t, r))
			continue;
		msr_write(r->msr, r->value);
		guest_write(VMCS_GUEST_DEBUGCTL, r->msr == IA32_DEBUGCTL ? r->value : 0);
		expect_bits(t, "value in the guest", guest_read_msr(r->msr), UINT64_MAX, r->value,
		            "nothing intercepts the read");
	}
	finish();
}

TEST(writes, .id = "vmx.msr.writes", .needs = need_vmx_bitmaps, .source = BITMAPS,
     .claim = "WRMSR of a register whose bit in the bitmap is 0 writes the processor's register")
{
	guest_begin();
	FOR_EACH_ROW(r) {
		if (!is_there(t, r))
			continue;
		guest_write_msr(r->msr, r->value);
		expect_bits(t, "value after the exit", after(r), UINT64_MAX, r->value,
		            "nothing intercepts the write");
	}
	finish();
}

/* Expects an exit at the access that changes nothing; or, if it is not to exit, none. */
static void expect_access(struct test_ctx *t, const struct row *r, bool is_write, bool exits)
{
	const uint32_t reason = is_write ? VMX_REASON_WRMSR : VMX_REASON_RDMSR;
	struct guest g = access_of(r, is_write);

	guest_write(VMCS_GUEST_DEBUGCTL, 0);
	guest_try(&g);
	expect_exits(t, is_write ? "basic exit reason of WRMSR" : "basic exit reason of RDMSR",
	             &g, exits ? reason : VMX_REASON_VMCALL,
	             exits ? "the bitmap intercepts the access"
	                   : "the access does nothing to leave the guest, so VMCALL does");
	if (!exits)
		return;
	expect_exact(t, "RIP at the exit", g.ip, (uintptr_t)g.code, "it is the instruction's");
	expect_exact(t, "ECX at the exit", (uint32_t)g.regs.cx, r->msr,
	             "registers are the guest's");
	if (is_write)
		expect_bits(t, "value after the exit", after(r), UINT64_MAX, 0,
		            "the exit comes before the write");
}

TEST(intercept_reads, .id = "vmx.msr.intercept_reads", .needs = need_vmx_bitmaps, .source = BITMAPS,
     .claim = "a register's bit in the bitmap of reads lets RDMSR exit with reason 31, and WRMSR "
              "not")
{
	guest_begin();
	FOR_EACH_ROW(r) {
		if (!is_there(t, r))
			continue;
		vmx_intercept(r->msr, true, false);
		expect_access(t, r, false, true);
		expect_access(t, r, true, false);
	}
	finish();
}

TEST(intercept_writes, .id = "vmx.msr.intercept_writes", .needs = need_vmx_bitmaps,
     .source = BITMAPS,
     .claim = "a register's bit in the bitmap of writes lets WRMSR exit with reason 32 and without "
              "a write, and RDMSR not")
{
	guest_begin();
	FOR_EACH_ROW(r) {
		if (!is_there(t, r))
			continue;
		vmx_intercept(r->msr, false, true);
		expect_access(t, r, false, false);
		expect_access(t, r, true, true);
	}
	finish();
}

TEST(neighbours, .id = "vmx.msr.neighbours", .needs = need_vmx_bitmaps, .source = BITMAPS,
     .claim = "a register's bits in the bitmap do nothing to the registers beside it")
{
	guest_begin();
	vmx_intercept(IA32_PMC(0) - 1, true, true);
	vmx_intercept(IA32_PMC(0) + 1, true, true);
	vmx_intercept(0xc0000000 + IA32_PMC(0), true, true);
	test_sub(t, "%s", rows[0].name);
	expect_access(t, &rows[0], false, false);
	expect_access(t, &rows[0], true, false);
	finish();
}

TEST(no_bitmaps, .id = "vmx.msr.no_bitmaps", .needs = need_vmx, .source = EXITS,
     .claim = "without MSR bitmaps every RDMSR and WRMSR leaves the guest")
{
	guest_begin();
	guest_clear(VMX_PROC, VMX_PROC_MSR_BITMAPS);
	FOR_EACH_ROW(r) {
		if (!is_there(t, r))
			continue;
		expect_access(t, r, false, true);
		expect_access(t, r, true, true);
	}
	finish();
}

TEST(outside, .id = "vmx.msr.outside", .needs = need_vmx_bitmaps, .source = EXITS,
     .claim = "an access to a register outside of the bitmap's two ranges leaves the guest")
{
	static const struct row beyond[] = {
		{ 0x2000, "register 2000H", 0 },
		{ 0x40000000, "register 40000000H", 0 },
		{ 0xc0002000, "register C0002000H", 0 },
	};

	guest_begin();
	for (unsigned i = 0; i < COUNT_OF(beyond); i++) {
		for (unsigned is_write = 0; is_write <= 1; is_write++) {
			struct guest g = access_of(&beyond[i], is_write);

			test_sub(t, "%s", beyond[i].name);
			guest_try(&g);
			expect_exits(t, "basic exit reason", &g,
			             is_write ? VMX_REASON_WRMSR : VMX_REASON_RDMSR,
			             "the bitmap has no bit for it");
		}
	}
	finish();
}

/* ---------------------------------------------------------------------------- faults */

TEST(fault, .id = "vmx.msr.fault", .needs = need_vmx_bitmaps,
     .source = "SDM 2D, WRMSR; SDM 3C, \"Relative Priority of Faults and VM Exits\"",
     .claim = "a WRMSR that nothing intercepts and that sets a reserved bit is #GP(0) in the "
              "guest; one that is intercepted exits instead")
{
	const struct row r = { IA32_PERF_GLOBAL_CTRL, "", BIT(63) };
	struct guest g = access_of(&r, true);

	guest_begin();
	guest_try(&g);
	expect_exact(t, "vector in the guest", (uint64_t)g.vector, X86_GP,
	             "bit 63 of IA32_PERF_GLOBAL_CTRL is reserved");
	expect_exact(t, "error code", vmx_guest_error(), 0, "#GP(0)");
	expect_exact(t, "faulting RIP", vmx_guest_interrupted(), (uintptr_t)vmx_guest_wrmsr,
	             "it is the WRMSR's");
	vmx_intercept(r.msr, false, true);
	g = access_of(&r, true);
	guest_try(&g);
	expect_exits(t, "basic exit reason if it is intercepted", &g, VMX_REASON_WRMSR,
	             "the exit comes before the value is looked at");
	finish();
}

TEST(privilege, .id = "vmx.msr.privilege", .needs = need_vmx_bitmaps,
     .source = "SDM 3C, \"Relative Priority of Faults and VM Exits\"",
     .claim = "RDMSR and WRMSR at CPL 3 are #GP(0) in the guest, also if they are intercepted")
{
	guest_begin();
	vmx_intercept(rows[0].msr, true, true);
	for (unsigned is_write = 0; is_write <= 1; is_write++) {
		struct guest g = access_of(&rows[0], is_write);

		g.cpl = 3;
		guest_try(&g);
		expect_exact(t, is_write ? "vector of WRMSR" : "vector of RDMSR",
		             (uint64_t)g.vector, X86_GP,
		             "faults by privilege come before VM exits");
	}
	finish();
}
