/* SPDX-License-Identifier: MIT */
/*
 * Instructions that may fault, in a form that returns the fault instead of ending the test.
 *
 * FIXUP records {instruction, where to go on} in .fixup_table; the exception handler finds the
 * faulting address there, puts the fault into ESI and goes on. An exception that is not at exactly
 * that instruction is not caught.
 */
#ifndef ARCH_CPU_FAULT_H
#define ARCH_CPU_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/regs/bits.h>

/* A fault, or none. Packed so that one register carries it; vector 0 (#DE) is not "none". */
typedef struct { uint32_t raw; } fault_t;

#define FAULT_VALID   BIT32(31)
#define FAULT_VECTOR  FIELD(23, 16)
#define FAULT_ERROR   FIELD(15, 0)

#define FAULT_NONE    ((fault_t){ 0 })

static inline fault_t fault_make(unsigned vector, uint32_t error)
{
	return (fault_t){ FAULT_VALID | (uint32_t)FIELD_PUT(FAULT_VECTOR, vector)
	                  | (uint32_t)FIELD_PUT(FAULT_ERROR, error) };
}

static inline bool     is_fault(fault_t f)     { return (f.raw & FAULT_VALID) != 0; }
static inline unsigned fault_vector(fault_t f) { return (unsigned)FIELD_GET(FAULT_VECTOR, f.raw); }
static inline unsigned fault_error(fault_t f)  { return (unsigned)FIELD_GET(FAULT_ERROR, f.raw); }

#define FIXUP(insn, resume) \
	".pushsection .fixup_table, \"a\"\n\t.long " insn ", " resume "\n\t.popsection"

/* Read an MSR. On a fault: value 0, the fault returned. */
static inline fault_t msr_try_read(uint32_t msr, uint64_t *value)
{
	uint32_t low = 0, high = 0;
	fault_t fault = FAULT_NONE;

	__asm__ volatile ("1: rdmsr\n\t"
	                  "2:\n\t" FIXUP("1b", "2b")
	                  : "+a" (low), "+d" (high), "+S" (fault.raw) : "c" (msr) : "memory");
	*value = (uint64_t)high << 32 | low;
	return fault;
}

static inline fault_t msr_try_write(uint32_t msr, uint64_t value)
{
	fault_t fault = FAULT_NONE;

	__asm__ volatile ("1: wrmsr\n\t"
	                  "2:\n\t" FIXUP("1b", "2b")
	                  : "+S" (fault.raw)
	                  : "a" ((uint32_t)value), "d" ((uint32_t)(value >> 32)), "c" (msr)
	                  : "memory");
	return fault;
}

/* RDPMC. On a fault: value 0, the fault returned. Not ordered with its neighbours. */
static inline fault_t pmc_try_read(uint32_t index, uint64_t *value)
{
	uint32_t low = 0, high = 0;
	fault_t fault = FAULT_NONE;

	__asm__ volatile ("1: rdpmc\n\t"
	                  "2:\n\t" FIXUP("1b", "2b")
	                  : "+a" (low), "+d" (high), "+S" (fault.raw) : "c" (index) : "memory");
	*value = (uint64_t)high << 32 | low;
	return fault;
}

/* Write CR0; combinations that cannot be fault with #GP(0). */
static inline fault_t cr0_try_write(uintptr_t value)
{
	fault_t fault = FAULT_NONE;

	__asm__ volatile ("1: mov %1, %%cr0\n\t"
	                  "2:\n\t" FIXUP("1b", "2b")
	                  : "+S" (fault.raw) : "r" (value) : "memory");
	return fault;
}

/* Write CR4; reserved bits fault with #GP(0). */
static inline fault_t cr4_try_write(uintptr_t value)
{
	fault_t fault = FAULT_NONE;

	__asm__ volatile ("1: mov %1, %%cr4\n\t"
	                  "2:\n\t" FIXUP("1b", "2b")
	                  : "+S" (fault.raw) : "r" (value) : "memory");
	return fault;
}

/* Read CR4; #UD on processors before the Pentium that have none. On a fault: value 0. */
static inline fault_t cr4_try_read(uintptr_t *value)
{
	fault_t fault = FAULT_NONE;

	*value = 0;
	__asm__ volatile ("1: mov %%cr4, %0\n\t"
	                  "2:\n\t" FIXUP("1b", "2b")
	                  : "+r" (*value), "+S" (fault.raw) : : "memory");
	return fault;
}

/* MSRs that must be there: a fault ends the test with an ERROR naming vector, address and ECX. */
static inline uint64_t msr_read(uint32_t msr)
{
	uint32_t low, high;

	__asm__ volatile ("rdmsr" : "=a" (low), "=d" (high) : "c" (msr) : "memory");
	return (uint64_t)high << 32 | low;
}

static inline void msr_write(uint32_t msr, uint64_t value)
{
	__asm__ volatile ("wrmsr"
	                  : : "a" ((uint32_t)value), "d" ((uint32_t)(value >> 32)), "c" (msr)
	                  : "memory");
}

#endif
