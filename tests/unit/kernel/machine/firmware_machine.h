/* SPDX-License-Identifier: MIT */
/* Plays a machine's memory on the host, for firmware's tables: the first MB, and some memory below
 * 4 GB. */
#ifndef TESTS_UNIT_KERNEL_MACHINE_FIRMWARE_MACHINE_H
#define TESTS_UNIT_KERNEL_MACHINE_FIRMWARE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <kernel/loader/bootinfo.h>
#include <kernel/machine/processors.h>

#include <tests/unit/kernel/machine/host_memory.h>

#define LOW_SIZE   0x100000
#define HIGH       0xbffe0000u
#define HIGH_SIZE  0x2000

#define U8(v)   (uint8_t)(v)
#define U16(v)  U8(v), U8((v) >> 8)
#define U32(v)  U8(v), U8((v) >> 8), U8((v) >> 16), U8((v) >> 24)
#define U64(v)  U32((uint64_t)(v) & 0xffffffff), U32((uint64_t)(v) >> 32)

struct firmware_machine {
	struct physical_memory physical;        /* first: at() finds the other members from it */
	uint8_t low[LOW_SIZE], high[HIGH_SIZE];
	bool is_page_0_absent;
	struct host_copy *copies;
	unsigned long calls;                    /* of at() */
};

static struct firmware_machine machine;
static struct bootinfo boot;
static struct processors found;

/* Returns the bytes at address, or NULL if not all of them exist. Address 0 is no pointer. */
static inline uint8_t *machine_bytes(uint64_t address, size_t size)
{
	if (address == 0 || (machine.is_page_0_absent && address < 4096))
		return NULL;
	if (address <= LOW_SIZE && size <= LOW_SIZE - address)
		return machine.low + address;
	if (address >= HIGH && address - HIGH <= HIGH_SIZE && size <= HIGH_SIZE - (address - HIGH))
		return machine.high + (address - HIGH);
	return NULL;
}

/* Gives a copy of exactly the bytes asked for, so that ASan sees a read of one more. */
static inline const void *machine_at(const struct physical_memory *physical, uint64_t address,
                                     size_t size)
{
	const uint8_t *bytes = machine_bytes(address, size);
	struct host_copy *copy;

	(void)physical;
	machine.calls++;
	if (!bytes)
		return NULL;
	copy = malloc(sizeof(*copy) + size);
	if (!copy)
		abort();
	memcpy(copy->bytes, bytes, size);
	copy->next = machine.copies;
	machine.copies = copy;
	return copy->bytes;
}

/* Clears the machine: no firmware, no tables, started by a BIOS. */
static inline void machine_clear(void)
{
	memset(&machine, 0, sizeof(machine));
	memset(&boot, 0, sizeof(boot));
	machine.physical.at = machine_at;
}

/* Frees the memory that was read. */
static inline void machine_free(void)
{
	while (machine.copies) {
		struct host_copy *next = machine.copies->next;

		free(machine.copies);
		machine.copies = next;
	}
}

/* Looks for processors; the memory that was read is freed afterwards. */
static inline void machine_find(void)
{
	memset(&found, 0x5a, sizeof(found));    /* the former contents must not matter */
	processors_find(&found, &boot, &machine.physical);
	machine_free();
}

/* Writes bytes where memory exists. */
static inline void machine_put(uint64_t address, const void *bytes, size_t size)
{
	uint8_t *to = machine_bytes(address, size);

	if (!to)
		abort();
	memcpy(to, bytes, size);
}

/* Makes size bytes sum to 0 by changing the one at this offset. */
static inline void machine_sum(uint64_t address, size_t size, size_t offset)
{
	uint8_t *bytes = machine_bytes(address, size);

	if (!bytes)
		abort();
	bytes[offset] = 0;
	for (size_t i = 0; i < size; i++) {
		if (i != offset)
			bytes[offset] = (uint8_t)(bytes[offset] - bytes[i]);
	}
}

#define machine_set(address, ...) \
	machine_put(address, (const uint8_t[]){ __VA_ARGS__ }, \
	            sizeof((const uint8_t[]){ __VA_ARGS__ }))

#endif
