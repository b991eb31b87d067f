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

/* By rules that no processor has. */
static bool is_withheld(const struct model_rules *r, uint32_t msr, bool is_read)
{
	return r->has_no_msrs || (msr && msr == r->absent_msr) ||
	       (is_read && msr && msr == r->unreadable_msr);
}

static bool is_there(const struct model *m, const struct model_msr_row *row, unsigned n)
{
	return !row->is_there || row->is_there(rules_of(m), row, n);
}

/* What the registers show is the state after a whole number of cycles. */
static void settle_time(struct model *m)
{
	model_close(m, SIGNAL_FRONTEND);
	model_flush_pmi(m);
}

enum model_status model_rdmsr(struct model *m, uint32_t msr, uint64_t *value)
{
	enum model_status status;
	unsigned n;
	const struct model_msr_row *row = find(m->generation, msr, &n);

	if (!row)
		return MODEL_NOT_MINE;
	if (!is_there(m, row, n) || is_withheld(rules_of(m), msr, true))
		return MODEL_GP;
	settle_time(m);
	status = row->read(m, n, value);
	if (msr == rules_of(m)->stuck_msr)
		*value |= rules_of(m)->stuck_bits;
	return status;
}

enum model_status model_wrmsr(struct model *m, uint32_t msr, uint64_t value)
{
	enum model_status status;
	unsigned n;
	const struct model_msr_row *row = find(m->generation, msr, &n);

	if (!row)
		return MODEL_NOT_MINE;
	if (!is_there(m, row, n) || is_withheld(rules_of(m), msr, false))
		return MODEL_GP;
	if (m->generation->finish)     /* WRMSR serialises: counters stop when all is done */
		m->generation->finish(m, MODEL_BEFORE_WRITE);
	settle_time(m);
	if (msr == rules_of(m)->deaf_msr)
		return MODEL_OK;
	status = row->write(m, n, value);
	model_flush_pmi(m);            /* the write may make one due that was on its way */
	return status;
}
