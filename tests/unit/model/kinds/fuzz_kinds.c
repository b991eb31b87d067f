/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Fuzzes the kinds of instructions: no bytes lead outside of them, no trait is the glue's own. */
#include <stdlib.h>
#include <string.h>

#include <model/refpmu_kinds.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unsigned bits[] = { 16, 32, 64 };
	uint8_t *bytes;

	if (size < 2 || size > 16)
		return 0;
	bytes = malloc(size - 1);               /* exactly, so that a read past them is found */
	memcpy(bytes, data + 1, size - 1);
	struct refpmu_kind kind = refpmu_kind_of(bytes, (unsigned)size - 1, bits[data[0] % 3]);
	free(bytes);
	if (kind.branch >= REFPMU_BRANCHES || kind.traits >= REFPMU_TRAIT_PRIVATE
	    || kind.segments >= 1 << 6)
		abort();
	return 0;
}
