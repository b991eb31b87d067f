/* SPDX-License-Identifier: MIT */
#include <tests/suites/vmx/vmx_guest.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/regs/cpu.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/run/watchdog.h>
#include <pmu/core/pmi.h>

struct guest_list guest_entry_load __attribute__((aligned(16))),
                  guest_exit_store __attribute__((aligned(16))),
                  guest_exit_load __attribute__((aligned(16)));
static unsigned entry_loads, exit_stores, exit_loads;

static const struct list_row {
	struct guest_list *list;
	unsigned *count;
	uint16_t address, counter;
} lists[] = {
	{ &guest_entry_load, &entry_loads, VMCS_ENTRY_LOAD_ADDRESS, VMCS_ENTRY_LOAD_COUNT },
	{ &guest_exit_store, &exit_stores, VMCS_EXIT_STORE_ADDRESS, VMCS_EXIT_STORE_COUNT },
	{ &guest_exit_load, &exit_loads, VMCS_EXIT_LOAD_ADDRESS, VMCS_EXIT_LOAD_COUNT },
};

static void check(void)
{
	const struct vmx_failure f = vmx_get_failure();

	if (f.what)
		test_abort("%s of field %XH failed: instruction error %u, %s", f.what,
		           (unsigned)f.field, (unsigned)f.error, vmx_error_name(f.error));
}

void guest_begin(void)
{
	watchdog_pet();                  /* no tick falls into the counts of a short guest */
	vmx_on();
	check();
	for (unsigned i = 0; i < COUNT_OF(lists); i++) {
		*lists[i].count = 0;
		guest_write(lists[i].address, vmx_physical(lists[i].list));
	}
}

void guest_end(void)
{
	vmx_off();
}

void guest_write(uint32_t field, uint64_t value)
{
	vmcs_write(field, value);
	check();
}

uint64_t guest_read(uint32_t field)
{
	const uint64_t value = vmcs_read(field);

	check();
	return value;
}

void guest_set(enum vmx_controls of, uint32_t bits)
{
	if (!vmx_may_set(of, bits))
		test_abort("controls %XH of vector %u may not be 1", (unsigned)bits, of);
	vmx_change(of, bits, 0);
}

void guest_clear(enum vmx_controls of, uint32_t bits)
{
	if (!vmx_may_clear(of, bits))
		test_abort("controls %XH of vector %u must be 1", (unsigned)bits, of);
	vmx_change(of, 0, bits);
}

struct guest_msr *guest_list_add(struct guest_list *list, uint32_t msr, uint64_t value)
{
	for (unsigned i = 0; i < COUNT_OF(lists); i++) {
		struct guest_msr *row = &list->row[*lists[i].count];

		if (lists[i].list != list)
			continue;
		if (*lists[i].count == GUEST_MSRS)
			test_abort("more than %u MSRs in a list", GUEST_MSRS);
		*row = (struct guest_msr){ .msr = msr, .value = value };
		guest_write(lists[i].counter, ++*lists[i].count);
		return row;
	}
	test_abort("no such list of MSRs");
}

/* ---------------------------------------------------------------------------- entries */

static void take_exit(struct guest *g)
{
	const uint32_t reason = (uint32_t)vmcs_read(VMCS_EXIT_REASON);

	g->reason = (uint32_t)FIELD_GET(VMCS_EXIT_REASON_BASIC, reason);
	g->has_failed = (reason & VMCS_EXIT_REASON_ENTRY_FAILED) != 0;
	g->qualification = vmcs_read(VMCS_EXIT_QUALIFICATION);
	g->info = (uint32_t)vmcs_read(VMCS_EXIT_INFO);
	g->ip = (uintptr_t)vmcs_read(VMCS_GUEST_RIP);
	g->vector = g->reason == VMX_REASON_VMCALL && !g->has_failed ? vmx_guest_vector() : -1;
	if (g->reason == VMX_REASON_PREEMPTION_TIMER)
		test_abort("the guest hung: the VMX-preemption timer ended it");
}

static bool is_nmi(const struct guest *g)
{
	if (g->reason == VMX_REASON_EXCEPTION_OR_NMI && !g->has_failed)
		return FIELD_GET(VMCS_INFO_TYPE, g->info) == VMCS_INFO_TYPE_NMI;
	return g->vector == X86_NMI;
}

/* Returns true if an NMI was the watchdog's, so that the guest has to go on. */
static bool was_tick(struct guest *g)
{
	const unsigned before = pmi_get_log()->count;

	if (!is_nmi(g) || (g->is_injected && g->vector == X86_NMI))
		return false;
	nmi_by_software();
	if (pmi_get_log()->count == before)
		return true;
	g->nmis++;
	return false;
}

