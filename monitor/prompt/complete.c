/* SPDX-License-Identifier: MIT */
#include <monitor/prompt/complete.h>

#include <stddef.h>

#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <kernel/run/test.h>
#include <monitor/registers/registers.h>
#include <monitor/tools/command.h>
#include <monitor/tools/ibs_sampler.h>
#include <pmu/events/event_spec.h>
#include <pmu/events/event_text.h>
#include <pmu/events/presets.h>
#include <pmu/sampling/ibs.h>
#include <pmu/workload/workload.h>

extern const struct test *const tests_start[], *const tests_end[];     /* from linker.ld */

enum { WORD_SIZE = 64, FOLDERS_MAX = 64 };

/*
 * Describes a request for a completion, and its progress: the line asks for one word after the
 * other.
 */
struct request {
	const struct monitor_command *command;
	const char *typed;             /* the word that is to be completed */
	const char *before;            /* the previous word */
	const char *argument;          /* the command's first argument, or NULL */
	unsigned at;                   /* index in the present table */
	unsigned ibs_at;               /* of the events of IBS, which come last */
	struct monitor_walk walk;      /* the place in the tables of registers */
	const char *folders[FOLDERS_MAX];      /* an id in each folder of tests that was returned */
	unsigned folder_count;
	char word[WORD_SIZE];          /* the word, if no table holds it as a whole */
};

/* ---------------------------------------------------------------------------- tables */

static const char *next_command(struct request *r)
{
	const struct monitor_command *c = monitor_command_at(r->at++);

	return c ? c->name : NULL;
}

static const char *next_register(struct request *r)
{
	static struct monitor_found found;

	return monitor_register_next(&r->walk, &found) ? found.name : NULL;
}

static const char *next_workload(struct request *r)
{
	const struct workload *w = workload_table + r->at++;

	return w < workload_table_end ? w->name : NULL;
}

/*
 * Shortens the id to the next point after what was typed, as if that was a folder, because there
 * are hundreds of ids.
 */
static void shorten(struct request *r, const char *id)
{
	const size_t typed = strlen(r->typed);
	size_t length = 0;

	while (length < WORD_SIZE - 1 && id[length] && (length < typed || id[length] != '.'))
		length++;
	length += length < WORD_SIZE - 1 && id[length] == '.';
	memcpy(r->word, id, length);
	r->word[length] = '\0';
}

/* Returns true if this folder was returned before. Whole ids occur once. */
static bool is_repeated(struct request *r, const char *id)
{
	const size_t length = strlen(r->word);

	if (r->word[length - 1] != '.')
		return false;
	for (unsigned i = 0; i < r->folder_count; i++)
		if (strncmp(r->folders[i], r->word, length) == 0)
			return true;
	if (r->folder_count < FOLDERS_MAX)
		r->folders[r->folder_count++] = id;
	return false;
}

static const char *next_test(struct request *r)
{
	while (tests_start + r->at < tests_end) {
		const struct test *test = tests_start[r->at++];

		if (test->is_broken || strncmp(test->id, r->typed, strlen(r->typed)) != 0)
			continue;
		shorten(r, test->id);
		if (!is_repeated(r, test->id))
			return r->word;
	}
	return NULL;
}

static const char *next_preset_here(struct request *r)
{
	const char *why;

	while (r->at < pmu_preset_count)
		if (pmu_preset_here(&pmu_presets[r->at++], &why))
			return pmu_presets[r->at - 1].name;
	return NULL;
}

static bool find_native(const char *name, struct pmu_native *e)
{
	for (unsigned i = 0; pmu_native_at(i, e); i++)
		if (event_text_is_same(e->name, name))
			return true;
	return false;
}

