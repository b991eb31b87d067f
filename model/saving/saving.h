/* SPDX-License-Identifier: MIT */
/*
 * Saving and restoring: the state of a machine as a string of bytes, which is the same whatever
 * the host's width, byte order and layout of structs.
 *
 * One walk over the state serves both: whoever walks says of each number where it stands and how
 * many bytes it has, and the string is written, checked or read. The tables of saved_fields.c say
 * it of structs, saved_lines.c of what stands behind them, save_restore.c in which order.
 */
#ifndef MODEL_SAVING_SAVING_H
#define MODEL_SAVING_SAVING_H

#include <model/core/internal.h>

/* ------------------------------------------------------- the string (saved_bytes.c) */

enum saver_task {
	SAVER_WRITE,                   /* the string from the state; to: or NULL, to measure it */
	SAVER_CHECK,                   /* whether the string can be read; the state stays */
	SAVER_READ                     /* the state from a string that was checked */
};

struct saver {
	enum saver_task task;
	unsigned char *to;
	const unsigned char *from;
	size_t size, at;               /* of to or from; how far the walk is */
	bool is_damaged;               /* they end too soon, or a number is not possible */
	bool is_other;                 /* it is of another machine */
};

/* The next number of the string: value is written, or what was read is returned. */
uint64_t saver_pass(struct saver *s, uint64_t value, unsigned bytes);

/* A number that must be the same in the machine of the string. */
void saver_same(struct saver *s, uint64_t value, unsigned bytes);

/* A number of the state, 1, 2, 4 or 8 bytes in memory; at most most. */
void saver_number(struct saver *s, void *number, unsigned bytes, uint64_t most);
uint64_t saver_get(const void *number, unsigned bytes);
void saver_put(void *number, unsigned bytes, uint64_t value);

/* The check sum of bytes: 64-bit FNV-1a, which any one changed byte changes. */
uint64_t saver_sum(const unsigned char *bytes, size_t size);

/* ------------------------------------------------------- tables (saved_fields.c) */

/* A member of a struct: numbers, or structs that parts describes. The last row has no name. */
struct saved_field {
	const char *name;
	size_t offset;
	unsigned count, bytes;         /* of one of them in memory; a number has as many saved */
	uint64_t most;
	const struct saved_field *parts;
};

extern const struct saved_field saved_machine[], saved_core[], saved_cpu[];

/* A struct's members, by its table (saved_bytes.c, as the sum). */
void saver_struct(struct saver *s, const struct saved_field *fields, void *memory);

/* Another number for other tables: names, counts and sizes. */
uint32_t saved_fields_sum(void);

/* ------------------------------------------------------- arrays (saved_lines.c) */

void saver_package_lines(struct saver *s, struct cache_package *p);
void saver_core_lines(struct saver *s, struct cache_core *c);
void saver_thread_lines(struct saver *s, struct caches *u);

/* ------------------------------------------------------- the whole (save_restore.c) */

enum {
	SAVED_FORMAT = 1,              /* of the string but for the tables */
	SAVED_HEADER = 32,             /* bytes before what the check sum is about ... */
	SAVED_SUM = 24                 /* ... which stands there */
};
#define SAVED_MAGIC UINT64_C(0x0000756d70666572)       /* "refpmu" and two zero bytes */

/* All of a machine behind the header. */
void saver_machine(struct saver *s, struct refpmu_machine *machine);

#endif
