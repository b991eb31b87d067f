/* SPDX-License-Identifier: MIT */
#include <pmu/sampling/amd_lbr.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/regs/amd.h>
#include <arch/regs/amd_branches.h>
#include <kernel/machine/machine.h>

#define CPUID_DEPTH  CPUID_FIELD(CPUID_AMD_PERFMON, 0, EBX, 9, 4)
#define OMIT_CPL_0   BIT(0)            /* of AMD_LBR_SELECT */

static const struct amd_branch_kind pair = {
	.name = "AMD's pair of registers", .depth = 1, .from_msr = AMD_LastBranchFromIP,
	.to_msr = AMD_LastBranchToIP, .control_msr = DebugCtl, .enable = DebugCtl_LBR,
};

static struct amd_branch_kind stack = {
	.name = "AMD's stack", .from_msr = LastBranchStackFromIp(0),
	.to_msr = LastBranchStackToIp(0), .step = 2, .control_msr = DbgExtnCfg,
	.enable = DbgExtnCfg_LBRSE, .select_msr = AMD_LBR_SELECT,
};

const struct amd_branch_kind *amd_branch_kind(void)
{
	if (machine_cpu()->vendor != VENDOR_AMD)
		return NULL;
	if (!cpuid_get(CPUID_AMD_LBR_STACK))
		return &pair;
	stack.depth = cpuid_get(CPUID_DEPTH);
	return &stack;
}

/* Erratum 1452: an entry of the stack with this bit is no branch. Returns the entry of the branch
 * `age` branches ago, or a number beyond the stack. */
static unsigned entry_of(const struct amd_branch_kind *k, unsigned age)
{
	unsigned entry = 0;
	uint64_t to = 0;

	for (; k == &stack && entry < k->depth; entry++) {
		msr_try_read(k->to_msr + entry * k->step, &to);
		if (!(to & LastBranchStackToIp_JUNK) && age-- == 0)
			return entry;
	}
	return entry + age;
}

struct amd_branch amd_branch_get(unsigned age)
{
	const struct amd_branch_kind *k = amd_branch_kind();
	const bool is_stack = k == &stack;
	const unsigned entry = entry_of(k, age);
	uint64_t from = 0, to = 0;

	if (entry >= k->depth || is_fault(msr_try_read(k->from_msr + entry * k->step, &from))
	    || is_fault(msr_try_read(k->to_msr + entry * k->step, &to))
	    || (is_stack && !(to & LastBranchStackToIp_V)))
		return (struct amd_branch){ .from = 0 };
	return (struct amd_branch){
		.from = from & LBR_STACK_ADDRESS, .to = to & LBR_STACK_ADDRESS,
		.is_mispredicted = is_stack && (from & LastBranchStackFromIp_MISP) };
}

/* An entry of before would look like one of the code's. */
static void clear(const struct amd_branch_kind *k)
{
	for (unsigned i = 0; k->step && i < k->depth; i++)
		msr_try_write(k->to_msr + i * k->step, 0);
}

bool amd_branch_window(bool is_user, void (*code)(uint32_t rounds, uint32_t argument),
                       uint32_t rounds, uint32_t argument)
{
	const struct amd_branch_kind *k = amd_branch_kind();
	uint64_t before = 0;

	if (is_fault(msr_try_read(k->control_msr, &before)))
		return false;
	clear(k);
	if (k->select_msr)
		msr_try_write(k->select_msr, is_user ? OMIT_CPL_0 : 0);
	if (is_fault(msr_try_write(k->control_msr, before | k->enable)))
		return false;
	code(rounds, argument);
	msr_write(k->control_msr, before);
	if (k->select_msr)
		msr_try_write(k->select_msr, 0);
	return true;
}
