/* SPDX-License-Identifier: MIT */
/* Events by name: which table, which of its rows are this processor's, which setup they make. */
#include <pmu/events.h>

#include <stddef.h>

#include <kernel/machine/machine.h>
#include <kernel/lib/string.h>
#include <kernel/run/test.h>

/* Which P6 a model number is. Source: SDM 4, "Model-Specific Registers (MSRs)", its first table. */
static const struct { uint8_t first, last, model; } models[] = {
	{ 0x0, 0x1, PMU_MODEL_PPRO },
	{ 0x3, 0x6, PMU_MODEL_PII },
	{ 0x7, 0x8, PMU_MODEL_PIII }, { 0xa, 0xb, PMU_MODEL_PIII },
	{ 0x9, 0x9, PMU_MODEL_PM },   { 0xd, 0xd, PMU_MODEL_PM },
};

unsigned pmu_event_model(void)
{
	unsigned number = machine_cpu()->model;

	switch (pmu_get()->class->generation) {
	case PMU_P5_MMX:
		return PMU_MODEL_P55C;
	case PMU_P5:                               /* 0 and 1: 60 and 66 MHz */
		return number <= 1 ? PMU_MODEL_P5 : PMU_MODEL_P54C;
	case PMU_P6:
		for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++)
			if (number >= models[i].first && number <= models[i].last)
				return models[i].model;
		return 0;
	default:
		return 0;
	}
}

const struct pmu_event *pmu_event_table(unsigned *count)
{
	switch (pmu_get()->class->generation) {
	case PMU_P5:
	case PMU_P5_MMX:
		*count = pmu_events_p5_count;
		return pmu_events_p5;
	case PMU_P6:
		*count = pmu_events_p6_count;
		return pmu_events_p6;
	default:
		*count = 0;
		return NULL;
	}
}

bool pmu_event_exists(const struct pmu_event *e)
{
	return !e->is_reserved && (e->models & pmu_event_model());
}

static bool is_named(const struct pmu_event *e, const char *name)
{
	if (strcmp(e->name, name) == 0)
		return true;
	for (unsigned i = 0; i < PMU_EVENT_ALIASES_MAX && e->aliases[i]; i++)
		if (strcmp(e->aliases[i], name) == 0)
			return true;
	return false;
}

const struct pmu_event *pmu_event_find(const char *name)
{
	unsigned count;
	const struct pmu_event *table = pmu_event_table(&count), *other = NULL;

	for (unsigned i = 0; i < count; i++) {
		if (!is_named(&table[i], name))
			continue;
		if (pmu_event_exists(&table[i]))
			return &table[i];
		other = other ? other : &table[i];
	}
	return other;
}

struct pmu_setup pmu_event_setup(const struct pmu_event *e, const char *mask, unsigned counter,
                                 unsigned flags)
{
	uint8_t bits;

	if (!pmu_event_mask(e, mask, &bits))
		test_abort("the event %s has no mask %s", e->name, mask);
	return (struct pmu_setup){
		.counter = counter, .flags = flags, .event = (uint16_t)(bits << 8 | e->select),
	};
}
