/* SPDX-License-Identifier: MIT */
/* Branch records of a guest: the stack of last branch records, and branch trace store. */
#include <tests/suites/vmx/vmx_guest.h>

#include <stddef.h>

#include <arch/cpu/fault.h>
#include <arch/regs/cpu.h>
#include <arch/regs/perfmon.h>
#include <kernel/lib/format.h>
#include <pmu/core/pmi.h>
#include <pmu/core/program.h>
#include <pmu/sampling/ds.h>
#include <pmu/sampling/lbr_stack.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>

#define LBR_SDM  "SDM 3B, \"Last Branch, Call Stack, Interrupt, and Exception Recording\"; SDM " \
	         "3C, VM entries load IA32_DEBUGCTL, and VM exits clear it"

/* Three rounds take the jump twice, which fits into every stack. */
enum { ROUNDS = 3, TAKEN = ROUNDS - 1 };

/* Needs a stack that IA32_DEBUGCTL switches, of four records or more. */
static const char *need_stack(struct test_ctx *t)
{
	const char *reason = need_lbr(t);

	if (reason || !lbr_kind(NULL)->is_architectural)
		return reason;
	return test_reason(t, "CPUID.7.0:EDX[19] = 1: IA32_LBR_CTL switches the records, not "
	                   "IA32_DEBUGCTL");
}

static NEED_BOTH(need_vmx_lbr, need_vmx, need_stack)
static NEED_BOTH(need_vmx_lbr_pmi, need_vmx_lbr, need_pmi_lvtpc)

static bool is_jump(struct lbr_record r)
{
	return r.from == (uintptr_t)vmx_guest_loop_jump && r.to == (uintptr_t)vmx_guest_loop;
}

/* Returns how many records there are of the guest's jump. */
static unsigned jumps(void)
{
	unsigned count = 0;

	for (unsigned age = 0; age < lbr_kind(NULL)->depth; age++)
		count += is_jump(lbr_get(age));
	return count;
}

static void begin(uint64_t guest_debugctl)
{
	lbr_window(0, workload_loop.code, 64, 0);       /* fills the stack with other branches */
	guest_begin();
	guest_write(VMCS_GUEST_DEBUGCTL, guest_debugctl);
}

static void finish(void)
{
	guest_end();
	lbr_stop();
	msr_write(IA32_DEBUGCTL, 0);
}

static void run_loop(unsigned rounds)
{
	struct guest g = { .code = vmx_guest_loop, .regs.cx = rounds };

	guest_run(&g);
}

TEST(lbr, .id = "vmx.lbr.guest", .needs = need_vmx_lbr, .source = LBR_SDM,
     .claim = "with LBR in the guest's IA32_DEBUGCTL the stack has the guest's branches, and "
              "after the exit it keeps them, because IA32_DEBUGCTL is 0")
{
	begin(IA32_DEBUGCTL_LBR);
	run_loop(ROUNDS);
	expect_exact(t, "records of the guest's jump", jumps(), TAKEN,
	             "one each time that the loop's jump was taken");
	expect_exact(t, "records after more branches of the host", jumps(), TAKEN,
	             "nothing records in the host");
	finish();
}

TEST(host, .id = "vmx.lbr.host", .needs = need_vmx_lbr, .source = LBR_SDM,
     .claim = "with LBR in the host's IA32_DEBUGCTL and not in the guest's, no branch of the guest "
              "is recorded")
{
	begin(0);
	msr_write(IA32_DEBUGCTL, IA32_DEBUGCTL_LBR);
	run_loop(ROUNDS);
	expect_exact(t, "records of the guest's jump", jumps(), 0,
	             "the entry has cleared IA32_DEBUGCTL.LBR");
	finish();
}

TEST(switches, .id = "vmx.lbr.switches", .needs = need_vmx_lbr,
     .source = "no manual says whether a VM entry or exit is a branch",
     .claim = "the newest record after a VM exit is that of the guest's last branch, or the "
              "exit's")
{
	bool is_newest;

	begin(IA32_DEBUGCTL_LBR);
	run_loop(ROUNDS);
	is_newest = is_jump(lbr_get(0));
	expect_exact(t, "one of the newest two records is the guest's jump",
	             is_newest || is_jump(lbr_get(1)), true,
	             "the guest had no branch after it, and the exit has at most one");
	test_report(t, "a VM exit has a record", "%u", !is_newest);
	finish();
}

