/* SPDX-License-Identifier: MIT */
/*
 * Sets up the debug store area of this logical processor: buffers of PEBS and BTS records, and the
 * area that describes them to the processor. Source: SDM 3B, "BTS and DS Save Area".
 *
 * From 16-MByte machines on, each logical processor has memory of its own for it, page aligned and
 * already accessed: area, BTS buffer and PEBS buffer, each between guard bytes that ds_damage()
 * checks.
 */
#ifndef PMU_SAMPLING_DS_H
#define PMU_SAMPLING_DS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ds_kind { DS_BTS, DS_PEBS, DS_KINDS };

enum { DS_BUFFER_SIZE = 16 * 1024, DS_GUARD = 0xa5 };

/* Limits the counter reset values for which the area has room. */
enum { PEBS_RESETS = 40 };

/* Describes the layout of one buffer. Sizes are in records, except extra. */
struct ds_buffer {
	unsigned records;              /* 0: no buffer, and all its fields are 0 */
	unsigned threshold;            /* interrupts after so many; more than records: never */
	unsigned extra;                /* bytes between the last whole record and the maximum */
	bool has_plus_one;             /* the maximum is one byte more, as the manual has it */
};

struct ds_plan {
	struct ds_buffer buffer[DS_KINDS];
	const uint64_t *resets;        /* counter reset values by slot; NULL: none */
	unsigned reset_count;
};

/*
 * Returns NULL, or why there is no debug store area (CPUID.1:EDX[21]), no BTS
 * (IA32_MISC_ENABLE[11]), or why it is not used: the word `sampling` is missing and the machine is
 * neither exact nor a hypervisor's. pebs.h has the same for PEBS.
 */
const char *ds_unavailable(void);
struct test_ctx;
const char *need_ds(struct test_ctx *t);
const char *need_bts(struct test_ctx *t);

/* Returns the size of a record in bytes; for PEBS this is pebs_record_size(). */
unsigned ds_record_size(enum ds_kind kind);

/* Fills buffers and guards with DS_GUARD, writes the area, then IA32_DS_AREA. */
void ds_set_up(const struct ds_plan *plan);

/*
 * Returns the number of records that fit into a buffer. On a silicon Core 2 (version 2) only one
 * page of the buffer is used.
 */
unsigned ds_room(enum ds_kind kind);

/*
 * Sets IA32_DS_AREA to 0; the memory can still be read. The engine calls it around each test, after
 * PEBS and BTS were switched off.
 */
void ds_tear_down(void);

/*
 * Return fields of the area as the processor left them. ds_index() is in records and counts whole
 * ones.
 */
uintptr_t ds_base(enum ds_kind kind);
uint64_t ds_index_address(enum ds_kind kind);
uint64_t ds_maximum(enum ds_kind kind);
unsigned ds_index(enum ds_kind kind);
void ds_set_index(enum ds_kind kind, unsigned records);
uint64_t ds_reset(unsigned slot);

/* Returns the address of record i of a buffer. */
const void *ds_record(enum ds_kind kind, unsigned i);

/*
 * Returns the address of the first byte that was changed although nothing may write it, or 0, and
 * sets *what to a phrase that describes the place. Checks the guards, the area's other fields, and
 * the buffers after their records (for PEBS also after the index, unless that was set back since).
 */
uintptr_t ds_damage(const char **what);

struct bts_record { uint64_t from, to, flags; };
struct bts_record bts_get(unsigned i);

/* Notes whether the word `sampling` was given. Must be called once, after dangers_init(). */
void ds_init(bool is_sampling);

#endif
