/* SPDX-License-Identifier: MIT */
#include <arch/modes/private.h>

uint32_t paging_private_size(void)
{
	return (uint32_t)(private_end - private_start) + LOW_END - LOW_REAL_BASE;
}

void *paging_private_at(uintptr_t block, const void *variable)
{
	return (void *)(block + ((uintptr_t)variable - (uintptr_t)private_start));
}
