/* SPDX-License-Identifier: MIT */
/* RDMSR and WRMSR: a row of the generation's tables answers. */
#include <model/core/msrs.h>

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

/* n: which one of the row. NULL: it is not the PMU's. */
static const struct model_msr_row *find(const struct model_generation *g, uint32_t msr, unsigned *n)
{
	const struct model_msr_row *row = NULL;

	for (const struct model_msr_row *const *table = g->msrs; *table && !row; table++)
		row = find_in(*table, msr, n);
	return row;
}

static bool is_there(const struct refpmu_cpu *m, const struct model_msr_row *row, unsigned n)
{
	return !row->is_there || row->is_there(rules_of(m), row, n);
}

/* What the registers show is the state after a whole number of cycles. */
static void settle_time(struct refpmu_cpu *m)
{
	model_close(m, SIGNAL_FRONTEND);
	model_flush_pmi(m);
}

enum refpmu_status refpmu_rdmsr(struct refpmu_cpu *m, uint32_t msr, uint64_t *value)
{
	unsigned n;
	const struct model_msr_row *row = find(m->generation, msr, &n);

	if (!row)
		return REFPMU_NOT_MINE;
	if (!is_there(m, row, n))
		return REFPMU_GP;
	model_end_run(m);
	settle_time(m);
	return row->read(m, n, value);
}

enum refpmu_status refpmu_wrmsr(struct refpmu_cpu *m, uint32_t msr, uint64_t value)
{
	enum refpmu_status status;
	unsigned n;
	const struct model_msr_row *row = find(m->generation, msr, &n);

	if (!row)
		return REFPMU_NOT_MINE;
	if (!is_there(m, row, n))
		return REFPMU_GP;
	model_end_run(m);
	m->was_plain = false;
	if (m->generation->finish)     /* WRMSR serialises: counters stop when all is done */
		m->generation->finish(m, MODEL_BEFORE_WRITE);
	settle_time(m);
	status = row->write(m, n, value);
	model_flush_pmi(m);            /* the write may make one due that was on its way */
	return status;
}
