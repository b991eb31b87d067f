/* SPDX-License-Identifier: MIT */
/*
 * PMU_SNAPSHOT in the environment, a number from 1 on: so often the model is saved, its memory
 * poisoned, created anew and restored. A run says the same with it.
 */
#ifndef MODEL_BOCHS_SNAPSHOTS_H
#define MODEL_BOCHS_SNAPSHOTS_H

#include "glue.h"

/* As PMU_SNAPSHOT says. */
void prepare_snapshots(void);

/* All of the model is saved and restored, in the same memory (bochs_processors.cc). Returns the
 * string's size. */
size_t take_snapshot(void);

extern Bit64s until_snapshot;           /* places to go; never, where nobody asked for any */
void snapshot_is_due(void);

/* A place between two calls of the model; it is worth that many plain ones. */
static inline void pass_place(unsigned worth)
{
	until_snapshot -= worth;
	if (__builtin_expect(until_snapshot < 0, false))
		snapshot_is_due();
}

#endif
