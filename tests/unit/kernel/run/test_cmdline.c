/* SPDX-License-Identifier: MIT */
/* LINK: kernel/run/cmdline.c kernel/lib/glob.c kernel/lib/format.c */
#include <kernel/run/cmdline.h>

#include <tests/unit/unit.h>

/* Replaces the kernel's: refuses what begins with "bad", and stores the length as the speed. */
const char *console_choice_parse(const char *text, struct console_choice *choice)
{
	memset(choice, 0, sizeof(*choice));
	choice->speed = (uint32_t)strlen(text);
	return strncmp(text, "bad", 3) == 0 ? "is refused here" : NULL;
}

/* Returns the words of a text in one static struct, since it is large and must not be copied. */
static const struct cmdline *parse(const char *text)
{
	static struct cmdline c;

	memset(&c, 0x5a, sizeof(c));    /* the former contents must not matter */
	cmdline_parse(&c, text, false);
	return &c;
}

static const struct cmdline *parse_with_path(const char *text)
{
	static struct cmdline c;

	cmdline_parse(&c, text, true);
	return &c;
}

static void check_problem(const char *text, const char *want)
{
	check_str(text, parse(text)->problem, want);
}

UNIT_TEST(an_empty_line_asks_for_nothing)
{
	const struct cmdline *c = parse("");

	check_str("problem", c->problem, "");
	check_eq_u64("only", c->only.count, 0);
	check_eq_u64("skip", c->skip.count, 0);
	check_eq_u64("consoles", c->console_count, 0);
	check_true("neither list nor broken", !c->is_list && !c->is_broken);
	check_eq_u64("cpus: all", c->cpus, 0);
	check_true("neither nosmp nor an absent cpu", !c->is_nosmp && !c->has_absent_cpu);
	check_problem("  \t \r\n ", "");
}

UNIT_TEST(flags_are_set)
{
	check_true("list", parse("list")->is_list);
	check_true("list does not set broken", !parse("list")->is_broken);
	check_true("broken", parse("broken")->is_broken);
	check_true("exact", parse("exact")->is_exact);
	check_true("emulated", parse("emulated")->is_emulated);
	check_true("list does not set emulated", !parse("list")->is_emulated);
	check_true("list does not set exact", !parse("list")->is_exact);
	check_eq_u64("seed", parse("seed=4294967295")->seed, 4294967295);
	check_eq_u64("no seed", parse("list")->seed, 0);
	check_problem("list broken", "");
}

UNIT_TEST(processors_are_limited)
{
	check_eq_u64("the least", parse("cpus=1")->cpus, 1);
	check_eq_u64("the most", parse("cpus=64")->cpus, 64);
	check_eq_u64("hexadecimal", parse("cpus=0x1F")->cpus, 31);
	check_eq_u64("the last one counts", parse("cpus=3 cpus=2")->cpus, 2);
	check_true("cpus does not set nosmp", !parse("cpus=1")->is_nosmp);
	check_true("nosmp", parse("nosmp")->is_nosmp);
	check_problem("cpus=8 nosmp", "");
	check_problem("nosmp=1", "nosmp takes no value");
	check_problem("cpus", "cpus needs a value: cpus=N");
}

UNIT_TEST(the_experiment_has_words)
{
	const struct cmdline *c = parse("misses=8005600 period=10007 stride=0x2000 ways=4");

	check_str("problem", c->problem, "");
	check_eq_u64("misses", c->misses, 8005600);
	check_eq_u64("period", c->period, 10007);
	check_eq_u64("stride", c->stride, 8192);
	check_eq_u64("ways", c->ways, 4);
	c = parse("");
	check_true("as the tests choose", !c->misses && !c->period && !c->stride && !c->ways);
	check_problem("misses=1 period=32 stride=64 ways=1", "");
	check_problem("misses=1000000000 period=100000000 stride=16777216 ways=64", "");
}

