/* SPDX-License-Identifier: MIT */
#include <tests/suites/vmx/vmx_guest.h>

#include <stddef.h>

#include <arch/cpu/fault.h>
#include <tests/suites/common/needs.h>

static const char *need_control(struct test_ctx *t, enum vmx_controls of, uint32_t bit, bool is_set)
{
	static const char *const names[] = { "pin-based", "processor-based", "exit", "entry" };
	const char *reason = need_vmx(t);

	if (reason || (is_set ? vmx_may_set(of, bit) : vmx_may_clear(of, bit)))
		return reason;
	return test_reason(t, "VMX %s controls %XH must be %u: the capability register is %X%08XH",
	                   names[of], (unsigned)bit, !is_set,
	                   (unsigned)(vmx_allowed(of) >> 32), (unsigned)vmx_allowed(of));
}

const char *need_vmx_entry_perf(struct test_ctx *t)
{
	return need_control(t, VMX_ENTRY, VMX_ENTRY_LOAD_PERF, true);
}

const char *need_vmx_exit_perf(struct test_ctx *t)
{
	return need_control(t, VMX_EXIT, VMX_EXIT_LOAD_PERF, true);
}

NEED_BOTH(need_vmx_both_perf, need_vmx_entry_perf, need_vmx_exit_perf)

const char *need_vmx_save_perf(struct test_ctx *t)
{
	return need_control(t, VMX_EXIT, VMX_EXIT_SAVE_PERF, true);
}

const char *need_vmx_free_entry_debug(struct test_ctx *t)
{
	return need_control(t, VMX_ENTRY, VMX_ENTRY_LOAD_DEBUG, false);
}

const char *need_vmx_free_exit_debug(struct test_ctx *t)
{
	return need_control(t, VMX_EXIT, VMX_EXIT_SAVE_DEBUG, false);
}

const char *need_vmx_bitmaps(struct test_ctx *t)
{
	return need_control(t, VMX_PROC, VMX_PROC_MSR_BITMAPS, true);
}

const char *need_vmx_virtual_nmis(struct test_ctx *t)
{
	return need_control(t, VMX_PIN, VMX_PIN_VIRTUAL_NMIS, true);
}

const char *need_vmx_tsc_scaling(struct test_ctx *t)
{
	const char *reason = need_control(t, VMX_PROC, VMX_PROC_SECONDARY, true);
	uint64_t allowed;

	if (reason)
		return reason;
	allowed = msr_read(IA32_VMX_PROCBASED_CTLS2);
	if (allowed >> 32 & VMX_PROC2_TSC_SCALING)
		return NULL;
	return test_reason(t, "VMX secondary controls %XH must be 1: the capability register is "
	                   "%X%08XH", (unsigned)VMX_PROC2_TSC_SCALING, (unsigned)(allowed >> 32),
	                   (unsigned)allowed);
}
