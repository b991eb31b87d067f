/* SPDX-License-Identifier: MIT */
#include <arch/smp/kinds.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/smp/smp.h>

static SHARED struct kind kinds[KINDS_MAX];
static SHARED unsigned count;

static unsigned type_of(uint32_t core)
{
	return core >> 24;
}

/* Puts the type's name at the end of what is there already, and the model if it is not the first
 * kind of its type. */
static void put_name(struct kind *k, bool is_second)
{
	const char *name = cpuid_core_name(type_of(k->core));
	size_t used = 0;

	for (; name[used]; used++)
		k->name[used] = name[used];
	if (is_second) {
		k->name[used++] = '-';
		k->name[used++] = (char)('0' + (k->core & 0xffffff) % 10);
	}
	k->name[used] = '\0';
}

static struct kind *add(uint32_t core, unsigned cpu)
{
	bool is_second = false;

	for (unsigned i = 0; i < count; i++) {
		if (kinds[i].core == core)
			return &kinds[i];
		is_second |= type_of(kinds[i].core) == type_of(core);
	}
	if (count == KINDS_MAX)
		return NULL;
	kinds[count] = (struct kind){ .core = core, .first = cpu };
	put_name(&kinds[count], is_second);
	return &kinds[count++];
}

void kinds_find(void)
{
	count = 0;
	for (unsigned cpu = 0; cpu < smp_count(); cpu++) {
		const struct smp_cpu *c = smp_get(cpu);
		struct kind *k = c->is_running ? add(c->core, cpu) : NULL;

		if (k)
			k->cpus |= UINT64_C(1) << cpu;
	}
}

unsigned kinds_count(void)
{
	return count ? count : 1;
}

const struct kind *kind_at(unsigned i)
{
	return &kinds[i];
}

const struct kind *kind_of(uint64_t cpus)
{
	for (unsigned i = 0; i < count && count > 1; i++)
		if (!(cpus & ~kinds[i].cpus))
			return &kinds[i];
	return NULL;
}

unsigned kind_of_this(void)
{
	for (unsigned i = 0; i < count; i++)
		if (kinds[i].cpus >> smp_self() & 1)
			return i;
	return 0;
}
