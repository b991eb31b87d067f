/* SPDX-License-Identifier: MIT */
/*
 * Defines the modes of the 64-bit kernel: 64-bit mode and compatibility mode. modes.asm has the
 * switches.
 */
#include <arch/modes/mode_run.h>

#include <arch/modes/segments.h>

const struct mode_row mode_table[MODE_COUNT] = {
	[MODE_CPL0]        = { "CPL 0", SELECTOR_KERNEL_CODE, SELECTOR_KERNEL_DATA, .bits = 64 },
	[MODE_CPL1]        = { "CPL 1", SELECTOR(GDT_CPL1_CODE, 1), SELECTOR(GDT_CPL1_DATA, 1),
	                       .cpl = 1, .bits = 64 },
	[MODE_CPL2]        = { "CPL 2", SELECTOR(GDT_CPL2_CODE, 2), SELECTOR(GDT_CPL2_DATA, 2),
	                       .cpl = 2, .bits = 64 },
	[MODE_CPL3]        = { "CPL 3", SELECTOR(GDT_CPL3_CODE, 3), SELECTOR(GDT_CPL3_DATA, 3),
	                       .cpl = 3, .bits = 64 },
	[MODE_CPL3_COMPAT] = { "32-bit code, CPL 3", SELECTOR(GDT_CPL3_CODE32, 3),
	                       SELECTOR(GDT_CPL3_DATA, 3), .cpl = 3, .bits = 32 },
	[MODE_CPL0_16BIT]  = { "16-bit code, CPL 0", SELECTOR_CODE16, SELECTOR_DATA16,
	                       .bits = 16 },
	[MODE_CPL3_16BIT]  = { "16-bit code, CPL 3", SELECTOR(GDT_CPL3_CODE16, 3),
	                       SELECTOR(GDT_CPL3_DATA16, 3), .cpl = 3, .bits = 16 },
};

/* Empty: 16-bit code needs to reach only the code under test. */
void mode_table_init(void)
{
}