TEST(injected, .id = "vmx.lbr.injected", .needs = need_vmx_lbr,
     .source = "SDM 3C, \"Vectored-Event Injection\": the transition causes a last-branch record "
               "to be logged if the LBR bit is set",
     .claim = "the delivery of an injected event is a record, which leads to the guest's handler")
{
	struct guest g = { .code = guest_sled(10), .is_injected = true };
	unsigned found = 0;

	begin(IA32_DEBUGCTL_LBR);
	guest_write(VMCS_ENTRY_INFO, VMCS_INFO_VALID | X86_NMI |
	            FIELD_PUT(VMCS_INFO_TYPE, VMCS_INFO_TYPE_NMI));
	guest_try(&g);
	for (unsigned age = 0; age < lbr_kind(NULL)->depth; age++)
		found += lbr_get(age).to == vmx_guest_gate(X86_NMI);
	expect_exact(t, "records that lead to the guest's handler", found, 1,
	             "the event was delivered once");
	finish();
}

TEST(freeze, .id = "vmx.lbr.freeze", .needs = need_vmx_lbr_pmi,
     .source = "SDM 3B, \"Freezing LBR and Performance Counters on PMI\"",
     .claim = "FREEZE_LBRS_ON_PMI in the guest's IA32_DEBUGCTL stops recording at the PMI of the "
              "guest, as the saved IA32_DEBUGCTL shows, or with version 4 LBR_FRZ")
{
	const struct pmi_log *log = pmi_get_log();
	const struct pmu_setup s = {
		.counter = 0, .event = EVENT_INSTRUCTIONS_RETIRED, .flags = PMU_BOTH | PMU_INT,
		.start = pmi_start(100),
	};
	struct guest g = { .code = vmx_guest_loop, .regs.cx = GUEST_PMI_SLED };

	begin(IA32_DEBUGCTL_LBR | IA32_DEBUGCTL_FREEZE_LBRS_ON_PMI);
	pmu_program(&s, 1);
	pmu_clear_status(pmu_status());
	pmi_listen(PMI_NMI, NULL);
	guest_list_add(&guest_entry_load, IA32_PERF_GLOBAL_CTRL, 1);
	guest_list_add(&guest_exit_load, IA32_PERF_GLOBAL_CTRL, 0);
	guest_try(&g);
	expect_exits(t, "basic exit reason", &g, VMX_REASON_EXCEPTION_OR_NMI,
	             "the PMI is an NMI");
	expect_exact(t, "PMIs", log->count, 1, "the counter overflowed once");
	if (pmu_get()->version >= 4)
		expect_bits(t, "IA32_PERF_GLOBAL_STATUS after the exit", log->status[0],
		            IA32_PERF_GLOBAL_STATUS_LBR_FRZ, IA32_PERF_GLOBAL_STATUS_LBR_FRZ,
		            "version 4 freezes by LBR_FRZ");
	else
		expect_bits(t, "the guest's field of IA32_DEBUGCTL",
		            guest_read(VMCS_GUEST_DEBUGCTL), IA32_DEBUGCTL_LBR, 0,
		            "before version 4 the PMI clears IA32_DEBUGCTL.LBR, and the exit saves "
		            "that");
	pmi_stop();
	finish();
	pmu_reset();
}

/* ---------------------------------------------------------------------------- BTS */

static NEED_BOTH(need_vmx_bts, need_vmx, need_bts)

enum { BTS_ROUNDS = 20 };

static unsigned bts_jumps(void)
{
	unsigned count = 0;

	for (unsigned i = 0; i < ds_index(DS_BTS); i++)
		count += bts_get(i).from == (uintptr_t)vmx_guest_loop_jump
		         && bts_get(i).to == (uintptr_t)vmx_guest_loop;
	return count;
}

TEST(bts, .id = "vmx.bts.guest", .needs = need_vmx_bts,
     .source = "SDM 3B, \"Branch Trace Store (BTS)\"; SDM 3C, VM exits clear IA32_DEBUGCTL",
     .claim = "with TR and BTS in the guest's IA32_DEBUGCTL the guest's branches are stored, one "
              "record each, and after the exit none of the host")
{
	const unsigned room = ds_room(DS_BTS);
	const char *what;
	unsigned records;
	uintptr_t damage;

	ds_set_up(&(const struct ds_plan){
		.buffer[DS_BTS] = { .records = room, .threshold = room + 1 } });
	guest_begin();
	guest_write(VMCS_GUEST_DEBUGCTL, IA32_DEBUGCTL_TR | IA32_DEBUGCTL_BTS);
	run_loop(BTS_ROUNDS);
	records = ds_index(DS_BTS);
	msr_write(IA32_DEBUGCTL, 0);
	guest_end();
	expect_exact(t, "records of the guest's jump", bts_jumps(), BTS_ROUNDS - 1,
	             "one each time that the loop's jump was taken");
	expect_between(t, "all records", records, BTS_ROUNDS - 1, BTS_ROUNDS + 1,
	               "low: the jumps; high: with them the VM entry and the VM exit, as this "
	               "kernel's branches after the exit are not stored");
	damage = ds_damage(&what);
	expect_exact(t, what, damage, 0, "BTS writes records and the index, and nothing else");
	ds_tear_down();
}