/* Completes EVENT:MASK and keeps the masks before the last one as they were typed. */
static const char *next_mask(struct request *r)
{
	static struct pmu_native e;
	const char *masks = strchr(r->typed, ':'), *last = masks;

	for (const char *c = masks; *c; c++)
		if (*c == ':' || *c == '+')
			last = c;
	format_buf(r->word, sizeof(r->word), "%.*s", (int)(masks - r->typed), r->typed);
	if (r->at == 0 && !find_native(r->word, &e))
		return NULL;
	if (r->at == PMU_NATIVE_MASKS || !e.mask[r->at])
		return NULL;
	format_buf(r->word, sizeof(r->word), "%.*s%s", (int)(last + 1 - r->typed), r->typed,
	           e.mask[r->at++]);
	return r->word;
}

static const char *next_event(struct request *r)
{
	static struct pmu_native e;
	const char *preset;

	if (strchr(r->typed, ':'))
		return next_mask(r);
	preset = next_preset_here(r);
	if (preset)
		return preset;
	return pmu_native_at(r->at++ - pmu_preset_count, &e) ? e.name : NULL;
}

/* After the events of counters come those of IBS, where there is one. */
static const char *next_sampled(struct request *r)
{
	const char *event = r->ibs_at ? NULL : next_event(r);
	const struct ibs_event *e;

	if (event || ibs_unavailable())
		return event;
	e = ibs_event_at(r->ibs_at++);
	return e ? e->name : NULL;
}

/* Completes FIELD= of the register in the command's first word. */
static const char *next_field(struct request *r)
{
	static struct monitor_found found;
	static struct monitor_field_found field;

	if (r->at == 0 && (!monitor_register_find(r->argument, &found) || !found.row))
		return NULL;
	if (!monitor_field_at(found.row, r->at++, &field))
		return NULL;
	format_buf(r->word, sizeof(r->word), "%s=", field.name);
	return r->word;
}

static bool is_small(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_part_of_name(char c)
{
	return is_small(c) || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/*
 * Completes the words of a command's syntax that are typed literally, which have small letters.
 * After ':' and ',' they are options of an event.
 */
static const char *next_keyword(struct request *r)
{
	const char *syntax = r->command->syntax;

	while (syntax[r->at]) {
		unsigned from = r->at, to = from;
		bool is_option = from && (syntax[from - 1] == ':' || syntax[from - 1] == ',');

		while (is_part_of_name(syntax[to]))
			to++;
		r->at = to + (to == from);
		if (!is_small(syntax[from]) || is_option || to - from >= WORD_SIZE)
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
	[COMPLETE_EVENTS]    = next_event,
	[COMPLETE_SAMPLED]   = next_sampled,
	[COMPLETE_TESTS]     = next_test,
	[COMPLETE_WORKLOADS] = next_workload,
};

/* ---------------------------------------------------------------------------- lines */

/* A command may follow another one's words: `repeat 3 rdpmc 0`. */
static void take_word(struct request *r, const char *word)
{
	const struct monitor_command *c =
		r->command->completion == COMPLETE_COMMANDS ? monitor_command_find(word) : NULL;

	if (c) {
		r->command = c;
		r->argument = NULL;
	} else if (!r->argument) {
		r->argument = word;
	}
}

static next_fn table_of(const struct request *r)
{
	if (strcmp(r->before, "on") == 0)
		return next_workload;
	if (r->command->completion == COMPLETE_REGISTERS && r->argument)
		return next_field;
	return tables[r->command->completion];
}

/* Selects the source of the words: at most two tables, one after the other. */
static void begin(struct request *r, const struct words *typed, next_fn from[2])
{
	const unsigned last = typed->count - 1;

	*r = (struct request){ .typed = typed->word[last] };
	from[0] = from[1] = NULL;
	if (last == 0) {
		from[0] = next_command;
		return;
	}
	r->command = monitor_command_find(typed->word[0]);
	if (!r->command)
		return;
	for (unsigned i = 1; i < last; i++)
		take_word(r, typed->word[i]);
	r->before = typed->word[last - 1];
	from[0] = table_of(r);
	from[1] = next_keyword;
}

const char *complete_word(void *ctx, const struct words *typed, unsigned n)
{
	static struct request request;
	static next_fn from[2];
	const char *word;

	(void)ctx;
	if (n == 0)
		begin(&request, typed, from);
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
