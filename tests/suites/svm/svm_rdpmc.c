/* SPDX-License-Identifier: MIT */
/* RDPMC in the guest: its intercept, CR4.PCE of the guest, and the value. */
#include <tests/suites/svm/svm_guest.h>

#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/regs/cpu.h>

#define INTERCEPT  SVM_APM ", \"Instruction Intercepts\": RDPMC"

enum { VALUE = 0x12345 };

static void begin(bool exits)
{
	msr_write(amd_ctr(0), VALUE);
	svm_begin();
	if (exits)
		svm_vmcb()->intercepts[0] |= SVM_INTERCEPT_RDPMC;
}

static void finish(void)
{
	svm_end();
	pmu_reset();
}

static void set_pce(bool is_on)
{
	struct vmcb *v = svm_vmcb();

	v->cr4 = (v->cr4 & ~(uint64_t)CR4_PCE) | (is_on ? CR4_PCE : 0);
}

static struct svm_guest rdpmc(unsigned cpl, uint32_t index)
{
	struct svm_guest g = { .code = svm_guest_rdpmc, .cpl = cpl, .regs.cx = index };

	svm_try(&g);
	return g;
}

TEST(exits, .id = "svm.rdpmc.exits", .needs = need_svm, .source = INTERCEPT,
     .claim = "an intercepted RDPMC that would not fault leaves the guest with code 6FH")
{
	begin(true);
	for (unsigned i = 0; i < GUEST_RDPMC_WAYS; i++) {
		struct svm_guest g;

		test_sub(t, "%s", guest_rdpmc_ways[i].name);
		set_pce(guest_rdpmc_ways[i].pce);
		g = rdpmc(guest_rdpmc_ways[i].cpl, 0);
		expect_exact(t, "exit code", g.exit, SVM_EXIT_RDPMC, "it is RDPMC's");
		expect_exact(t, "RIP at the exit", g.ip, (uintptr_t)svm_guest_rdpmc,
		             "it is the instruction's");
	}
	finish();
}

TEST(direct, .id = "svm.rdpmc.direct", .needs = need_svm, .source = INTERCEPT,
     .claim = "an RDPMC that is not intercepted reads the processor's counter")
{
	begin(false);
	for (unsigned i = 0; i < GUEST_RDPMC_WAYS; i++) {
		struct svm_guest g;

		test_sub(t, "%s", guest_rdpmc_ways[i].name);
		set_pce(guest_rdpmc_ways[i].pce);
		g = rdpmc(guest_rdpmc_ways[i].cpl, 0);
		expect_exact(t, "exit code", g.exit, SVM_EXIT_VMMCALL, "RDPMC does not exit");
		expect_exact(t, "counter 0", guest_edx_eax(&g.regs), VALUE,
		             "as the host has written it");
	}
	finish();
}

TEST(pce, .id = "svm.rdpmc.pce", .needs = need_svm,
     .source = SVM_APM ", \"Instruction Intercepts\": exceptions by privilege come first",
     .claim = "RDPMC at CPL 3 with the guest's CR4.PCE = 0 is #GP(0) in the guest, intercepted and "
              "not, also if the host has CR4.PCE = 1")
{
	for (unsigned exits = 0; exits <= 1; exits++) {
		struct svm_guest g;

		test_sub(t, exits ? "intercepted" : "not intercepted");
		begin(exits);
		set_pce(false);
		cr4_write(cr4_read() | CR4_PCE);
		g = rdpmc(3, 0);
		cr4_write(cr4_read() & ~(uintptr_t)CR4_PCE);
		expect_exact(t, "vector in the guest", (uint64_t)(int64_t)g.vector, X86_GP,
		             "CR4.PCE of the guest forbids it, which comes before the exit");
		if (g.vector == X86_GP)
			expect_exact(t, "error code", svm_guest_error(), 0, "#GP(0)");
		finish();
	}
}

TEST(index, .id = "svm.rdpmc.index", .needs = need_svm, .source = "APM 3, \"RDPMC\"",
     .claim = "RDPMC of a counter that does not exist does in the guest what it does in the host")
{
	enum { NOWHERE = 0x40 };
	uint64_t unused;
	const bool faults = is_fault(pmc_try_read(NOWHERE, &unused));
	struct svm_guest g;

	begin(false);
	g = rdpmc(0, NOWHERE);
	expect_exact(t, "vector in the guest", (uint64_t)(int64_t)g.vector,
	             (uint64_t)(int64_t)(faults ? X86_GP : -1), "as RDPMC in the host");
	finish();
}
