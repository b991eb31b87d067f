/* SPDX-License-Identifier: MIT */
/*
 * The processors that are counted, and those that the model has to follow: all in the machine while
 * one of them counts, because a line that one processor writes leaves the caches of the others; or
 * while one of them records branches.
 *
 * Invented, so that equal code counts equally: caches are empty when counting starts. With the
 * first counter of the machine all are; later a core's own ones with its first counter, the last
 * level with the first one of its package, TLBs and predictor with the first one of the thread.
 * Only counted processors fill a cache that a counted processor uses: the reads and writes of
 * others change the states of lines there, not which lines are present.
 *
 * With refpmu_machine_perturb() counting starts, at random, with empty caches or with their
 * contents from the end of the last counting, and with traces of code executed meanwhile; with
 * refpmu_machine_keep() it starts with those contents.
 */
#include <model/core/internal.h>

/* Empties everything: nothing followed the caches, so their contents are not known. */
static void empty_all(struct refpmu_machine *machine)
{
	for (struct cache_package *p = machine->caches.packages; p; p = p->next) {
		cache_empty_package(p);
		for (struct cache_core *c = p->cores; c; c = c->next)
			cache_empty_core(c);
	}
}

void model_update_watch(struct refpmu_machine *machine)
{
	bool is_watched = machine->active || machine->recording;

	if (is_watched == machine->first->is_watched)
		return;
	machine->view.changes++;
	for (struct refpmu_cpu *m = machine->first; m; m = m->next)
		m->is_watched = is_watched;
}

/* A processor that is not counted leaves no trace in a cache that a counted one uses. */
static void choose_fillers(struct refpmu_machine *machine)
{
	for (struct refpmu_cpu *m = machine->first; m; m = m->next) {
		m->caches.fills_core = m->is_active || !m->core->active;
		m->caches.fills_last = m->is_active || !m->package->active;
	}
}

/* Empties everything or nothing, at random, and leaves traces of other code in the caches. */
static void perturb_caches(struct refpmu_cpu *m)
{
	struct refpmu_machine *machine = m->package->machine;

	if (cache_random(&machine->variation) & 1) {
		empty_all(machine);
		cache_forget(&m->caches);
	}
	cache_scramble(&m->caches, &machine->variation);
}

static void empty_caches(struct refpmu_cpu *m)
{
	struct refpmu_machine *machine = m->package->machine;

	if (!machine->active)
		empty_all(machine);
	if (!m->package->active)
		cache_empty_package(&m->package->caches);
	if (!m->core->active)
		cache_empty_core(&m->core->caches);
	cache_forget(&m->caches);
}

static void start(struct refpmu_cpu *m)
{
	struct refpmu_machine *machine = m->package->machine;

	if (machine->variation)
		perturb_caches(m);
	else if (!machine->keeps_caches)
		empty_caches(m);
	if (!machine->active++)
		model_update_watch(machine);
	m->package->active++;
	m->core->active++;
	__builtin_memset(m->now, 0, sizeof(m->now));
	m->is_open = false;
	m->bus_phase = 0;
	if (m->generation->start)
		m->generation->start(m);
}

static void stop(struct refpmu_cpu *m)
{
	struct refpmu_machine *machine = m->package->machine;

	if (m->generation->stop)
		m->generation->stop(m);
	m->core->active--;
	m->package->active--;
	machine->active--;
	model_update_watch(machine);
}

static void update(struct refpmu_cpu *m)
{
	struct refpmu_cpu *other = m->other;
	bool is_heard = other && other->plan.has_any;
	bool is_active = m->is_polling || m->plan.has_own || m->plan.has_any || is_heard;

	m->sibling = is_heard ? other : NULL;
	is_active |= m->package->counts || m->ibs.is_on;
	if (is_active == m->is_active)
		return;
	m->is_active = is_active;
	m->package->machine->view.changes++;
	if (is_active)
		start(m);
	else
		stop(m);
	choose_fillers(m->package->machine);
}

void model_update_activity(struct refpmu_cpu *m)
{
	update(m);
	if (m->other)
		update(m->other);
}
