/* SPDX-License-Identifier: MIT */
/*
 * Plays guest memory and registers for the model's unit tests: some pages at one address, each of
 * which may be missing; everything else faults. All processors of a test share one guest.
 */
#ifndef TESTS_UNIT_MODEL_CORE_MODEL_GUEST_H
#define TESTS_UNIT_MODEL_CORE_MODEL_GUEST_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <model/refpmu.h>

enum { GUEST_PAGE = 0x1000, GUEST_PAGES = 4, GUEST_SIZE = GUEST_PAGES * GUEST_PAGE };

struct guest {
	uint64_t base;
	uint8_t bytes[GUEST_SIZE];
	uint32_t holes;                /* bit per page: it is missing */
	struct refpmu_registers registers;
	unsigned shutdowns, writes;
	/* Called before each write, with the host's context; may be NULL. */
	void (*will_write)(void *context, uint64_t linear, const void *bytes, size_t size);
};

static struct guest guest;

/* Starts with pages from base on, filled with this byte, and with registers that all differ. */
static inline void guest_restart(uint64_t base, uint8_t fill)
{
	memset(&guest, 0, sizeof(guest));
	memset(guest.bytes, fill, sizeof(guest.bytes));
	guest.base = base;
	guest.registers.flags = 0x246;
	for (unsigned i = 0; i < 16; i++)
		guest.registers.general[i] = UINT64_C(0x1122334455660000) + i;
	for (unsigned i = 0; i < 32; i++)
		guest.registers.xmm[i / 2][i % 2] = UINT64_C(0x7788990000000000) + i;
}

static inline bool guest_is_there(uint64_t linear, size_t size)
{
	uint64_t first = linear - guest.base, last = first + size - 1;

	if (!size || first >= GUEST_SIZE || last >= GUEST_SIZE || last < first)
		return false;
	for (uint64_t page = first / GUEST_PAGE; page <= last / GUEST_PAGE; page++)
		if (guest.holes >> page & 1)
			return false;
	return true;
}

static inline bool guest_read(void *context, uint64_t linear, void *bytes, size_t size)
{
	(void)context;
	if (!guest_is_there(linear, size))
		return false;
	memcpy(bytes, guest.bytes + (linear - guest.base), size);
	return true;
}

static inline bool guest_write(void *context, uint64_t linear, const void *bytes, size_t size)
{
	if (!guest_is_there(linear, size))
		return false;
	if (guest.will_write)
		guest.will_write(context, linear, bytes, size);
	memcpy(guest.bytes + (linear - guest.base), bytes, size);
	guest.writes++;
	return true;
}

static inline void guest_registers(void *context, bool with_xmm, struct refpmu_registers *registers)
{
	(void)context;
	memcpy(registers->general, guest.registers.general, sizeof(registers->general));
	registers->flags = guest.registers.flags;
	registers->tsc = guest.registers.tsc;
	registers->is_ia32e = guest.registers.is_ia32e;
	if (with_xmm)
		memcpy(registers->xmm, guest.registers.xmm, sizeof(registers->xmm));
}

static inline void guest_shut_down(void *context)
{
	(void)context;
	guest.shutdowns++;
}

/* Initialises the members of a host that belong to the guest. */
#define GUEST_HOST \
	.read_memory = guest_read, .write_memory = guest_write, \
	.read_registers = guest_registers, .shut_down = guest_shut_down

/* Reads a number of `width` bytes from memory. */
static inline uint64_t guest_get(uint64_t linear, unsigned width)
{
	uint64_t value = 0;

	guest_read(NULL, linear, &value, width);
	return value;
}

static inline void guest_put(uint64_t linear, unsigned width, uint64_t value)
{
	if (guest_is_there(linear, width))
		memcpy(guest.bytes + (linear - guest.base), &value, width);
}

#endif
