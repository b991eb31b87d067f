/* SPDX-License-Identifier: MIT */
#include <arch/guests/guest_frame.h>

#include <stdbool.h>

#include <arch/modes/descriptors.h>
#include <arch/modes/tss.h>
#include <arch/regs/cpu.h>

static struct tss tss;
static uint8_t stack[4096] __attribute__((aligned(16)));
static struct { uint64_t part[sizeof(uintptr_t) / 4]; } idt[GUEST_VECTORS];

/* ---------------------------------------------------------------------------- segments */

static const uint64_t *descriptor_of(uint16_t selector)
{
	return (const uint64_t *)(segments_gdt().base + (selector & ~7u));
}

static uintptr_t base_of(const uint64_t *d)
{
	uint64_t base = FIELD_GET(DESCRIPTOR_BASE_LOW, *d) |
	                FIELD_GET(DESCRIPTOR_BASE_HIGH, *d) << 24;

#ifdef __x86_64__
	if (!(*d & DESCRIPTOR_S))
		base |= d[1] << 32;
#endif
	return (uintptr_t)base;
}

static uint32_t limit_of(uint64_t descriptor)
{
	uint32_t limit = (uint32_t)(FIELD_GET(DESCRIPTOR_LIMIT_HIGH, descriptor) << 16 |
	                            FIELD_GET(DESCRIPTOR_LIMIT_LOW, descriptor));

	return descriptor & DESCRIPTOR_G ? limit << 12 | 0xfff : limit;
}

struct guest_segment guest_segment(uint16_t selector)
{
	const uint64_t *d = descriptor_of(selector);

	return (struct guest_segment){ base_of(d), limit_of(*d), (uint32_t)(*d >> 40) & 0xffff };
}

/* ---------------------------------------------------------------------------- tables */

uintptr_t guest_stack_top(unsigned cpl)
{
	return (uintptr_t)stack + sizeof(stack) / (cpl ? 2 : 1);
}

struct table_descriptor guest_idt(const uint8_t *vectors)
{
	for (unsigned v = 0; v < GUEST_VECTORS; v++) {
		const uintptr_t at = guest_gate(vectors, v);

		idt[v].part[0] = GATE_DESCRIPTOR(at, SELECTOR_KERNEL_CODE, 3);
#ifdef __x86_64__
		idt[v].part[1] = at >> 32;
#endif
	}
	return (struct table_descriptor){ sizeof(idt) - 1, (uintptr_t)idt };
}

/* It has nothing but the stack for interruptions at CPL 3. LTR has marked the kernel's busy, as the
 * guest's must be. */
struct guest_segment guest_tss(void)
{
	struct guest_segment segment = guest_segment(SELECTOR_TSS);

#ifdef __x86_64__
	tss.rsp0 = guest_stack_top(0);
#else
	tss.esp0 = guest_stack_top(0);
	tss.ss0 = SELECTOR_KERNEL_DATA;
#endif
	segment.base = (uintptr_t)&tss;
	return segment;
}

/* ---------------------------------------------------------------------------- interruptions */

uintptr_t guest_gate(const uint8_t *vectors, unsigned vector)
{
	return (uintptr_t)vectors + GUEST_VECTOR_SIZE * vector;
}

int guest_vector_at(const uint8_t *vectors, uintptr_t ip)
{
	const uintptr_t offset = ip - guest_gate(vectors, 0);

	return offset < GUEST_VECTORS * GUEST_VECTOR_SIZE ? (int)(offset / GUEST_VECTOR_SIZE) : -1;
}

static bool has_error(int vector)
{
	return vector >= 0 && vector < X86_EXCEPTIONS && (X86_PUSHES_ERROR_CODE >> vector & 1);
}

/* Host and guest have the same addresses. */
uint32_t guest_frame_error(int vector, uintptr_t sp)
{
	return has_error(vector) ? (uint32_t)*(const uintptr_t *)sp : 0;
}

uintptr_t guest_frame_ip(int vector, uintptr_t sp)
{
	return ((const uintptr_t *)sp)[has_error(vector)];
}
