/* SPDX-License-Identifier: MIT */
/* Declares the needs that several suites share. Each returns NULL, or the reason why the test
 * cannot run. */
#ifndef TESTS_SUITES_COMMON_NEEDS_H
#define TESTS_SUITES_COMMON_NEEDS_H

#include <kernel/run/test.h>

/* Defines a function that needs both; its reason is that of the first one that is missing. */
#define NEED_BOTH(name, first, second) \
	const char *name(struct test_ctx *t) \
	{ \
		const char *reason = first(t); \
\
		return reason ? reason : second(t); \
	}

/* Needs the services that run code in any mode: mode_run(). */
const char *need_modes(struct test_ctx *t);

const char *need_local_apic(struct test_ctx *t);
const char *need_xapic(struct test_ctx *t);    /* its registers are in memory */

/* Needs a local APIC with LVTPC: P6 and later. */
const char *need_lvtpc(struct test_ctx *t);

/* Needs a PMU that counts; otherwise the reason is the PMU's verdict. */
const char *need_counting_pmu(struct test_ctx *t);

/* Need an architectural PMU (CPUID leaf 0AH) that counts, of this version or later. */
const char *need_arch(struct test_ctx *t);
const char *need_arch_version(struct test_ctx *t, unsigned version);
const char *need_arch_v2(struct test_ctx *t);
const char *need_arch_v4(struct test_ctx *t);
const char *need_arch_v6(struct test_ctx *t);

/* Needs an architectural PMU below version 4, because version 4 has the streamlined freeze. */
const char *need_arch_before_v4(struct test_ctx *t);

/* Need a PMU that counts: that of the P6 family, Pentium Pro to Pentium M; of the Pentium; of the
 * Pentium with MMX. Otherwise the reason is the PMU's verdict. */
const char *need_p6(struct test_ctx *t);
const char *need_p5(struct test_ctx *t);
const char *need_p5_mmx(struct test_ctx *t);

/* Needs NetBurst's PMU. This PMU must count, unless the word uarch= asks to try it nevertheless. */
const char *need_netburst(struct test_ctx *t);

/* Needs AMD's PMU, from K7 on. */
const char *need_amd(struct test_ctx *t);

/* Needs an overflow status whose bits the reset between two tests could clear; otherwise a test has
 * failed for that, which the reason names. */
const char *need_clear_status(struct test_ctx *t);

/* Need an architectural PMU with a fixed counter; with IA32_FIXED_CTR0. */
const char *need_fixed(struct test_ctx *t);
const char *need_fixed0(struct test_ctx *t);
const char *need_fixed1(struct test_ctx *t);
const char *need_fixed2(struct test_ctx *t);
const char *need_fixed3(struct test_ctx *t);

/* Needs an architectural PMU with IA32_A_PMCx: IA32_PERF_CAPABILITIES[13] = 1. */
const char *need_full_width_writes(struct test_ctx *t);

/* Needs version 3 or 4 with AnyThread, unless CPUID.0AH:EDX[15] deprecates it. */
const char *need_any_thread(struct test_ctx *t);

/* Need a PMU that counts, and the word `smi` or `exact`; and IA32_DEBUGCTL.FREEZE_WHILE_SMM. */
const char *need_smi(struct test_ctx *t);
const char *need_smi_freeze(struct test_ctx *t);

/* Needs an architectural PMU of version 2 or later, and a processor that can be a hypervisor. */
const char *need_vmx(struct test_ctx *t);

/* Needs AMD's PMU, and a processor that can be a hypervisor. */
const char *need_svm(struct test_ctx *t);

/* Needs an architectural PMU with two general counters or more. */
const char *need_gp2(struct test_ctx *t);

/* Needs an architectural PMU with this event. */
const char *need_event(struct test_ctx *t, uint16_t event);

/* Needs code at CPL 3, and a local APIC with LVTPC to deliver the PMI; the suite checks the PMU. */
const char *need_pmi_lvtpc(struct test_ctx *t);

/* Needs an architectural PMU, code at CPL 3, and a local APIC to deliver the PMI. */
const char *need_pmi(struct test_ctx *t);
const char *need_pmi_gp2(struct test_ctx *t);
const char *need_pmi_v2(struct test_ctx *t);
const char *need_pmi_v4(struct test_ctx *t);

#endif
