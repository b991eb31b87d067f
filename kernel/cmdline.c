/* SPDX-License-Identifier: MIT */
#include <kernel/cmdline.h>

#include <stdarg.h>
#include <stddef.h>

#include <kernel/digit.h>
#include <kernel/format.h>
#include <kernel/glob.h>
#include <kernel/string.h>

struct word {
	const char *name;
	const char *value;      /* what stands after the =, for people; NULL: a flag, without = */
	void (*parse)(struct cmdline *c, char *value);  /* value: writable, NULL for a flag */
	const char *help;       /* NULL: not in the help */
};

static void __attribute__((format(printf, 2, 3)))
report(struct cmdline *c, const char *fmt, ...)
{
	va_list args;

	if (c->problem[0])
		return;
	va_start(args, fmt);
	format_vbuf(c->problem, sizeof(c->problem), fmt, args);
	va_end(args);
}

static void add_glob(struct cmdline *c, struct cmdline_globs *globs, const char *name,
                     const char *glob)
{
	if (!*glob)
		report(c, "%s= needs a pattern", name);
	else if (globs->count == CMDLINE_GLOBS_MAX)
		report(c, "%s=%s: there are %d patterns already", name, glob, CMDLINE_GLOBS_MAX);
	else
		globs->glob[globs->count++] = glob;
}

static void parse_globs(struct cmdline *c, struct cmdline_globs *globs, const char *name,
                        char *value)
{
	char *comma;

	while ((comma = strchr(value, ',')) != NULL) {
		*comma = '\0';
		add_glob(c, globs, name, value);
		value = comma + 1;
	}
	add_glob(c, globs, name, value);
}

static void parse_only(struct cmdline *c, char *value)
{
	parse_globs(c, &c->only, "only", value);
}

static void parse_skip(struct cmdline *c, char *value)
{
	parse_globs(c, &c->skip, "skip", value);
}

static void parse_console(struct cmdline *c, char *value)
{
	struct console_choice choice;
	const char *problem = console_choice_parse(value, &choice);

	if (problem)
		report(c, "console=%s: %s", value, problem);
	else if (c->console_count == CMDLINE_CONSOLES_MAX)
		report(c, "console=%s: there are %d consoles already", value, CMDLINE_CONSOLES_MAX);
	else
		c->console[c->console_count++] = choice;
}

/* Is the text a number, decimal or with 0x, that is at most last? */
static bool is_number(const char *text, uint32_t last, uint32_t *number)
{
	const bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const unsigned base = is_hex ? 16 : 10;
	uint64_t value = 0;

	text += is_hex ? 2 : 0;
	do {
		if (digit(*text) >= base)
			return false;
		value = value * base + digit(*text);
		if (value > last)
			return false;
	} while (*++text);
	*number = (uint32_t)value;
	return true;
}

static void parse_range(struct cmdline *c, const char *name, const char *value, uint32_t first,
                        uint32_t last, uint32_t *to)
{
	uint32_t number;

	if (is_number(value, last, &number) && number >= first)
		*to = number;
	else
		report(c, "%s=%s: not a number from %u to %u", name, value, first, last);
}

static void parse_misses(struct cmdline *c, char *value)
{
	parse_range(c, "misses", value, 1, CMDLINE_MISSES_MAX, &c->misses);
}

static void parse_period(struct cmdline *c, char *value)
{
	parse_range(c, "period", value, CMDLINE_PERIOD_MIN, CMDLINE_PERIOD_MAX, &c->period);
}

static void parse_stride(struct cmdline *c, char *value)
{
	uint32_t stride = 0;

	parse_range(c, "stride", value, CMDLINE_LINE, CMDLINE_STRIDE_MAX, &stride);
	if (stride % CMDLINE_LINE)
		report(c, "stride=%s: not a multiple of %d", value, CMDLINE_LINE);
	else
		c->stride = stride;
}

static void parse_ways(struct cmdline *c, char *value)
{
	parse_range(c, "ways", value, 1, CMDLINE_WAYS_MAX, &c->ways);
}

static void parse_cpus(struct cmdline *c, char *value)
{
	parse_range(c, "cpus", value, 1, CMDLINE_CPUS_MAX, &c->cpus);
}

static void parse_seed(struct cmdline *c, char *value)
{
	parse_range(c, "seed", value, 1, UINT32_MAX, &c->seed);
}

/* FFFFFFFFH is no processor's: it addresses all of them. */
static void parse_absent_cpu(struct cmdline *c, char *value)
{
	if (is_number(value, UINT32_MAX - 1, &c->absent_cpu))
		c->has_absent_cpu = true;
	else
		report(c, "absent_cpu=%s: not an APIC ID, a number from 0 to 0xfffffffe", value);
}

/* Which names there are the PMU's layer knows. */
static void parse_uarch(struct cmdline *c, char *value)
{
	c->uarch = value;
}

static void parse_nosmp(struct cmdline *c, char *value)
{
	(void)value;
	c->is_nosmp = true;
}

static void parse_list(struct cmdline *c, char *value)
{
	(void)value;
	c->is_list = true;
}

static void parse_monitor(struct cmdline *c, char *value)
{
	(void)value;
	c->is_monitor = true;
}

static void parse_x2apic(struct cmdline *c, char *value)
{
	(void)value;
	c->is_x2apic = true;
}

static void parse_exact(struct cmdline *c, char *value)
{
	(void)value;
	c->is_exact = true;
}

static void parse_sampling(struct cmdline *c, char *value)
{
	(void)value;
	c->is_sampling = true;
}

static void parse_broken(struct cmdline *c, char *value)
{
	(void)value;
	c->is_broken = true;
}

