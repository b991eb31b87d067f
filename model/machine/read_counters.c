/* SPDX-License-Identifier: MIT */
/* RDPMC, and the registers that it and RDMSR return a value in. Sources: SDM 2B, "RDPMC - Read
 * Performance-Monitoring Counters", "RDMSR - Read from Model Specific Register". */
#include <model/core/internal.h>

enum refpmu_status refpmu_rdpmc(struct refpmu_cpu *m, uint64_t rcx, unsigned cpl, bool is_pce,
                                uint64_t *value)
{
	const struct model_rules *r = rules_of(m);
	uint32_t ecx = (uint32_t)rcx;
	bool is_fast = r->registers.rdpmc_has_fast_read && (ecx & RDPMC_FAST);

	if (!r->registers.has_rdpmc)
		return REFPMU_UD;
	if (cpl > 0 && !is_pce)
		return REFPMU_GP;
	model_end_run(m);
	model_close(m, SIGNAL_FRONTEND);
	model_flush_pmi(m);
	if (is_fast)
		ecx &= ~RDPMC_FAST;
	if (!m->generation->read_counter(m, ecx, value))
		return REFPMU_GP;
	if (is_fast)
		*value &= UINT32_MAX;
	return REFPMU_OK;
}

/* In 64-bit mode, too, both instructions clear the upper halves. */
void refpmu_rdpmc_registers(uint64_t value, uint64_t *rax, uint64_t *rdx)
{
	*rax = value & UINT32_MAX;
	*rdx = value >> 32;
}

void refpmu_rdmsr_registers(uint64_t value, uint64_t *rax, uint64_t *rdx)
{
	*rax = value & UINT32_MAX;
	*rdx = value >> 32;
}
