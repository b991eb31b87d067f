/* SPDX-License-Identifier: MIT */
/*
 * Defines how register fields are written down: once each, as printed in the manual (highest bit
 * first).
 */
#ifndef ARCH_REGS_BITS_H
#define ARCH_REGS_BITS_H

#include <stdint.h>

/* Makes the mask of bit n of a register of up to 64 bits. */
#define BIT(n)            (UINT64_C(1) << (n))

/*
 * Makes the mask of bit n of a 32-bit register (CR0, EFLAGS, APIC, CPUID). The mask stays 32 bits
 * wide in the 32-bit kernel.
 */
#define BIT32(n)          (UINT32_C(1) << (n))

/*
 * Makes the mask of bits hi to lo. The macros below take this mask, so that no field has a second
 * definition.
 */
#define FIELD(hi, lo)     ((~UINT64_C(0) >> (63 - (hi))) & (~UINT64_C(0) << (lo)))
#define FIELD_LSB(f)      ((f) & (~(f) + 1))

/*
 * These macros are constant expressions, usable in tables. FIELD_PUT truncates a value that does
 * not fit.
 */
#define FIELD_PUT(f, v)   (((uint64_t)(v) * FIELD_LSB(f)) & (f))
#define FIELD_GET(f, reg) (((uint64_t)(reg) & (f)) / FIELD_LSB(f))

/*
 * Is true if every bit of a register is named exactly once. FIELDS(op) lists the register's fields
 * joined by op: the bitwise or finds a gap, the sum finds an overlap.
 */
#define COVERS_ALL_ONCE(fields) ((fields(|)) == ~UINT64_C(0) && (fields(+)) == ~UINT64_C(0))

#endif
