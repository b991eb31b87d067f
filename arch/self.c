/* SPDX-License-Identifier: MIT */
#include <arch/self.h>

unsigned smp_own_number;

unsigned smp_self(void)
{
	return smp_own_number;
}
