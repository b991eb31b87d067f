/* SPDX-License-Identifier: MIT */
#include <kernel/machine/image.h>

#include <stddef.h>

#include <kernel/lib/check.h>
#include <kernel/lib/format.h>

/* A page of memory, and what is added before the sum rotates. */
enum { PAGE_WORDS = 512, LINE_WORDS = 8 };

extern const uint64_t text_start[], rodata_end[];       /* linker.ld */

/* The build writes the sum here, so the compiler must not know the value. */
static const volatile uint32_t built __attribute__((section(".sum"), used)) = 0;

/*
 * Emulators execute this loop twice in each boot, over a megabyte. A CRC of each byte would cost
 * them ten times as much.
 */
static uint64_t sum_lines(const uint64_t *from, const uint64_t *end)
{
	uint64_t sum = 0;

	for (; from < end; from += LINE_WORDS) {
		sum = sum << 1 | sum >> 63;
		sum += from[0];
		sum += from[1];
		sum += from[2];
		sum += from[3];
		sum += from[4];
		sum += from[5];
		sum += from[6];
		sum += from[7];
	}
	return sum;
}

static void add_word(struct check *check, uint64_t word)
{
	for (unsigned byte = 0; byte < sizeof(word); byte++)
		check_add(check, (char)(word >> 8 * byte));
}

uint32_t image_sum(void)
{
	struct check check = { 0 };

	for (const uint64_t *page = text_start; page < rodata_end; page += PAGE_WORDS) {
		const size_t left = (size_t)(rodata_end - page);

		add_word(&check, sum_lines(page, page + (left < PAGE_WORDS ? left : PAGE_WORDS)));
	}
	return check.crc;
}

const char *image_problem(uint32_t sum)
{
	static char problem[112];

	if (sum == built)
		return NULL;
	format_buf(problem, sizeof(problem), "the kernel has changed, on its medium or in memory: "
	           "the sum of its code and constants is %08X, not %08X", sum, built);
	return problem;
}
