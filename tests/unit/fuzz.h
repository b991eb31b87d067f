/* SPDX-License-Identifier: MIT */
/* What fuzzers share: libFuzzer's entry, and a condition whose breach is a finding. */
#ifndef TESTS_UNIT_FUZZ_H
#define TESTS_UNIT_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define REQUIRE(condition) \
	do { \
		if (!(condition)) \
			abort(); \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
