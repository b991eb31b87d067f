/* SPDX-License-Identifier: MIT */
/* Describes ways of raising an exception, as rows of a table, and judges each row. */
#ifndef TESTS_SUITES_COMMON_RAISE_H
#define TESTS_SUITES_COMMON_RAISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <arch/modes/modes.h>
#include <arch/regs/cpu.h>
#include <arch/regs/table.h>
#include <kernel/run/test.h>

#define REFERENCE  "APM 2, \"Vectors\"; SDM 3A, \"Exception and Interrupt Reference\", "

#define RAISE_MAX_CODE  32

/*
 * Define sets of modes. Modes that this kernel does not have are not run. A row's code has the same
 * bytes in all modes of a set, so it must mean the same in all.
 */
#define IN(mode)         (1u << (mode))
#ifdef __x86_64__
#define IN_64            (IN(MODE_CPL0) | IN(MODE_CPL1) | IN(MODE_CPL2) | IN(MODE_CPL3))
#else
#define IN_64            0u
#endif
#define IN_CPL0          IN(MODE_CPL0)
#define IN_CPL3          (IN(MODE_CPL3) | IN(MODE_CPL3_COMPAT))
#define IN_USER          (IN(MODE_CPL1) | IN(MODE_CPL2) | IN_CPL3)
#define IN_WIDE          (IN_CPL0 | IN_USER)                 /* 32- and 64-bit code */
#define IN_32            (IN_WIDE & ~IN_64)
#define IN_PROTECTED16   (IN(MODE_CPL0_16BIT) | IN(MODE_CPL3_16BIT))
#define IN_BY_VALUE      (IN(MODE_VM86) | IN(MODE_REAL))     /* a selector is a paragraph there */
#define IN_16            (IN_PROTECTED16 | IN_BY_VALUE)
#define IN_UNPRIVILEGED  (IN_USER | IN(MODE_CPL3_16BIT) | IN(MODE_VM86))
#define IN_LEGACY        (IN_32 | IN_16)                     /* everything except 64-bit code */
#define IN_ALL           (IN_WIDE | IN_16)

/* Describes one way of raising an exception: the instruction, the modes, and the outcome. */
struct raise {
	const char *what;              /* the instruction, and what makes it raise the exception */
	unsigned modes;                /* IN(mode) | ... */
	uint8_t size;                  /* of the code, in bytes: see CODE() */
	uint8_t at;                    /* the saved address, in bytes from the start of the code */
	bool is_quiet;                 /* raises nothing: the code runs to its end */
	uint16_t error;                /* the error code; there is none in real mode */
	uintptr_t cr2;                 /* of #PF */
	uint8_t code[RAISE_MAX_CODE];
	struct mode_regs in;
};

#define GATE_ERROR(vector)  ((vector) << 3 | ERROR_IDT)    /* the error code that names a gate */

/*
 * Begins an instruction that is one byte too long: fifteen prefixes that mean nothing. The
 * instruction's last byte must follow.
 */
#define FIFTEEN_PREFIXES \
	0x26, 0x26, 0x26, 0x26, 0x26, 0x26, 0x26, 0x26, 0x26, 0x26, 0x26, 0x26, 0x26, 0x26, 0x26

/*
 * Makes a value whose bytes all differ, as wide as a register: ~low is above low if there is room.
 */
#define PATTERN(low)     ((uintptr_t)(~UINT64_C(low) << 32 | UINT64_C(low)))

/* Returns the bits of a register that code in this mode has. */
static inline uintptr_t mode_mask(enum cpu_mode mode)
{
	return mode_bits(mode) == 64 ? UINTPTR_MAX : UINT32_MAX;
}

#define CODE(...) .size = sizeof((const uint8_t[]){ __VA_ARGS__ }), .code = { __VA_ARGS__ }

/* Holds the rules that all rows of a table share. */
struct raise_rule {
	unsigned vector;
	const char *why;               /* the rule for the exception and its error code */
	const char *at_why;            /* the rule for the saved address; NULL: it is undefined */
	struct test_place place;
};

/* Runs each row in each of its modes; judges exception, error code, saved address and CR2. */
void raise_rows(struct test_ctx *t, const struct raise *rows, size_t count,
                const struct raise_rule *rule);

#define RAISE_ALL(t, rows, ...) \
	raise_rows(t, rows, COUNT_OF(rows), \
	           &(const struct raise_rule){ __VA_ARGS__, TEST_PLACE })

/* State the rule for the saved address, by the class of the exception. */
#define AT_FAULT  "a fault saves the address of the instruction that raised it"
#define AT_TRAP   "a trap saves the address of the instruction after the one that raised it"

#endif
