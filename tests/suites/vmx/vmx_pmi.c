/* SPDX-License-Identifier: MIT */
/* PMIs of overflows in the guest, and of those whose PMI is pending when the guest is entered. */
#include <tests/suites/vmx/vmx_guest.h>

#include <arch/cpu/fault.h>
#include <arch/interrupts/local_apic.h>
#include <arch/regs/cpu.h>
#include <arch/regs/perfmon.h>
#include <kernel/lib/format.h>
#include <kernel/run/watchdog.h>
#include <pmu/core/pmi.h>
#include <pmu/core/program.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>

#define NMIS       "SDM 3C, \"Pin-Based VM-Execution Controls\": NMI exiting"
#define INTERRUPTS "SDM 3C, \"Pin-Based VM-Execution Controls\": external-interrupt exiting"
#define OVERFLOW   "; SDM 3B, \"Generating an Interrupt on Overflow\""

static NEED_BOTH(need_vmx_pmi, need_vmx_both_perf, need_pmi_lvtpc)
static NEED_BOTH(need_vmx_pmi_virtual, need_vmx_pmi, need_vmx_virtual_nmis)

/* Counts the guest's instructions, with a PMI after so many, and nothing of the host. */
static void begin(enum pmi_delivery delivery, unsigned missing)
{
	const struct pmu_setup s = {
		.counter = 0, .event = EVENT_INSTRUCTIONS_RETIRED, .flags = PMU_BOTH | PMU_INT,
		.start = pmi_start(missing),
	};

	guest_begin();
	guest_set(VMX_ENTRY, VMX_ENTRY_LOAD_PERF);
	guest_set(VMX_EXIT, VMX_EXIT_LOAD_PERF);
	guest_write(VMCS_GUEST_PERF_GLOBAL_CTRL, 1);
	guest_write(VMCS_HOST_PERF_GLOBAL_CTRL, 0);
	pmu_program(&s, 1);
	pmu_clear_status(pmu_status());
	pmi_listen(delivery, NULL);
}

static void finish(void)
{
	nmi_unblock();
	pmi_stop();
	guest_end();
	pmu_reset();
}

static bool is_in_sled(uintptr_t ip)
{
	return ip >= (uintptr_t)vmx_guest_pmi_sled && ip <= (uintptr_t)vmx_guest_end;
}

/* Runs the guest into the overflow; returns where the PMI came. */
static uintptr_t place_of(bool is_exiting, unsigned missing)
{
	struct guest g = { .code = vmx_guest_pmi_sled };
	uintptr_t ip;

	begin(PMI_NMI, missing);
	if (!is_exiting)
		guest_clear(VMX_PIN, VMX_PIN_NMI);
	guest_try(&g);
	ip = g.vector == X86_NMI ? vmx_guest_interrupted() : g.ip;
	finish();
	return ip;
}

TEST(exits, .id = "vmx.pmi.exits", .needs = need_vmx_pmi, .source = NMIS OVERFLOW,
     .claim = "with NMI exiting, the PMI of an overflow in the guest leaves the guest with reason "
              "0, as an NMI")
{
	const struct pmi_log *log = pmi_get_log();
	struct guest g = { .code = vmx_guest_pmi_sled };

	begin(PMI_NMI, GUEST_MISSING);
	guest_try(&g);
	expect_exits(t, "basic exit reason", &g, VMX_REASON_EXCEPTION_OR_NMI,
	             "an exception or NMI");
	expect_bits(t, "interruption information", g.info,
	            VMCS_INFO_VALID | VMCS_INFO_TYPE | VMCS_INFO_VECTOR,
	            VMCS_INFO_VALID | FIELD_PUT(VMCS_INFO_TYPE, VMCS_INFO_TYPE_NMI) | X86_NMI,
	            "bit 31: valid; type 2: NMI; vector 2");
	expect_exact(t, "RIP is in the guest's NOPs", is_in_sled(g.ip), true,
	             "the overflow was there");
	if (expect_exact(t, "PMIs", log->count, 1, "the counter overflowed once")) {
		expect_bits(t, "IA32_PERF_GLOBAL_STATUS", log->status[0], 1, 1,
		            "IA32_PMC0 overflowed");
		expect_bits(t, "LVTPC after the exit", log->lvtpc[0], APIC_LVT_MASK, APIC_LVT_MASK,
		            "the delivery of a PMI masks LVTPC, also if it leaves a guest");
	}
	finish();
}

