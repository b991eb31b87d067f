/* SPDX-License-Identifier: MIT */
/* Splits an event as it was written into its parts. event_spec.c interprets the parts. */
#ifndef PMU_EVENTS_EVENT_TEXT_H
#define PMU_EVENTS_EVENT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EVENT_TEXT_TEXT_SIZE = 64 };

struct event_text {
	char event[EVENT_TEXT_TEXT_SIZE]; /* as it was written */
	char masks[EVENT_TEXT_TEXT_SIZE]; /* in capitals, joined by '+'; "" if none was named */
	unsigned flags;                /* PMU_OS, PMU_USR, PMU_EDGE, PMU_INV, PMU_ANY */
	uint8_t cmask;
};

/*
 * Parses EVENT[:MASK...][:u][:k][,cmask=N][,inv][,edge][,any]. Without u and k both are set.
 * Returns false if that fails; problem is then a sentence without a full stop.
 */
bool event_text_parse(struct event_text *t, const char *text, char *problem, size_t size);

/*
 * Returns true if the text after a comma is an option, as "edge,inv" or "cmask=2", and not another
 * event.
 */
bool event_text_is_option(const char *text);

/* Writes t in its normal form to buffer, cut to EVENT_TEXT_TEXT_SIZE bytes. */
void event_text_write(const struct event_text *t, const char *event, char *buffer);

/*
 * Parses rUUEE, with 1 to 4 hexadecimal digits after the letter. Returns false if text is something
 * else.
 */
bool event_text_is_raw(const char *text, uint16_t *event);

/* Returns true if the texts are equal, ignoring case. */
bool event_text_is_same(const char *a, const char *b);

/* Returns true if the text begins with `start`, ignoring case. */
bool event_text_begins(const char *text, const char *start);

/* Returns true if `text` contains `word`, ignoring case. */
bool event_text_has(const char *text, const char *word);

#endif
