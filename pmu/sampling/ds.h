/* SPDX-License-Identifier: MIT */
/*
 * The debug store area of this logical processor: buffers of PEBS and BTS records, and the area
 * that describes them to the processor. Source: SDM 3B, "BTS and DS Save Area".
 *
 * Each logical processor has memory of its own for it, from 16-MByte machines on, page aligned and
 * touched: area, BTS buffer, PEBS buffer, each between guard bytes that ds_damage() checks.
 */
#ifndef PMU_SAMPLING_DS_H
#define PMU_SAMPLING_DS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ds_kind { DS_BTS, DS_PEBS, DS_KINDS };

enum { DS_BUFFER_SIZE = 16 * 1024, DS_GUARD = 0xa5 };

/* The counter reset values that the area has room for. */
enum { PEBS_RESETS = 40 };

/* How one buffer is laid out; sizes in records, but for extra. */
struct ds_buffer {
	unsigned records;              /* room for so many; 0: no buffer, all its fields are 0 */
	unsigned threshold;            /* interrupt after so many; records + 1 and more: never */
	unsigned extra;                /* bytes behind the last whole record, below the maximum */
	bool has_plus_one;             /* the maximum is one byte more, as the manual has it */
};

struct ds_plan {
	struct ds_buffer buffer[DS_KINDS];
	const uint64_t *resets;        /* counter reset values: by slot; NULL: none */
	unsigned reset_count;
};

/* NULL, or why there is no debug store area (CPUID.1:EDX[21]), no BTS (IA32_MISC_ENABLE[11]), or no
 * word `sampling` where the machine is neither exact nor a hypervisor's. PEBS': pebs.h. */
const char *ds_unavailable(void);
struct test_ctx;
const char *need_ds(struct test_ctx *t);
const char *need_bts(struct test_ctx *t);

/* Returns the bytes of a record; those of PEBS are pebs_record_size(). */
unsigned ds_record_size(enum ds_kind kind);

/* Fills buffers and guards with DS_GUARD, writes the area, then IA32_DS_AREA. */
void ds_set_up(const struct ds_plan *plan);

/* So many records fit into a buffer: on silicon's Core 2 (version 2) only a page is used of it. */
unsigned ds_room(enum ds_kind kind);

/* IA32_DS_AREA = 0; the memory stays to be read. The engine does it around each test, after PEBS
 * and BTS were switched off. */
void ds_tear_down(void);

/* Fields of the area, as the processor left them. ds_index() in records: whole ones written. */
uintptr_t ds_base(enum ds_kind kind);
uint64_t ds_index_address(enum ds_kind kind);
uint64_t ds_maximum(enum ds_kind kind);
unsigned ds_index(enum ds_kind kind);
void ds_set_index(enum ds_kind kind, unsigned records);
uint64_t ds_reset(unsigned slot);

/* Record i of a buffer: bytes as they stand there. */
const void *ds_record(enum ds_kind kind, unsigned i);

/*
 * The first byte that was changed where nothing may write: guards, the area's other fields, the
 * buffer behind its records (of PEBS also behind the index, unless it was set back since). 0: none.
 * *what: where, as a phrase.
 */
uintptr_t ds_damage(const char **what);

struct bts_record { uint64_t from, to, flags; };
struct bts_record bts_get(unsigned i);

/* Once, at the start. is_sampling: the word `sampling` was given. */
void ds_init(bool is_sampling);

#endif