TEST(delivered, .id = "vmx.pmi.delivered", .needs = need_vmx_pmi, .source = NMIS OVERFLOW,
     .claim = "without NMI exiting, the PMI of an overflow in the guest enters the guest's handler "
              "of NMIs")
{
	struct guest g = { .code = vmx_guest_pmi_sled };

	begin(PMI_NMI, GUEST_MISSING);
	guest_clear(VMX_PIN, VMX_PIN_NMI);
	guest_try(&g);
	expect_exact(t, "vector in the guest", (uint64_t)(int64_t)g.vector, X86_NMI,
	             "the guest's IDT has the handler");
	if (g.vector == X86_NMI)
		expect_exact(t, "interrupted RIP is in the guest's NOPs",
		             is_in_sled(vmx_guest_interrupted()), true, "the overflow was there");
	expect_exact(t, "PMIs", pmi_get_log()->count, 1, "the counter overflowed once");
	finish();
}

TEST(place, .id = "vmx.pmi.place", .needs = need_vmx_pmi, .source = NMIS OVERFLOW,
     .claim = "the PMI comes at the same instruction of the guest, whether it leaves the guest or "
              "is delivered there, and later as the overflow does")
{
	const struct guest_pmi_places places = {
		.exited = place_of(true, GUEST_MISSING), .stayed = place_of(false, GUEST_MISSING),
		.later = place_of(true, GUEST_LATER),
	};

	guest_expect_places(t, vmx_guest_pmi_sled, &places,
	                    "low: VMRESUME, the VM entry and the NOP itself may count; high: "
	                    "all");
}

TEST(goes_on, .id = "vmx.pmi.goes_on", .needs = need_vmx_pmi, .source = NMIS OVERFLOW,
     .claim = "a guest that a PMI has interrupted goes on where it was, and no instruction is lost "
              "or counted twice")
{
	const uint64_t rest = GUEST_PMI_SLED - GUEST_MISSING;
	struct guest g = { .code = vmx_guest_pmi_sled };

	begin(PMI_NMI, GUEST_MISSING);
	guest_try(&g);
	guest_go_on(&g, VMX_REASON_VMCALL);
	expect_exact(t, "RIP at the end", g.ip, (uintptr_t)vmx_guest_end, "the guest's VMCALL");
	guest_expect_in(t, "IA32_PMC0 after its overflow", pmu_read(0), rest, rest + 3, 4,
	                "low: the NOPs; high: with them two VMRESUMEs and the VMCALL");
	expect_exact(t, "PMIs", pmi_get_log()->count, 1, "the counter overflowed once");
	finish();
}

/* ---------------------------------------------------------------------------- blocked NMIs */

TEST(blocked, .id = "vmx.pmi.blocked", .needs = need_vmx_pmi,
     .source = "SDM 3C, \"Guest Non-Register State\": blocking by NMI" OVERFLOW,
     .claim = "without NMI exiting, a guest that is entered with blocking by NMI gets no PMI; it "
              "stays pending, and comes once NMIs are unblocked")
{
	struct guest g = { .code = vmx_guest_pmi_sled };

	begin(PMI_NMI, GUEST_MISSING);
	guest_clear(VMX_PIN, VMX_PIN_NMI);
	g.interruptibility = VMCS_BLOCKING_BY_NMI;
	guest_try(&g);
	expect_exact(t, "RIP at the end", g.ip, (uintptr_t)vmx_guest_end, "the guest's VMCALL");
	expect_exact(t, "PMIs in the guest", pmi_get_log()->count, 0, "NMIs were blocked");
	expect_bits(t, "interruptibility state", guest_read(VMCS_GUEST_INTERRUPTIBILITY),
	            VMCS_BLOCKING_BY_NMI, VMCS_BLOCKING_BY_NMI, "no IRET was executed");
	nmi_unblock();
	pmi_settle();
	expect_exact(t, "PMIs after an IRET of the host", pmi_get_log()->count, 1,
	             "a VM exit keeps blocking by NMI, and IRET ends it");
	finish();
}

TEST(virtual_nmis, .id = "vmx.pmi.virtual", .needs = need_vmx_pmi_virtual,
     .source = "SDM 3C, \"Pin-Based VM-Execution Controls\": virtual NMIs" OVERFLOW,
     .claim = "with virtual NMIs, blocking by NMI is the guest's own: the PMI leaves the guest "
              "nevertheless")
{
	struct guest g = { .code = vmx_guest_pmi_sled };

	begin(PMI_NMI, GUEST_MISSING);
	guest_set(VMX_PIN, VMX_PIN_VIRTUAL_NMIS);
	g.interruptibility = VMCS_BLOCKING_BY_NMI;
	guest_try(&g);
	expect_exits(t, "basic exit reason", &g, VMX_REASON_EXCEPTION_OR_NMI,
	             "an exception or NMI");
	expect_exact(t, "PMIs", pmi_get_log()->count, 1, "the counter overflowed once");
	expect_bits(t, "interruptibility state", guest_read(VMCS_GUEST_INTERRUPTIBILITY),
	            VMCS_BLOCKING_BY_NMI, VMCS_BLOCKING_BY_NMI, "no IRET was executed");
	finish();
}

/* ---------------------------------------------------------------------------- fixed interrupts */

