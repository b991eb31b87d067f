/* SPDX-License-Identifier: MIT */
#include <kernel/machine/machine.h>

#include <arch/clock/clocks.h>
#include <arch/interrupts/local_apic.h>
#include <arch/modes/modes.h>
#include <arch/modes/paging.h>
#include <kernel/console/console.h>
#include <kernel/machine/memory.h>

static struct cpu_identity cpu;

const struct cpu_identity *machine_cpu(void) { return &cpu; }

void machine_identify(void)
{
	cpu_identify(&cpu);
}

static const char *core_type_name(unsigned type)
{
	switch (type) {
	case 0x20: return ", core type 20H (Atom)";
	case 0x40: return ", core type 40H (Core)";
	default:   return "";
	}
}

/* Some processors' names begin with blanks. */
static const char *without_blanks(const char *text)
{
	while (*text == ' ')
		text++;
	return text;
}

static void describe_cpu(void)
{
	print("# cpu: %s family %XH model %XH stepping %XH",
	      cpu.vendor_name[0] ? cpu.vendor_name : "no CPUID",
	      cpu.family, cpu.model, cpu.stepping);
	if (cpu.microcode)
		print(", microcode %XH", cpu.microcode);
	print("%s\n", core_type_name(cpu.core_type));
	if (cpu.brand[0])
		print("# brand: %s\n", without_blanks(cpu.brand));
	print("# hypervisor: %s\n",
	      cpu.hypervisor[0] ? cpu.hypervisor : "none (CPUID.1:ECX[31] = 0)");
}

static void describe_boot(const struct bootinfo *boot)
{
	static const char *const protocols[] = { "unknown", "multiboot 1", "multiboot 2", "PVH" };

	const char *firmware = boot->is_efi ? "UEFI" : "BIOS";

	print("# boot: %s by %s, %s, %u MB\n", protocols[boot->protocol],
	      boot->loader[0] ? boot->loader : "an unknown loader",
	      bootinfo_is_kexec(boot) ? "out of a running system" : firmware,
	      (uint32_t)(memory_usable() >> 20));
	if (boot->problem[0])
		print("# boot problem: %s\n", boot->problem);
}

static void describe_apic(void)
{
	const struct apic_state *a = apic_get_state();

	if (!a->is_present)
		print("# local APIC: none, %s\n", a->reason);
	else
		print("# local APIC: %s, version %XH, %s%s%s\n", a->is_x2apic ? "x2APIC" : "xAPIC",
		      (uint32_t)(apic_read(APIC_VERSION) & APIC_VERSION_VERSION), a->reason,
		      a->was_globally_disabled ? ", which the firmware had disabled" : "",
		      a->was_software_disabled ? ", was software-disabled" : "");
}

/* Says which clock gives the TSC's rate, and what those say that the machine has besides. */
static void describe_clocks(void)
{
	const enum clock_id chosen = clock_chosen();

	print("# TSC: %u kHz\n", tsc_khz());
	print("# clock: %s", chosen == CLOCK_COUNT ? "none" : clock_get(chosen)->name);
	for (unsigned id = 0; id < CLOCK_COUNT; id++) {
		const struct clock_answer *a = clock_get((enum clock_id)id);

		if (id == chosen || a->is_absent)
			continue;
		if (a->khz)
			print("; %s: %u kHz%s", a->name, a->khz,
			      clock_is_right((enum clock_id)id) ? "" : ", wrong");
		else
			print("; %s: %s", a->name, a->problem);
	}
	print("\n");
	if (apic_get_state()->is_present)
		print("# APIC timer: %u kHz\n", apic_timer_khz());
}

void machine_describe(const struct bootinfo *boot, const char *watchdog)
{
	describe_cpu();
	describe_boot(boot);
	describe_apic();
	describe_clocks();
	print("# watchdog: %s\n", watchdog);
	if (paging_problem())
		print("# paging: off, %s\n", paging_problem());
	if (modes_problem())
		print("# modes: %s\n", modes_problem());
}
