/* SPDX-License-Identifier: MIT */
/*
 * Declares the parts of vmm, a small virtual machine monitor on /dev/kvm that is also the first
 * program of the Linux which tests/boot kvm-on-model:CPU boots. It gives the kernel the processor
 * that KVM offers, KVM's own APICs and 8254, and a debug console at port E9H, whose bytes it passes
 * on to Bochs' port E9H.
 */
#ifndef TESTS_LINUX_VMM_VMM_H
#define TESTS_LINUX_VMM_VMM_H

#include <linux/kvm.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	PORT_DEBUG_CONSOLE = 0xe9,
	PORT_EXIT = 0xf4,               /* QEMU's isa-debug-exit */
	PORT_BOCHS_EXIT = 0x8900,       /* takes the text "Shutdown" */
	CPUS_MAX = 8,
	MODULES_MAX = 8,
};

struct module {
	char vendor[13], name[32], parameters[256];     /* vendor: as CPUID has it, or "all" */
};

/* What the file /guest.txt says: a word and its value in each line. */
struct order {
	uint32_t entry, info;           /* the kernel's entry point, its multiboot information */
	unsigned cpus;
	uint32_t memory_mb;
	struct module modules[MODULES_MAX];
	unsigned modules_count;
};

struct guest {
	const struct order *order;
	int kvm, vm;
	int vcpu[CPUS_MAX];
	struct kvm_run *run[CPUS_MAX];
	uint8_t *memory;
	struct kvm_coalesced_mmio_ring *ring;
	unsigned ring_slots;
};

/* ------------------------------------------------------------------------------- talk.c */

/* Prints a text on Bochs' debug console. */
__attribute__((format(printf, 1, 2))) void say(const char *format, ...);
void say_bytes(const uint8_t *bytes, unsigned count);

/* Ends the emulator. */
__attribute__((noreturn)) void leave(void);

/* Says what failed, with errno, as TAP's "Bail out!", and leaves. */
__attribute__((noreturn)) void give_up(const char *what);

/* ------------------------------------------------------------------------------- qemu.c */

/* Runs the QEMU that /qemu.txt describes, and passes on what it prints; returns false if there is
 * no such file. */
bool qemu_run(void);

/* ---------------------------------------------------------------------------- vmm_machine.c */

/* Makes a virtual machine with its processors, devices and memory, and the file /guest in it from
 * address 0. */
void machine_create(struct guest *guest, const struct order *order);

/* ---------------------------------------------------------------------------- vmm_processors.c */

/* Sets a processor up, with CPUID and IA32_PERF_CAPABILITIES as KVM offers them; the first one at
 * the entry point. */
void processor_set_up(struct guest *guest, unsigned number);

/* ------------------------------------------------------------------------------- run.c */

/* Runs all processors until the guest ends itself. */
void guest_run(struct guest *guest);

#endif
