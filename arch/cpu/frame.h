/* SPDX-License-Identifier: MIT */
/*
 * Includes struct frame of this width: the stack's content while an exception or interrupt is
 * handled.
 */
#ifndef ARCH_CPU_FRAME_H
#define ARCH_CPU_FRAME_H

#ifdef __x86_64__
#include <arch/cpu/x86_64/frame.h>
#else
#include <arch/cpu/x86_32/frame.h>
#endif

#endif
