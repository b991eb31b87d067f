/* SPDX-License-Identifier: MIT */
#include <monitor/complete.h>

#include <stddef.h>

#include <kernel/format.h>
#include <kernel/string.h>
#include <kernel/test.h>
#include <monitor/command.h>
#include <monitor/registers.h>
#include <pmu/workload.h>

extern const struct test *const tests_start[], *const tests_end[];     /* linker.ld */

enum { WORD_SIZE = 64 };

/* What is asked for, and how far it is answered: the line asks for one word after the other. */
struct request {
	const struct monitor_command *command;
	const char *typed;             /* the word in the line that is to be completed */
	const char *before;            /* the one in front of it */
	unsigned at;                   /* in the table that is being gone through */
	char word[WORD_SIZE];          /* where none of the tables holds it as a whole */
};

/* ---------------------------------------------------------------------------- tables */

static const char *next_command(struct request *r)
{
	const struct monitor_command *c = monitor_command_at(r->at++);

	return c ? c->name : NULL;
}

static const char *next_register(struct request *r)
{
	return monitor_register_name(r->at++);
}

static const char *next_workload(struct request *r)
{
	const struct workload *w = workload_table + r->at++;

	return w < workload_table_end ? w->name : NULL;
}

/* The id up to the point behind what was typed, as folders are: there are hundreds. */
static const char *shorten(struct request *r, const char *id)
{
	const size_t typed = strlen(r->typed);
	size_t length = 0;

	while (id[length] && (length < typed || id[length] != '.') && length < WORD_SIZE - 2)
		length++;
	memcpy(r->word, id, length);
	r->word[length] = id[length];
	r->word[length + (id[length] != '\0')] = '\0';
	return r->word;
}

/* Was this word there already? Whole ids are there once. */
static bool is_repeated(const struct request *r)
{
	const size_t length = strlen(r->word);

	if (r->word[length - 1] != '.')
		return false;
	for (unsigned i = 0; i + 1 < r->at; i++)
		if (strncmp(tests_start[i]->id, r->word, length) == 0)
			return true;
	return false;
}

static const char *next_test(struct request *r)
{
	while (tests_start + r->at < tests_end) {
		const char *id = tests_start[r->at++]->id;

		if (strncmp(id, r->typed, strlen(r->typed)) == 0 && shorten(r, id) && !is_repeated(r))
			return r->word;
	}
	return NULL;
}

static bool is_small(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_part_of_name(char c)
{
	return is_small(c) || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The words of a command's syntax that are to be typed as they stand: those in small letters. */
static const char *next_keyword(struct request *r)
{
	const char *syntax = r->command->syntax;

	while (syntax[r->at]) {
		unsigned from = r->at, to = from;

		while (is_part_of_name(syntax[to]))
			to++;
		r->at = to + (to == from);
		if (!is_small(syntax[from]) || to - from >= WORD_SIZE)
			continue;
		memcpy(r->word, syntax + from, to - from);
		r->word[to - from] = '\0';
		return r->word;
	}
	return NULL;
}

typedef const char *(*next_fn)(struct request *r);

static const next_fn tables[] = {
	[COMPLETE_NOTHING]   = NULL,
	[COMPLETE_COMMANDS]  = next_command,
	[COMPLETE_REGISTERS] = next_register,
	[COMPLETE_EVENTS]    = NULL,
	[COMPLETE_TESTS]     = next_test,
	[COMPLETE_WORKLOADS] = next_workload,
};

/* ---------------------------------------------------------------------------- lines */

/* A command may stand behind another one's words: `repeat 3 rdpmc 0`. */
static void take_word(struct request *r, const char *word, bool is_first)
{
	const struct monitor_command *c = monitor_command_find(word);

	if (c && (is_first || r->command->completion == COMPLETE_COMMANDS))
		r->command = c;
	r->before = word;
}

/* Where the words come from: at most two tables, one after the other. */
static void read_line(struct request *r, const char *text, next_fn from[2])
{
	static char line[MONITOR_LINE_SIZE];
	static struct words w;
	unsigned last;
	bool is_new;

	*r = (struct request){ .typed = "", .before = "" };
	from[0] = from[1] = NULL;
	format_buf(line, sizeof(line), "%s", text);
	is_new = *text == '\0' || text[strlen(text) - 1] == ' ';
	if (!words_split(&w, line, text))
		return;
	last = w.count - (w.count && !is_new);
	if (last < w.count)
		r->typed = w.word[last];
	if (last == 0) {
		from[0] = next_command;
		return;
	}
	for (unsigned i = 0; i < last; i++) {
		take_word(r, w.word[i], i == 0);
		if (!r->command)
			return;
	}
	from[0] = strcmp(r->before, "on") == 0 ? next_workload : tables[r->command->completion];
	from[1] = next_keyword;
}

const char *complete_word(void *ctx, const char *text, unsigned n)
{
	static struct request request;
	static next_fn from[2];
	const char *word;

	(void)ctx;
	if (n == 0)
		read_line(&request, text, from);
	for (unsigned i = 0; i < 2; i++) {
		if (!from[i])
			continue;
		word = from[i](&request);
		if (word)
			return word;
		from[i] = NULL;
		request.at = 0;
	}
	return NULL;
}
