/* SPDX-License-Identifier: MIT */
/*
 * PMU_SNAPSHOT in the environment is a seed from 1 on. With it the model is saved, its memory
 * poisoned, and the model created anew and restored, again and again. The output does not change.
 */
#ifndef MODEL_BOCHS_SNAPSHOTS_H
#define MODEL_BOCHS_SNAPSHOTS_H

#include "glue.h"

/* Reads PMU_SNAPSHOT. */
void prepare_snapshots(void);

/* Saves and restores all of the model, in the same memory (bochs_processors.cc). Returns the
 * string's size. */
size_t take_snapshot(void);

extern Bit64s until_snapshot;           /* places left to pass; very many without PMU_SNAPSHOT */
void snapshot_is_due(void);

/* Rare places for a snapshot are worth more than others. */
static const unsigned RARE = 64;

/* Passes a place between two calls of the model, which counts as worth plain ones. */
static inline void pass_place(unsigned worth)
{
	until_snapshot -= worth;
	if (__builtin_expect(until_snapshot < 0, false))
		snapshot_is_due();
}

#endif
