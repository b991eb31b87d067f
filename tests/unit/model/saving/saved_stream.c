/* SPDX-License-Identifier: MIT */
/*
 * Saves and restores a machine, as a program without a C library for 32 and 64 bits. It reads the
 * number of a row of world_rows, a number of steps (two bytes), and perhaps its own earlier output;
 * it continues for so many steps and writes the state of emulator and machine.
 * tests/host/build/saved.t runs it.
 */
#include <tests/linux/system.h>
#include <tests/unit/model/saving/saving_world.h>

enum { STRING = 1 << 20, NUMBERS = 5 };

static struct world world, other;
static unsigned char string[STRING];

static void leave(int status)
{
	for (;;)
		system_call(__NR_exit, status, 0, 0, 0, 0);
}

static size_t read_in(unsigned char *bytes, size_t size)
{
	size_t got = 0;
	long n;

	while ((n = system_call(__NR_read, 0, (long)(bytes + got), (long)(size - got), 0, 0)) > 0)
		got += (size_t)n;
	return got;
}

static void write_out(const void *bytes, size_t size)
{
	const char *next = bytes;
	long n;

	for (; size; next += n, size -= (size_t)n) {
		n = system_call(__NR_write, 1, (long)next, (long)size, 0, 0);
		if (n <= 0)
			leave(3);
	}
}

#ifndef __x86_64__

/*
 * Divide 64-bit numbers, bit by bit, in 32-bit code, because libgcc for 32 bits is not installed
 * everywhere.
 */
uint64_t __udivmoddi4(uint64_t a, uint64_t b, uint64_t *rest);
uint64_t __udivdi3(uint64_t a, uint64_t b);
uint64_t __umoddi3(uint64_t a, uint64_t b);

uint64_t __udivmoddi4(uint64_t a, uint64_t b, uint64_t *rest)
{
	uint64_t quotient = 0;

	*rest = 0;
	for (unsigned i = 64; i-- > 0;) {
		bool is_long = *rest >> 63;

		*rest = *rest << 1 | (a >> i & 1);
		if (is_long || *rest >= b) {
			*rest -= b;
			quotient |= UINT64_C(1) << i;
		}
	}
	return quotient;
}

uint64_t __udivdi3(uint64_t a, uint64_t b)
{
	uint64_t rest;

	return __udivmoddi4(a, b, &rest);
}

uint64_t __umoddi3(uint64_t a, uint64_t b)
{
	uint64_t rest;

	__udivmoddi4(a, b, &rest);
	return rest;
}

#endif

/*
 * Moves the emulator's own part of a processor to or from an array that is the same for both
 * widths.
 */
static void move_numbers(struct world_cpu *c, uint64_t numbers[NUMBERS], bool is_reading)
{
	if (is_reading) {
		c->ip = numbers[0];
		c->rest = numbers[1];
		c->lvtpc = (uint32_t)numbers[2];
		c->cpl = (uint8_t)numbers[3];
		c->is_halted = numbers[4] != 0;
	}
	numbers[0] = c->ip;
	numbers[1] = c->rest;
	numbers[2] = c->lvtpc;
	numbers[3] = c->cpl;
	numbers[4] = c->is_halted;
}

static size_t take(const unsigned char **from, void *to, size_t size)
{
	__builtin_memcpy(to, *from, size);
	*from += size;
	return size;
}

static void restore(const unsigned char *from, size_t size)
{
	uint64_t numbers[NUMBERS];

	size -= take(&from, &other.sum, sizeof(other.sum));
	size -= take(&from, &other.seed, sizeof(other.seed));
	size -= take(&from, other.guest, sizeof(other.guest));
	other.cpus = world.cpus;
	for (unsigned i = 0; i < world.cpus; i++) {
		size -= take(&from, numbers, sizeof(numbers));
		move_numbers(&other.cpu[i], numbers, true);
	}
	world_copy(&world, &other);
	if (refpmu_restore(world.machine, from, size) != REFPMU_RESTORED)
		leave(4);
}

static void save(void)
{
	uint64_t numbers[NUMBERS];
	size_t size = refpmu_save(world.machine, string, STRING);

	write_out(&world.sum, sizeof(world.sum));
	write_out(&world.seed, sizeof(world.seed));
	write_out(world.guest, sizeof(world.guest));
	for (unsigned i = 0; i < world.cpus; i++) {
		move_numbers(&world.cpu[i], numbers, false);
		write_out(numbers, sizeof(numbers));
	}
	write_out(string, size);
}

void _start(void);
__attribute__((force_align_arg_pointer)) void _start(void)
{
	size_t size = read_in(string, STRING);

	if (size < 3 || string[0] >= WORLD_ROWS)
		leave(2);
	world_create(&world, &world_rows[string[0]], string[0]);
	if (size > 3)
		restore(string + 3, size - 3);
	world_run(&world, string[1] | (unsigned)string[2] << 8);
	save();
	leave(0);
}
