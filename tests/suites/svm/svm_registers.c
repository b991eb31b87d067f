/* SPDX-License-Identifier: MIT */
/* Registers of the PMU that VMRUN and #VMEXIT leave, or exchange: DebugCtl, those of PerfMonV2. */
#include <tests/suites/svm/svm_guest.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <pmu/core/pmi.h>

#define LBRV  SVM_APM ", \"LBR Virtualization\""

enum { HOST_VALUE = DebugCtl_BTF, GUEST_VALUE = 0 };

static void finish(void)
{
	msr_write(DebugCtl, 0);
	svm_end();
	pmu_reset();
}

TEST(debugctl_stays, .id = "svm.debugctl.stays", .needs = need_svm, .source = LBRV,
     .claim = "without LBR virtualization DebugCtl is one register of host and guest: VMRUN and "
              "#VMEXIT leave it, whatever the VMCB holds")
{
	svm_begin();
	svm_vmcb()->dbgctl = GUEST_VALUE;
	msr_write(DebugCtl, HOST_VALUE);
	expect_bits(t, "DebugCtl in the guest", svm_read_msr(DebugCtl), DebugCtl_BTF, HOST_VALUE,
	            "VMRUN does not load it");
	svm_write_msr(DebugCtl, 0);
	expect_bits(t, "DebugCtl that the guest has cleared", msr_read(DebugCtl), DebugCtl_BTF, 0,
	            "#VMEXIT does not restore it");
	expect_exact(t, "the VMCB's DBGCTL", svm_vmcb()->dbgctl, GUEST_VALUE,
	             "#VMEXIT does not save it");
	finish();
}

TEST(debugctl_load, .id = "svm.debugctl.load", .needs = need_svm_lbr, .source = LBRV,
     .claim = "with LBR virtualization VMRUN loads DebugCtl from the VMCB, and #VMEXIT restores "
              "the host's")
{
	svm_begin();
	svm_vmcb()->virtualization = SVM_LBR_VIRTUALIZATION;
	svm_vmcb()->dbgctl = GUEST_VALUE;
	msr_write(DebugCtl, HOST_VALUE);
	expect_bits(t, "DebugCtl in the guest", svm_read_msr(DebugCtl), DebugCtl_BTF, GUEST_VALUE,
	            "it is the VMCB's");
	expect_bits(t, "DebugCtl after the exit", msr_read(DebugCtl), DebugCtl_BTF, HOST_VALUE,
	            "it is the host's again");
	finish();
}

TEST(debugctl_save, .id = "svm.debugctl.save", .needs = need_svm_lbr, .source = LBRV,
     .claim = "with LBR virtualization #VMEXIT saves the guest's DebugCtl in the VMCB")
{
	svm_begin();
	svm_vmcb()->virtualization = SVM_LBR_VIRTUALIZATION;
	svm_vmcb()->dbgctl = 0;
	svm_write_msr(DebugCtl, DebugCtl_BTF);
	expect_bits(t, "the VMCB's DBGCTL", svm_vmcb()->dbgctl, DebugCtl_BTF, DebugCtl_BTF,
	            "the guest has written it");
	expect_bits(t, "DebugCtl after the exit", msr_read(DebugCtl), DebugCtl_BTF, 0,
	            "it is the host's");
	finish();
}

/* ---------------------------------------------------------------------------- PerfMonV2 */

#define GLOBAL  "APM 2, \"Performance Counter Global Control\"; " SVM_APM

TEST(global_stays, .id = "svm.global.stays", .needs = need_svm_v2, .source = GLOBAL,
     .claim = "PerfCntrGlobalCtl is one register of host and guest: what one writes the other "
              "reads")
{
	svm_begin();
	msr_write(PerfCntrGlobalCtl, 5);
	expect_exact(t, "PerfCntrGlobalCtl in the guest", svm_read_msr(PerfCntrGlobalCtl), 5,
	             "VMRUN leaves it");
	svm_write_msr(PerfCntrGlobalCtl, 2);
	expect_exact(t, "PerfCntrGlobalCtl after the exit", msr_read(PerfCntrGlobalCtl), 2,
	             "#VMEXIT leaves it");
	finish();
}

/* A guest that writes PerfCntrGlobalCtl, then executes NOPs. */
static void guest_that_enables(uint32_t bits, uint32_t unused)
{
	struct svm_guest g = { .code = svm_guest_wrmsr_sled,
	                       .regs = { .ax = bits, .cx = PerfCntrGlobalCtl } };

	(void)unused;
	svm_run(&g);
}

