/* SPDX-License-Identifier: MIT */
/*
 * The modes of this kernel, as rows of tests: ONE(name, mode, where) declares a test. name is the
 * end of its id; where says in its claim at which level, or in what code, it runs.
 */
#ifndef TESTS_SUITES_COMMON_MODE_TESTS_H
#define TESTS_SUITES_COMMON_MODE_TESTS_H

#include <arch/modes/modes.h>

/* The modes of CPL 0; of CPL 1 and 2; of CPL 3. */
#define MODE_TESTS(CPL0, CPL12, CPL3) \
	CPL0(cpl0, MODE_CPL0, "at CPL 0"); \
	CPL12(cpl1, MODE_CPL1, "at CPL 1"); \
	CPL12(cpl2, MODE_CPL2, "at CPL 2"); \
	CPL3(cpl3, MODE_CPL3, "at CPL 3"); \
	CPL0(cpl0_16bit, MODE_CPL0_16BIT, "in 16-bit code at CPL 0"); \
	CPL3(cpl3_16bit, MODE_CPL3_16BIT, "in 16-bit code at CPL 3"); \
	MODE_TESTS_OF_WIDTH(CPL0, CPL3)

/* All but those of CPL 0. */
#define MODE_TESTS_ABOVE_CPL0(ONE) \
	ONE(cpl1, MODE_CPL1, "at CPL 1"); \
	ONE(cpl2, MODE_CPL2, "at CPL 2"); \
	ONE(cpl3, MODE_CPL3, "at CPL 3"); \
	ONE(cpl3_16bit, MODE_CPL3_16BIT, "in 16-bit code at CPL 3"); \
	MODE_TEST_OF_WIDTH(ONE)

#ifdef __x86_64__
#define MODE_TEST_OF_WIDTH(CPL3) \
	CPL3(cpl3_compat, MODE_CPL3_COMPAT, "in compatibility mode at CPL 3")
#define MODE_TESTS_OF_WIDTH(CPL0, CPL3)  MODE_TEST_OF_WIDTH(CPL3)
#else
#define MODE_TEST_OF_WIDTH(CPL3)  CPL3(vm86, MODE_VM86, "in virtual-8086 mode")
#define MODE_TESTS_OF_WIDTH(CPL0, CPL3) \
	MODE_TEST_OF_WIDTH(CPL3); \
	CPL0(real, MODE_REAL, "in real mode")
#endif

#endif
