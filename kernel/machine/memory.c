/* SPDX-License-Identifier: MIT */
#include <kernel/machine/memory.h>

#include <stddef.h>

#include <arch/cpu/lock.h>
#include <arch/cpu/self.h>
#include <arch/regs/multiboot.h>
#include <kernel/lib/format.h>

#define KB (UINT64_C(1) << 10)

/*
 * The image and the suites' buffers need this much usable memory. A PC with 16 MB has it: apart
 * from the hole from 640 KB to 1 MB, its firmware keeps less than that for tables at the top.
 */
#define MEMORY_NEEDED  (15 * 1024 * KB)

#define PAGE 4096u

static const struct bootinfo *boot;

static SHARED uint32_t taken_end;       /* RAM below this address is in use */
static SHARED struct lock taking;
static SHARED uint32_t reserved_base, reserved_size;

void memory_init(const struct bootinfo *loaders, uintptr_t from)
{
	boot = loaders;
	taken_end = (uint32_t)from;
}

/* UEFI's memory map has holes, so this adds up all ranges. */
uint64_t memory_usable(void)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < boot->range_count; i++)
		if (boot->range[i].type == MULTIBOOT_MEMORY_AVAILABLE)
			sum += boot->range[i].length;
	return boot->range_count ? sum : boot->memory_top;
}

const char *memory_problem(void)
{
	static char text[96];

	if (!boot->has_memory || memory_usable() >= MEMORY_NEEDED)
		return NULL;
	format_buf(text, sizeof(text),
	           "not enough memory: Barecount needs 16 MB, %u KB are usable here",
	           (uint32_t)(memory_usable() / KB));
	return text;
}

bool memory_is_free(uint64_t base, uint64_t length)
{
	for (unsigned i = 0; i < boot->range_count; i++) {
		const struct memory_range *r = &boot->range[i];

		if (r->type == MULTIBOOT_MEMORY_AVAILABLE && r->base <= base
		    && base + length <= r->base + r->length)
			return true;
	}
	return boot->range_count == 0 && base + length <= 640 * KB;
}

void memory_reserve(uint32_t base, uint32_t size)
{
	reserved_base = base;
	reserved_size = size;
}

/* Returns the first page at or above start that begins size unreserved bytes. */
static uint64_t skip_reserved(uint64_t start, uint32_t size)
{
	const uint64_t reserved_end = (uint64_t)reserved_base + reserved_size;

	start = (start + PAGE - 1) & ~(uint64_t)(PAGE - 1);
	return start < reserved_end && start + size > reserved_base ? reserved_end : start;
}

/* Returns the first place at or above taken_end in this range, or 0. */
static uintptr_t place_in(const struct memory_range *r, uint32_t size)
{
	const uint64_t start = skip_reserved(r->base < taken_end ? taken_end : r->base, size);

	if (r->type != MULTIBOOT_MEMORY_AVAILABLE || start + size > r->base + r->length
	    || start + size > UINT32_MAX)
		return 0;
	return (uintptr_t)start;
}

static uintptr_t take(uint32_t size)
{
	uintptr_t best = 0;

	for (unsigned i = 0; i < boot->range_count; i++) {
		uintptr_t place = place_in(&boot->range[i], size);

		if (place && (!best || place < best))
			best = place;
	}
	if (best)
		taken_end = (uint32_t)(best + size);
	return best;
}

uintptr_t memory_take(uint32_t size)
{
	uintptr_t taken;

	lock_take(&taking);
	taken = take(size);
	lock_release(&taking);
	return taken;
}
