/* SPDX-License-Identifier: MIT */
#include <kernel/log/id_numbers.h>

#include <kernel/lib/check.h>

unsigned id_number(const char *id)
{
	struct check sum = { 0, 0 };

	for (; *id; id++)
		check_add(&sum, *id);
	for (unsigned i = 0; i < id_count; i++)
		if (id_sums[i] == sum.crc)
			return i + 1;
	return 0;
}