/* A new word is a line here and its parser above. */
static const struct word words[] = {
	{ "only",    "GLOB[,GLOB...]", parse_only,    "run only the tests whose ids match" },
	{ "skip",    "GLOB[,GLOB...]", parse_skip,    "do not run the tests whose ids match" },
	{ "list",    NULL,             parse_list,    "print the tests' ids, run none" },
	{ "monitor", NULL,             parse_monitor, "type commands instead of running tests" },
	{ "console", "LINE",           parse_console,
	  "com1..com4, io,PORT[,SPEED], mmio[32],ADDRESS,SPEED, debug, none; up to 4" },
	{ "x2apic",  NULL,             parse_x2apic,  "use the local APIC in x2APIC mode" },
	{ "exact",   NULL,             parse_exact,
	  "the machine repeats itself to the last count and starts in its reset state" },
	{ "sampling", NULL,            parse_sampling,
	  "run PEBS and BTS tests on hardware, too: the processor writes to memory by itself" },
	{ "cpus",    "N",              parse_cpus,
	  "run at most N processors (1 to 64), the boot processor always" },
	{ "nosmp",   NULL,             parse_nosmp,   "do not even look for other processors" },
	{ "absent_cpu", "ID",          parse_absent_cpu,
	  "take it that firmware lists a processor with this APIC ID, which nobody has" },
	{ "uarch",   "NAME",           parse_uarch,
	  "take it that the PMU is p5, p5_mmx, p6, netburst, arch, ..., whatever CPUID says" },
	{ "seed",    "N",              parse_seed,
	  "vary the tests' order and what they may not depend on, in the Nth way" },
	{ "misses",  "N",              parse_misses,
	  "sampling.*: loads that miss the cache, 1 to 1000000000" },
	{ "period",  "N",              parse_period,
	  "sampling.*: one sample in so many of them, 32 to 100000000" },
	{ "stride",  "BYTES",          parse_stride,
	  "sampling.*: bytes from one address to the next, a multiple of 64" },
	{ "ways",    "N",              parse_ways,
	  "sampling.*: half as many as there are addresses, 1 to 64" },
	{ "broken",  NULL,             parse_broken,  NULL },
};

static const struct word *find_word(const char *text)
{
	const char *equals = strchr(text, '=');
	size_t size = equals ? (size_t)(equals - text) : strlen(text);

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i].name) == size && strncmp(words[i].name, text, size) == 0)
			return &words[i];
	}
	return NULL;
}

static void parse_word(struct cmdline *c, char *text)
{
	const struct word *word = find_word(text);
	char *equals = strchr(text, '=');

	if (!word)
		report(c, "unknown word \"%s\"", text);
	else if (word->value && !equals)
		report(c, "%s needs a value: %s=%s", text, word->name, word->value);
	else if (!word->value && equals)
		report(c, "%s takes no value", word->name);
	else
		word->parse(c, equals ? equals + 1 : NULL);
}

static bool has_ending(const char *text, const char *ending)
{
	size_t size = strlen(text), ending_size = strlen(ending);

	return size >= ending_size && strcmp(text + size - ending_size, ending) == 0;
}

static bool is_path(const char *text)
{
	return !find_word(text) && (strchr(text, '/') || has_ending(text, ".elf"));
}

/* Newlines count as blanks: a loader may leave one at the end. */
static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/*
 * Unquotes the word at *text in its place, terminates it and moves *text behind it. NULL if there
 * is no word left. The result is never longer than the source: writing stays behind reading.
 */
static char *next_word(struct cmdline *c, char **text)
{
	char *read = *text, *word, *write;
	bool is_quoted = false;

	while (is_blank(*read))
		read++;
	if (!*read)
		return NULL;
	word = write = read;
	for (; *read && (is_quoted || !is_blank(*read)); read++) {
		if (*read == '"') {
			is_quoted = !is_quoted;
			continue;
		}
		if (*read == '\\' && read[1])
			read++;
		*write++ = *read;
	}
	*text = *read ? read + 1 : read;
	*write = '\0';
	if (is_quoted)
		report(c, "a quote is not closed: \"%s", word);
	return word;
}

void cmdline_parse(struct cmdline *c, const char *text, bool skip_first_if_path)
{
	char *rest = c->text;
	char *word;

	memset(c, 0, sizeof(*c));
	if (format_buf(c->text, sizeof(c->text), "%s", text) >= (int)sizeof(c->text))
		report(c, "the command line is longer than %d characters", CMDLINE_SIZE - 1);
	while ((word = next_word(c, &rest)) != NULL) {
		if (!skip_first_if_path || !is_path(word))
			parse_word(c, word);
		skip_first_if_path = false;
	}
}

static bool has_match(const struct cmdline_globs *globs, const char *id)
{
	for (unsigned i = 0; i < globs->count; i++) {
		if (glob_is_match(globs->glob[i], id))
			return true;
	}
	return false;
}

bool cmdline_is_selected(const struct cmdline *c, const char *id)
{
	return (c->only.count == 0 || has_match(&c->only, id)) && !has_match(&c->skip, id);
}

void cmdline_help(void (*print)(void *ctx, const char *line), void *ctx)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const struct word *word = &words[i];
		char syntax[32], line[CMDLINE_HELP_SIZE];

		if (!word->help)
			continue;
		format_buf(syntax, sizeof(syntax), "%s%s%s", word->name, word->value ? "=" : "",
		           word->value ? word->value : "");
		format_buf(line, sizeof(line), "%-20s %s", syntax, word->help);
		print(ctx, line);
	}
}
