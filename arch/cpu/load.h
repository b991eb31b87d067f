/* SPDX-License-Identifier: MIT */
/*
 * Which register a load addresses with: its bytes say so. Source: SDM 2A, "Addressing-Mode Encoding
 * of ModR/M and SIB Bytes" and "REX Prefixes".
 */
#ifndef ARCH_CPU_LOAD_H
#define ARCH_CPU_LOAD_H

#include <stdbool.h>
#include <stdint.h>

struct load {
	unsigned base;                 /* by its number in ModRM and REX: 0 is AX, 3 BX, 15 R15 */
	int32_t displacement;
};

/* MOV r, r/m of 32 or, with REX.W, 64 bits, whose address is one register and a displacement.
 * False: it is something else, an index register or an address without a base among it. */
bool load_decode(const uint8_t *code, bool is_64bit, struct load *load);

#endif
