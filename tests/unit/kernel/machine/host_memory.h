/* SPDX-License-Identifier: MIT */
/* Plays physical memory on the host: one block at one address, and nothing else. */
#ifndef TESTS_UNIT_KERNEL_MACHINE_HOST_MEMORY_H
#define TESTS_UNIT_KERNEL_MACHINE_HOST_MEMORY_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <kernel/loader/bootinfo.h>

struct host_copy {
	struct host_copy *next;
	uint8_t bytes[];
};

struct host_memory {
	struct physical_memory physical;        /* first: at() finds the other members from it */
	uint64_t base;
	const uint8_t *bytes;
	size_t size;
	struct host_copy *copies;
	unsigned long calls;                    /* of at() */
};

/* Gives a copy of exactly the bytes asked for, so that ASan sees a read of one more. */
static inline const void *host_memory_at(const struct physical_memory *physical, uint64_t address,
                                         size_t size)
{
	struct host_memory *memory = (struct host_memory *)(uintptr_t)physical;
	struct host_copy *copy;

	memory->calls++;
	if (address < memory->base || address - memory->base > memory->size
	    || size > memory->size - (address - memory->base))
		return NULL;
	copy = malloc(sizeof(*copy) + size);
	if (!copy)
		abort();
	memcpy(copy->bytes, memory->bytes + (address - memory->base), size);
	copy->next = memory->copies;
	memory->copies = copy;
	return copy->bytes;
}

/* Parses the block of memory; the memory that the parser read is freed afterwards. */
static inline unsigned long host_memory_parse(struct bootinfo *b, uint32_t magic, uint64_t address,
                                              uint64_t base, const uint8_t *bytes, size_t size)
{
	struct host_memory memory = { { host_memory_at }, base, bytes, size, NULL, 0 };

	memset(b, 0x5a, sizeof(*b));            /* the former contents must not matter */
	bootinfo_parse(b, magic, address, &memory.physical);
	while (memory.copies) {
		struct host_copy *next = memory.copies->next;

		free(memory.copies);
		memory.copies = next;
	}
	return memory.calls;
}

#endif
