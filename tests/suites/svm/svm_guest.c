/* SPDX-License-Identifier: MIT */
#include <tests/suites/svm/svm_guest.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/regs/cpu.h>
#include <kernel/lib/format.h>
#include <kernel/run/watchdog.h>
#include <pmu/core/pmi.h>
#include <tests/suites/common/pmi/pmi_windows.h>

/* ---------------------------------------------------------------------------- needs */

/* Family 11H has no sure source; a hypervisor may drop the bits. */
const char *need_svm_bits(struct test_ctx *t)
{
	const char *reason = need_svm(t);
	uint64_t got;

	if (reason)
		return reason;
	msr_try_write(amd_ctl(0), PERF_CTL_GUEST_ONLY | PERF_CTL_HOST_ONLY);
	got = amd_read(amd_ctl(0));
	msr_try_write(amd_ctl(0), 0);
	if (got == (PERF_CTL_GUEST_ONLY | PERF_CTL_HOST_ONLY))
		return NULL;
	return test_reason(t, "a control written with its bits 41:40 reads %" PRIX64 "H", got);
}

NEED_BOTH(need_svm_pmi, need_svm_bits, need_pmi_lvtpc)
NEED_BOTH(need_svm_v2, need_svm_bits, need_amd_v2)
NEED_BOTH(need_svm_v2_pmi, need_svm_v2, need_pmi_lvtpc)

const char *need_svm_lbr(struct test_ctx *t)
{
	const char *reason = need_svm(t);

	return reason || cpuid_get(CPUID_LBR_VIRTUALIZATION) ? reason
	       : test_reason(t, "CPUID.8000000AH:EDX[1] (LBR virtualization) = 0");
}

/* ---------------------------------------------------------------------------- entries */

void svm_begin(void)
{
	watchdog_pet();                  /* no tick falls into the counts of a short guest */
	svm_on();
}

void svm_end(void)
{
	svm_off();
}

static void take_exit(struct svm_guest *g)
{
	const struct vmcb *v = svm_vmcb();

	g->exit = v->exit_code;
	g->info = v->exit_info_1;
	g->ip = (uintptr_t)v->rip;
	g->vector = svm_guest_vector();
}

/*
 * Returns true if an NMI was the watchdog's, so that the guest has to go on. One that has left the
 * guest was taken at the STGI; one that the guest got is handed to this kernel.
 */
static bool was_tick(struct svm_guest *g, unsigned pmis_before)
{
	if (g->vector == X86_NMI && !g->is_injected)
		nmi_by_software();
	else if (g->exit != SVM_EXIT_NMI)
		return false;
	if (pmi_get_log()->count == pmis_before)
		return true;
	g->nmis++;
	return false;
}

void svm_try_again(struct svm_guest *g)
{
	bool is_again = true;

	while (is_again) {
		const unsigned pmis = pmi_get_log()->count;

		svm_enter(&g->regs);
		take_exit(g);
		is_again = was_tick(g, pmis);
		if (is_again && g->vector == X86_NMI)
			svm_guest_skip(SVM_VMMCALL_BYTES);
	}
}

void svm_try(struct svm_guest *g)
{
	svm_guest_at(g->code, g->cpl);
	svm_vmcb()->rflags |= g->flags;
	g->nmis = 0;
	svm_try_again(g);
}

static void check_exit(const struct svm_guest *g, uint64_t exit)
{
	if (g->exit != exit)
		test_abort("the guest left by exit code %" PRIX64 "H, not %" PRIX64 "H, at %XH; "
		           "EXITINFO1 %" PRIX64 "H", g->exit, exit, (unsigned)g->ip, g->info);
}

void svm_expect(struct svm_guest *g, uint64_t exit)
{
	svm_try(g);
	check_exit(g, exit);
}

void svm_go_on(struct svm_guest *g, uint64_t exit)
{
	svm_try_again(g);
	check_exit(g, exit);
}

void svm_run(struct svm_guest *g)
{
	svm_expect(g, SVM_EXIT_VMMCALL);
	if (g->vector >= 0)
		test_abort("the guest was interrupted by vector %d, error code %XH, at %XH",
		           g->vector, (unsigned)svm_guest_error(),
		           (unsigned)svm_guest_interrupted());
}

/* ---------------------------------------------------------------------------- guests */

void svm_nops(uint32_t nops, uint32_t unused)
{
	struct svm_guest g = { .code = svm_sled(nops) };

	(void)unused;
	svm_run(&g);
}

void svm_nops_at_cpl3(uint32_t nops, uint32_t unused)
{
	struct svm_guest g = { .code = svm_sled(nops), .cpl = 3 };

	(void)unused;
	svm_run(&g);
}

void svm_loop(uint32_t rounds, uint32_t unused)
{
	struct svm_guest g = { .code = svm_guest_loop, .regs.cx = rounds };

	(void)unused;
	svm_run(&g);
}

void svm_cpuid_exits(uint32_t rounds, uint32_t unused)
{
	struct svm_guest g = { .code = svm_guest_cpuids, .regs.cx = rounds };

	(void)unused;
	svm_vmcb()->intercepts[0] |= SVM_INTERCEPT_CPUID;
	svm_expect(&g, SVM_EXIT_CPUID);
	for (uint32_t left = rounds - 1; left; left--) {
		svm_guest_skip(SVM_CPUID_BYTES);
		svm_go_on(&g, SVM_EXIT_CPUID);
	}
	svm_guest_skip(SVM_CPUID_BYTES);
	svm_go_on(&g, SVM_EXIT_VMMCALL);
}

uint64_t svm_read_msr(uint32_t msr)
{
	struct svm_guest g = { .code = svm_guest_rdmsr, .regs.cx = msr };

	svm_run(&g);
	return guest_edx_eax(&g.regs);
}

void svm_write_msr(uint32_t msr, uint64_t value)
{
	struct svm_guest g = { .code = svm_guest_wrmsr,
	                       .regs = guest_regs_of_wrmsr(msr, value) };

	svm_run(&g);
}

uint64_t svm_select(uint16_t event, enum svm_who who)
{
	static const uint64_t bits[] = {
		[SVM_GUEST_ONLY] = PERF_CTL_GUEST_ONLY, [SVM_HOST_ONLY] = PERF_CTL_HOST_ONLY,
		[SVM_BOTH] = PERF_CTL_GUEST_ONLY | PERF_CTL_HOST_ONLY,
	};

	return amd_select(event, 0) | bits[who];
}
