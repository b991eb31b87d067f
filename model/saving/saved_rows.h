/* SPDX-License-Identifier: MIT */
/*
 * What is saved of each struct of the state: a row for each of its members. lint compares the rows
 * with the structs (tests/runner/checks/saved.py): a member has one of
 *
 *	SAVED(struct, member, type)          numbers, or a bool
 *	SAVED_TO(struct, member, type, most) the same, where it is an index or a set of bits
 *	SAVED_PART(struct, member, part)     structs, with a table of their own
 *	NOT_SAVED(struct, member, why)       nothing: it follows from something else
 *
 * Another table is another format: saved_fields_sum() notices.
 */
#ifndef MODEL_SAVING_SAVED_ROWS_H
#define MODEL_SAVING_SAVED_ROWS_H

#include <model/saving/saving.h>

#define SAVED_TO(of, member, type, most) \
	{ #member, offsetof(struct of, member), \
	  sizeof(((struct of *)NULL)->member) / sizeof(type), sizeof(type), most, NULL },
#define SAVED(of, member, type)  SAVED_TO(of, member, type, (type)-1)
#define SAVED_PART(of, member, part) \
	{ #member, offsetof(struct of, member), \
	  sizeof(((struct of *)NULL)->member) / sizeof(struct part), sizeof(struct part), 0, \
	  fields_of_##part },
#define NOT_SAVED(of, member, why)
#define END { NULL, 0, 0, 0, 0, NULL }

/* ---------------------------------------------------------------------------- saved_caches.c */

extern const struct saved_field fields_of_caches[], fields_of_cache_core[];
extern const struct saved_field fields_of_cache_machine[];

#endif
