/* SPDX-License-Identifier: MIT */
/*
 * RDMSR and WRMSR: a row of the generation's tables answers; RDPMC; and the one register of the
 * local APIC that is about PMIs. Sources: SDM 2B, "RDMSR - Read from Model Specific Register",
 * "RDPMC - Read Performance-Monitoring Counters"; SDM 3A, "Local Vector Table".
 */
#include <model/core/msrs.h>

#include <arch/regs/apic.h>

static const struct model_msr_row *find_in(const struct model_msr_row *table, uint32_t msr,
                                           unsigned *n)
{
	for (const struct model_msr_row *row = table; row->count; row++) {
		uint32_t distance = msr - row->first;

		*n = distance / row->stride;
		if (*n < row->count && distance % row->stride == 0)
			return row;
	}
	return NULL;
}

static bool is_there(const struct refpmu_cpu *m, const struct model_msr_row *row, unsigned n)
{
	return !row->is_there || row->is_there(rules_of(m), row, n);
}

/* Finds the register's row; *n becomes the register's number in the row. */
static enum refpmu_status find(const struct refpmu_cpu *m, uint32_t msr,
                               const struct model_msr_row **row, unsigned *n)
{
	*row = NULL;
	for (const struct model_msr_row *const *t = m->generation->msrs; *t && !*row; t++)
		*row = find_in(*t, msr, n);
	if (!*row)
		return REFPMU_NOT_MINE;
	return is_there(m, *row, *n) ? REFPMU_OK : REFPMU_GP;
}

/* Ends the open cycle: registers show the state after a whole number of cycles. */
static void settle_time(struct refpmu_cpu *m)
{
	model_end_run(m);
	model_close(m, SIGNAL_FRONTEND);
	model_flush_pmi(m);
}

enum refpmu_status refpmu_rdmsr(struct refpmu_cpu *m, uint32_t msr, uint64_t *value)
{
	const struct model_msr_row *row;
	unsigned n;
	enum refpmu_status status = find(m, msr, &row, &n);

	if (status != REFPMU_OK)
		return status;
	settle_time(m);
	return row->read(m, n, value);
}

enum refpmu_status refpmu_wrmsr(struct refpmu_cpu *m, uint32_t msr, uint64_t value)
{
	const struct model_msr_row *row;
	unsigned n;
	enum refpmu_status status = find(m, msr, &row, &n);

	if (status != REFPMU_OK)
		return status;
	model_end_run(m);
	m->was_fast = false;
	if (m->generation->finish)     /* WRMSR serialises: counters stop after all work is done */
		m->generation->finish(m, MODEL_BEFORE_WRITE);
	settle_time(m);
	status = row->write ? row->write(m, n, value) : REFPMU_GP;
	model_flush_pmi(m);            /* the write may make a late PMI due */
	return status;
}

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
	settle_time(m);
	if (is_fast)
		ecx &= ~RDPMC_FAST;
	if (!m->generation->read_counter(m, ecx, value))
		return REFPMU_GP;
	if (is_fast)
		*value &= UINT32_MAX;
	return REFPMU_OK;
}

/* Both instructions clear the upper halves, in 64-bit mode, too. */
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

/* LVTPC takes fixed, SMI and NMI. */
static bool is_deliverable(unsigned delivery)
{
	return delivery == APIC_DELIVERY_FIXED || delivery == APIC_DELIVERY_SMI ||
	       delivery == APIC_DELIVERY_NMI;
}

struct refpmu_lvtpc refpmu_lvtpc(struct refpmu_cpu *m, uint32_t lvtpc)
{
	unsigned delivery = (unsigned)FIELD_GET(APIC_LVT_DELIVERY, lvtpc);
	struct refpmu_lvtpc answer = {
		.is_delivered = !(lvtpc & APIC_LVT_MASK) && is_deliverable(delivery),
		.delivery = (uint8_t)delivery,
		.vector = (uint8_t)FIELD_GET(APIC_LVT_VECTOR, lvtpc),
		.lvtpc = lvtpc,
	};

	if (answer.is_delivered && rules_of(m)->overflow.pmi_masks_lvtpc)
		answer.lvtpc |= APIC_LVT_MASK;
	return answer;
}
