/* SPDX-License-Identifier: MIT */
/*
 * The debug store area and PEBS. Source: SDM 3B, "BTS and DS Save Area", "Processor Event Based
 * Sampling (PEBS)" by microarchitecture. Layouts: model/pebs_records.c.
 */
#ifndef MODEL_PEBS_H
#define MODEL_PEBS_H

#include <model/internal.h>

enum model_ds_buffer { MODEL_DS_BTS, MODEL_DS_PEBS };

/* What became of a record. */
enum model_ds_result {
	MODEL_DS_STORED,
	MODEL_DS_THRESHOLD,            /* stored, and the index is at the interrupt threshold, or above */
	MODEL_DS_FULL,                 /* not stored: it would pass the absolute maximum */
	MODEL_DS_FAULT                 /* not stored, or not wholly: memory faulted */
};

/* Appends a record of size bytes to a buffer (ds.c). is_ring: starts again at the base when it is
 * full, instead of dropping. */
enum model_ds_result model_ds_append(struct model *m, enum model_ds_buffer buffer,
                                     const void *record, unsigned size, bool is_ring);

/* The bytes of an address in the area: 4 or 8. By DTES64 and the mode (ds.c). */
unsigned model_ds_width(const struct model *m);

/* The reset value of a counter, from the area; false: memory faulted (ds.c). slot: as in it. */
bool model_ds_reset_value(struct model *m, unsigned slot, uint64_t *value);

#endif
