/* SPDX-License-Identifier: MIT */
/*
 * Decodes which register a load uses for its address. Source: SDM 2A, "Addressing-Mode Encoding of
 * ModR/M and SIB Bytes" and "REX Prefixes".
 */
#ifndef ARCH_CPU_LOAD_H
#define ARCH_CPU_LOAD_H

#include <stdbool.h>
#include <stdint.h>

struct load {
	unsigned base;                 /* number as in ModRM and REX: 0 is AX, 3 BX, 15 R15 */
	int32_t displacement;
};

/*
 * Decodes MOV r, r/m of 32 bits or, with REX.W, 64 bits, whose address is one register and a
 * displacement. Returns false for any other instruction, also if the address has an index register
 * or no base.
 */
bool load_decode(const uint8_t *code, bool is_64bit, struct load *load);

#endif
