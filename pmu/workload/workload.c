/* SPDX-License-Identifier: MIT */
#include <pmu/workload/workload.h>

#include <stddef.h>

#include <arch/cpu/control.h>
#include <arch/cpu/cpuid.h>
#include <arch/cpu/insn.h>
#include <arch/modes/segments.h>
#include <arch/regs/cpu.h>
#include <arch/regs/table.h>
#include <kernel/lib/string.h>
#include <kernel/machine/memory.h>

/* workloads.asm */
struct workload_gate { uint32_t vector, handler; };
extern const struct workload_gate workload_gates[2];
extern uint8_t workload_arena[], workload_arena_end[];

uint64_t workload_insns(const struct workload *w, uint32_t rounds)
{
	return w->insns + (uint64_t)w->insns_each * rounds;
}

uint64_t workload_branches(const struct workload *w, uint32_t rounds)
{
	return w->branches + (uint64_t)w->branches_each * rounds;
}

uint64_t workload_taken(const struct workload *w, uint32_t rounds)
{
	return w->taken + (uint64_t)w->taken_each * rounds;
}

/* Twice the size of a large second-level cache; a machine with 16 MB has half of it. */
#define ARENA_WANTED  UINT32_C(0x800000)

static uint8_t *arena;
static uint32_t arena_size;

/* Takes the largest piece of free memory, or else the kernel's own. */
void pmu_workload_take_arena(void)
{
	if (arena)
		return;
	arena_size = (uint32_t)(workload_arena_end - workload_arena);
	for (uint32_t size = ARENA_WANTED; size > arena_size && !arena; size /= 2) {
		arena = (uint8_t *)memory_take(size);
		if (arena)
			arena_size = size;
	}
	if (!arena)
		arena = workload_arena;
}

uint8_t *pmu_workload_arena(uint32_t *size)
{
	*size = arena_size;
	return arena;
}

void pmu_workload_gates(void)
{
	for (size_t i = 0; i < COUNT_OF(workload_gates); i++)
		idt_set_gate(workload_gates[i].vector, workload_gates[i].handler, 0);
}

void pmu_workload_gates_end(void)
{
	for (size_t i = 0; i < COUNT_OF(workload_gates); i++)
		idt_reset_gate(workload_gates[i].vector);
}

const struct workload *workload_find(const char *name)
{
	for (const struct workload *w = workload_table; w < workload_table_end; w++)
		if (strcmp(w->name, name) == 0)
			return w;
	return NULL;
}

bool workload_is_possible(const struct workload *w)
{
	if (!w->needs)
		return true;
	if (strcmp(w->needs, "cmov") == 0)
		return cpuid_get(CPUID_CMOV);
	if (strcmp(w->needs, "sse2") == 0)
		return cpuid_get(CPUID_SSE2);
	return cpuid_get(strcmp(w->needs, "mmx") == 0 ? CPUID_MMX : CPUID_SSE);
}

static bool is_sse_switched;

void pmu_workload_begin(void)
{
	pmu_workload_gates();
	fpu_enable();
	is_sse_switched = cpuid_get(CPUID_SSE) && !(cr4_read() & CR4_OSFXSR);
	if (is_sse_switched)
		cr4_write(cr4_read() | CR4_OSFXSR);
}

void pmu_workload_end(void)
{
	if (is_sse_switched)
		cr4_write(cr4_read() & ~(uintptr_t)CR4_OSFXSR);
	is_sse_switched = false;
}
