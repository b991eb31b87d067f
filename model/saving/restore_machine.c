/* SPDX-License-Identifier: MIT */
/*
 * Restoring. The string is read three times: to see whether it can be, before anything changes;
 * then its registers make the generations' plans, which may start or stop things that the machine
 * did before; then for good.
 */
#include <model/saving/saving.h>

#include <model/sampling/branch_records.h>

/* What is as the processor has it, whoever wrote the string. */
static void restore_counter(struct model_counter *c)
{
	c->value &= c->mask;
	c->limit = c->is_armed ? c->value : c->mask;
}

static void restore_limits(struct refpmu_cpu *m)
{
	const struct model_rules *r = rules_of(m);
	struct netburst *b = &m->core->netburst;

	for (unsigned i = 0; i < MODEL_COUNTERS; i++)
		restore_counter(&m->counter[i]);
	for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
		b->slot[i].value &= NETBURST_COUNTER_VALUE;
	if (!m->branches.depth || m->branches.depth > r->lbr.depth)
		m->branches.depth = r->lbr.depth;
	m->pebs.data_cfg &= r->ds.pebs_data_cfg_bits;
}

static void read_all(struct refpmu_machine *machine, const struct saver *checked)
{
	struct saver s = *checked;

	s.task = SAVER_READ;
	saver_machine(&s, machine);
	for (struct refpmu_cpu *m = machine->first; m; m = m->next)
		restore_limits(m);
}

/* How many of each are counted, or record branches. */
static void count_active(struct refpmu_machine *machine)
{
	machine->active = machine->recording = 0;
	for (struct refpmu_cpu *m = machine->first; m; m = m->next)
		m->core->active = m->package->active = 0;
	for (struct refpmu_cpu *m = machine->first; m; m = m->next) {
		machine->active += m->is_active;
		machine->recording += m->records_branches;
		m->package->active += m->is_active;
		m->core->active += m->is_active;
	}
}

/* After the string's fields are there: the header's, and what the check sum is of. */
static enum refpmu_restored check(struct saver *s, struct refpmu_machine *machine)
{
	uint64_t magic = saver_pass(s, 0, 8), format = saver_pass(s, 0, 4);
	uint64_t tables = saver_pass(s, 0, 4), length = saver_pass(s, 0, 8);
	uint64_t sum = saver_pass(s, 0, 8);
	struct saver body = *s;

	if (s->is_damaged || magic != SAVED_MAGIC)
		return REFPMU_DAMAGED;
	if (format != SAVED_FORMAT || tables != saved_fields_sum())
		return REFPMU_OTHER_VERSION;
	if (length != s->size || sum != saver_sum(s->from + s->at, s->size - s->at))
		return REFPMU_DAMAGED;
	saver_machine(&body, machine);
	if (body.is_other)
		return REFPMU_OTHER_MACHINE;
	return body.is_damaged || body.at != s->size ? REFPMU_DAMAGED : REFPMU_RESTORED;
}

enum refpmu_restored refpmu_restore(struct refpmu_machine *machine, const void *bytes, size_t size)
{
	struct saver s = { .task = SAVER_CHECK, .from = bytes, .size = size };
	enum refpmu_restored result = check(&s, machine);

	if (result != REFPMU_RESTORED)
		return result;
	for (struct refpmu_cpu *m = machine->first; m; m = m->next) {
		model_drop_run(m);
		m->was_plain = false;
	}
	read_all(machine, &s);
	count_active(machine);
	for (struct refpmu_cpu *m = machine->first; m; m = m->next)
		model_make_plan(m);
	read_all(machine, &s);
	count_active(machine);
	return REFPMU_RESTORED;
}
