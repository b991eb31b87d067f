/* SPDX-License-Identifier: MIT */
/* Reads numbers as loaders and firmware write them: lowest byte first, aligned or not. */
#ifndef KERNEL_LIB_BYTES_H
#define KERNEL_LIB_BYTES_H

#include <stdint.h>

static inline uint16_t read_u16(const uint8_t *from)
{
	return (uint16_t)(from[0] | from[1] << 8);
}

static inline uint32_t read_u32(const uint8_t *from)
{
	return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16
	     | (uint32_t)from[3] << 24;
}

static inline uint64_t read_u64(const uint8_t *from)
{
	return read_u32(from) | (uint64_t)read_u32(from + 4) << 32;
}

#endif
