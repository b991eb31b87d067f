/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* The quirks: each is complete, names a processor, changes it, and changes nothing else. */
#include <model/defects/quirks.h>

#include <tests/unit/model/core/model_cpus.h>

/* Those without architectural performance monitoring. */
static const struct cpu legacy[] = {
	{ .name = "pentium",    .signature = 0x52c }, { .name = "pentium_mmx", .signature = 0x543 },
	{ .name = "p2_klamath", .signature = 0x634 }, { .name = "p3_katmai",   .signature = 0x673 },
	{ .name = "p4_willamette", .signature = 0xf12 },
	{ .name = "p4_prescott_celeron_336", .signature = 0xf41 },
};

static const struct cpu *cpu_named(const char *name)
{
	FOR_EACH_CPU(cpu)
		if (strcmp(cpu->name, name) == 0)
			return cpu;
	for (unsigned i = 0; i < sizeof(legacy) / sizeof(legacy[0]); i++)
		if (strcmp(legacy[i].name, name) == 0)
			return &legacy[i];
	return NULL;
}

/* Of a core, as the words for tests/boot ask for: smp=P:C:T. */
static unsigned threads_for(const struct model_quirk *quirk)
{
	const char *colon = quirk->words ? strrchr(quirk->words, ':') : NULL;

	return colon && strstr(quirk->words, "smp=") ? (unsigned)atoi(colon + 1) : 1;
}

#define FOR_EACH_QUIRK(quirk) \
	const struct model_quirk *quirk; \
	for (unsigned number = 0; (quirk = model_quirk_at(number)) != NULL; number++)

UNIT_TEST(every_quirk_says_what_it_is)
{
	FOR_EACH_QUIRK(quirk) {
		check_true(quirk->name, quirk->defect && quirk->defect[0]);
		check_true(quirk->name, quirk->source && quirk->source[0]);
		check_true(quirk->name, quirk->cpu && cpu_named(quirk->cpu));
		check_true(quirk->name, !quirk->test == !quirk->what);
		check_true(quirk->name, !quirk->words || strchr(quirk->words, '='));
	}
}

UNIT_TEST(every_quirk_is_found_by_its_name_alone)
{
	FOR_EACH_QUIRK(quirk)
		check_true(quirk->name, model_quirk_find(quirk->name) == quirk);
	check_true("no such quirk", !model_quirk_find("no such quirk"));
	check_true("beginning of a name", !model_quirk_find("not"));
}

/* A quirk that proves a test changes the rules; the one that proves none does not. */
UNIT_TEST(every_quirk_changes_the_rules_of_its_processor)
{
	static struct machine machine;
	static struct model_rules plain;

	FOR_EACH_QUIRK(quirk) {
		const struct cpu *cpu = cpu_named(quirk->cpu);

		if (!check_true(quirk->name, cpu != NULL))
			continue;
		machine_create(&machine, cpu->signature, threads_for(quirk), NULL);
		memcpy(&plain, &machine.core.rules, sizeof(plain));
		check_eq_u64(quirk->name, machine_create(&machine, cpu->signature,
		                                         threads_for(quirk), quirk->name),
		             MODEL_CREATED);
		check_eq_u64(quirk->name,
		             memcmp(&plain, &machine.core.rules, sizeof(plain)) != 0,
		             quirk->test != NULL);
	}
}

UNIT_TEST(the_changes_are_fields_and_values_that_fit)
{
	FOR_EACH_QUIRK(quirk)
		for (unsigned c = 0; c < MODEL_CHANGES_MAX; c++) {
			const struct model_change *change = &quirk->change[c];

			check_true(quirk->name, change->size <= 8 &&
			           (change->size & (change->size - 1)) == 0);
			check_true(quirk->name,
			           change->offset + change->size <= sizeof(struct model_rules));
			check_true(quirk->name, change->size == 0 || change->size == 8 ||
			           change->value < ONE(8 * change->size));
		}
}

/* What it does is for the guest's tests to see; here: the model stays sound, and ends. */
UNIT_TEST(every_quirk_counts_on_its_processor)
{
	static struct machine machine;

	FOR_EACH_QUIRK(quirk) {
		uint64_t value = 0;

		if (!cpu_named(quirk->cpu))
			continue;
		machine_create(&machine, cpu_named(quirk->cpu)->signature, 1, quirk->name);
		machine.lvtpc = LVTPC_NMI;
		machine_write(&machine, EVTSEL0, INSTRUCTIONS | OS | INT | EN);
		machine_write(&machine, CESR, 0x00d600d6);
		machine_write(&machine, PMC0, 0xfffffff0);
		machine_write(&machine, GLOBAL, ONE(32) | 3);
		machine_write(&machine, FIXED_CTRL, 0xb);
		machine_nops(&machine, 64);
		machine_write(&machine, STATUS_RESET, 1);
		machine_read(&machine, STATUS, &value);
		model_halt(&machine.model);
		model_halted(&machine.model, 100);
		check_true(quirk->name, machine.pmis < 100);
	}
}

UNIT_MAIN()
