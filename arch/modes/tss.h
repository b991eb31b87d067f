/* SPDX-License-Identifier: MIT */
/* Includes struct tss of this width. */
#ifndef ARCH_MODES_TSS_H
#define ARCH_MODES_TSS_H

#ifdef __x86_64__
#include <arch/modes/x86_64/tss.h>
#else
#include <arch/modes/x86_32/tss.h>
#endif

#endif
