/* SPDX-License-Identifier: MIT */
/* Logs in memory that outlives a run: what the next run finds, whatever happened to the memory. */
/* LINK: kernel/log/warm_log.c kernel/lib/check.c */
#include <kernel/log/warm_log.h>

#include <tests/unit/unit.h>

enum { SIZE = 256, TEXT_SIZE = SIZE / 2 - (int)sizeof(struct warm_log_head) };

static uint32_t memory[SIZE / sizeof(uint32_t)];

static struct warm_log open_memory(void)
{
	struct warm_log kept;

	warm_log_open(&kept, memory, SIZE, true);
	return kept;
}

static void put(struct warm_log *kept, const char *text)
{
	while (*text)
		warm_log_put(kept, *text++);
}

/* Prints this text in a whole run. */
static void run(const char *text)
{
	struct warm_log kept = open_memory();

	put(&kept, text);
}

/* Returns the text as a string. */
static const char *shown(const struct warm_log_text *text)
{
	static char copy[SIZE];

	if (!text->text)
		return "(none)";
	memcpy(copy, text->text, text->length);
	copy[text->length] = '\0';
	return copy;
}

static void forget(int byte)
{
	memset(memory, byte, SIZE);
}

UNIT_TEST(memory_without_a_log_has_none)
{
	for (int byte = 0; byte < 256; byte++) {
		struct warm_log kept;

		forget(byte);
		kept = open_memory();
		check_str("nothing before it", shown(&kept.previous), "(none)");
	}
}

UNIT_TEST(a_run_finds_the_one_before)
{
	static const char *const logs[] = { "one\n", "two\nlines\n", "", "four\n", "five\n" };
	struct warm_log kept;

	forget(0);
	for (unsigned i = 0; i < 5; i++) {
		run(logs[i]);
		kept = open_memory();
		check_str("the text", shown(&kept.previous), logs[i]);
		check_true("it is sound", kept.previous.is_sound);
		warm_log_open(&kept, memory, SIZE, true); /* the one just opened printed nothing */
		check_str("that one", shown(&kept.previous), "");
	}
}

UNIT_TEST(lines_are_counted_and_one_without_its_end_is_lost)
{
	struct warm_log kept;

	forget(0);
	run("one\ntwo\nthr");
	kept = open_memory();
	check_str("the text", shown(&kept.previous), "one\ntwo\n");
	check_eq_u64("lines", kept.previous.lines, 2);
	check_true("it is sound", kept.previous.is_sound);
}

UNIT_TEST(a_run_that_is_not_recorded_leaves_the_one_before)
{
	struct warm_log kept;

	forget(0);
	run("one\n");
	for (unsigned i = 0; i < 3; i++) {
		warm_log_open(&kept, memory, SIZE, false);
		put(&kept, "not recorded\n");
		check_str("seen", shown(&kept.previous), "one\n");
		check_eq_u64("its own text", warm_log_own(&kept).length, 13);
	}
}

/* Changes every single bit of a log's head and text. */
UNIT_TEST(a_changed_bit_is_seen)
{
	forget(0);
	run("the text\n");
	for (unsigned bit = 0; bit < 8 * (sizeof(struct warm_log_head) + 9); bit++) {
		uint32_t saved[SIZE / sizeof(uint32_t)];
		const bool is_number = bit / 32 == 1;
		struct warm_log kept;

		memcpy(saved, memory, SIZE);
		((uint8_t *)memory)[bit / 8] ^= (uint8_t)(1u << bit % 8);
		kept = open_memory();
		check_true("none, or not sound", is_number || !kept.previous.is_sound);
		memcpy(memory, saved, SIZE);
	}
}

UNIT_TEST(numbers_may_wrap)
{
	struct warm_log kept;

	forget(0);
	run("old\n");
	memory[1] = memory[SIZE / 2 / sizeof(uint32_t) + 1] = UINT32_MAX;
	run("new\n");
	kept = open_memory();
	check_str("the newer one", shown(&kept.previous), "new\n");
}

UNIT_TEST(what_does_not_fit_is_lost)
{
	struct warm_log kept;

	forget(0x55);
	kept = open_memory();
	for (unsigned i = 0; i < SIZE; i++)
		warm_log_put(&kept, i % 8 == 7 ? '\n' : 'x');
	check_eq_u64("its own text", warm_log_own(&kept).length, TEXT_SIZE);
	for (unsigned i = 0; i < SIZE / 8; i++)
		check_eq_u64("the other slot", memory[SIZE / 8 + i], 0x55555555);
	kept = open_memory();
	check_eq_u64("kept", kept.previous.length, TEXT_SIZE / 8 * 8);
	check_true("it is sound", kept.previous.is_sound);
}

UNIT_TEST(lines_are_found_from_the_end)
{
	static const char text[] = "# a 1\n# b\n# a 2\nx # a 3\n";
	const struct warm_log_text in = { text, sizeof(text) - 1, 4, true };
	const struct warm_log_text none = { text, 0, 0, true };
	struct warm_log_text line;

	check_true("there", warm_log_find_last(&in, "# a", &line));
	check_str("the last", shown(&line), "# a 2");
	check_true("there", warm_log_find_last(&in, "# a 1", &line));
	check_str("the first", shown(&line), "# a 1");
	check_true("not there", !warm_log_find_last(&in, "# c", &line));
	check_true("no text", !warm_log_find_last(&none, "# a", &line));
	line = warm_log_last_line(&in);
	check_str("the last line", shown(&line), "x # a 3");
}

UNIT_TEST(the_next_line_is_found_by_its_start_or_by_any_part)
{
	static const char text[] = "# a\nok 1\n# b ok\nok 2";
	const struct warm_log_text in = { text, sizeof(text) - 1, 3, true };

	check_eq_u64("at its start", warm_log_find_next(&in, 0, "ok ", true), 4);
	check_eq_u64("after this one", warm_log_find_next(&in, 4, "ok ", true), 16);
	check_eq_u64("anywhere", warm_log_find_next(&in, 4, "ok", false), 9);
	check_eq_u64("in this line alone", warm_log_find_next(&in, 16, "ok 2", true), in.length);
	check_eq_u64("not there", warm_log_find_next(&in, 0, "not", false), in.length);
	check_eq_u64("nothing", warm_log_find_next(&in, 0, "", true), in.length);
}

UNIT_MAIN()
