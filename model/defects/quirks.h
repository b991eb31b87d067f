/* SPDX-License-Identifier: MIT */
/*
 * Quirks: known defects of PMUs, real and virtual, as small changes to the rules. Each one proves
 * a test: with it, on the processor it names, that test must fail, and at the register it names.
 */
#ifndef MODEL_DEFECTS_QUIRKS_H
#define MODEL_DEFECTS_QUIRKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <model/state/rules.h>

#ifdef __cplusplus
extern "C" {
#endif

struct model_change {
	size_t offset, size;           /* of a field of struct model_rules; size 0: no change */
	uint64_t value;
};

enum { MODEL_CHANGES_MAX = 3 };

struct model_quirk {
	const char *name;
	const char *id;                /* of the defects that it shows, with blanks between; may be
	                                * NULL: docs/defects.md has all */
	const char *defect;            /* what is wrong */
	const char *source;            /* where it was seen; its words say of which kind it is:
	                                * tests/runner/campaigns/quirks.py */
	const char *cpu;               /* Bochs' name of the processor to show it on */
	const char *words;             /* of tests/boot: the machine it needs; may be NULL */
	const char *test;              /* those that must fail, blanks between; NULL: none may */
	const char *what;              /* part of the first one's finding's `what` */
	struct model_change change[MODEL_CHANGES_MAX];
};

/* NULL if there is none of that name. */
const struct model_quirk *model_quirk_find(const char *name);

/* The quirk number i, NULL after the last one. */
const struct model_quirk *model_quirk_at(unsigned i);

void model_quirk_apply(const struct model_quirk *quirk, struct model_rules *rules);

#ifdef __cplusplus
}
#endif
#endif
