/* SPDX-License-Identifier: MIT */
/*
 * The modes of this kernel, as rows of tests: ONE(name, mode, where, how) declares a test. name is
 * the end of its id. In its claim, where says at which level, or in what code, it runs, and how is
 * what must be so there.
 */
#ifndef TESTS_SUITES_COMMON_MODE_TESTS_H
#define TESTS_SUITES_COMMON_MODE_TESTS_H

#include <arch/modes/modes.h>

/* All modes: those of CPL 0 with one `how`, those of CPL 1 and 2 and of CPL 3 with others. */
#define MODE_TESTS(ONE, at_cpl0, at_cpl12, at_cpl3) \
	ONE(cpl0, MODE_CPL0, "at CPL 0", at_cpl0); \
	ONE(cpl0_16bit, MODE_CPL0_16BIT, "in 16-bit code at CPL 0", at_cpl0); \
	MODE_TEST_REAL(ONE, at_cpl0) \
	MODE_TESTS_ABOVE_CPL0(ONE, at_cpl12, at_cpl3)

#define MODE_TESTS_ABOVE_CPL0(ONE, at_cpl12, at_cpl3) \
	ONE(cpl1, MODE_CPL1, "at CPL 1", at_cpl12); \
	ONE(cpl2, MODE_CPL2, "at CPL 2", at_cpl12); \
	ONE(cpl3, MODE_CPL3, "at CPL 3", at_cpl3); \
	ONE(cpl3_16bit, MODE_CPL3_16BIT, "in 16-bit code at CPL 3", at_cpl3); \
	MODE_TEST_OF_WIDTH(ONE, at_cpl3)

#ifdef __x86_64__
#define MODE_TEST_REAL(ONE, at_cpl0)
#define MODE_TEST_OF_WIDTH(ONE, at_cpl3) \
	ONE(cpl3_compat, MODE_CPL3_COMPAT, "in compatibility mode at CPL 3", at_cpl3)
#else
#define MODE_TEST_REAL(ONE, at_cpl0)  ONE(real, MODE_REAL, "in real mode", at_cpl0);
#define MODE_TEST_OF_WIDTH(ONE, at_cpl3) \
	ONE(vm86, MODE_VM86, "in virtual-8086 mode", at_cpl3)
#endif

#endif
