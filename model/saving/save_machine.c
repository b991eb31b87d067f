/* SPDX-License-Identifier: MIT */
/* Saving: what belongs to a machine, in the order in which its processors were created. */
#include <model/saving/saving.h>

/* Number of the processor with which this package or core came, from 0 on. */
static unsigned first_in_package(const struct refpmu_cpu *m)
{
	const struct refpmu_cpu *first = m->package->machine->first;
	unsigned number = 0;

	for (; first->package != m->package; first = first->next)
		number++;
	return number;
}

static unsigned first_in_core(const struct refpmu_cpu *m)
{
	const struct refpmu_cpu *first = m->package->machine->first;
	unsigned number = 0;

	for (; first->core != m->core; first = first->next)
		number++;
	return number;
}

/* Who shares what with whom, and what CPUID says of it. */
static void pass_topology(struct saver *s, const struct refpmu_machine *machine)
{
	unsigned processors = 0;

	for (const struct refpmu_cpu *m = machine->first; m; m = m->next)
		processors++;
	saver_same(s, processors, 4);
	for (const struct refpmu_cpu *m = machine->first; m && !s->is_other; m = m->next) {
		saver_same(s, first_in_package(m), 4);
		saver_same(s, first_in_core(m), 4);
		saver_same(s, m->package->caches.geometry->signature, 4);
		saver_same(s, rules_of(m)->cpuid_1_eax, 4);
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
		if (first_in_package(m) == number)
			saver_package_lines(s, &m->package->caches);
		if (first_in_core(m) == number) {
			saver_struct(s, saved_core, m->core);
			saver_core_lines(s, &m->core->caches);
		}
		saver_struct(s, saved_cpu, m);
		saver_thread_lines(s, &m->caches);
	}
}

/* ---------------------------------------------------------------------------- the interface */

/* Writing leaves the state alone; reading goes the same way. */
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
