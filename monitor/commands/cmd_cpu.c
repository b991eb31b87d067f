/* SPDX-License-Identifier: MIT */
/* cpu: chooses the processor that commands run on. */
#include <monitor/tools/command.h>

#include <arch/smp/kinds.h>
#include <arch/smp/smp.h>
#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <monitor/prompt/dispatch.h>
#include <pmu/core/pmu.h>

/* Returns ", type Atom" on a machine with several kinds of processors. */
static const char *type_of(unsigned cpu)
{
	static char text[KIND_NAME_SIZE + 8];
	const struct kind *k = kind_of(UINT64_C(1) << cpu);

	text[0] = '\0';
	if (k)
		format_buf(text, sizeof(text), ", type %s", k->name);
	return text;
}

/* On a hybrid says what the chosen processor has that others may not have. */
static void say_kind(unsigned cpu)
{
	const struct pmu *p = pmu_of(cpu);

	if (kinds_count() > 1)
		print("cpu %u%s: %u counters of %u bits, fixed counters %XH\n", cpu, type_of(cpu),
		      p->gp_count, p->gp_width, p->fixed_map);
}

static void list_one(unsigned cpu)
{
	const struct smp_cpu *c = smp_get(cpu);
	const struct topology *t = &c->topology;

	print("%c cpu %u: APIC ID %u, ", cpu == monitor_cpu() ? '*' : ' ', cpu, c->apic_id);
	if (c->is_running)
		print("package %u, core %u, thread %u%s\n", t->package, t->core, t->thread,
		      type_of(cpu));
	else
		print("does not run: %s\n", c->problem);
}

COMMAND(cpu, .syntax = "[N]", .summary = "lists the processors, or chooses the one that runs "
                                         "commands",
        .text = "Each has a PMU of its own, and what is programmed there stays there; threads of\n"
                "one core share some registers. help, run, repeat, uarch and cpu itself always\n"
                "run on the boot processor, cpu 0.\n",
        .example = "cpu 0", .is_mine = true)
{
	unsigned cpu;

	words_expect(w, 0, 1);
	if (w->count == 1) {
		for (cpu = 0; cpu < smp_count(); cpu++)
			list_one(cpu);
		return;
	}
	if (smp_count() == 1)
		words_number(w, 1, "the only processor", 0, 0);
	cpu = (unsigned)words_number(w, 1, "the processor", 0, smp_count() - 1);
	if (!smp_get(cpu)->is_running)
		monitor_fail("cpu %u does not run: %s", cpu, smp_get(cpu)->problem);
	monitor_choose_cpu(cpu);
	say_kind(cpu);
}
