/* SPDX-License-Identifier: MIT */
/* The code of passages: what a round of each executes, and what makes it possible. */
#ifndef TESTS_SUITES_COMMON_COUNTS_PASSAGES_CODE_H
#define TESTS_SUITES_COMMON_COUNTS_PASSAGES_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/modes/modes.h>
#include <tests/suites/common/counts/passages.h>

enum passage_begin { BEGINS_BY_INSN, BEGINS_BY_FAULT, BEGINS_BY_INTERRUPT };

struct passage_row {
	const char *name;              /* in the plural */
	void (*code)(uint32_t rounds, uint32_t mode);
	enum passage_begin begin;
	bool is_iret;                  /* it ends by IRET */
	uint32_t few, more;            /* rounds of two windows: few, few + more */
	/* Of a round, without the instructions that cross: at the code's level, and the handler's
	 * instructions at CPL 0, which are no branches. */
	uint32_t insns, branches, taken, handler_insns;
	const char *why;
};

/* Make the passage possible, and impossible again. */
struct passage_row passage_begin(enum passage passage);
void passage_end(enum passage passage);

/* Returns whether each of some rounds enters its handler; if not, says so. */
bool passage_arrives(struct test_ctx *t, const struct passage_row *p, enum cpu_mode mode);

#endif
