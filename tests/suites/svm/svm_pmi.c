/* SPDX-License-Identifier: MIT */
/* PMIs of overflows in the guest and in the host, and of those that GIF = 0 keeps pending. */
#include <tests/suites/svm/svm_guest.h>

#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/interrupts/local_apic.h>
#include <arch/regs/cpu.h>
#include <arch/svm/svm_insns.h>
#include <kernel/run/watchdog.h>
#include <pmu/core/pmi.h>
#include <pmu/workload/workload.h>

#define NMIS      SVM_APM ", \"NMI Intercept\""
#define INTR      SVM_APM ", \"INTR Intercept\""
#define MASKING   SVM_APM ", \"Virtualizing APIC.TPR and EFLAGS.IF\""
#define GIF       SVM_APM ", \"Global Interrupt Flag, STGI and CLGI Instructions\""
#define OVERFLOW  "; " AMD_APM ", INT"

/* Counts instructions of the guest or the host, with a PMI after so many. */
static void begin(enum pmi_delivery delivery, enum svm_who who, unsigned missing)
{
	const uint64_t select = svm_select(AMD_EVENT_INST_RETIRED, who) | PERF_CTL_INT;

	svm_begin();
	pmu_reset();
	pmi_listen(delivery, NULL);
	msr_write(amd_ctr(0), (0 - (uint64_t)missing) & AMD_COUNTER_MASK);
	if (amd_has_v2())
		msr_write(PerfCntrGlobalCtl, PerfCntrGlobalCtl_EN(0));
	msr_write(amd_ctl(0), select);
}

static void finish(void)
{
	msr_write(amd_ctl(0), 0);
	nmi_unblock();
	pmi_stop();
	svm_end();
	pmu_reset();
}

static bool is_in_sled(uintptr_t ip)
{
	return ip >= (uintptr_t)svm_guest_pmi_sled && ip <= (uintptr_t)svm_guest_end;
}

/* Runs the guest into the overflow; returns where the PMI came. */
static uintptr_t place_of(bool is_intercepted, unsigned missing)
{
	struct svm_guest g = { .code = svm_guest_pmi_sled };
	uintptr_t ip;

	begin(PMI_NMI, SVM_GUEST_ONLY, missing);
	if (!is_intercepted)
		svm_vmcb()->intercepts[0] &= ~SVM_INTERCEPT_NMI;
	svm_try(&g);
	ip = g.vector == X86_NMI ? svm_guest_interrupted() : g.ip;
	finish();
	return ip;
}

TEST(exits, .id = "svm.pmi.exits", .needs = need_svm_pmi, .source = NMIS OVERFLOW,
     .claim = "with NMIs intercepted, the PMI of an overflow in the guest leaves the guest with "
              "code 61H, and the host takes it when GIF is 1 again")
{
	struct svm_guest g = { .code = svm_guest_pmi_sled };

	begin(PMI_NMI, SVM_GUEST_ONLY, GUEST_MISSING);
	svm_try(&g);
	expect_exact(t, "exit code", g.exit, SVM_EXIT_NMI, "a physical NMI");
	expect_exact(t, "RIP is in the guest's NOPs", is_in_sled(g.ip), true,
	             "the overflow was there");
	expect_exact(t, "PMIs", pmi_get_log()->count, 1,
	             "the counter overflowed once; the #VMEXIT leaves the NMI pending");
	finish();
}

TEST(delivered, .id = "svm.pmi.delivered", .needs = need_svm_pmi, .source = NMIS OVERFLOW,
     .claim = "without the intercept, the PMI of an overflow in the guest enters the guest's "
              "handler of NMIs")
{
	struct svm_guest g = { .code = svm_guest_pmi_sled };

	begin(PMI_NMI, SVM_GUEST_ONLY, GUEST_MISSING);
	svm_vmcb()->intercepts[0] &= ~SVM_INTERCEPT_NMI;
	svm_try(&g);
	expect_exact(t, "vector in the guest", (uint64_t)(int64_t)g.vector, X86_NMI,
	             "the guest's IDT has the handler");
	if (g.vector == X86_NMI)
		expect_exact(t, "interrupted RIP is in the guest's NOPs",
		             is_in_sled(svm_guest_interrupted()), true, "the overflow was there");
	finish();
}

TEST(place, .id = "svm.pmi.place", .needs = need_svm_pmi, .source = NMIS OVERFLOW,
     .claim = "the PMI comes at the same instruction of the guest, whether it leaves the guest or "
              "is delivered there, and later as the overflow does")
{
	const struct guest_pmi_places places = {
		.exited = place_of(true, GUEST_MISSING), .stayed = place_of(false, GUEST_MISSING),
		.later = place_of(true, GUEST_LATER),
	};

	guest_expect_places(t, svm_guest_pmi_sled, &places,
	                    "low: VMRUN, the entry and the NOP itself may count; high: all");
}

TEST(goes_on, .id = "svm.pmi.goes_on", .needs = need_svm_pmi, .source = NMIS OVERFLOW,
     .claim = "a guest that a PMI has interrupted goes on where it was, and no instruction is lost "
              "or counted twice")
{
	const uint64_t rest = GUEST_PMI_SLED - GUEST_MISSING;
	struct svm_guest g = { .code = svm_guest_pmi_sled };

	begin(PMI_NMI, SVM_GUEST_ONLY, GUEST_MISSING);
	svm_try(&g);
	svm_go_on(&g, SVM_EXIT_VMMCALL);
	expect_exact(t, "RIP at the end", g.ip, (uintptr_t)svm_guest_end, "the guest's VMMCALL");
	expect_between(t, "the counter after its overflow", amd_read(amd_ctr(0)), rest, rest + 4,
	               "low: the NOPs; high: with them two VMRUNs, two #VMEXITs");
	expect_exact(t, "PMIs", pmi_get_log()->count, 1, "the counter overflowed once");
	finish();
}

