/* SPDX-License-Identifier: MIT */
#include <kernel/run/cmdline.h>

#include <stdarg.h>
#include <stddef.h>

#include <arch/regs/table.h>
#include <kernel/lib/digit.h>
#include <kernel/lib/format.h>
#include <kernel/lib/glob.h>
#include <kernel/lib/string.h>

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

static void parse_only(struct cmdline *c, const struct cmdline_word *word, char *value)
{
	parse_globs(c, &c->only, word->name, value);
}

static void parse_skip(struct cmdline *c, const struct cmdline_word *word, char *value)
{
	parse_globs(c, &c->skip, word->name, value);
}

static void parse_console(struct cmdline *c, const struct cmdline_word *word, char *value)
{
	struct console_choice choice;
	const char *problem = console_choice_parse(value, &choice);

	(void)word;
	if (problem)
		report(c, "console=%s: %s", value, problem);
	else if (c->console_count == CMDLINE_CONSOLES_MAX)
		report(c, "console=%s: there are %d consoles already", value, CMDLINE_CONSOLES_MAX);
	else
		c->console[c->console_count++] = choice;
}

/* Returns true if the text is a number, decimal or with 0x, that is at most last. */
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

/* Returns the address of the field of a flag or number. */
static void *field(struct cmdline *c, const struct cmdline_word *word)
{
	return (char *)c + word->place;
}

static void parse_number(struct cmdline *c, const struct cmdline_word *word, char *value)
{
	uint32_t number;

	if (!is_number(value, word->most, &number) || number < word->least)
		report(c, "%s=%s: not a number from %u to %u", word->name, value, word->least,
		       word->most);
	else if (word->multiple && number % word->multiple)
		report(c, "%s=%s: not a multiple of %u", word->name, value, word->multiple);
	else
		*(uint32_t *)field(c, word) = number;
}

static void parse_flag(struct cmdline *c, const struct cmdline_word *word, char *value)
{
	(void)value;
	*(bool *)field(c, word) = true;
}

/* Takes a list, and may come more than once. */
static void parse_leave(struct cmdline *c, const struct cmdline_word *word, char *value)
{
	char *comma = strchr(value, ',');

	if (comma)
		*comma = '\0';
	if (strcmp(value, "f4") == 0)
		c->leaves_f4 = true;
	else if (strcmp(value, "8900") == 0)
		c->leaves_8900 = true;
	else
		report(c, "leave=%s: not a port of an emulator: it is f4 or 8900", value);
	if (comma)
		parse_leave(c, word, comma + 1);
}

/* FFFFFFFFH is no processor's ID: it addresses all of them. */
static void parse_absent_cpu(struct cmdline *c, const struct cmdline_word *word, char *value)
{
	(void)word;
	if (is_number(value, UINT32_MAX - 1, &c->absent_cpu))
		c->has_absent_cpu = true;
	else
		report(c, "absent_cpu=%s: not an APIC ID, a number from 0 to 0xfffffffe", value);
}

/* The PMU's layer checks the name. */
static void parse_uarch(struct cmdline *c, const struct cmdline_word *word, char *value)
{
	(void)word;
	c->uarch = value;
}

#define PLACE(member)  .place = offsetof(struct cmdline, member)
#define FLAG(member)   .parse = parse_flag, PLACE(member)
#define NUMBER(member) .parse = parse_number, PLACE(member)

