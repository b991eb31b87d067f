/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/counts/rings.h>

#include <stddef.h>

#include <arch/cpu/control.h>
#include <arch/modes/segments.h>
#include <arch/regs/cpu.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/core/pmu.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/instruction.h>
#include <tests/suites/common/self_interrupts.h>
#include <tests/suites/common/silicon/silicon.h>

/* Code with the same instructions at every width: DEC is not 49H, which is a prefix in
 * 64-bit code. */
static const uint8_t loop_code[] = {
	0xff, 0xc9,                     /* DEC ECX */
	0x75, 0xfc,                     /* JNZ to it */
};

static const uint8_t int_code[] = {
	0xcd, VECTOR_TEST,              /* INT n: its handler is an IRET */
	0xff, 0xc9,                     /* DEC ECX */
	0x75, 0xfa,                     /* JNZ to the INT */
};

static const uint8_t fault_code[] = {
	0x0f, 0x0b,                     /* UD2: its handler skips it by ADD, IRET */
	0xff, 0xc9,                     /* DEC ECX */
	0x75, 0xfa,                     /* JNZ to the UD2 */
};

static const uint8_t x87_code[] = {
	0xdb, 0xe3,                     /* FNINIT */
	0xd9, 0xee,                     /* FLDZ */
	0xd8, 0xc0,                     /* FADD ST(0), ST(0) */
	0xff, 0xc9,                     /* DEC ECX */
	0x75, 0xfa,                     /* JNZ to the FADD */
	0xdb, 0xe3,                     /* FNINIT */
};

void rings_loop(uint32_t rounds, uint32_t mode)
{
	const struct mode_regs regs = { .cx = rounds };

	mode_run((enum cpu_mode)mode, loop_code, sizeof(loop_code), &regs);
}

void rings_int(uint32_t rounds, uint32_t mode)
{
	const struct mode_regs regs = { .cx = rounds };

	mode_run((enum cpu_mode)mode, int_code, sizeof(int_code), &regs);
}

void rings_fault(uint32_t rounds, uint32_t mode)
{
	const struct mode_regs regs = { .cx = rounds };

	mode_run((enum cpu_mode)mode, fault_code, sizeof(fault_code), &regs);
}

void rings_x87(uint32_t rounds, uint32_t mode)
{
	const struct mode_regs regs = { .cx = rounds };

	mode_run((enum cpu_mode)mode, x87_code, sizeof(x87_code), &regs);
}

void rings_open_gates(void)
{
	idt_set_gate(VECTOR_TEST, (uintptr_t)arch_interrupts_return, 3);
	pmu_workload_gates();
}

static const struct { const char *name, *p5_name; unsigned flags; } filters[] = {
	{ "OS = 0, USR = 0", "CC = 000", 0 },
	{ "OS = 1, USR = 0", "CC = 001", PMU_OS },
	{ "OS = 0, USR = 1", "CC = 010", PMU_USR },
	{ "OS = 1, USR = 1", "CC = 011", PMU_BOTH },
};

bool rings_is_os(unsigned cpl)
{
	return cpl == 0 || (counting_is_p5() && cpl < 3);
}

static uint32_t wanted(const struct rings *more, unsigned flags)
{
	return (flags & PMU_OS ? more->os : 0) + (flags & PMU_USR ? more->usr : 0);
}

void rings_measure(const struct pmu_setup *setups, unsigned count,
                   void (*code)(uint32_t rounds, uint32_t mode), enum cpu_mode mode,
                   uint64_t more[])
{
	struct pmu_reading few = counting_measure(setups, count, code, RINGS_FEW, mode);
	struct pmu_reading many = counting_measure(setups, count, code, RINGS_MANY, mode);

	for (unsigned i = 0; i < count; i++)
		more[i] = many.count[i] - few.count[i];
}

static bool is_deaf(const struct pmu_setup *s)
{
	return s->counter >= 4 && s->counter < PMU_FIXED && s->flags == PMU_USR;
}

/* On E-cores each INT n or fault and each IRET of a round may add one instruction. */
static struct bounds allowed(void (*code)(uint32_t, uint32_t), uint64_t want, const char *why)
{
	const bool has_far = code == rings_int || code == rings_fault;
	const struct bounds usual = else_exact(want, why);

	return has_far && want ? silicon_in(SILICON_E_CORE_FAR, usual, want, want + 2 * RINGS_MORE)
	                       : usual;
}

static void check_filter(struct test_ctx *t, void (*code)(uint32_t, uint32_t), uint16_t event,
                         enum cpu_mode mode, unsigned filter, const struct rings *more,
                         const char *why)
{
	struct pmu_setup setups[PMU_SETUPS_MAX];
	unsigned count = counting_setups(setups, event, filters[filter].flags);
	const uint64_t want = wanted(more, filters[filter].flags);
	uint64_t got[PMU_SETUPS_MAX];
	char name[PMU_NAME_SIZE];

	rings_measure(setups, count, code, mode, got);
	test_sub(t, "%s, %s", mode_name(mode),
	         counting_is_p5() ? filters[filter].p5_name : filters[filter].name);
	for (unsigned i = 0; i < count; i++)
		if (!is_deaf(&setups[i]) || !silicon_leaves_out(t, SILICON_UPPER_COUNTERS_DEAF,
		                                                "IA32_PMC4 to 7 with USR alone"))
			expect_bounds(t, pmu_counter_name(setups[i].counter, name), got[i],
			              if_exact(want, why), allowed(code, want, why));
	test_sub(t, "%s", "");
}

void rings_check(struct test_ctx *t, void (*code)(uint32_t rounds, uint32_t mode), uint16_t event,
                 enum cpu_mode mode, const struct rings *more, const char *why)
{
	for (unsigned i = 0; i < COUNT_OF(filters); i++)
		check_filter(t, code, event, mode, i, more, why);
}

void rings_check_mode(struct test_ctx *t, uint16_t event, uint32_t each, enum cpu_mode mode)
{
	bool is_os = rings_is_os(mode_cpl(mode));
	struct rings more = { .os = is_os ? RINGS_MORE * each : 0,
	                      .usr = is_os ? 0 : RINGS_MORE * each };

	rings_check(t, rings_loop, event, mode, &more,
	            "500 more rounds run, all of them at one level of privilege");
}

void rings_check_both(struct test_ctx *t, enum cpu_mode mode)
{
	uint16_t branches = counting_event(COUNTING_BRANCHES);

	rings_check_mode(t, counting_event(COUNTING_INSNS), 2, mode);
	if (!pmu_has(PMU_HAS_LEAF_0AH) || pmu_has_event(branches))
		rings_check_mode(t, branches, 1, mode);
}

void rings_check_rdpmc(struct test_ctx *t)
{
	uintptr_t cr4 = cr4_read();

	for (unsigned i = 0; i < 2; i++)
		pmu_write(i, 0x1234567 + i);
	cr4_write(cr4 | CR4_PCE);
	FOR_EACH_MODE(mode) {
		for (unsigned i = 0; i < 2; i++) {
			struct mode_result r = instruction_run(&insn_rdpmc, mode, i);

			test_sub(t, "%s, RDPMC, ECX = %u", mode_name(mode), i);
			if (expect_no_fault(t, "outcome", r.fault, "CR4.PCE = 1"))
				expect_exact(t, "value", instruction_value(&r), 0x1234567 + i,
				             "it was written there");
		}
	}
	cr4_write(cr4);
}
