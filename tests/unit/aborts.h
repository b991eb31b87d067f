/* SPDX-License-Identifier: MIT */
/* Replaces test_abort() in a program on the host: prints the reason and ends the program. */
#ifndef TESTS_UNIT_ABORTS_H
#define TESTS_UNIT_ABORTS_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <kernel/run/test.h>

void test_abort(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	abort();
}

#endif
