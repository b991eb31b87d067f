/* SPDX-License-Identifier: MIT */
/*
 * A log in memory that a reset does not clear. Two slots: a run writes into one, and in the other
 * one is the run before. What is in a slot is known by a magic number, and whole by the CRC-32 of
 * check.h, so whatever else is found there is no log. Links without the kernel.
 */
#ifndef KERNEL_LOG_KEPT_H
#define KERNEL_LOG_KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/lib/check.h>

/* A slot begins with it; the text follows. */
struct kept_head {
	uint32_t magic;
	uint32_t number;                /* of the run, one more than the one before */
	uint32_t length;                /* of the text up to its last newline, bytes */
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
	uint32_t size, length;          /* of the text: at most, and so far */
	struct check check;
	struct kept_text previous;
};

/*
 * Takes over the memory: finds the newest log, and begins another one in the other slot. Not
 * recorded: the next run will not see what is put now, but the newest that is there.
 */
void kept_open(struct kept *kept, void *memory, uint32_t size, bool is_recorded);

/* Adds a character; a line is kept when it is complete. What does not fit is lost. */
void kept_put(struct kept *kept, char c);

/* What was put so far, lines that are not complete included. */
struct kept_text kept_own(const struct kept *kept);

/* The last line of a text that begins with these characters; false: there is none. */
bool kept_find_last(const struct kept_text *in, const char *start, struct kept_text *line);

/* The last line; of no text: no characters. */
struct kept_text kept_last_line(const struct kept_text *in);

#endif
