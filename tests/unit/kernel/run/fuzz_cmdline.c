/* SPDX-License-Identifier: MIT */
/* LINK: kernel/run/cmdline.c kernel/lib/glob.c kernel/lib/format.c */
/* Fuzzes cmdline_parse(): whatever the text, the struct is sound, and no word gets lost. */
#include <kernel/run/cmdline.h>

#include <string.h>

#include <tests/unit/fuzz.h>

/* Replaces the kernel's. Reads all of the value, so that ASan sees one without an end. */
const char *console_choice_parse(const char *text, struct console_choice *choice)
{
	memset(choice, 0, sizeof(*choice));
	choice->speed = (uint32_t)strlen(text);
	return choice->speed % 2 ? "is odd" : NULL;
}

static void require_text_inside(const char *buffer, size_t size, const char *text)
{
	REQUIRE(text >= buffer && text < buffer + size);
	REQUIRE(memchr(text, '\0', (size_t)(buffer + size - text)));
}

static void require_globs(const struct cmdline *c, const struct cmdline_globs *globs)
{
	REQUIRE(globs->count <= CMDLINE_GLOBS_MAX);
	for (unsigned i = 0; i < globs->count; i++) {
		require_text_inside(c->text, sizeof(c->text), globs->glob[i]);
		REQUIRE(globs->glob[i][0] != '\0');
		REQUIRE(!strchr(globs->glob[i], ','));
	}
}

static void require_sound(const struct cmdline *c)
{
	require_globs(c, &c->only);
	require_globs(c, &c->skip);
	REQUIRE(c->console_count <= CMDLINE_CONSOLES_MAX);
	for (unsigned i = 0; i < c->console_count; i++)
		REQUIRE(c->console[i].speed % 2 == 0);
	REQUIRE(c->cpus <= CMDLINE_CPUS_MAX);
	REQUIRE(c->misses <= CMDLINE_MISSES_MAX);
	REQUIRE(c->period <= CMDLINE_PERIOD_MAX && (!c->period || c->period >= CMDLINE_PERIOD_MIN));
	REQUIRE(c->stride <= CMDLINE_STRIDE_MAX && c->stride % CMDLINE_LINE == 0);
	REQUIRE(c->ways <= CMDLINE_WAYS_MAX);
	REQUIRE(c->has_absent_cpu ? c->absent_cpu != UINT32_MAX : c->absent_cpu == 0);
	require_text_inside(c->problem, sizeof(c->problem), c->problem);
	cmdline_is_selected(c, "gp.overflow.sets_global_status");
}

/* A word added after a text without quotes is a word of its own and must be found. */
static void require_next_word_is_seen(struct cmdline *c, const char *text, size_t size)
{
	char longer[CMDLINE_SIZE];
	unsigned globs;

	if (strpbrk(text, "\"\\") || size + sizeof(" list skip=x") > sizeof(longer))
		return;
	globs = c->skip.count;
	strcpy(longer, text);
	strcat(longer, " list skip=x");
	cmdline_parse(c, longer, false);
	require_sound(c);
	REQUIRE(c->is_list);
	REQUIRE(globs == CMDLINE_GLOBS_MAX ? c->problem[0] : c->skip.count == globs + 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct cmdline c;
	char *text = malloc(size + 1);

	REQUIRE(text);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	memset(&c, 0x5a, sizeof(c));
	cmdline_parse(&c, text, true);
	require_sound(&c);
	cmdline_parse(&c, text, false);
	require_sound(&c);
	REQUIRE(strlen(text) < CMDLINE_SIZE || c.problem[0]);
	require_next_word_is_seen(&c, text, strlen(text));
	free(text);
	return 0;
}
