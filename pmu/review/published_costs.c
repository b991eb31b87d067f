/* SPDX-License-Identifier: MIT */
#include <pmu/review/published_costs.h>

#include <stddef.h>

#include <arch/regs/table.h>

/*
 * RDPMC, and RDMSR and WRMSR of an event select, of which 64 follow each other.
 * Source: perfctr 2.6 (M. Pettersson), the files of costs; one processor of each family and model.
 */
static const struct published_cost costs[] = {
	{ VENDOR_INTEL, 0x05, 0x02, "a Pentium 133",        {    0,  220,  329 } },
	{ VENDOR_INTEL, 0x05, 0x04, "a Pentium MMX 166",    {  138,  238,  363 } },
	{ VENDOR_INTEL, 0x06, 0x01, "a Pentium Pro 200",    {  331,  684,  730 } },
	{ VENDOR_INTEL, 0x06, 0x03, "a Pentium II 266",     {  284,  694,  748 } },
	{ VENDOR_INTEL, 0x06, 0x05, "a Pentium II 350",     {  296,  694,  791 } },
	{ VENDOR_INTEL, 0x06, 0x07, "a Pentium III 450",    {  343,  689, 1053 } },
	{ VENDOR_INTEL, 0x06, 0x08, "a Pentium III 1000",   {  354,  728,  761 } },
	{ VENDOR_INTEL, 0x06, 0x0A, "a Pentium III Xeon 700", { 330, 727, 759 } },
	{ VENDOR_INTEL, 0x06, 0x0B, "a Pentium III 1400",   {  331,  719,  960 } },
	{ VENDOR_INTEL, 0x06, 0x0D, "a Pentium M 2000",     {  479,  880, 1433 } },
	{ VENDOR_INTEL, 0x06, 0x0F, "a Core 2 of 2.4 GHz",  {  535, 1902, 2199 } },
	{ VENDOR_INTEL, 0x06, 0x17, "a Core 2 E8400",       {  531, 1853, 2413 } },
	{ VENDOR_INTEL, 0x06, 0x1A, "a Core i7-920",        {  321,  873, 1502 } },
	{ VENDOR_INTEL, 0x0F, 0x01, "a Pentium 4 1.5",      { 1431, 1626, 8770 } },
	{ VENDOR_INTEL, 0x0F, 0x02, "a Pentium 4 2.26",     { 1438, 1668, 9141 } },
	{ VENDOR_INTEL, 0x0F, 0x03, "a Pentium 4 Xeon 3.0", { 2267, 3755, 9799 } },
	{ VENDOR_AMD,   0x06, 0x04, "an Athlon 1.2",        {  186,  524, 2318 } },
	{ VENDOR_AMD,   0x06, 0x06, "an Athlon 1.66",       {  154,  502, 2296 } },
	{ VENDOR_AMD,   0x0F, 0x04, "an Athlon 64 2.0",     {  182,  572, 3323 } },
	{ VENDOR_AMD,   0x0F, 0x05, "an Opteron 2.4",       {  100,  568, 3288 } },
	{ VENDOR_AMD,   0x10, 0x02, "an Opteron 8354",      {  128, 1200, 4658 } },
	{ VENDOR_AMD,   0x10, 0x04, "an Opteron 8384",      {  217, 1983, 7791 } },
};

const struct published_cost *published_cost_of(const struct cpu_identity *cpu)
{
	for (size_t i = 0; i < COUNT_OF(costs); i++) {
		const struct published_cost *c = &costs[i];

		if (c->vendor == cpu->vendor && c->family == cpu->family && c->model == cpu->model)
			return c;
	}
	return NULL;
}

bool published_is_beyond(enum costly what, uint32_t clocks)
{
	uint32_t most = 0;

	for (size_t i = 0; i < COUNT_OF(costs); i++) {
		if (costs[i].tenths[what] > most)
			most = costs[i].tenths[what];
	}
	return clocks > 2 * most / 10;
}
