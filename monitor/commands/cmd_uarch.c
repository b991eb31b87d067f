/* SPDX-License-Identifier: MIT */
/* uarch: shows which PMU this processor is assumed to have, and why, and changes that. */
#include <monitor/tools/command.h>

#include <stddef.h>

#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <kernel/lib/nearest.h>
#include <kernel/lib/string.h>
#include <kernel/machine/machine.h>
#include <kernel/run/secondaries.h>
#include <monitor/prompt/dispatch.h>
#include <pmu/core/program.h>
#include <pmu/drivers/classes.h>

static void print_class(void)
{
	const struct pmu *p = pmu_get();

	print("%s", p->class->name);
	if (p->version)
		print(", version %u", p->version);
	print(", because: %s\n", p->because);
	if (p->gp_count)
		print("%u counters of %u bits", p->gp_count, p->gp_width);
	if (p->fixed_map)
		print(", fixed counters %XH of %u bits", p->fixed_map, p->fixed_width);
	print("%s%s\n", p->gp_count ? "; " : "", p->verdict);
	print("Source: %s\n", p->class->source);
}

/* Prints the registers that are not 0, and those that did not answer. */
static void print_found(void)
{
	unsigned count, zeros = 0;
	const struct pmu_initial *found = pmu_get_initial(&count);

	print("Its registers, before this kernel wrote the first one:\n");
	for (unsigned i = 0; i < count; i++) {
		if (!found[i].is_there)
			print("  %s (%XH): RDMSR faults\n", found[i].name, found[i].msr);
		else if (found[i].value)
			print("  %s (%XH) = %" PRIX64 "H\n", found[i].name, found[i].msr,
			      found[i].value);
		else
			zeros++;
	}
	print("  %u%s held 0\n", zeros, zeros == count ? "" : " others");
}

static void print_known(void)
{
	print("The known PMUs, in the order in which they are checked:\n");
	for (unsigned i = 0; i < pmu_class_count; i++) {
		const struct pmu_class *c = &pmu_classes[i];

		print("%c %-9s %s: %s\n", c == pmu_get()->class ? '*' : ' ',
		      c->word ? c->word : "-", c->name, c->because);
	}
}

/* Runs on each processor; what was programmed there is lost. */
static void detect(uintptr_t class)
{
	monitor_clean_up();
	pmu_detect(machine_cpu(), (const struct pmu_class *)class);
	monitor_clean_up();
}

static void detect_everywhere(const struct pmu_class *class)
{
	static const struct test detection = { .id = "uarch", .claim = "a PMU is detected" };

	detect((uintptr_t)class);
	for (unsigned cpu = 1; cpu < smp_count(); cpu++)
		if (smp_get(cpu)->is_running)
			secondaries_work(&detection, cpu, detect, (uintptr_t)class,
			                 MONITOR_SECONDS);
}

static void fail_unknown(const char *name)
{
	char meant[NEAREST_TEXT_SIZE];
	struct nearest nearest;

	nearest_begin(&nearest, name);
	for (unsigned i = 0; i < pmu_class_count; i++)
		if (pmu_classes[i].word)
			nearest_try(&nearest, pmu_classes[i].word);
	monitor_fail("%s is not a known PMU%s; \"uarch\" lists them", name,
	             nearest_text(&nearest, meant));
}

COMMAND(uarch, .syntax = "[NAME | auto]",
        .summary = "shows which PMU this is, or assumes the one called NAME",
        .text = "With a NAME from the list the PMU is programmed as that one from now on,\n"
                "whatever CPUID says; its registers may fault. auto: as CPUID says. Both\n"
                "reset the PMU.\n",
        .example = "uarch", .is_mine = true)
{
	const struct pmu_class *class = NULL;

	words_expect(w, 0, 1);
	if (w->count == 1) {
		print_class();
		print_found();
		print_known();
		return;
	}
	if (strcmp(w->word[1], "auto") != 0) {
		class = pmu_class_find(w->word[1]);
		if (!class)
			fail_unknown(w->word[1]);
	}
	detect_everywhere(class);
	print_class();
}
