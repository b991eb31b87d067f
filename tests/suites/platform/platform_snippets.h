/* SPDX-License-Identifier: MIT */
/* Executes instructions for the platform tests, in assembly so that no other instructions come
 * between. */
#ifndef TESTS_SUITES_PLATFORM_PLATFORM_SNIPPETS_H
#define TESTS_SUITES_PLATFORM_PLATFORM_SNIPPETS_H

/* Executes an IRET to the next instruction, whose only effect is to unblock NMIs. */
void platform_iret(void);

#endif