UNIT_TEST(bad_words_of_the_experiment)
{
	check_problem("misses=0", "misses=0: not a number from 1 to 1000000000");
	check_problem("misses=1000000001", "misses=1000000001: not a number from 1 to 1000000000");
	check_problem("period=31", "period=31: not a number from 32 to 100000000");
	check_problem("period=", "period=: not a number from 32 to 100000000");
	check_problem("stride=0", "stride=0: not a number from 64 to 16777216");
	check_problem("stride=100", "stride=100: not a multiple of 64");
	check_problem("stride=16777280", "stride=16777280: not a number from 64 to 16777216");
	check_problem("ways=65", "ways=65: not a number from 1 to 64");
	check_problem("ways=four", "ways=four: not a number from 1 to 64");
	check_problem("ways", "ways needs a value: ways=N");
}

UNIT_TEST(bad_numbers_of_processors)
{
	check_problem("cpus=0", "cpus=0: not a number from 1 to 64");
	check_problem("cpus=65", "cpus=65: not a number from 1 to 64");
	check_problem("cpus=", "cpus=: not a number from 1 to 64");
	check_problem("cpus=-1", "cpus=-1: not a number from 1 to 64");
	check_problem("cpus=4x", "cpus=4x: not a number from 1 to 64");
	check_problem("cpus=0x", "cpus=0x: not a number from 1 to 64");
	check_problem("cpus=1f", "cpus=1f: not a number from 1 to 64");
	check_problem("cpus=4294967297", "cpus=4294967297: not a number from 1 to 64");
	check_problem("cpus=0x10000000000000001",
	              "cpus=0x10000000000000001: not a number from 1 to 64");
	check_eq_u64("all run", parse("cpus=65")->cpus, 0);
}

UNIT_TEST(a_pmu_by_name)
{
	check_true("none", parse("list")->uarch == NULL);
	check_str("the name as it is", parse("uarch=netburst")->uarch, "netburst");
	check_str("the suites judge the names", parse("uarch=")->uarch, "");
	check_problem("uarch", "uarch needs a value: uarch=NAME");
}

UNIT_TEST(an_absent_processor)
{
	const struct cmdline *c = parse("absent_cpu=0");

	check_true("there is one", c->has_absent_cpu);
	check_eq_u64("APIC ID 0", c->absent_cpu, 0);
	check_eq_u64("decimal", parse("absent_cpu=254")->absent_cpu, 254);
	check_eq_u64("hexadecimal", parse("absent_cpu=0XfffffffE")->absent_cpu, 0xfffffffe);
	check_problem("absent_cpu=0xfffffffe", "");
	check_problem("absent_cpu=0xffffffff", "absent_cpu=0xffffffff: "
	              "not an APIC ID, a number from 0 to 0xfffffffe");
	check_problem("absent_cpu=x", "absent_cpu=x: "
	              "not an APIC ID, a number from 0 to 0xfffffffe");
	check_true("none", !parse("absent_cpu=x")->has_absent_cpu);
	check_problem("absent_cpu", "absent_cpu needs a value: absent_cpu=ID");
}

UNIT_TEST(globs_are_split_at_commas_and_added_up)
{
	const struct cmdline *c = parse("only=gp.*,fixed.? skip=a only=p5.*  skip=b,c");

	check_str("problem", c->problem, "");
	if (!check_eq_u64("only", c->only.count, 3) || !check_eq_u64("skip", c->skip.count, 3))
		return;
	check_str("only 0", c->only.glob[0], "gp.*");
	check_str("only 1", c->only.glob[1], "fixed.?");
	check_str("only 2", c->only.glob[2], "p5.*");
	check_str("skip 0", c->skip.glob[0], "a");
	check_str("skip 1", c->skip.glob[1], "b");
	check_str("skip 2", c->skip.glob[2], "c");
}

UNIT_TEST(a_glob_must_not_be_empty)
{
	check_problem("only=", "only= needs a pattern");
	check_problem("skip=", "skip= needs a pattern");
	check_problem("only=a,,b", "only= needs a pattern");
	check_problem("only=a,", "only= needs a pattern");
	check_eq_u64("the others count", parse("only=a,,b")->only.count, 2);
}

