/* SPDX-License-Identifier: MIT */
/*
 * Plays a processor's CPUID, for the tests of the topology.
 *
 * The registers are those of real processors, from the dumps in Bochs 3.0's cpu/cpudb, except where
 * a comment says otherwise; the expected results are worked out by hand by the rules of SDM 3A,
 * "Identifying Topological Relationships in a MP System", and APM 3, "Multiple Processor
 * Calculation".
 */
#ifndef TESTS_UNIT_ARCH_TOPOLOGY_CPU_H
#define TESTS_UNIT_ARCH_TOPOLOGY_CPU_H

#include <arch/cpu/cpuid.h>
#include <arch/interrupts/local_apic.h>
#include <arch/smp/topology.h>

#include <tests/unit/unit.h>

struct leaf {
	uint32_t leaf, subleaf;
	struct cpuid_result regs;
};

#define LEAVES_MAX 12
static struct leaf leaves[LEAVES_MAX];
static unsigned long asked;

/* Replaces the kernel's state of the APIC. */
static struct apic_state apic;
const struct apic_state *apic_get_state(void) { return &apic; }
uint32_t apic_get_id(void) { return 0x5a; }

struct cpuid_result cpuid_read(uint32_t leaf, uint32_t subleaf)
{
	asked++;
	for (unsigned i = 0; i < LEAVES_MAX; i++) {
		if (leaves[i].leaf == leaf && leaves[i].subleaf == subleaf)
			return leaves[i].regs;
	}
	return (struct cpuid_result){ 0, 0, 0, 0 };
}

#define cpuid_is(...) \
	do { \
		static const struct leaf rows[LEAVES_MAX] = { __VA_ARGS__ }; \
		memcpy(leaves, rows, sizeof(leaves)); \
	} while (0)

/* Sets the initial APIC ID, in leaf 1. */
static inline void set_id(uint32_t id)
{
	for (unsigned i = 0; i < LEAVES_MAX; i++) {
		if (leaves[i].leaf == 1)
			leaves[i].regs.ebx = (leaves[i].regs.ebx & 0xffffff) | id << 24;
	}
}

/* Sets the x2APIC ID, in every subleaf. */
static inline void set_x2apic_id(uint32_t id)
{
	for (unsigned i = 0; i < LEAVES_MAX; i++) {
		if (leaves[i].leaf == 0xb || leaves[i].leaf == 0x1f)
			leaves[i].regs.edx = id;
	}
}

static inline struct topology find(void)
{
	return topology_find(cpuid_read, 0x77);
}

static inline void check_bits(const char *source, unsigned thread_bits, unsigned core_bits)
{
	struct topology t = find();

	check_str("source", t.source, source);
	check_eq_u64("bits of the thread", t.thread_bits, thread_bits);
	check_eq_u64("bits of the core", t.core_bits, core_bits);
	check_str("problem", t.problem, NULL);
}

static inline void check_place(uint32_t apic_id, uint32_t package, uint32_t core, uint32_t thread)
{
	struct topology t = find();

	check_eq_u64("APIC ID", t.apic_id, apic_id);
	check_eq_u64("package", t.package, package);
	check_eq_u64("core", t.core, core);
	check_eq_u64("thread", t.thread, thread);
}

#endif
