/* SPDX-License-Identifier: MIT */
#include <arch/cpu/self.h>

unsigned smp_own_number;

unsigned smp_self(void)
{
	return smp_own_number;
}