UNIT_TEST(too_many_globs_are_a_problem)
{
	char text[CMDLINE_SIZE] = "skip=x0";
	const struct cmdline *c;

	for (int i = 1; i < CMDLINE_GLOBS_MAX; i++)
		sprintf(text + strlen(text), ",x%d", i);
	check_problem(text, "");
	strcat(text, ",more");
	c = parse(text);
	check_str("one more", c->problem, "skip=more: there are 64 patterns already");
	check_eq_u64("patterns kept", c->skip.count, CMDLINE_GLOBS_MAX);
	check_str("the last", c->skip.glob[CMDLINE_GLOBS_MAX - 1], "x63");
}

UNIT_TEST(consoles_are_kept_in_their_order)
{
	const struct cmdline *c = parse("console=com1 console=io,0x2f8 console=vga");

	check_str("problem", c->problem, "");
	check_eq_u64("consoles", c->console_count, 3);
	check_eq_u64("console 0", c->console[0].speed, strlen("com1"));
	check_eq_u64("console 1", c->console[1].speed, strlen("io,0x2f8"));
	check_eq_u64("console 2", c->console[2].speed, strlen("vga"));
}

UNIT_TEST(a_refused_console_is_a_problem)
{
	check_problem("console=bad,0xffff9", "console=bad,0xffff9: is refused here");
	check_eq_u64("consoles", parse("console=bad console=vga")->console_count, 1);
}

UNIT_TEST(a_fifth_console_is_a_problem)
{
	check_problem("console=a console=b console=c console=d console=e",
	              "console=e: there are 4 consoles already");
	check_eq_u64("consoles", parse("console=a console=b console=c console=d console=e")
	             ->console_count, 4);
}

UNIT_TEST(unknown_words_are_named)
{
	check_problem("foo", "unknown word \"foo\"");
	check_problem("foo=bar", "unknown word \"foo=bar\"");
	check_problem("lis", "unknown word \"lis\"");
	check_problem("listx", "unknown word \"listx\"");
	check_problem("LIST", "unknown word \"LIST\"");
	check_problem("=", "unknown word \"=\"");
	check_problem("\"\"", "unknown word \"\"");
}

UNIT_TEST(values_where_they_belong)
{
	check_problem("list=1", "list takes no value");
	check_problem("list=", "list takes no value");
	check_problem("only", "only needs a value: only=GLOB[,GLOB...]");
	check_problem("console", "console needs a value: console=LINE");
	check_str("a value may have an =", parse("only=a=b")->only.glob[0], "a=b");
}

UNIT_TEST(the_first_problem_stays_and_parsing_goes_on)
{
	const struct cmdline *c = parse("foo only= only=gp.* bar list");

	check_str("problem", c->problem, "unknown word \"foo\"");
	check_eq_u64("only", c->only.count, 1);
	check_true("list", c->is_list);
}

UNIT_TEST(quotes_keep_a_word_together)
{
	check_str("whole word", parse("\"only=a b\" list")->only.glob[0], "a b");
	check_true("the next word", parse("\"only=a b\" list")->is_list);
	check_str("part of a word", parse("only=\"a b\"c")->only.glob[0], "a bc");
	check_problem("\"no such word\"", "unknown word \"no such word\"");
}

UNIT_TEST(a_backslash_takes_the_next_character)
{
	check_str("a blank", parse("only=a\\ b")->only.glob[0], "a b");
	check_str("a quote", parse("only=a\\\"b")->only.glob[0], "a\"b");
	check_str("an apostrophe", parse("only=a\\'b")->only.glob[0], "a'b");
	check_str("a backslash", parse("only=a\\\\")->only.glob[0], "a\\");
	check_str("at the end of the text", parse("only=a\\")->only.glob[0], "a\\");
}

UNIT_TEST(an_open_quote_is_a_problem)
{
	check_problem("list \"only=a b", "a quote is not closed: \"only=a b");
	check_str("its word counts", parse("\"only=a b")->only.glob[0], "a b");
}

