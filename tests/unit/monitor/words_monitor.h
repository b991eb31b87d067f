/* SPDX-License-Identifier: MIT */
/* What words.c needs of the monitor: failures that come back; and a command for its words. */
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

/* Calls; true if it returned by itself, with failure "". */
#define SUCCEEDS(call) \
	(failure[0] = '\0', setjmp(where_failures_go) == 0 ? ((void)(call), true) : false)

#endif
