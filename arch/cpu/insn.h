/* SPDX-License-Identifier: MIT */
/*
 * Wraps one instruction per function. Inline asm is allowed in this header and in fault.h only
 * (`make lint` checks it). A fault in one of these functions ends the test; fault.h has those that
 * are expected to fault.
 */
#ifndef ARCH_CPU_INSN_H
#define ARCH_CPU_INSN_H

#include <stdint.h>

static inline uint8_t port_in8(uint16_t port)
{
	uint8_t value;

	__asm__ volatile ("inb %1, %0" : "=a" (value) : "Nd" (port) : "memory");
	return value;
}

static inline uint16_t port_in16(uint16_t port)
{
	uint16_t value;

	__asm__ volatile ("inw %1, %0" : "=a" (value) : "Nd" (port) : "memory");
	return value;
}

static inline uint32_t port_in32(uint16_t port)
{
	uint32_t value;

	__asm__ volatile ("inl %1, %0" : "=a" (value) : "Nd" (port) : "memory");
	return value;
}

static inline void port_out8(uint16_t port, uint8_t value)
{
	__asm__ volatile ("outb %0, %1" : : "a" (value), "Nd" (port) : "memory");
}

static inline void port_out16(uint16_t port, uint16_t value)
{
	__asm__ volatile ("outw %0, %1" : : "a" (value), "Nd" (port) : "memory");
}

static inline void port_out32(uint16_t port, uint32_t value)
{
	__asm__ volatile ("outl %0, %1" : : "a" (value), "Nd" (port) : "memory");
}

/* Divides; the quotient must fit into 32 bits, or this is #DE. */
static inline uint32_t divide_u64(uint64_t dividend, uint32_t divisor)
{
	uint32_t quotient = (uint32_t)dividend, remainder = (uint32_t)(dividend >> 32);

	__asm__ ("divl %2" : "+a" (quotient), "+d" (remainder) : "rm" (divisor) : "cc");
	return quotient;
}

/* Access device memory: each function makes one access of its width, in program order. */
static inline uint32_t mmio_read32(uintptr_t address)
{
	return *(volatile uint32_t *)address;
}

static inline void mmio_write32(uintptr_t address, uint32_t value)
{
	*(volatile uint32_t *)address = value;
}

static inline uint8_t mmio_read8(uintptr_t address)
{
	return *(volatile uint8_t *)address;
}

static inline void mmio_write8(uintptr_t address, uint8_t value)
{
	*(volatile uint8_t *)address = value;
}

static inline void interrupts_disable(void) { __asm__ volatile ("cli" : : : "memory"); }
static inline void interrupts_enable(void)  { __asm__ volatile ("sti" : : : "memory"); }

/*
 * Executes STI and HLT as one unit: no interrupt is taken between them, because STI delays
 * interrupts by one instruction.
 */
static inline void interrupts_enable_and_halt(void)
{
	__asm__ volatile ("sti; hlt" : : : "memory");
}

/*
 * Calls the handler of NMIs, for an NMI that was taken from this kernel by a VM exit. The handler's
 * IRET unblocks NMIs.
 */
static inline void nmi_by_software(void) { __asm__ volatile ("int $2" : : : "memory"); }

static inline void cpu_halt(void)  { __asm__ volatile ("hlt" : : : "memory"); }

/* Waits until all loads and stores so far are done; for processors with SSE2. */
static inline void cpu_fence(void)
{
	__asm__ volatile ("mfence\n\tlfence" : : : "memory");
}

/* Inlined by whatever compiler, so that an NMI finds a loop of these in its own function. */
#define CPU_INLINE static inline __attribute__((always_inline))

CPU_INLINE void cpu_pause(void) { __asm__ volatile ("rep; nop" : : : "memory"); }

/* Writes all modified cache lines back to memory and invalidates the caches. */
static inline void caches_write_back(void) { __asm__ volatile ("wbinvd" : : : "memory"); }

static inline uintptr_t flags_read(void)
{
	uintptr_t flags;

	__asm__ volatile ("pushf; pop %0" : "=r" (flags) : : "memory");
	return flags;
}

