/* SPDX-License-Identifier: MIT */
#ifndef ARCH_REGS_TABLE_H
#define ARCH_REGS_TABLE_H

/* Returns the number of a table's rows. It must be an array, not a pointer. */
#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))

#endif
