/* SPDX-License-Identifier: MIT */
/* Splits an event as it was written into its parts. choice.c interprets the parts. */
#ifndef PMU_EVENTS_CHOICE_TEXT_H
#define PMU_EVENTS_CHOICE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHOICE_TEXT_SIZE = 64 };

struct choice_text {
	char event[CHOICE_TEXT_SIZE];  /* as it was written */
	char masks[CHOICE_TEXT_SIZE];  /* in capitals, joined by '+'; "" if none was named */
	unsigned flags;                /* PMU_OS, PMU_USR, PMU_EDGE, PMU_INV, PMU_ANY */
	uint8_t cmask;
};

/*
 * Parses EVENT[:MASK...][:u][:k][,cmask=N][,inv][,edge][,any]. Without u and k both are set.
 * Returns false if that fails; problem is then a sentence without a full stop.
 */
bool choice_text_parse(struct choice_text *t, const char *text, char *problem, size_t size);

/* Writes t in its normal form to buffer, cut to CHOICE_TEXT_SIZE bytes. */
void choice_text_write(const struct choice_text *t, const char *event, char *buffer);

/*
 * Parses rUUEE, with 1 to 4 hexadecimal digits after the letter. Returns false if text is something
 * else.
 */
bool choice_text_is_raw(const char *text, uint16_t *event);

/* Returns true if the texts are equal, ignoring case. */
bool choice_text_is_same(const char *a, const char *b);

/* Returns true if `text` contains `word`, ignoring case. */
bool choice_text_has(const char *text, const char *word);

#endif