void guest_try_again(struct guest *g)
{
	bool is_again = true;

	while (is_again) {
		g->status = vmx_enter(&g->regs);
		g->error = vmx_get_failure().error;
		if (g->status != VMX_SUCCEEDED) {
			vmx_forget_failure();
			return;
		}
		take_exit(g);
		is_again = was_tick(g);
		if (is_again && g->vector == X86_NMI)
			vmx_guest_return();
	}
}

void guest_try(struct guest *g)
{
	vmx_guest_at(g->code, g->cpl);
	guest_write(VMCS_GUEST_RFLAGS, EFLAGS_FIXED | g->flags);
	guest_write(VMCS_GUEST_INTERRUPTIBILITY, g->interruptibility);
	g->nmis = 0;
	guest_try_again(g);
}

bool expect_exits_at(struct test_ctx *t, struct test_place at, const char *what,
                     const struct guest *g, uint32_t reason, const char *why)
{
	char refused[128];

	if (g->status == VMX_SUCCEEDED)
		return expect_exact_at(t, at, what, g->reason, reason, why);
	format_buf(refused, sizeof(refused), "%s: the VM entry was refused, %s: instruction error",
	           what, vmx_error_name(g->error));
	return expect_exact_at(t, at, refused, g->error, 0, "a guest that VMLAUNCH or VMRESUME "
	                       "enters leaves by a VM exit");
}

static void check_exit(const struct guest *g, uint32_t reason)
{
	check();
	if (g->status != VMX_SUCCEEDED)
		test_abort("the VM entry failed: instruction error %u, %s", (unsigned)g->error,
		           vmx_error_name(g->error));
	if (g->has_failed)
		test_abort("the VM entry failed: exit reason %u, qualification %u",
		           (unsigned)g->reason, (unsigned)g->qualification);
	if (g->reason != reason)
		test_abort("the guest left by exit reason %u, not %u, at %XH; qualification %XH",
		           (unsigned)g->reason, (unsigned)reason, (unsigned)g->ip,
		           (unsigned)g->qualification);
}

void guest_expect(struct guest *g, uint32_t reason)
{
	guest_try(g);
	check_exit(g, reason);
}

void guest_go_on(struct guest *g, uint32_t reason)
{
	guest_try_again(g);
	check_exit(g, reason);
}

void guest_run(struct guest *g)
{
	guest_expect(g, VMX_REASON_VMCALL);
	if (g->vector >= 0)
		test_abort("the guest was interrupted by vector %d, error code %XH, at %XH",
		           g->vector, (unsigned)vmx_guest_error(),
		           (unsigned)vmx_guest_interrupted());
}

void guest_skip_instruction(void)
{
	vmx_guest_return();
	check();
}

void guest_cpuid_exits(uint32_t rounds, uint32_t unused)
{
	struct guest g = { .code = vmx_guest_cpuids, .regs.cx = rounds };

	(void)unused;
	guest_expect(&g, VMX_REASON_CPUID);
	for (uint32_t left = rounds - 1; left; left--) {
		guest_skip_instruction();
		guest_go_on(&g, VMX_REASON_CPUID);
	}
	guest_skip_instruction();
	guest_go_on(&g, VMX_REASON_VMCALL);
}

void guest_expect_more_at(struct test_ctx *t, struct test_place at, const char *what,
                          uint64_t first, uint64_t second, uint64_t want, uint64_t crossings,
                          const char *why)
{
	const uint64_t more = second - first, off = more > want ? more - want : want - more;
	const bool may_add = silicon_has(SILICON_E_CORE_GUESTS);

	expect_bounds_at(t, at, what, may_add && off <= crossings ? want : more,
	                 if_exact(want, why), else_exact(want, why));
	if (may_add)
		test_report(t, what, "%" PRId64 " with %" PRIu64 " VM entries and VM exits: %s",
		            (int64_t)more, crossings, silicon_why(SILICON_E_CORE_GUESTS));
}

uint64_t guest_read_msr(uint32_t msr)
{
	struct guest g = { .code = vmx_guest_rdmsr, .regs.cx = msr };

	guest_run(&g);
	return guest_edx_eax(&g.regs);
}

void guest_write_msr(uint32_t msr, uint64_t value)
{
	struct guest g = { .code = vmx_guest_wrmsr,
	                       .regs = guest_regs_of_wrmsr(msr, value) };

	guest_run(&g);
}
