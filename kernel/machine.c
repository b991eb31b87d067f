/* SPDX-License-Identifier: MIT */
#include <kernel/machine.h>

#include <arch/apic.h>
#include <arch/lock.h>
#include <arch/modes.h>
#include <arch/paging.h>
#include <arch/pit.h>
#include <arch/regs/multiboot.h>
#include <arch/self.h>
#include <kernel/console.h>
#include <kernel/format.h>
#include <kernel/lastlog.h>
#include <kernel/watchdog.h>

#define KB (UINT64_C(1) << 10)

/*
 * The image and the suites' buffers need this much usable memory. A PC with 16 MB has it: besides
 * the hole from 640 KB to 1 MB, its firmware keeps less than that for tables at the top.
 */
#define MEMORY_NEEDED  (15 * 1024 * KB)

#define PAGE 4096u

extern uint8_t image_end[];            /* linker.ld */

static struct cpu_identity cpu;
static const struct bootinfo *boot_kept;

const struct cpu_identity *machine_cpu(void) { return &cpu; }

void machine_identify(const struct bootinfo *boot)
{
	boot_kept = boot;
	cpu_identify(&cpu);
}

/* In bytes. UEFI's memory map has holes, so it is the sum that counts. */
static uint64_t usable_memory(const struct bootinfo *boot)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < boot->range_count; i++)
		if (boot->range[i].type == MULTIBOOT_MEMORY_AVAILABLE)
			sum += boot->range[i].length;
	return boot->range_count ? sum : boot->memory_top;
}

const char *machine_memory_problem(const struct bootinfo *boot)
{
	static char text[96];

	if (!boot->has_memory || usable_memory(boot) >= MEMORY_NEEDED)
		return NULL;
	format_buf(text, sizeof(text),
	           "not enough memory: Barecount needs 16 MB, %u KB are usable here",
	           (uint32_t)(usable_memory(boot) / KB));
	return text;
}

bool machine_is_memory_free(const struct bootinfo *boot, uint64_t base, uint64_t length)
{
	for (unsigned i = 0; i < boot->range_count; i++) {
		const struct memory_range *r = &boot->range[i];

		if (r->type == MULTIBOOT_MEMORY_AVAILABLE && r->base <= base
		    && base + length <= r->base + r->length)
			return true;
	}
	return boot->range_count == 0 && base + length <= 640 * KB;
}

static SHARED uint32_t taken_end;       /* RAM below is in use */
static SHARED struct lock taking;

/* The first place at or above `from` in this range, or 0. */
static uintptr_t place_in(const struct memory_range *r, uint64_t from, uint32_t size)
{
	uint64_t start = r->base < from ? from : r->base;

	start = lastlog_behind((start + PAGE - 1) & ~(uint64_t)(PAGE - 1), size);
	if (r->type != MULTIBOOT_MEMORY_AVAILABLE || start + size > r->base + r->length
	    || start + size > UINT32_MAX)
		return 0;
	return (uintptr_t)start;
}

static uintptr_t take(uint32_t size)
{
	uint64_t from = taken_end ? taken_end : (uintptr_t)image_end;
	uintptr_t best = 0;

	for (unsigned i = 0; i < boot_kept->range_count; i++) {
		uintptr_t place = place_in(&boot_kept->range[i], from, size);

		if (place && (!best || place < best))
			best = place;
	}
	if (best)
		taken_end = (uint32_t)(best + size);
	return best;
}

uintptr_t machine_take_memory(uint32_t size)
{
	uintptr_t taken;

	lock_take(&taking);
	taken = take(size);
	lock_release(&taking);
	return taken;
}

static const char *core_type_name(unsigned type)
{
	switch (type) {
	case 0x20: return ", core type 20H (Atom)";
	case 0x40: return ", core type 40H (Core)";
	default:   return "";
	}
}

/* Some processors put blanks in front of their names. */
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
	static const char *const protocols[] = { "not told", "multiboot 1", "multiboot 2" };

	print("# boot: %s by %s, %s, %u MB\n", protocols[boot->protocol],
	      boot->loader[0] ? boot->loader : "an unknown loader", boot->is_efi ? "UEFI" : "BIOS",
	      (uint32_t)(usable_memory(boot) >> 20));
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
		      a->was_globally_disabled ? ", enabled against the firmware" : "",
		      a->was_software_disabled ? ", was software-disabled" : "");
}

void machine_describe(const struct bootinfo *boot)
{
	describe_cpu();
	describe_boot(boot);
	describe_apic();
	print("# TSC: %u kHz\n", tsc_khz());
	print("# watchdog: %s\n", watchdog_describe());
	if (paging_problem())
		print("# paging: off, %s\n", paging_problem());
	if (modes_problem())
		print("# modes: %s\n", modes_problem());
}
