/* SPDX-License-Identifier: MIT */
/* What the lists of MSRs do that VM entries load, and that VM exits store and load. */
#include <tests/suites/vmx/vmx_guest.h>

#include <arch/cpu/fault.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/core/program.h>
#include <pmu/sampling/pebs.h>
#include <tests/suites/common/needs.h>

#define LOAD_SDM   "SDM 3C, \"Loading MSRs\""
#define STORE_SDM  "SDM 3C, \"Saving MSRs\""

/* Registers that keep any of these values, and count nothing: nothing enables counter 0. */
static const struct { uint32_t msr; const char *name; uint64_t guest, host; } rows[] = {
	{ IA32_PERF_GLOBAL_CTRL, "IA32_PERF_GLOBAL_CTRL", 1, 2 },
	{ IA32_PERFEVTSEL(0), "IA32_PERFEVTSEL0",
	  IA32_PERFEVTSEL_USR | 0xc0, IA32_PERFEVTSEL_OS | 0x3c },
	{ IA32_PMC(0), "IA32_PMC0", 0x1234567, 0x7654321 },
	{ IA32_FIXED_CTR(0), "IA32_FIXED_CTR0", 0x123456789a, 0x11 },
	{ IA32_FIXED_CTR_CTRL, "IA32_FIXED_CTR_CTRL", 1, 2 },
	{ IA32_DEBUGCTL, "IA32_DEBUGCTL", IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI,
	  IA32_DEBUGCTL_FREEZE_LBRS_ON_PMI },
};

/* Only counters need no list to keep a value, so each register is tried by itself. */
#define FOR_EACH_ROW(i) for (unsigned i = 0; i < COUNT_OF(rows); i++)

static bool is_there(struct test_ctx *t, unsigned i)
{
	uint64_t unused;

	test_sub(t, "%s", rows[i].name);
	return !is_fault(msr_try_read(rows[i].msr, &unused));
}

static void finish(void)
{
	guest_end();
	msr_write(IA32_DEBUGCTL, 0);
	pmu_reset();
}

TEST(entry_load, .id = "vmx.lists.entry_load", .needs = need_vmx, .source = LOAD_SDM,
     .claim = "a VM entry writes the MSRs of its list before the guest's first instruction")
{
	FOR_EACH_ROW(i) {
		if (!is_there(t, i))
			continue;
		guest_begin();
		msr_write(rows[i].msr, rows[i].host);
		guest_list_add(&guest_entry_load, rows[i].msr, rows[i].guest);
		expect_bits(t, "value in the guest", guest_read_msr(rows[i].msr), UINT64_MAX,
		            rows[i].guest, "the entry loads it from the list");
		finish();
	}
}

TEST(exit_load, .id = "vmx.lists.exit_load", .needs = need_vmx, .source = LOAD_SDM,
     .claim = "a VM exit writes the MSRs of its load list, after the guest's last instruction")
{
	FOR_EACH_ROW(i) {
		if (!is_there(t, i))
			continue;
		guest_begin();
		guest_list_add(&guest_exit_load, rows[i].msr, rows[i].host);
		guest_write_msr(rows[i].msr, rows[i].guest);
		expect_bits(t, "value after the exit", msr_read(rows[i].msr), UINT64_MAX,
		            rows[i].host, "the exit loads it from the list");
		finish();
	}
}

TEST(exit_store, .id = "vmx.lists.exit_store", .needs = need_vmx, .source = STORE_SDM,
     .claim = "a VM exit stores the guest's values of the MSRs of its store list, before it loads "
              "the host's")
{
	FOR_EACH_ROW(i) {
		struct guest_msr *row;

		if (!is_there(t, i))
			continue;
		guest_begin();
		row = guest_list_add(&guest_exit_store, rows[i].msr, ~rows[i].guest);
		guest_list_add(&guest_exit_load, rows[i].msr, rows[i].host);
		guest_write_msr(rows[i].msr, rows[i].guest);
		expect_bits(t, "stored value", row->value, UINT64_MAX, rows[i].guest,
		            "what the guest's WRMSR left");
		finish();
	}
}

TEST(order, .id = "vmx.lists.order", .needs = need_vmx, .source = LOAD_SDM,
     .claim = "the rows of a list are loaded in their order: of two of one MSR, the second stays")
{
	guest_begin();
	guest_list_add(&guest_entry_load, IA32_PMC(0), 1);
	guest_list_add(&guest_entry_load, IA32_PMC(0), 2);
	guest_list_add(&guest_exit_load, IA32_PMC(0), 3);
	guest_list_add(&guest_exit_load, IA32_PMC(0), 4);
	expect_exact(t, "IA32_PMC0 in the guest", guest_read_msr(IA32_PMC(0)), 2,
	             "the second row of the entry's list");
	expect_exact(t, "IA32_PMC0 after the exit", msr_read(IA32_PMC(0)), 4,
	             "the second row of the exit's list");
	finish();
}

TEST(over_entry, .id = "vmx.lists.over_entry", .needs = need_vmx_entry_perf, .source = LOAD_SDM,
     .claim = "IA32_PERF_GLOBAL_CTRL in the entry's list wins over entry control 13, which comes "
              "first")
{
	guest_begin();
	guest_set(VMX_ENTRY, VMX_ENTRY_LOAD_PERF);
	guest_write(VMCS_GUEST_PERF_GLOBAL_CTRL, 1);
	guest_list_add(&guest_entry_load, IA32_PERF_GLOBAL_CTRL, 2);
	expect_bits(t, "IA32_PERF_GLOBAL_CTRL in the guest", guest_read_msr(IA32_PERF_GLOBAL_CTRL),
	            UINT64_MAX, 2, "the list is loaded after the VMCS's fields");
	finish();
}

