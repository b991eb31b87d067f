/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/debugctl.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/regs/cpu.h>
#include <arch/regs/perfmon.h>
#include <kernel/lib/format.h>
#include <kernel/machine/machine.h>

static void check_held(struct test_ctx *t, const char *name, fault_t fault, uint64_t got,
                       uint64_t bit)
{
	if (expect_no_fault(t, "WRMSR", fault, "the bit is defined"))
		expect_exact(t, name, got, bit, "the bit holds what is written, and no other is "
		             "set");
}

/* The register was 0 before, and has to be 0 after a write that is dropped or refused. */
static void check_reserved(struct test_ctx *t, const char *name, const struct debugctl_bits *b,
                           fault_t fault, uint64_t got, uint64_t bit)
{
	if (bit & b->dropped)
		expect_no_fault(t, "WRMSR", fault, "a write of this bit is ignored");
	else if ((bit & b->refused) || is_fault(fault))
		expect_fault(t, "WRMSR", fault, X86_GP, 0, "the bit is reserved");
	expect_exact(t, name, got, 0, "the bit is reserved and reads 0");
}

/* Returns the bits that the register then has. */
static uint64_t check_alone(struct test_ctx *t, const char *name, const struct debugctl_bits *b,
                            unsigned bit, bool is_judged)
{
	const fault_t fault = msr_try_write(IA32_DEBUGCTL, BIT(bit));
	const uint64_t got = msr_read_or_0(IA32_DEBUGCTL);

	msr_write(IA32_DEBUGCTL, 0);
	test_sub(t, "bit %u", bit);
	if (!is_judged || (BIT(bit) & b->open))
		return got;
	if (BIT(bit) & b->held)
		check_held(t, name, fault, got, BIT(bit));
	else
		check_reserved(t, name, b, fault, got, BIT(bit));
	return got;
}

static void check_together(struct test_ctx *t, const char *name, uint64_t value)
{
	const fault_t fault = msr_try_write(IA32_DEBUGCTL, value);

	test_sub(t, "%" PRIX64 "H written", value);
	check_held(t, name, fault, msr_read_or_0(IA32_DEBUGCTL), value);
	msr_write(IA32_DEBUGCTL, 0);
	expect_exact(t, "after 0", msr_read_or_0(IA32_DEBUGCTL), 0, "no bit stays set");
}

void debugctl_check(struct test_ctx *t, const char *name, const struct debugctl_bits *b)
{
	const bool is_judged = machine_cpu()->hypervisor[0] == '\0';
	const uint64_t all = b->held & ~b->alone, before = msr_read_or_0(IA32_DEBUGCTL);
	uint64_t taken = 0;

	msr_write(IA32_DEBUGCTL, 0);
	for (unsigned bit = 0; bit < 64; bit++)
		taken |= check_alone(t, name, b, bit, is_judged);
	for (unsigned bit = 0; is_judged && bit < 64; bit++)
		if (all & BIT(bit))
			check_together(t, name, all & ~BIT(bit));
	if (is_judged)
		check_together(t, name, all);
	msr_write(IA32_DEBUGCTL, before);
	test_sub(t, "%s", "");
	test_report(t, "bits that can be set", "%" PRIX64 "H", taken);
}
