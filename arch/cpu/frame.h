/* SPDX-License-Identifier: MIT */
/* struct frame, what the stack holds while an exception or interrupt is handled, of this width. */
#ifndef ARCH_CPU_FRAME_H
#define ARCH_CPU_FRAME_H

#ifdef __x86_64__
#include <arch/cpu/x86_64/frame.h>
#else
#include <arch/cpu/x86_32/frame.h>
#endif

#endif
