/* SPDX-License-Identifier: MIT */
/*
 * SYSENTER and SYSCALL change the level of privilege without using the stack; the filters must
 * follow them in both directions. The level at which each of the two instructions itself counts
 * does not change the sums, as one leaves CPL 3 and one comes back to it in each round.
 */
#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/modes/low_memory.h>
#include <arch/modes/modes.h>
#include <arch/modes/segments.h>
#include <arch/regs/msr.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/fast_calls.h>
#include <tests/suites/common/needs.h>

enum { FEW = 100, MANY = 1100, MORE = MANY - FEW };

/* The handlers use no stack, but an NMI would use some. */
static uint8_t stack[4096] __attribute__((aligned(16)));

/* Describes what a round counts at CPL 3, and at CPL 0, where two NOPs and the way back run. */
struct call {
	void (*code)(uint32_t rounds, uint32_t argument);
	uint32_t usr_insns, usr_branches, os_insns, os_branches;
};

static const char *need_fast_call(struct test_ctx *t, struct cpuid_field field, const char *name)
{
	const char *reason = need_arch(t);

	if (!reason)
		reason = need_modes(t);
	if (!reason && !cpuid_get(field))
		return test_reason(t, "%s = 0", name);
	return reason;
}

static void check(struct test_ctx *t, uint16_t event, unsigned flags, const struct call *call,
                  uint64_t each)
{
	struct pmu_setup setups[PMU_SETUPS_MAX];
	unsigned count = counting_setups(setups, event, flags);
	struct pmu_reading few = counting_measure(setups, count, call->code, FEW, 0);
	struct pmu_reading many = counting_measure(setups, count, call->code, MANY, 0);
	char name[PMU_NAME_SIZE];

	for (unsigned i = 0; i < count; i++)
		expect_exact(t, pmu_counter_name(setups[i].counter, name),
		             many.count[i] - few.count[i], MORE * each,
		             "1000 more round trips; each instruction counts at "
		             "the level it ran at");
}

static void check_call(struct test_ctx *t, const struct call *call)
{
	test_sub(t, "instructions, USR");
	check(t, EVENT_INSTRUCTIONS_RETIRED, PMU_USR, call, call->usr_insns);
	test_sub(t, "instructions, OS");
	check(t, EVENT_INSTRUCTIONS_RETIRED, PMU_OS, call, call->os_insns);
	if (!pmu_has_event(EVENT_BRANCH_INSTR_RETIRED))
		return;
	test_sub(t, "branches, USR");
	check(t, EVENT_BRANCH_INSTR_RETIRED, PMU_USR, call, call->usr_branches);
	test_sub(t, "branches, OS");
	check(t, EVENT_BRANCH_INSTR_RETIRED, PMU_OS, call, call->os_branches);
}

/* ------------------------------------------------------------------------ SYSENTER */

#define RESUME (LOW_CODE_BASE + 9)

static void call_sysenter(uint32_t rounds, uint32_t argument)
{
	static const uint8_t code[] = {
		0xba, RESUME & 0xff, RESUME >> 8, 0, 0,         /* MOV EDX, RESUME */
		0x89, 0xe1,                                     /* MOV ECX, ESP */
		0x0f, 0x34,                                     /* SYSENTER */
		0xff, 0xce,                                     /* RESUME: DEC ESI */
		0x75, 0xf3,                                     /* JNZ to the start */
	};
	const struct mode_regs regs = { .si = rounds };

	(void)argument;
	mode_run(MODE_CPL3, code, sizeof(code), &regs);
}

static const char *need_sysenter(struct test_ctx *t)
{
	return need_fast_call(t, CPUID_SEP, "CPUID.1:EDX[11] (SEP)");
}

TEST(sysenter, .id = "arch.filters.sysenter", .needs = need_sysenter,
     .claim = "SYSENTER and SYSEXIT change the level that instructions and branches count at",
     .source = "SDM 3B, Architectural Performance Monitoring Version 1, IA32_PERFEVTSELx, OS and "
               "USR; SDM 2B, \"SYSENTER\", \"SYSEXIT\"");
static void sysenter(struct test_ctx *t)
{
	const struct call call = { call_sysenter, 5, 2, 3, 1 };

	msr_write(IA32_SYSENTER_CS, SELECTOR(GDT_SYS_CODE, 0));
	msr_write(IA32_SYSENTER_ESP, (uintptr_t)(stack + sizeof(stack)));
	msr_write(IA32_SYSENTER_EIP, (uintptr_t)fast_calls_sysenter);
	check_call(t, &call);
	msr_write(IA32_SYSENTER_CS, 0);
}

/* ------------------------------------------------------------------------ SYSCALL */

#ifdef __x86_64__

static void call_syscall(uint32_t rounds, uint32_t argument)
{
	static const uint8_t code[] = {
		0x0f, 0x05,                                     /* SYSCALL */
		0xff, 0xce,                                     /* DEC ESI */
		0x75, 0xfa,                                     /* JNZ to the start */
	};
	const struct mode_regs regs = { .si = rounds };

	(void)argument;
	mode_run(MODE_CPL3, code, sizeof(code), &regs);
}

static const char *need_syscall(struct test_ctx *t)
{
	return need_fast_call(t, CPUID_SYSCALL, "CPUID.80000001H:EDX[11] (SYSCALL)");
}

TEST(syscall, .id = "arch.x64.syscall", .needs = need_syscall,
     .claim = "SYSCALL and SYSRET change the level that instructions and branches count at",
     .source = "SDM 3B, Architectural Performance Monitoring Version 1, IA32_PERFEVTSELx, OS and "
               "USR; SDM 2B, \"SYSCALL\", \"SYSRET\"");
static void syscall(struct test_ctx *t)
{
	const struct call call = { call_syscall, 3, 2, 3, 1 };

	msr_write(IA32_STAR, FIELD_PUT(IA32_STAR_SYSCALL, SELECTOR(GDT_SYS_CODE, 0))
	                     | FIELD_PUT(IA32_STAR_SYSRET, SELECTOR(GDT_SYS_CPL3_CODE32, 3)));
	msr_write(IA32_LSTAR, (uintptr_t)fast_calls_syscall);
	msr_write(IA32_FMASK, 0);
	msr_write(IA32_EFER, msr_read(IA32_EFER) | IA32_EFER_SCE);
	check_call(t, &call);
	msr_write(IA32_EFER, msr_read(IA32_EFER) & ~IA32_EFER_SCE);
}

#endif