static inline void flags_write(uintptr_t flags)
{
	__asm__ volatile ("push %0; popf" : : "r" (flags) : "memory", "cc");
}

static inline uintptr_t cr0_read(void)
{
	uintptr_t value;

	__asm__ volatile ("mov %%cr0, %0" : "=r" (value) : : "memory");
	return value;
}

static inline void cr0_write(uintptr_t value)
{
	__asm__ volatile ("mov %0, %%cr0" : : "r" (value) : "memory");
}

static inline uintptr_t cr2_read(void)
{
	uintptr_t value;

	__asm__ volatile ("mov %%cr2, %0" : "=r" (value) : : "memory");
	return value;
}

static inline uintptr_t cr3_read(void)
{
	uintptr_t value;

	__asm__ volatile ("mov %%cr3, %0" : "=r" (value) : : "memory");
	return value;
}

static inline void cr3_write(uintptr_t value)
{
	__asm__ volatile ("mov %0, %%cr3" : : "r" (value) : "memory");
}

static inline uintptr_t cr4_read(void)
{
	uintptr_t value;

	__asm__ volatile ("mov %%cr4, %0" : "=r" (value) : : "memory");
	return value;
}

static inline void cr4_write(uintptr_t value)
{
	__asm__ volatile ("mov %0, %%cr4" : : "r" (value) : "memory");
}

/* Invalidates the TLB entry of one page and nothing else (486 and later). */
static inline void tlb_drop_page(const void *page)
{
	__asm__ volatile ("invlpg (%0)" : : "r" (page) : "memory");
}

/*
 * Reads the TSC, which must exist. RDTSC is not ordered with the instructions around it: fence with
 * CPUID where that matters.
 */
CPU_INLINE uint64_t tsc_read(void)
{
	uint32_t low, high;

	__asm__ volatile ("rdtsc" : "=a" (low), "=d" (high) : : "memory");
	return (uint64_t)high << 32 | low;
}

struct cpuid_result { uint32_t eax, ebx, ecx, edx; };

/*
 * Executes CPUID, which serialises. The caller must know that the leaf exists: see cpuid_read() in
 * cpuid.h.
 */
static inline struct cpuid_result cpuid_execute(uint32_t leaf, uint32_t subleaf)
{
	struct cpuid_result r;

	__asm__ volatile ("cpuid" : "=a" (r.eax), "=b" (r.ebx), "=c" (r.ecx), "=d" (r.edx)
	                  : "a" (leaf), "c" (subleaf) : "memory");
	return r;
}

static inline void fpu_init(void) { __asm__ volatile ("fninit" : : : "memory"); }

/*
 * Loads the task register, LDT, IDT or GDT. The operands of the last two are the SDM's
 * pseudo-descriptors.
 */
static inline void task_register_load(uint16_t selector)
{
	__asm__ volatile ("ltr %0" : : "r" (selector) : "memory");
}

static inline uint16_t task_register_read(void)
{
	uint16_t selector;

	__asm__ volatile ("str %0" : "=r" (selector));
	return selector;
}

static inline void ldt_load(uint16_t selector)
{
	__asm__ volatile ("lldt %0" : : "r" (selector) : "memory");
}

static inline void idt_load(const void *descriptor)
{
	__asm__ volatile ("lidt (%0)" : : "r" (descriptor) : "memory");
}

static inline void gdt_store(void *descriptor)
{
	__asm__ volatile ("sgdt (%0)" : : "r" (descriptor) : "memory");
}

static inline void idt_store(void *descriptor)
{
	__asm__ volatile ("sidt (%0)" : : "r" (descriptor) : "memory");
}

static inline uint16_t code_selector_read(void)
{
	uint16_t selector;

	__asm__ volatile ("mov %%cs, %0" : "=r" (selector));
	return selector;
}

static inline uint16_t stack_selector_read(void)
{
	uint16_t selector;

	__asm__ volatile ("mov %%ss, %0" : "=r" (selector));
	return selector;
}

#endif
