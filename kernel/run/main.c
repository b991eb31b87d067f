/* SPDX-License-Identifier: MIT */
/* Leads from the boot loader to the verdict, in order. */
#include <stddef.h>
#include <stdint.h>

#include <arch/clock/clocks.h>
#include <arch/cpu/control.h>
#include <arch/cpu/cpuid.h>
#include <arch/cpu/insn.h>
#include <arch/interrupts/local_apic.h>
#include <arch/interrupts/pending.h>
#include <arch/interrupts/pic.h>
#include <arch/modes/low_memory.h>
#include <arch/modes/modes.h>
#include <arch/modes/paging.h>
#include <arch/modes/segments.h>
#include <arch/smp/smp.h>
#include <kernel/console/console.h>
#include <kernel/end/end_screen.h>
#include <kernel/face/face.h>
#include <kernel/input/pager.h>
#include <kernel/lib/version.h>
#include <kernel/loader/bootinfo.h>
#include <kernel/log/lastlog.h>
#include <kernel/machine/clock_places.h>
#include <kernel/machine/image.h>
#include <kernel/machine/machine.h>
#include <kernel/machine/memory.h>
#include <kernel/run/cmdline.h>
#include <kernel/run/engine.h>
#include <kernel/run/execute.h>
#include <kernel/run/secondaries.h>
#include <kernel/run/panic.h>
#include <kernel/run/perturb.h>
#include <kernel/run/watchdog.h>

extern uint8_t image_end[];            /* linker.ld */

static struct bootinfo boot;
static struct cmdline words;
static struct clock_places places;

static uint32_t first_sum;              /* of the kernel, before it did anything */

static void tell(const char *line)
{
	print("# clock wait: %s\n", line);
}

static void take_over(void)
{
	segments_init();                /* GDT, TSS, IDT */
	panic_catch_faults(execute_recover);
	pic_init();
	paging_init();
	caches_write_back();            /* for the log, before paging makes it uncached */
	fpu_enable();
	modes_init(memory_is_free(LOW_REAL_BASE, LOW_END - LOW_REAL_BASE));
	apic_init(words.is_x2apic);
	apic_drain();                   /* Linux leaves its timer's interrupt pending at kexec */
	machine_identify();
	engine_init(&words);            /* stops what counts, before time is measured */
	clock_init(&places, tell);
	apic_timer_measure();
	watchdog_init();
}

/* Returns a sentence on what makes the run pointless, or NULL. */
static const char *find_problem(void)
{
	if (image_problem(first_sum))
		return image_problem(first_sum);
	if (memory_problem())
		return memory_problem();
	if (boot.cmdline_truncated)
		return "the command line is too long: words would be lost";
	return words.problem[0] ? words.problem : engine_problem(&words);
}

/* Prepares another processor for its first test. */
static void join(void)
{
	watchdog_leave_to_boot();
	perturb_init(words.seed, smp_self());
	machine_identify();
	engine_init(&words);
}

static void print_head(void)
{
	print("# kernel: sum %08X\n", first_sum);
	machine_describe(&boot, watchdog_describe());
	secondaries_describe();
	if (console_problem())
		print("# console problem: %s\n", console_problem());
	lastlog_describe();
	engine_describe();
}

/* Does what the words ask for. */
static enum run_status run(void)
{
	if (words.is_lastlog) {
		lastlog_print();
		face_end_text("LOG", lastlog_previous()->text ? "This is the previous run's log."
		                                             : lastlog_missing());
		return RUN_PASSED;
	}
	return words.is_monitor ? engine_interact(&words) : engine_run(&words);
}

/*
 * A log without its check line, such as that of a panic, counts as incomplete. The sum is printed
 * even if it is right, so a reader need not believe the comparison.
 */
static void end(enum run_status status)
{
	const uint32_t sum = image_sum();

	if (image_problem(sum))
		panic("%s", image_problem(sum));
	print("# kernel at the end: sum %08X\n", sum);
	console_put_check();
	machine_end(status);
}

/* After a sound run the end screen leads to the monitor, and back. */
static void stay(enum run_status status)
{
	while (end_screen_run((unsigned)status, face_get()->word != NULL))
		engine_interact(&words);
}

void kernel_main(uint32_t magic, uint32_t info);

void kernel_main(uint32_t magic, uint32_t info)
{
	bootinfo_parse(&boot, magic, info, &physical_memory_identity);
	cmdline_parse(&words, boot.cmdline, bootinfo_may_begin_with_path(&boot));
	machine_set_leave(words.leaves_f4, words.leaves_8900);
	if (words.rsdp)
		bootinfo_take_rsdp(&boot, words.rsdp, &physical_memory_identity);
	panic_set_hooks(&(struct end_hooks){ .before_panic = pager_end, .stay = stay });
	console_init(&boot, words.console, words.console_count);
	memory_init(&boot, (uintptr_t)image_end);
	lastlog_init(!words.is_lastlog && !words.is_list);
	first_sum = image_sum();
	print("TAP version 13\n# Barecount " BARECOUNT_VERSION ", schema %u, %u-bit\n",
	      BARECOUNT_SCHEMA, (unsigned)sizeof(void *) * 8);
	if (find_problem())
		panic("%s", find_problem());
	perturb_init(words.seed, 0);
	secondaries_find(&boot, &words);
	if (!words.is_nosmp)
		places = clock_places_find(&boot, &physical_memory_identity);
	take_over();
	if (words.is_x2apic && !apic_get_state()->is_x2apic)
		panic("x2apic: the local APIC cannot be switched; CPUID.1:ECX[21] (x2APIC) = %u",
		      cpuid_get(CPUID_X2APIC));
	secondaries_start(&words, join);
	print_head();
	end(run());
}
