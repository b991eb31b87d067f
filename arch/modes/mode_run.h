/* SPDX-License-Identifier: MIT */
/* Between mode_run() (modes.c), the modes of each kernel, and the handling of exceptions. */
#ifndef ARCH_MODES_MODE_RUN_H
#define ARCH_MODES_MODE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/cpu/frame.h>
#include <arch/modes/modes.h>

/* One mode; a row without a name is a mode that this kernel has not. */
struct mode_row {
	const char *name;
	uint32_t cs, ds, flags;
	unsigned cpl;
	unsigned bits;                  /* of its code: 16, 32, 64 */
	/* How, if not by mode_enter(): puts the code itself, and leaves its end in the entry. */
	void (*run)(struct mode_entry *entry, const void *code, size_t size);
	void (*cancel)(void);           /* what run() holds, should it have been left from inside */
};

extern const struct mode_row mode_table[MODE_COUNT];

/* Copies the code under test, and an end to it, to LOW_CODE_BASE. */
void mode_put_code(const void *code, size_t size);

/* What the modes need in low memory, beside the code under test. */
void mode_table_init(void);

/* Is code under mode_run() what was interrupted? (Real mode never gets here.) */
bool mode_run_is_active(void);

/* Ends it: takes registers and fault from the frame and goes back to mode_run(). */
void mode_run_end(const struct frame *f) __attribute__((noreturn));

/* The assembly: enters a mode; comes back when mode_leave() is called. */
void mode_enter(struct mode_entry *entry);
void mode_leave(void) __attribute__((noreturn));

#endif