TEST(global_enable, .id = "svm.global.enable", .needs = need_svm_v2, .source = GLOBAL,
     .claim = "a guest that writes PerfCntrGlobalCtl stops and starts its counters at once")
{
	const uint64_t select = svm_select(AMD_EVENT_INST_RETIRED, SVM_GUEST_ONLY);

	svm_begin();
	expect_between(t, "instructions of a guest that clears its enable",
	               amd_count(0, select, guest_that_enables, 0, 0), 0, 3,
	               "low: none; high: VMRUN, WRMSR and what is under way");
	expect_between(t, "instructions of a guest that keeps it",
	               amd_count(0, select, guest_that_enables, 1, 0), GUEST_PMI_SLED,
	               GUEST_PMI_SLED + 4, "low: the NOPs; high: with VMRUN, WRMSR, JMP, VMMCALL");
	finish();
}

/* Lets counter 0 overflow in the guest, without a PMI. */
static void overflow_in_guest(uint64_t flags)
{
	svm_begin();
	pmu_reset();
	msr_write(PerfCntrGlobalStatusClr, PerfCntrGlobalStatus_PMCF | 1);
	msr_write(amd_ctr(0), AMD_COUNTER_MASK - 9);
	msr_write(PerfCntrGlobalCtl, 1);
	msr_write(amd_ctl(0), svm_select(AMD_EVENT_INST_RETIRED, SVM_GUEST_ONLY) | flags);
	svm_nops(100, 0);
	msr_write(amd_ctl(0), 0);
}

TEST(global_status, .id = "svm.global.status", .needs = need_svm_v2, .source = GLOBAL,
     .claim = "an overflow in the guest sets its bit of PerfCntrGlobalStatus, which host and guest "
              "read, and which a guest can clear")
{
	overflow_in_guest(0);
	expect_bits(t, "PerfCntrGlobalStatus in the host", msr_read(PerfCntrGlobalStatus), 1, 1,
	            "counter 0 overflowed in the guest");
	expect_bits(t, "PerfCntrGlobalStatus in the guest", svm_read_msr(PerfCntrGlobalStatus), 1,
	            1, "it is the same register");
	svm_write_msr(PerfCntrGlobalStatusClr, 1);
	expect_bits(t, "PerfCntrGlobalStatus after the guest has cleared it",
	            msr_read(PerfCntrGlobalStatus), 1, 0, "it is the same register");
	finish();
}

static const char *need_svm_freeze(struct test_ctx *t)
{
	const char *reason = need_svm_v2_pmi(t);

	return reason || cpuid_get(CPUID_AMD_FREEZE) ? reason
	       : test_reason(t, "CPUID.80000022H:EAX[2] (freeze) = 0");
}

static void leave_it(struct frame *f) { (void)f; }

TEST(freeze, .id = "svm.global.freeze", .needs = need_svm_freeze,
     .source = AMD_APM ", PMC freeze; " SVM_APM,
     .claim = "with FPMCI in DebugCtl the PMI of an overflow in the guest freezes the counters, "
              "and the #VMEXIT leaves them frozen")
{
	struct svm_guest g = { .code = svm_guest_pmi_sled };

	svm_begin();
	pmu_reset();
	pmi_listen(PMI_NMI, leave_it);
	msr_write(PerfCntrGlobalStatusClr, PerfCntrGlobalStatus_PMCF | 1);
	msr_write(DebugCtl, DebugCtl_FPMCI);
	msr_write(amd_ctr(0), AMD_COUNTER_MASK - 99);
	msr_write(PerfCntrGlobalCtl, 1);
	msr_write(amd_ctl(0), svm_select(AMD_EVENT_INST_RETIRED, SVM_GUEST_ONLY) | PERF_CTL_INT);
	svm_try(&g);
	expect_exact(t, "exit code", g.exit, SVM_EXIT_NMI, "the PMI leaves the guest");
	expect_bits(t, "PerfCntrGlobalStatus after the exit", msr_read(PerfCntrGlobalStatus),
	            PerfCntrGlobalStatus_PMCF, PerfCntrGlobalStatus_PMCF,
	            "the counters are frozen");
	svm_go_on(&g, SVM_EXIT_VMMCALL);
	expect_between(t, "the counter at the end of the guest", amd_read(amd_ctr(0)), 0,
	               GUEST_PMI_SLED / 2, "low: it froze at the overflow; high: half of the NOPs, "
	               "which would show");
	msr_write(PerfCntrGlobalStatusClr, PerfCntrGlobalStatus_PMCF | 1);
	pmi_stop();
	finish();
}
