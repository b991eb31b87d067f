/* SPDX-License-Identifier: MIT */
#include <arch/cpu/cache.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/amd.h>
#include <arch/regs/table.h>

enum { TYPE_NONE = 0, TYPE_DATA = 1, TYPE_UNIFIED = 3, SUBLEAVES_MAX = 16 };

static bool by_leaf_4(struct cache_shape *shape)
{
	for (uint32_t i = 0; i < SUBLEAVES_MAX; i++) {
		const struct cpuid_result r = cpuid_read(4, i);
		const unsigned type = r.eax & 31, level = r.eax >> 5 & 7;
		const unsigned ways = (r.ebx >> 22) + 1, partitions = (r.ebx >> 12 & 0x3ff) + 1;
		const unsigned line = (r.ebx & 0xfff) + 1;

		if (type == TYPE_NONE)
			return false;
		if (level != 1 || (type != TYPE_DATA && type != TYPE_UNIFIED))
			continue;
		*shape = (struct cache_shape){ ways * partitions * line * (r.ecx + 1), ways, line,
		                               4, 0 };
		return r.ecx != 0;
	}
	return false;
}

/* Descriptors of first-level data caches. */
static const struct { uint8_t descriptor, kbytes, ways, line; } descriptors[] = {
	{ 0x0a,  8, 2, 32 }, { 0x0c, 16, 4, 32 }, { 0x0d, 16, 4, 64 }, { 0x0e, 24, 6, 64 },
	{ 0x2c, 32, 8, 64 }, { 0x60, 16, 8, 64 }, { 0x66,  8, 4, 64 }, { 0x67, 16, 4, 64 },
	{ 0x68, 32, 4, 64 },
};

static bool by_descriptor(uint8_t byte, struct cache_shape *shape)
{
	for (size_t i = 0; i < COUNT_OF(descriptors); i++) {
		if (descriptors[i].descriptor != byte)
			continue;
		*shape = (struct cache_shape){ descriptors[i].kbytes * 1024u, descriptors[i].ways,
		                               descriptors[i].line, 2, byte };
		return true;
	}
	return false;
}

/*
 * AL is the number of times to execute the leaf: 1 on every processor. A register with bit 31 set
 * holds nothing.
 */
static bool by_leaf_2(struct cache_shape *shape)
{
	const struct cpuid_result r = cpuid_read(2, 0);
	const uint32_t registers[] = { r.eax & ~UINT32_C(0xff), r.ebx, r.ecx, r.edx };

	for (unsigned i = 0; i < 16; i++) {
		const uint32_t value = registers[i / 4];

		if (!(value >> 31) && by_descriptor((uint8_t)(value >> i % 4 * 8), shape))
			return true;
	}
	return false;
}

bool cache_find_l1_data(struct cache_shape *shape)
{
	return by_leaf_4(shape) || by_leaf_2(shape);
}

bool cache_find_l1_data_of_amd(struct cache_shape *shape)
{
	const uint32_t ecx = cpuid_read(CPUID_AMD_HIGHEST, 0).eax < CPUID_AMD_L1
	                     ? 0 : cpuid_read(CPUID_AMD_L1, 0).ecx;
	const unsigned ways = (unsigned)FIELD_GET(CPUID_AMD_L1_ECX_DATA_WAYS, ecx);

	*shape = (struct cache_shape){
		.size = (uint32_t)FIELD_GET(CPUID_AMD_L1_ECX_DATA_SIZE, ecx) * 1024u, .ways = ways,
		.line = (unsigned)FIELD_GET(CPUID_AMD_L1_ECX_DATA_LINE, ecx),
		.leaf = CPUID_AMD_L1 };
	return ways && ways != FIELD_GET(CPUID_AMD_L1_ECX_DATA_WAYS, UINT32_MAX);
}
