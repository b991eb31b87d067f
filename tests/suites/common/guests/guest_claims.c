/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/guests/guest_claims.h>

#include <stddef.h>

#include <tests/suites/common/exactness.h>
#include <tests/suites/common/guests/guest_code.h>

const struct guest_rdpmc_way guest_rdpmc_ways[GUEST_RDPMC_WAYS] = {
	{ 0, false, "CPL 0, CR4.PCE = 0" },
	{ 0, true, "CPL 0, CR4.PCE = 1" },
	{ 3, true, "CPL 3, CR4.PCE = 1" },
};

struct guest_regs guest_regs_of_wrmsr(uint32_t msr, uint64_t value)
{
	return (struct guest_regs){
		.ax = (uint32_t)value, .dx = (uint32_t)(value >> 32), .cx = msr,
	};
}

uint64_t guest_edx_eax(const struct guest_regs *regs)
{
	return (uint64_t)(uint32_t)regs->dx << 32 | (uint32_t)regs->ax;
}

void guest_expect_places(struct test_ctx *t, const uint8_t *sled,
                         const struct guest_pmi_places *places, const char *why)
{
	expect_bounds(t, "difference of the two ways", places->stayed - places->exited,
	              if_exact(0, "there is no skid"), ELSE_SHOWN);
	expect_bounds(t, "NOPs between two overflows", places->later - places->exited,
	              if_exact(GUEST_LATER - GUEST_MISSING, "there is no skid"), ELSE_SHOWN);
	expect_between(t, "NOPs before the PMI", places->exited - (uintptr_t)sled,
	               GUEST_MISSING - 3, GUEST_PMI_SLED, why);
}
