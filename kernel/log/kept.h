/* SPDX-License-Identifier: MIT */
/*
 * Keeps a log in memory that a reset does not clear. There are two slots: a run writes into one,
 * and the other one has the log of the previous run. A magic number identifies a slot, and the
 * CRC-32 of check.h tells whether its log is complete, so any other content counts as no log. Links
 * without the kernel.
 */
#ifndef KERNEL_LOG_KEPT_H
#define KERNEL_LOG_KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/lib/check.h>

/* Starts a slot; the text follows it. */
struct kept_head {
	uint32_t magic;
	uint32_t number;                /* of the run, one more than that of the previous run */
	uint32_t length;                /* bytes of the text up to its last newline */
	uint32_t crc;                   /* of this text */
};

struct kept_text {
	const char *text;               /* NULL: none; length bytes, without a terminator */
	uint32_t length, lines;
	bool is_sound;                  /* its CRC is right */
};

struct kept {
	volatile struct kept_head *head;
	char *text;
	uint32_t size, length;          /* of the text: the maximum, and so far */
	struct check check;
	struct kept_text previous;
};

/*
 * Takes over the memory: finds the newest log, and begins a new one in the other slot. If
 * is_recorded is false, the output of this run is not saved, and the next run sees the newest log
 * that is there now.
 */
void kept_open(struct kept *kept, void *memory, uint32_t size, bool is_recorded);

/* Adds a character; a line is saved when it is complete. Characters that do not fit are lost. */
void kept_put(struct kept *kept, char c);

/* Returns the text of this run so far, including an incomplete last line. */
struct kept_text kept_own(const struct kept *kept);

/* Finds the last line of a text that begins with `start`; returns false if there is none. */
bool kept_find_last(const struct kept_text *in, const char *start, struct kept_text *line);

/* Returns the last line of a text; it is empty if the text is. */
struct kept_text kept_last_line(const struct kept_text *in);

#endif
