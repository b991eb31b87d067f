/* SPDX-License-Identifier: MIT */
/* Connects mode_run() (modes.c) with the modes of each kernel and with exception handling. */
#ifndef ARCH_MODES_MODE_RUN_H
#define ARCH_MODES_MODE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/cpu/frame.h>
#include <arch/modes/modes.h>

/* Describes a mode. A row without a name stands for a mode that this kernel does not have. */
struct mode_row {
	const char *name;
	uint32_t cs, ds, flags;
	unsigned cpl;
	unsigned bits;                  /* code width: 16, 32 or 64 */
	/* Run the mode if mode_enter() cannot, and write the result into the entry. */
	void (*prepare)(void);          /* called before the code is put into low memory */
	void (*run)(struct mode_entry *entry);
	void (*cancel)(void);           /* releases what prepare() took if run() was left early */
};

extern const struct mode_row mode_table[MODE_COUNT];

/* Prepares what the modes need in low memory in addition to the code under test. */
void mode_table_init(void);

/* Returns true if code under mode_run() was interrupted. (Real mode never gets here.) */
bool mode_run_is_active(void);

/* Ends the code under test: takes registers and fault from the frame and returns to mode_run(). */
void mode_run_end(const struct frame *f) __attribute__((noreturn));

/* Enters a mode, in assembly; returns when mode_leave() is called. */
void mode_enter(struct mode_entry *entry);
void mode_leave(void) __attribute__((noreturn));

#endif
