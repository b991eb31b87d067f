/* SPDX-License-Identifier: MIT */
/*
 * Chooses a mutant when the emulator starts, and writes down the mutants that each test reaches: a
 * line with its id, its seconds and a hexadecimal digit for four mutants, into the file that the
 * environment variable PMU_MUTANT_REACH names. The guest's output shows where a test ends.
 */
#define _GNU_SOURCE
#include "mutant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

unsigned model_mutant;
unsigned char model_mutant_reached[MUTANTS + 4];

static FILE *record;
static char line[256];                 /* the guest's current line so far */
static size_t length;

static double seconds_since_last(void)
{
	static double last;
	struct timespec now;
	double before = last;

	clock_gettime(CLOCK_MONOTONIC, &now);
	last = (double)now.tv_sec + (double)now.tv_nsec / 1e9;
	return last - before;
}

static void write_down(const char *id)
{
	fprintf(record, "%s %.4f ", id, seconds_since_last());
	for (unsigned n = 0; n <= MUTANTS; n += 4) {
		const unsigned char *r = &model_mutant_reached[n];

		fputc("0123456789abcdef"[r[0] | r[1] << 1 | r[2] << 2 | r[3] << 3], record);
	}
	fputc('\n', record);
	memset(model_mutant_reached, 0, sizeof(model_mutant_reached));
}

/* The plan ends the code that belongs to no test; a test that is left out cannot kill mutants. */
static void take_line(void)
{
	char *id = strstr(line, "ok ");

	if (!strncmp(line, "1..", 3))
		write_down("-");
	if (!id || (id != line && strncmp(line, "not ok", 6)) || !strstr(line, " - "))
		return;
	id = strstr(line, " - ") + 3;
	write_down(strstr(id, "# SKIP") ? "=" : strtok(id, " "));
}

static ssize_t take(void *cookie, const char *text, size_t size)
{
	(void)cookie;
	for (size_t i = 0; i < size; i++) {
		if (text[i] != '\n' && length < sizeof(line) - 1) {
			line[length++] = text[i];
			continue;
		}
		line[length] = 0;
		length = 0;
		take_line();
	}
	return write(STDOUT_FILENO, text, size);
}

__attribute__((constructor)) static void choose(void)
{
	const char *number = getenv("PMU_MUTANT"), *path = getenv("PMU_MUTANT_REACH");

	model_mutant = number ? (unsigned)strtoul(number, NULL, 10) : 0;
	record = path && *path ? fopen(path, "w") : NULL;
	if (!record)
		return;
	seconds_since_last();
	stdout = fopencookie(NULL, "w", (cookie_io_functions_t){ .write = take });
}
