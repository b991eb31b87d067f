/* SPDX-License-Identifier: MIT */
/*
 * Saving and restoring a whole machine, in the order in which its processors were created. To
 * restore, the string is read three times: first to check it, before anything changes; then for its
 * registers, from which the generations make their plans, which may start or stop things that the
 * machine did before; then for good.
 */
#include <model/saving/saving.h>

/* Returns the number, from 0 on, of the processor that was first in this one's package, or core. */
static unsigned first_in(const struct refpmu_cpu *m, bool is_core)
{
	const struct refpmu_cpu *first = m->package->machine->first;
	unsigned number = 0;

	for (; is_core ? first->core != m->core : first->package != m->package; first = first->next)
		number++;
	return number;
}

/* Passes the packages and cores of the processors, and their identities. */
static void pass_topology(struct saver *s, const struct refpmu_machine *machine)
{
	unsigned processors = 0;

	for (const struct refpmu_cpu *m = machine->first; m; m = m->next)
		processors++;
	saver_same(s, processors, 4);
	for (const struct refpmu_cpu *m = machine->first; m && !s->is_other; m = m->next) {
		saver_same(s, first_in(m, false), 4);
		saver_same(s, first_in(m, true), 4);
		saver_same(s, m->package->signature, 4);
		saver_same(s, rules_of(m)->cpuid_1_eax, 4);
		saver_same(s, rules_of(m)->registers.leaf_1a, 4);
		saver_same(s, rules_of(m)->counters.gp_count, 1);
		saver_same(s, rules_of(m)->netburst.has_threads, 1);
	}
}

void saver_machine(struct saver *s, struct refpmu_machine *machine)
{
	unsigned number = 0;

	pass_topology(s, machine);
	if (s->is_other)
		return;
	saver_struct(s, saved_machine, machine);
	for (struct refpmu_cpu *m = machine->first; m && !s->is_damaged; m = m->next, number++) {
		if (first_in(m, false) == number) {
			saver_struct(s, saved_package, m->package);
			saver_package_lines(s, &m->package->caches);
		}
		if (first_in(m, true) == number) {
			saver_struct(s, saved_core, m->core);
			saver_core_lines(s, &m->core->caches);
		}
		saver_struct(s, saved_cpu, m);
		saver_thread_lines(s, &m->caches);
	}
}

/* ---------------------------------------------------------------------------- saving */

/* Removes const: writing leaves the state alone, but shares the walk with reading. */
static struct refpmu_machine *walkable(const struct refpmu_machine *machine)
{
	return (struct refpmu_machine *)(uintptr_t)machine;
}

size_t refpmu_save_size(const struct refpmu_machine *machine)
{
	struct saver s = { .task = SAVER_WRITE, .at = SAVED_HEADER };

	saver_machine(&s, walkable(machine));
	return s.at;
}

static void write_header(unsigned char *bytes, size_t size)
{
	struct saver s = { .task = SAVER_WRITE, .to = bytes, .size = SAVED_HEADER };

	saver_pass(&s, SAVED_MAGIC, 8);
	saver_pass(&s, SAVED_FORMAT, 4);
	saver_pass(&s, saved_fields_sum(), 4);
	saver_pass(&s, size, 8);
	saver_pass(&s, saver_sum(bytes + SAVED_HEADER, size - SAVED_HEADER), 8);
}

size_t refpmu_save(const struct refpmu_machine *machine, void *bytes, size_t size)
{
	struct saver s = { .task = SAVER_WRITE, .to = bytes, .size = size, .at = SAVED_HEADER };

	if (size < SAVED_HEADER)
		return 0;
	saver_machine(&s, walkable(machine));
	if (s.is_damaged)
		return 0;
	write_header(bytes, s.at);
	return s.at;
}

/* ---------------------------------------------------------------------------- restoring */

/* Restores members that follow from the processor, whoever wrote the string. */
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

/* Counts the processors that are counted, or record branches. */
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

static void read_all(struct refpmu_machine *machine, const struct saver *checked)
{
	struct saver s = *checked;

	s.task = SAVER_READ;
	saver_machine(&s, machine);
	for (struct refpmu_cpu *m = machine->first; m; m = m->next)
		restore_limits(m);
	count_active(machine);
}

/* Checks the string's header and checksum, after its fields were passed. */
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
		m->was_fast = false;
	}
	read_all(machine, &s);
	for (struct refpmu_cpu *m = machine->first; m; m = m->next)
		model_make_plan(m);
	read_all(machine, &s);
	return REFPMU_RESTORED;
}
