/* SPDX-License-Identifier: MIT */
/*
 * Keeps a log in memory that a reset does not clear. There are two slots: a run writes into one,
 * and the other one has the log of the previous run. A magic number identifies a slot, and the
 * CRC-32 of check.h tells whether its log is complete, so any other content counts as no log. Links
 * without the kernel.
 */
#ifndef KERNEL_LOG_WARM_LOG_H
#define KERNEL_LOG_WARM_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/lib/check.h>

/* Starts a slot; the text follows it. */
struct warm_log_head {
	uint32_t magic;
	uint32_t number;                /* of the run, one more than that of the previous run */
	uint32_t length;                /* bytes of the text up to its last newline */
	uint32_t crc;                   /* of this text */
};

struct warm_log_text {
	const char *text;               /* NULL: none; length bytes, without a terminator */
	uint32_t length, lines;
	bool is_sound;                  /* its CRC is right */
};

struct warm_log {
	volatile struct warm_log_head *head;
	char *text;
	uint32_t size, length;          /* of the text: the maximum, and so far */
	struct check check;
	struct warm_log_text previous;
};

/*
 * Takes over the memory: finds the newest log, and begins a new one in the other slot. If
 * is_recorded is false, the output of this run is not saved, and the next run sees the newest log
 * that is there now.
 */
void warm_log_open(struct warm_log *log, void *memory, uint32_t size, bool is_recorded);

/* Adds a character; a line is saved when it is complete. Characters that do not fit are lost. */
void warm_log_put(struct warm_log *log, char c);

/* Returns the text of this run so far, including an incomplete last line. */
struct warm_log_text warm_log_own(const struct warm_log *log);

/* Finds the last line of a text that begins with `start`; returns false if there is none. */
bool warm_log_find_last(const struct warm_log_text *in, const char *start,
                        struct warm_log_text *line);

/* Returns where the next line after the place `from` begins that has `text`, at its start or
 * anywhere; or the length if there is none. */
uint32_t warm_log_find_next(const struct warm_log_text *in, uint32_t from, const char *text,
                            bool is_at_start);

/* Returns the last line of a text; it is empty if the text is. */
struct warm_log_text warm_log_last_line(const struct warm_log_text *in);

#endif
