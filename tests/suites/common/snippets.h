/* SPDX-License-Identifier: MIT */
/* Executes single instructions for tests, in assembly so that their addresses and effects are
 * exact. */
#ifndef TESTS_SUITES_COMMON_SNIPPETS_H
#define TESTS_SUITES_COMMON_SNIPPETS_H

/* Executes UD2: #UD. */
void snippet_ud2(void);

/* Points ESP at the guard page and pushes: this raises #PF, whose delivery raises #DF. Does not
 * return. */
void snippet_lose_stack(void);

#endif
