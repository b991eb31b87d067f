/* SPDX-License-Identifier: MIT */
/* repeat: runs the same command again and again; exact results are the same each time. */
#include <monitor/tools/command.h>

#include <arch/cpu/self.h>
#include <kernel/console/console.h>
#include <kernel/input/keys.h>
#include <kernel/lib/string.h>
#include <monitor/prompt/dispatch.h>
#include <monitor/tools/tally.h>

enum { REPEAT_MAX = 100000 };

static SHARED struct tally tally;              /* filled by whichever processor prints */
static SHARED struct words repeated;

static void put(char c)
{
	tally_put(&tally, c);
}

/* Takes the words from `first` on as a command. Returns false, and tells it, if they are none. */
static bool has_taken_command(const struct words *w, unsigned first)
{
	repeated.command = monitor_command_or_tell(w->word[first]);
	if (repeated.command == w->command)
		monitor_fail("repeat does not repeat itself");
	repeated.count = w->count - first;
	memcpy(repeated.word, w->word + first, repeated.count * sizeof(w->word[0]));
	return repeated.command != NULL;
}

/* Returns false if the command failed or if CTRL-C was typed. */
static bool has_run_once(void)
{
	bool is_good;

	console_capture(put);
	is_good = monitor_run(&repeated);
	console_capture(NULL);
	tally_end_run(&tally);
	return is_good && !keys_has_interrupt();
}

static void print_text(const struct tally_text *text)
{
	console_write(text->text);
	if (text->length >= TALLY_SIZE)
		print("... (%u characters in all)\n", text->length);
}

static void print_tally(void)
{
	if (tally.count == 1 && !tally.others) {
		print_text(&tally.kept[0]);
		print("%u run%s, %s.\n", tally.runs, tally.runs == 1 ? "" : "s",
		      tally.runs == 1 ? "with nothing to compare" : "all the same");
		return;
	}
	for (unsigned i = 0; i < tally.count; i++) {
		print("%u of %u runs printed\n", tally.kept[i].times, tally.runs);
		print_text(&tally.kept[i]);
	}
	if (tally.others)
		print("%u of %u runs printed other texts\n", tally.others, tally.runs);
}

COMMAND(repeat, .syntax = "N COMMAND", .summary = "runs a command N times and compares its output",
        .text = "Output that all runs have in common is printed once; otherwise each text with\n"
                "its number of runs. CTRL-C, and a run that fails, end it.\n",
        .example = "repeat 10 count PAPI_TOT_INS on loop:1000", .is_unbounded = true,
        .completion = COMPLETE_COMMANDS)
{
	unsigned wanted;

	words_expect(w, 2, MONITOR_WORDS_MAX);
	wanted = (unsigned)words_number(w, 1, "how often", 1, REPEAT_MAX);
	if (!has_taken_command(w, 2))
		return;
	tally_begin(&tally);
	while (tally.runs < wanted && has_run_once())
		;
	print_tally();
	if (tally.runs < wanted)
		print("It ended after run %u.\n", tally.runs);
}
