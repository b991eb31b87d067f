/* SPDX-License-Identifier: MIT */
/*
 * Finds the known names that somebody most likely meant by an unknown one. Links without the
 * kernel.
 */
#ifndef KERNEL_LIB_NEAREST_H
#define KERNEL_LIB_NEAREST_H

enum { NEAREST_MOST = 3, NEAREST_NAME_SIZE = 48, NEAREST_TEXT_SIZE = 192 };

struct nearest {
	const char *typed;
	unsigned count;                         /* of the names found, the most similar first */
	unsigned distance[NEAREST_MOST];        /* letters to add, remove or replace */
	char name[NEAREST_MOST][NEAREST_NAME_SIZE];
};

/* Begins with no name; typed must stay valid. */
void nearest_begin(struct nearest *n, const char *typed);

/*
 * Offers a known name, which is kept once. Names that differ in more than a third of their letters
 * are not kept.
 */
void nearest_try(struct nearest *n, const char *known);

/* Writes " (did you mean A, B or C?)", or nothing, to NEAREST_TEXT_SIZE bytes; returns text. */
const char *nearest_text(const struct nearest *n, char *text);

#endif