UNIT_TEST(the_kernels_file_name_is_dropped_when_it_may_be)
{
	check_str("with a folder", parse_with_path("build/barecount32 list")->problem, "");
	check_true("the next word", parse_with_path("build/barecount32 list")->is_list);
	check_str("without", parse_with_path("barecount32.elf")->problem, "");
	check_str("with blanks before", parse_with_path("  ./a.elf list")->problem, "");
	check_str("not asked for", parse("build/barecount32 list")->problem,
	          "unknown word \"build/barecount32\"");
	check_str("only the first", parse_with_path("a.elf b.elf")->problem,
	          "unknown word \"b.elf\"");
	check_str("only at the end", parse_with_path("x.elf.gz")->problem,
	          "unknown word \"x.elf.gz\"");
}

UNIT_TEST(a_word_is_not_taken_for_a_file_name)
{
	check_eq_u64("only=a/b", parse_with_path("only=a/b")->only.count, 1);
	check_eq_u64("only=a.elf", parse_with_path("only=a.elf")->only.count, 1);
	check_true("list", parse_with_path("list")->is_list);
}

UNIT_TEST(a_line_of_full_length_is_read)
{
	char text[CMDLINE_SIZE];

	memset(text, 'x', sizeof(text));
	memcpy(text, "list skip=", 10);
	text[CMDLINE_SIZE - 1] = '\0';
	check_problem(text, "");        /* is_list: true follows the text, and would be a word */
	check_eq_u64("length of the pattern", strlen(parse(text)->skip.glob[0]),
	             CMDLINE_SIZE - 1 - 10);
}

UNIT_TEST(a_longer_line_is_a_problem)
{
	char text[CMDLINE_SIZE + 1];

	memset(text, ' ', sizeof(text));
	memcpy(text, "list", 4);
	text[CMDLINE_SIZE] = '\0';
	check_problem(text, "the command line is longer than 1023 characters");
	check_true("what fits is read", parse(text)->is_list);
}

UNIT_TEST(a_long_problem_is_cut)
{
	char text[CMDLINE_SIZE];
	const struct cmdline *c;

	memset(text, 'y', sizeof(text));
	text[CMDLINE_SIZE - 1] = '\0';
	c = parse(text);
	check_eq_u64("length", strlen(c->problem), CMDLINE_PROBLEM_SIZE - 1);
	check_true("beginning", strncmp(c->problem, "unknown word \"yyy", 16) == 0);
}

UNIT_TEST(tests_are_selected_by_only_and_skip)
{
	check_true("nothing said", cmdline_is_selected(parse(""), "gp.a"));
	check_true("only, matches", cmdline_is_selected(parse("only=p5.*,gp.*"), "gp.a"));
	check_true("only, does not", !cmdline_is_selected(parse("only=p5.*,fixed.*"), "gp.a"));
	check_true("skip, matches", !cmdline_is_selected(parse("skip=p5.*,gp.*"), "gp.a"));
	check_true("skip, does not", cmdline_is_selected(parse("skip=p5.*"), "gp.a"));
	check_true("skip wins", !cmdline_is_selected(parse("only=gp.* skip=*.a"), "gp.a"));
}

static void append_line(void *ctx, const char *line)
{
	strcat(ctx, line);
	strcat(ctx, "\n");
}

UNIT_TEST(the_help_has_a_line_for_each_word_but_hidden_ones)
{
	char help[2048] = "";

	cmdline_help(append_line, help);
	check_true("only", strstr(help, "only=GLOB[,GLOB...]  run only") == help);
	check_true("skip", strstr(help, "\nskip=GLOB[,GLOB...]  do not") != NULL);
	check_true("list", strstr(help, "\nlist                 print") != NULL);
	check_true("console", strstr(help, "\nconsole=LINE         com1") != NULL);
	check_true("exact", strstr(help, "\nexact                the machine repeats") != NULL);
	check_true("cpus", strstr(help, "\ncpus=N               run at most N") != NULL);
	check_true("nosmp", strstr(help, "\nnosmp                do not even") != NULL);
	check_true("absent_cpu", strstr(help, "\nabsent_cpu=ID        assume") != NULL);
	check_true("uarch", strstr(help, "\nuarch=NAME           assume") != NULL);
	check_true("its end", strstr(help, "starts in its reset state\n") != NULL);
	check_true("broken is hidden", strstr(help, "broken") == NULL);
}

UNIT_MAIN()