/* To add a word, add a row here, and a parser above if the word is neither a flag nor a number. */
const struct cmdline_word cmdline_words[] = {
	{ .name = "only", .value = "GLOB[,GLOB...]", .parse = parse_only,
	  .help = "run only the tests whose ids match",
	  CMDLINE_WORDS("A `*` stands for any characters, a `?` for one. Several `only=` add up, "
	                "and `skip=` takes precedence over `only=`. A pattern that matches no test "
	                "ends the run as broken.", "only=rdpmc.*,pmu.registers") },
	{ .name = "skip", .value = "GLOB[,GLOB...]", .parse = parse_skip,
	  .help = "do not run the tests whose ids match",
	  CMDLINE_WORDS("If no test is left, the run ends as broken.", "skip=arch.smp.*") },
	{ .name = "list", FLAG(is_list), .help = "print the tests' ids, run none",
	  CMDLINE_WORDS("Their claims are printed, too. `only=` and `skip=` select some of them.",
	                "list only=pebs.*") },
	{ .name = "lastlog", FLAG(is_lastlog),
	  .help = "print the log of the previous run, run no test",
	  CMDLINE_WORDS("Each line has the prefix `# | `. The log survives a reset, unless the "
	                "firmware clears memory; this run leaves it for the next one: see "
	                "[hardware.md](hardware.md).", "lastlog") },
	{ .name = "monitor", FLAG(is_monitor), .help = "type commands instead of running tests",
	  CMDLINE_WORDS("See [monitor.md](monitor.md).", "monitor") },
	{ .name = "console", .value = "LINE", .parse = parse_console,
	  .help = "com1..com4, io,PORT[,SPEED], mmio[32],ADDRESS,SPEED, debug, none; up to 4",
	  CMDLINE_WORDS("Selects the serial ports. Without it the kernel uses every one of COM1 to "
	                "COM4 that answers, at 115200 baud. SPEED is a divisor of 115200 and at "
	                "least 300. The UART's registers are ports of a byte each with `io`, bytes "
	                "in memory with `mmio`, and dwords in memory with `mmio32`. `debug` is "
	                "port E9H of Bochs (`port_e9_hack`) and QEMU (`isa-debugcon`), which is "
	                "not slowed to a baud rate; the monitor's keys then come from COM1. `none` "
	                "leaves only the screen.",
	                "console=com2,9600 console=mmio32,0xfe000000,115200") },
	{ .name = "x2apic", FLAG(is_x2apic), .help = "use the local APIC in x2APIC mode",
	  CMDLINE_WORDS("If the processor has no such mode, the run ends as broken.", "x2apic") },
	{ .name = "exact", FLAG(is_exact),
	  .help = "the machine repeats itself to the last count and starts in its reset state",
	  CMDLINE_WORDS("Tests then demand what silicon need not promise: no skid, equal counts of "
	                "equal runs, the registers' values after RESET. `model:` targets always "
	                "get it, except with `caches=kept`.", "exact") },
	{ .name = "sampling", FLAG(is_sampling),
	  .help = "run PEBS and BTS tests on hardware, too: the processor writes to "
	          "memory by itself",
	  CMDLINE_WORDS("With `exact` these tests always run.", "sampling only=pebs.*,bts.*") },
	{ .name = "errata", FLAG(is_errata),
	  .help = "run a test even if an erratum of this processor may make it end the machine",
	  CMDLINE_WORDS("Without this word such tests are skipped, with the erratum's name; "
	                "`pmu/core/dangers.c` has the table. With `exact`, and under a "
	                "hypervisor, all tests run.", "errata only=rdpmc.mode.*") },
	{ .name = "smi", FLAG(is_smi),
	  .help = "run tests of SMM on hardware, too: they let firmware's SMI handler run",
	  CMDLINE_WORDS("They write 0 to port B2H, which raises an SMI where firmware has asked "
	                "for it. With `exact` these tests always run.", "smi only=smm.*") },
	{ .name = "emulated", FLAG(is_emulated),
	  .help = "this is no silicon: no published erratum is expected of it",
	  CMDLINE_WORDS("A test that fails as an erratum of the processor lets it fail is then a "
	                "plain failure, as it is under a hypervisor. `bochs:` targets always get "
	                "this word, `model:` targets get it without `stepping=`.", "emulated") },
	{ .name = "leave", .value = "PORT", .parse = parse_leave,
	  .help = "end the emulator through its port: f4 is QEMU's isa-debug-exit, 8900 is Bochs'",
	  CMDLINE_WORDS("At the end of a run, and of a panic, the kernel writes its status to port "
	                "F4H, or `Shutdown` to port 8900H. Without the word it writes to neither, "
	                "because another machine may have any device there. `tests/boot` gives it.",
	                "leave=f4 leave=8900") },
	{ .name = "cpus", .value = "N", NUMBER(cpus), .least = 1, .most = CMDLINE_CPUS_MAX,
	  .help = "run at most N processors, the boot processor always",
	  CMDLINE_WORDS("The others are not started.", "cpus=2") },
	{ .name = "nosmp", FLAG(is_nosmp), .help = "do not even look for other processors",
	  CMDLINE_WORDS("The firmware's tables are not read.", "nosmp") },
	{ .name = "absent_cpu", .value = "ID", .parse = parse_absent_cpu,
	  .help = "assume that firmware also lists this APIC ID, which no processor has",
	  CMDLINE_WORDS("The run must continue without it, and `platform.smp.started` fails.",
	                "absent_cpu=0x40") },
	{ .name = "rsdp", .value = "ADDRESS", NUMBER(rsdp), .least = 1, .most = UINT32_MAX,
	  .help = "ACPI's RSDP, where neither the loader nor a BIOS shows it: after UEFI and kexec",
	  CMDLINE_WORDS("Linux has the address in `/sys/firmware/efi/systab`. Without it the "
	                "other processors are not found there: see [kexec](kexec.md).",
	                "rsdp=0x1fbfa014") },
	{ .name = "uarch", .value = "NAME", .parse = parse_uarch,
	  .help = "assume that the PMU is p5, p5_mmx, p6, netburst, arch, ..., whatever CPUID says",
	  CMDLINE_WORDS("The suite of that PMU runs and shows the faults. An unknown name ends the "
	                "run and lists the known ones.", "uarch=p6") },
	{ .name = "seed", .value = "N", NUMBER(seed), .least = 1, .most = UINT32_MAX,
	  .help = "vary the order of the tests, and other things that they must not depend on",
	  CMDLINE_WORDS("Equal N give equal runs. `tests/boot seed=N` varies more: "
	                "[seeds.md](seeds.md).", "seed=7") },
	{ .name = "misses", .value = "N", NUMBER(misses), .least = 1, .most = CMDLINE_MISSES_MAX,
	  .help = "sampling.*: loads that miss the cache",
	  CMDLINE_WORDS("For the experiment of [sampling.md](sampling.md). Without it the test "
	                "chooses.", "only=sampling.* misses=8005600") },
	{ .name = "period", .value = "N", NUMBER(period), .least = CMDLINE_PERIOD_MIN,
	  .most = CMDLINE_PERIOD_MAX, .help = "sampling.*: one sample in N of these loads",
	  CMDLINE_WORDS("The minimum is above the number of other misses, which occur once per "
	                "window.",
	                "only=sampling.* period=10007") },
	{ .name = "stride", .value = "BYTES", NUMBER(stride), .least = CMDLINE_LINE,
	  .most = CMDLINE_STRIDE_MAX, .multiple = CMDLINE_LINE,
	  .help = "sampling.*: bytes from one address to the next",
	  CMDLINE_WORDS("The addresses should fall into the same set of the cache.",
	                "only=sampling.* stride=4096") },
	{ .name = "ways", .value = "N", NUMBER(ways), .least = 1, .most = CMDLINE_WAYS_MAX,
	  .help = "sampling.*: half the number of addresses",
	  CMDLINE_WORDS("With the number of ways of the first-level data cache, the addresses "
	                "never fit into it.", "only=sampling.* ways=4") },
	{ .name = "broken", FLAG(is_broken) },
};

