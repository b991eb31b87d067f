/* SPDX-License-Identifier: MIT */
/*
 * Makes up the registers of a processor for code that reads and writes MSRs. A test lists those
 * that exist; all others raise #GP. What is written is noted as text, "C0010201=FFFFFFFFFFFF ",
 * with ! in place of = if it raised #GP, so that a test compares each write and their order.
 */
#ifndef TESTS_UNIT_PMU_DRIVERS_MADE_UP_MSRS_H
#define TESTS_UNIT_PMU_DRIVERS_MADE_UP_MSRS_H

#include <arch/cpu/fault.h>
#include <tests/unit/unit.h>

struct made_up {
	uint32_t msr;
	uint64_t value;
	uint64_t reserved;             /* bits that raise #GP if they are written as 1 */
	uint32_t clears;               /* the register in which a write of 1 clears the bit, or 0 */
};

enum { MADE_UP_MAX = 64, WRITTEN_SIZE = 2048 };
static struct made_up made_up[MADE_UP_MAX];
static unsigned made_up_count;
static char written[WRITTEN_SIZE];

static inline void made_up_forget(void)
{
	made_up_count = 0;
	written[0] = 0;
}

static inline struct made_up *made_up_add(uint32_t msr, uint64_t value)
{
	struct made_up *m = &made_up[made_up_count++];

	if (made_up_count > MADE_UP_MAX)
		abort();
	*m = (struct made_up){ .msr = msr, .value = value };
	return m;
}

/* AMD's first selects and counters have two addresses each: APM 2, "Performance Counter MSRs". */
static inline struct made_up *made_up_find(uint32_t msr)
{
	const uint32_t n = msr - 0xc0010000u;
	const uint32_t same = n < 4 ? 0xc0010200u + 2 * n : n < 8 ? 0xc0010201u + 2 * (n - 4) : msr;

	for (unsigned i = 0; i < made_up_count; i++)
		if (made_up[i].msr == msr || made_up[i].msr == same)
			return &made_up[i];
	return NULL;
}

/* Returns the value of a register, without a note; one that does not exist ends the program. */
static inline uint64_t *made_up_value(uint32_t msr)
{
	struct made_up *m = made_up_find(msr);

	if (!m)
		abort();
	return &m->value;
}

static inline void write_down(const char *text)
{
	if (strlen(written) + strlen(text) >= sizeof(written))
		abort();
	strcat(written, text);
}

/* Checks what was written since the last check. */
#define check_written(what, want) \
	(check_str(what, written, want) ? (void)(written[0] = 0) : (void)(written[0] = 0))

fault_t msr_try_read(uint32_t msr, uint64_t *value)
{
	const struct made_up *m = made_up_find(msr);

	*value = m ? m->value : 0;
	return m ? FAULT_NONE : fault_make(13, 0);
}

fault_t msr_try_write(uint32_t msr, uint64_t value)
{
	struct made_up *m = made_up_find(msr);
	const bool is_right = m && !(value & m->reserved);
	char text[48];

	snprintf(text, sizeof(text), "%" PRIX32 "%c%" PRIX64 " ", msr, is_right ? '=' : '!', value);
	write_down(text);
	if (!is_right)
		return fault_make(13, 0);
	if (m->clears)
		*made_up_value(m->clears) &= ~value;
	else
		m->value = value;
	return FAULT_NONE;
}

/* RDPMC reads AMD's core counters. */
fault_t pmc_try_read(uint32_t index, uint64_t *value)
{
	return msr_try_read(0xc0010004u + index, value);
}

/* A fault of these two ends the test in the kernel. */
uint64_t msr_read(uint32_t msr)
{
	return *made_up_value(msr);
}

void msr_write(uint32_t msr, uint64_t value)
{
	if (is_fault(msr_try_write(msr, value)))
		write_down("the test ends ");
}

#endif
