/* SPDX-License-Identifier: MIT */
/* What exception handling needs to know of mode_run(). */
#ifndef ARCH_X86_32_MODE_RUN_H
#define ARCH_X86_32_MODE_RUN_H

#include <stdbool.h>

#include <arch/x86_32/frame.h>

/* Is code under mode_run() what was interrupted? (Real mode never gets here.) */
bool mode_run_is_active(void);

/* Ends it: takes registers and fault from the frame and goes back to mode_run(). */
void mode_run_end(const struct frame *f) __attribute__((noreturn));

#endif