TEST(over_exit, .id = "vmx.lists.over_exit", .needs = need_vmx_exit_perf, .source = LOAD_SDM,
     .claim = "IA32_PERF_GLOBAL_CTRL in the exit's lists: the store list has the guest's value, "
              "and the load list wins over exit control 12")
{
	struct guest_msr *row;

	guest_begin();
	guest_set(VMX_EXIT, VMX_EXIT_LOAD_PERF);
	guest_write(VMCS_HOST_PERF_GLOBAL_CTRL, 1);
	row = guest_list_add(&guest_exit_store, IA32_PERF_GLOBAL_CTRL, UINT64_MAX);
	guest_list_add(&guest_exit_load, IA32_PERF_GLOBAL_CTRL, 2);
	guest_write_msr(IA32_PERF_GLOBAL_CTRL, 3);
	expect_bits(t, "stored IA32_PERF_GLOBAL_CTRL", row->value, UINT64_MAX, 3,
	            "MSRs are stored before the host's state is loaded");
	expect_bits(t, "IA32_PERF_GLOBAL_CTRL after the exit", msr_read(IA32_PERF_GLOBAL_CTRL),
	            UINT64_MAX, 2, "the list is loaded after the VMCS's fields");
	finish();
}

/* ---------------------------------------------------------------------------- failures */

TEST(failure, .id = "vmx.lists.failure", .needs = need_vmx,
     .source = LOAD_SDM "; \"VM-Entry Failures During or After Loading Guest State\"",
     .claim = "a row of the entry's list that WRMSR would refuse fails the entry with exit reason "
              "34, and the exit qualification is the row's number")
{
	for (unsigned bad = 1; bad <= 3; bad++) {
		struct guest g = { .code = vmx_guest_end };

		test_sub(t, "row %u is wrong", bad);
		guest_begin();
		for (unsigned i = 1; i <= 3; i++)
			guest_list_add(&guest_entry_load, IA32_PERF_GLOBAL_CTRL,
			               i == bad ? BIT(63) : i);
		guest_try(&g);
		expect_exits(t, "basic exit reason", &g, VMX_REASON_MSR_LOADING,
		             "bit 63 of IA32_PERF_GLOBAL_CTRL is reserved");
		expect_exact(t, "exit qualification", g.qualification, bad,
		             "rows are numbered from 1");
		test_report(t, "IA32_PERF_GLOBAL_CTRL afterwards", "%" PRIX64 "H",
		            msr_read(IA32_PERF_GLOBAL_CTRL));
		finish();
	}
}

/* ---------------------------------------------------------------------------- use */

static const struct pmu_setup insns = {
	.counter = 0, .event = EVENT_INSTRUCTIONS_RETIRED, .flags = PMU_BOTH, .start = 1000,
};

enum { NOPS = 100 };

/* Counts in the guest alone, by lists; returns what was stored. */
static uint64_t count_by_lists(unsigned nops)
{
	struct guest g = { .code = guest_sled(nops) };
	struct guest_msr *row;

	pmu_program(&insns, 1);
	guest_begin();
	guest_list_add(&guest_entry_load, IA32_PMC(0), 5000);
	guest_list_add(&guest_entry_load, IA32_PERF_GLOBAL_CTRL, 1);
	row = guest_list_add(&guest_exit_store, IA32_PMC(0), 0);
	guest_list_add(&guest_exit_load, IA32_PERF_GLOBAL_CTRL, 0);
	guest_list_add(&guest_exit_load, IA32_PMC(0), 1000);
	guest_run(&g);
	return row->value;
}

TEST(counter, .id = "vmx.lists.counter", .needs = need_vmx, .source = LOAD_SDM "; " STORE_SDM,
     .claim = "lists that switch a counter's value and IA32_PERF_GLOBAL_CTRL count the guest "
              "alone")
{
	const uint64_t none = count_by_lists(0), some = count_by_lists(NOPS);

	guest_expect_more(t, "stored IA32_PMC0, NOPs of the guest", none, some, NOPS, 2,
	                  "instructions of the guest");
	expect_exact(t, "IA32_PMC0 after the exit", msr_read(IA32_PMC(0)), 1000,
	             "the exit loads the host's value");
	test_report(t, "instructions besides the NOPs", "%" PRIu64, none - 5000);
	finish();
}

static NEED_BOTH(need_pebs_lists, need_vmx, need_pebs)

TEST(pebs, .id = "vmx.lists.pebs", .needs = need_pebs_lists, .source = LOAD_SDM,
     .claim = "lists switch IA32_PEBS_ENABLE and IA32_DS_AREA between guest and host")
{
	const uint64_t area = 0x100000;

	guest_begin();
	guest_list_add(&guest_entry_load, IA32_PEBS_ENABLE, 1);
	guest_list_add(&guest_entry_load, IA32_DS_AREA, area);
	guest_list_add(&guest_exit_load, IA32_PEBS_ENABLE, 0);
	guest_list_add(&guest_exit_load, IA32_DS_AREA, 0);
	expect_bits(t, "IA32_PEBS_ENABLE in the guest", guest_read_msr(IA32_PEBS_ENABLE),
	            UINT64_MAX, 1, "the entry loads it from the list");
	expect_bits(t, "IA32_PEBS_ENABLE after the exit", msr_read(IA32_PEBS_ENABLE), UINT64_MAX,
	            0, "the exit loads it from the list");
	expect_bits(t, "IA32_DS_AREA in the guest", guest_read_msr(IA32_DS_AREA), UINT64_MAX, area,
	            "the entry loads it from the list");
	expect_bits(t, "IA32_DS_AREA after the exit", msr_read(IA32_DS_AREA), UINT64_MAX, 0,
	            "the exit loads it from the list");
	finish();
}
