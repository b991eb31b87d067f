/* SPDX-License-Identifier: MIT */
/*
 * Wraps instructions that may fault in functions that return the fault instead of ending the test.
 *
 * FIXUP records {instruction, where to continue} in .fixup_table. The exception handler looks up
 * the faulting address in that table, puts the fault into ESI and continues. It catches an
 * exception only at exactly that instruction.
 */
#ifndef ARCH_CPU_FAULT_H
#define ARCH_CPU_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/regs/bits.h>

/*
 * Describes a fault, or none. It is packed so that one register carries it; FAULT_VALID tells
 * vector 0 (#DE) from no fault.
 */
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

#if __STDC_HOSTED__

/* A unit test on the host defines these, over registers that it makes up. */
fault_t  msr_try_read(uint32_t msr, uint64_t *value);
fault_t  msr_try_write(uint32_t msr, uint64_t value);
fault_t  pmc_try_read(uint32_t index, uint64_t *value);
uint64_t msr_read(uint32_t msr);
void     msr_write(uint32_t msr, uint64_t value);

#else

/* Reads an MSR. On a fault, returns the fault and sets *value to 0. */
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

/*
 * Executes RDPMC. On a fault, returns the fault and sets *value to 0. RDPMC is not ordered with the
 * instructions around it.
 */
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

/*
 * Reads or writes an MSR that must exist: a fault ends the test with an ERROR that names vector,
 * address and ECX.
 */
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

/* Returns a value that RDMSR reads, or 0 if it faults. */
static inline uint64_t msr_read_or_0(uint32_t msr)
{
	uint64_t value;

	msr_try_read(msr, &value);
	return value;
}

/* Writes CR0. Returns #GP(0) if the combination of bits is invalid. */
static inline fault_t cr0_try_write(uintptr_t value)
{
	fault_t fault = FAULT_NONE;

	__asm__ volatile ("1: mov %1, %%cr0\n\t"
	                  "2:\n\t" FIXUP("1b", "2b")
	                  : "+S" (fault.raw) : "r" (value) : "memory");
	return fault;
}

/* Writes CR4. Returns #GP(0) if a reserved bit is set. */
static inline fault_t cr4_try_write(uintptr_t value)
{
	fault_t fault = FAULT_NONE;

	__asm__ volatile ("1: mov %1, %%cr4\n\t"
	                  "2:\n\t" FIXUP("1b", "2b")
	                  : "+S" (fault.raw) : "r" (value) : "memory");
	return fault;
}

/*
 * Reads CR4. On a processor older than the Pentium, which has no CR4, returns #UD and sets *value
 * to 0.
 */
static inline fault_t cr4_try_read(uintptr_t *value)
{
	fault_t fault = FAULT_NONE;

	*value = 0;
	__asm__ volatile ("1: mov %%cr4, %0\n\t"
	                  "2:\n\t" FIXUP("1b", "2b")
	                  : "+r" (*value), "+S" (fault.raw) : : "memory");
	return fault;
}

#endif
