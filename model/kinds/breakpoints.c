/* SPDX-License-Identifier: MIT */
/* Which debug registers an access matches. Source: SDM 3B, "Debug Control Register (DR7)". */
#include <model/refpmu_kinds.h>

/* A bit for each value of DR7.R/Wn. */
static const uint8_t uses[] = {
	[REFPMU_EXECUTES] = 1 << 0,
	[REFPMU_WRITES]   = 1 << 1 | 1 << 3,
	[REFPMU_READS]    = 1 << 3,
	[REFPMU_USES_PORT] = 1 << 2,
};

uint8_t refpmu_breakpoints(uint64_t dr7, const uint64_t dr[4], enum refpmu_use use, uint64_t first,
                           unsigned size)
{
	static const unsigned bytes_of[] = { 1, 2, 8, 4 };      /* by DR7.LENn */
	uint8_t matching = 0;

	for (unsigned n = 0; n < 4; n++) {
		unsigned kind = dr7 >> (16 + 4 * n) & 3;
		unsigned bytes = bytes_of[dr7 >> (18 + 4 * n) & 3];
		uint64_t start = dr[n] & ~(uint64_t)(bytes - 1);

		if ((uses[use] & 1 << kind) && first < start + bytes && start < first + size)
			matching |= (uint8_t)(1 << n);
	}
	return matching;
}