const unsigned cmdline_word_count = COUNT_OF(cmdline_words);

static const struct cmdline_word *find_word(const char *text)
{
	const char *equals = strchr(text, '=');
	size_t size = equals ? (size_t)(equals - text) : strlen(text);

	for (size_t i = 0; i < cmdline_word_count; i++) {
		const struct cmdline_word *word = &cmdline_words[i];

		if (strlen(word->name) == size && strncmp(word->name, text, size) == 0)
			return word;
	}
	return NULL;
}

static void parse_word(struct cmdline *c, char *text)
{
	const struct cmdline_word *word = find_word(text);
	char *equals = strchr(text, '=');

	if (!word)
		report(c, "unknown word \"%s\"", text);
	else if (word->value && !equals)
		report(c, "%s needs a value: %s=%s", text, word->name, word->value);
	else if (!word->value && equals)
		report(c, "%s takes no value", word->name);
	else
		word->parse(c, word, equals ? equals + 1 : NULL);
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

/* Newlines count as blanks, because a loader may leave one at the end. */
static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/*
 * Unquotes the word at *text in place, terminates it and moves *text past it. Returns NULL if no
 * word is left. The result is never longer than the source, so writing does not overtake reading.
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

/* Returns " (1 to 64)" for a number, else an empty string. */
static const char *bounds(const struct cmdline_word *word, char *text, size_t size)
{
	text[0] = '\0';
	if (word->most)
		format_buf(text, size, " (%u to %u)", word->least, word->most);
	return text;
}

void cmdline_help(void (*print)(void *ctx, const char *line), void *ctx)
{
	for (size_t i = 0; i < cmdline_word_count; i++) {
		const struct cmdline_word *word = &cmdline_words[i];
		char syntax[32], range[32], line[CMDLINE_HELP_SIZE];

		if (!word->help)
			continue;
		format_buf(syntax, sizeof(syntax), "%s%s%s", word->name, word->value ? "=" : "",
		           word->value ? word->value : "");
		format_buf(line, sizeof(line), "%-20s %s%s", syntax, word->help,
		           bounds(word, range, sizeof(range)));
		print(ctx, line);
	}
}
