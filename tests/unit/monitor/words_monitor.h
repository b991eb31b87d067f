/* SPDX-License-Identifier: MIT */
/* Replaces the parts of the monitor that words.c needs: it has one command, and monitor_fail()
 * returns to SUCCEEDS(). */
#ifndef TESTS_UNIT_MONITOR_WORDS_MONITOR_H
#define TESTS_UNIT_MONITOR_WORDS_MONITOR_H

#include <monitor/tools/command.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char failure[512];              /* the last sentence; "": none */
static jmp_buf where_failures_go;

void monitor_fail(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(failure, sizeof(failure), fmt, args);
	va_end(args);
	longjmp(where_failures_go, 1);
}

static const struct monitor_command only_command = { .name = "peek", .syntax = "WHERE" };

/* Makes the call. Is true if the call returned by itself, with failure "". */
#define SUCCEEDS(call) \
	(failure[0] = '\0', setjmp(where_failures_go) == 0 ? ((void)(call), true) : false)

#endif
