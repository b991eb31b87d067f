/* SPDX-License-Identifier: MIT */
/* An event as it was written, taken apart; what the words mean is choice.c's. */
#ifndef PMU_EVENTS_CHOICE_TEXT_H
#define PMU_EVENTS_CHOICE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHOICE_TEXT_SIZE = 64 };

struct choice_text {
	char event[CHOICE_TEXT_SIZE];  /* as it was written */
	char masks[CHOICE_TEXT_SIZE];  /* in capitals, joined by '+'; "": none was named */
	unsigned flags;                /* PMU_OS, PMU_USR, PMU_EDGE, PMU_INV, PMU_ANY */
	uint8_t cmask;
};

/*
 * Takes text apart: EVENT[:MASK...][:u][:k][,cmask=N][,inv][,edge][,any]. Without u and k: both.
 * False: problem is a sentence without a full stop.
 */
bool choice_text_parse(struct choice_text *t, const char *text, char *problem, size_t size);

/* Writes it again in one form; buffer: CHOICE_TEXT_SIZE bytes, cut where it is longer. */
void choice_text_write(const struct choice_text *t, const char *event, char *buffer);

/* The number of rUUEE, 1 to 4 hexadecimal digits behind the letter; false: text is none. */
bool choice_text_is_raw(const char *text, uint16_t *event);

/* The same but for capitals? */
bool choice_text_is_same(const char *a, const char *b);

/* Is `word` in `text`, whatever the capitals? */
bool choice_text_has(const char *text, const char *word);

#endif
