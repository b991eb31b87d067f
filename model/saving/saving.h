/* SPDX-License-Identifier: MIT */
/*
 * Saves and restores the state of a machine as a string of bytes, which is the same whatever
 * the host's width, byte order and layout of structs.
 *
 * One walk over the state serves both: for each number it passes the address and the size in bytes,
 * and the string is written, checked or read. The tables of saved_fields.c describe structs,
 * saved_lines.c the arrays after them; save_restore.c gives the order.
 */
#ifndef MODEL_SAVING_SAVING_H
#define MODEL_SAVING_SAVING_H

#include <model/core/internal.h>

/* ------------------------------------------------------- the string (saved_bytes.c) */

enum saver_task {
	SAVER_WRITE,                   /* write the string; to may be NULL, to measure it */
	SAVER_CHECK,                   /* check that the string can be read; the state stays */
	SAVER_READ                     /* read the state from a string that was checked */
};

struct saver {
	enum saver_task task;
	unsigned char *to;
	const unsigned char *from;
	size_t size, at;               /* of to or from; the current position there */
	bool is_damaged;               /* the bytes end too soon, or a number is not possible */
	bool is_other;                 /* the string is of another machine */
};

/* Passes the next number of the string: writes value, or returns what was read. */
uint64_t saver_pass(struct saver *s, uint64_t value, unsigned bytes);

/* Passes a number that must be the same in the machine of the string. */
void saver_same(struct saver *s, uint64_t value, unsigned bytes);

/* Passes a number of the state, of 1, 2, 4 or 8 bytes in memory, and at most most. */
void saver_number(struct saver *s, void *number, unsigned bytes, uint64_t most);
uint64_t saver_get(const void *number, unsigned bytes);
void saver_put(void *number, unsigned bytes, uint64_t value);

/* Returns the checksum of bytes: 64-bit FNV-1a, which any one changed byte changes. */
uint64_t saver_sum(const unsigned char *bytes, size_t size);

/* ------------------------------------------------------- tables (saved_fields.c) */

/* Describes a member of a struct: numbers, or structs by parts. The last row has no name. */
struct saved_field {
	const char *name;
	size_t offset;
	unsigned count, bytes;         /* bytes: of one in memory; a saved number has as many */
	uint64_t most;
	const struct saved_field *parts;
};

extern const struct saved_field saved_machine[], saved_package[], saved_core[], saved_cpu[];

/* Passes a struct's members, by its table (saved_bytes.c). */
void saver_struct(struct saver *s, const struct saved_field *fields, void *memory);

/* Returns a checksum of the tables: of names, counts and sizes. */
uint32_t saved_fields_sum(void);

/* ------------------------------------------------------- arrays (saved_lines.c) */

void saver_package_lines(struct saver *s, struct cache_package *p);
void saver_core_lines(struct saver *s, struct cache_core *c);
void saver_thread_lines(struct saver *s, struct caches *u);

/* ------------------------------------------------------- the whole (save_restore.c) */

enum {
	SAVED_FORMAT = 1,              /* number of the string's format, without the tables */
	SAVED_HEADER = 32,             /* bytes before those that the checksum covers */
	SAVED_SUM = 24                 /* offset of the checksum */
};
#define SAVED_MAGIC UINT64_C(0x0000756d70666572)       /* "refpmu" and two zero bytes */

/* Passes all of a machine, after the header. */
void saver_machine(struct saver *s, struct refpmu_machine *machine);

#endif