TEST(host, .id = "svm.pmi.host", .needs = need_svm_pmi, .source = AMD_APM ", HostOnly, INT",
     .claim = "a counter of the host does not overflow in the guest, however long it runs, but in "
              "the host afterwards")
{
	struct svm_guest g = { .code = svm_guest_pmi_sled };

	begin(PMI_NMI, SVM_HOST_ONLY, 2000);
	svm_try(&g);
	expect_exact(t, "exit code", g.exit, SVM_EXIT_VMMCALL,
	             "the guest's NOPs do not count, so no PMI ends it");
	workload_loop.code(2000, 0);
	pmi_settle();
	expect_exact(t, "PMIs after 4000 instructions of the host", pmi_get_log()->count, 1,
	             "the counter overflowed once");
	finish();
}

/* ---------------------------------------------------------------------------- GIF */

TEST(gif, .id = "svm.pmi.gif", .needs = need_svm_pmi, .source = GIF OVERFLOW,
     .claim = "with GIF = 0 the PMI of an overflow stays pending as an NMI; STGI lets it come")
{
	begin(PMI_NMI, SVM_HOST_ONLY, 50);
	insn_clgi();
	workload_loop.code(100, 0);
	msr_write(amd_ctl(0), 0);
	expect_exact(t, "PMIs with GIF = 0", pmi_get_log()->count, 0, "GIF = 0 blocks NMIs");
	insn_stgi();
	pmi_settle();
	expect_exact(t, "PMIs after STGI", pmi_get_log()->count, 1, "the NMI was pending");
	finish();
}

/* ---------------------------------------------------------------------------- fixed interrupts */

/* The overflow is in the host, whose EFLAGS.IF = 0 keeps the interrupt pending. Runs ten NOPs after
 * it; the guest's RFLAGS.IF is 1 if it is open. */
static struct svm_guest enter_with_pending(bool is_intercepted, bool is_open)
{
	struct svm_guest g = { .code = svm_sled(10), .flags = is_open ? EFLAGS_IF : 0 };

	begin(PMI_FIXED, SVM_HOST_ONLY, 50);
	workload_loop.code(100, 0);
	msr_write(amd_ctl(0), 0);
	pmi_settle();
	if (!is_intercepted)
		svm_vmcb()->intercepts[0] &= ~SVM_INTERCEPT_INTR;
	svm_try(&g);
	return g;
}

TEST(pending_exit, .id = "svm.pmi.pending_exit", .needs = need_svm_pmi, .source = INTR OVERFLOW,
     .claim = "with INTR intercepted, a PMI of fixed delivery that is pending at VMRUN leaves the "
              "guest with code 60H before its first instruction, if its RFLAGS.IF = 1")
{
	struct svm_guest g = enter_with_pending(true, true);

	expect_exact(t, "exit code", g.exit, SVM_EXIT_INTR, "a physical interrupt");
	expect_exact(t, "RIP at the exit", g.ip, (uintptr_t)g.code, "nothing has executed");
	finish();
	g = enter_with_pending(true, false);
	expect_exact(t, "exit code with RFLAGS.IF = 0", g.exit, SVM_EXIT_VMMCALL,
	             "without V_INTR_MASKING the guest's IF masks it");
	finish();
}

TEST(pending_delivered, .id = "svm.pmi.pending_delivered", .needs = need_svm_pmi,
     .source = INTR OVERFLOW,
     .claim = "without the intercept, a PMI of fixed delivery that is pending at VMRUN enters the "
              "guest's handler before its first instruction, if its RFLAGS.IF = 1")
{
	struct svm_guest g = enter_with_pending(false, true);

	if (expect_exact(t, "vector in the guest", (uint64_t)(int64_t)g.vector, PMI_VECTOR,
	                 "LVTPC's")) {
		expect_exact(t, "interrupted RIP", svm_guest_interrupted(), (uintptr_t)g.code,
		             "nothing has executed");
		apic_end_of_interrupt();
	}
	finish();
}

/* Runs into an overflow with the guest's RFLAGS.IF = 0 and V_INTR_MASKING = 1. */
static struct svm_guest overflow_behind_masking(bool is_host_open)
{
	struct svm_guest g = { .code = svm_guest_pmi_sled };

	begin(PMI_FIXED, SVM_GUEST_ONLY, GUEST_MISSING);
	svm_vmcb()->virtual_interrupt |= SVM_V_INTR_MASKING;
	if (is_host_open)
		interrupts_enable();
	svm_try(&g);
	interrupts_disable();
	return g;
}

TEST(masking, .id = "svm.pmi.masking", .needs = need_svm_pmi, .source = MASKING OVERFLOW,
     .claim = "with V_INTR_MASKING = 1 the host's RFLAGS.IF at VMRUN says whether a PMI of fixed "
              "delivery leaves the guest, although the guest's RFLAGS.IF = 0")
{
	struct svm_guest g = overflow_behind_masking(true);

	expect_exact(t, "exit code, the host's RFLAGS.IF = 1", g.exit, SVM_EXIT_INTR,
	             "a physical interrupt that the guest's IF does not mask");
	expect_exact(t, "RIP is in the guest's NOPs", is_in_sled(g.ip), true,
	             "the overflow was there");
	expect_exact(t, "PMIs", pmi_get_log()->count, 1, "the host takes it at the STGI");
	finish();
	g = overflow_behind_masking(false);
	expect_exact(t, "exit code, the host's RFLAGS.IF = 0", g.exit, SVM_EXIT_VMMCALL,
	             "the host's IF masks it until the guest has ended");
	finish();
}
