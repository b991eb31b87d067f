/* SPDX-License-Identifier: MIT */
/* RDPMC, and the registers that it and RDMSR return a value in. Sources: SDM 2B, "RDPMC - Read
 * Performance-Monitoring Counters", "RDMSR - Read from Model Specific Register". */
#include <model/core/internal.h>

static bool is_permitted(const struct model_rules *r, unsigned cpl, bool is_pce)
{
	if (cpl == 0)
		return is_pce || !r->rdpmc_needs_pce_at_cpl_0;
	return !r->rdpmc_needs_cpl_0 && (is_pce || !r->rdpmc_needs_pce);
}

enum model_status model_rdpmc(struct model *m, uint64_t rcx, unsigned cpl, bool is_pce,
                              uint64_t *value)
{
	const struct model_rules *r = rules_of(m);
	uint32_t ecx = (uint32_t)rcx;
	bool is_fast = r->rdpmc_has_fast_read && (ecx & RDPMC_FAST);

	if (!r->has_rdpmc)
		return MODEL_UD;
	if (!is_permitted(r, cpl, is_pce))
		return MODEL_GP;
	if (rcx > UINT32_MAX && r->rdpmc_uses_upper_rcx)
		return MODEL_GP;
	model_close(m, SIGNAL_FRONTEND);
	model_flush_pmi(m);
	if (is_fast)
		ecx &= ~RDPMC_FAST;
	ecx &= r->rdpmc_index_mask;
	if (!m->generation->read_counter(m, ecx, cpl, value)) {
		if (ecx >= r->rdpmc_gp_limit)
			return MODEL_GP;
		*value = 0;
	}
	if (is_fast)
		*value &= UINT32_MAX;
	return MODEL_OK;
}

/* Writing a 32-bit register clears the upper half, of both instructions' two registers. */
static void put(uint64_t *reg, uint64_t half, bool keeps_upper)
{
	*reg = half | (keeps_upper ? *reg & ~(uint64_t)UINT32_MAX : 0);
}

void model_rdpmc_registers(const struct model *m, uint64_t value, uint64_t *rax, uint64_t *rdx)
{
	put(rax, value & UINT32_MAX, rules_of(m)->rdpmc_keeps_upper_rax);
	if (!rules_of(m)->rdpmc_keeps_edx)
		put(rdx, value >> 32, false);
}

void model_rdmsr_registers(const struct model *m, uint64_t value, uint64_t *rax, uint64_t *rdx)
{
	put(rax, value & UINT32_MAX, false);
	put(rdx, value >> 32, rules_of(m)->rdmsr_keeps_upper_rdx);
}