/* The overflow is in the host, whose EFLAGS.IF = 0 keeps the interrupt pending. */
static void overflow_in_host(void)
{
	begin(PMI_FIXED, 1);
	msr_write(IA32_PERF_GLOBAL_CTRL, 1);
	pmi_settle();
	msr_write(IA32_PERF_GLOBAL_CTRL, 0);
	guest_write(VMCS_GUEST_PERF_GLOBAL_CTRL, 0);
}

/* Runs ten NOPs after it; the guest's EFLAGS.IF is 1 if it is open. */
static struct guest enter_with_pending(bool is_exiting, bool is_open)
{
	struct guest g = { .code = guest_sled(10), .flags = is_open ? EFLAGS_IF : 0 };

	overflow_in_host();
	if (!is_exiting)
		guest_clear(VMX_PIN, VMX_PIN_EXTERNAL_INTERRUPT);
	guest_try(&g);
	return g;
}

TEST(pending_exit, .id = "vmx.pmi.pending_exit", .needs = need_vmx_pmi,
     .source = INTERRUPTS OVERFLOW,
     .claim = "with external-interrupt exiting, a PMI of fixed delivery that is pending at the "
              "entry leaves the guest with reason 1 before its first instruction")
{
	struct guest g = enter_with_pending(true, true);

	expect_exits(t, "basic exit reason", &g, VMX_REASON_EXTERNAL_INTERRUPT,
	             "an external interrupt");
	expect_exact(t, "RIP at the exit", g.ip, (uintptr_t)g.code, "nothing has executed");
	finish();
}

TEST(pending_closed, .id = "vmx.pmi.pending_closed", .needs = need_vmx_pmi,
     .source = INTERRUPTS OVERFLOW,
     .claim = "with external-interrupt exiting, a PMI of fixed delivery that is pending at the "
              "entry leaves the guest also if its EFLAGS.IF = 0")
{
	struct guest g = enter_with_pending(true, false);

	expect_exits(t, "basic exit reason", &g, VMX_REASON_EXTERNAL_INTERRUPT,
	             "an external interrupt, which EFLAGS.IF does not block");
	finish();
}

TEST(pending_delivered, .id = "vmx.pmi.pending_delivered", .needs = need_vmx_pmi,
     .source = INTERRUPTS OVERFLOW,
     .claim = "without external-interrupt exiting, a PMI of fixed delivery that is pending at the "
              "entry enters the guest's handler before its first instruction, if its EFLAGS.IF = "
              "1, and otherwise stays pending")
{
	struct guest g = enter_with_pending(false, true);

	if (expect_exact(t, "vector in the guest", (uint64_t)(int64_t)g.vector, PMI_VECTOR,
	                 "LVTPC's")) {
		expect_exact(t, "interrupted RIP", vmx_guest_interrupted(), (uintptr_t)g.code,
		             "nothing has executed");
		apic_end_of_interrupt();
	}
	finish();
	g = enter_with_pending(false, false);
	expect_exact(t, "RIP at the end with EFLAGS.IF = 0", g.ip, (uintptr_t)vmx_guest_end,
	             "the guest's VMCALL");
	expect_exact(t, "interrupt is requested", apic_is_requested(PMI_VECTOR), true,
	             "it stays pending");
	finish();
}

/* ---------------------------------------------------------------------------- freezing */

TEST(freeze, .id = "vmx.pmi.freeze", .needs = need_vmx_pmi,
     .source = "SDM 3B, \"Freezing LBR and Performance Counters on PMI\"",
     .claim = "FREEZE_PERFMON_ON_PMI in the guest's IA32_DEBUGCTL freezes the counters at the PMI "
              "of the guest, and the exit that clears IA32_DEBUGCTL leaves them frozen")
{
	const struct pmi_log *log = pmi_get_log();
	struct guest g = { .code = vmx_guest_pmi_sled };

	begin(PMI_NMI, GUEST_MISSING);
	guest_clear(VMX_EXIT, VMX_EXIT_LOAD_PERF);
	guest_write(VMCS_GUEST_DEBUGCTL, IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI);
	guest_try(&g);
	expect_exits(t, "basic exit reason", &g, VMX_REASON_EXCEPTION_OR_NMI,
	             "an exception or NMI");
	expect_exact(t, "PMIs", log->count, 1, "the counter overflowed once");
	if (pmu_get()->version >= 4)
		expect_bits(t, "IA32_PERF_GLOBAL_STATUS after the exit", log->status[0],
		            IA32_PERF_GLOBAL_STATUS_CTR_FRZ, IA32_PERF_GLOBAL_STATUS_CTR_FRZ,
		            "version 4 freezes by CTR_FRZ");
	else
		expect_bits(t, "IA32_PERF_GLOBAL_CTRL after the exit",
		            msr_read(IA32_PERF_GLOBAL_CTRL), 1, 0,
		            "before version 4 the freeze clears the enable bits");
	finish();
}
