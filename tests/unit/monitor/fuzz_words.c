/* SPDX-License-Identifier: MIT */
/* LINK: monitor/tools/words.c monitor/tools/expression.c */
/* Compares how the monitor cuts lines and reads numbers with another way to do either. */
#include <monitor/tools/command.h>

#include <tests/unit/fuzz.h>
#include <tests/unit/monitor/words_monitor.h>

/* Computes in 128 bits, saturating. */
static bool is_number(const char *digits, size_t length, unsigned base, uint64_t *number)
{
	unsigned __int128 value = 0;

	for (size_t i = 0; i < length; i++) {
		const char *const all = "0123456789abcdef";
		const char *found = digits[i] ? strchr(all, digits[i] | (digits[i] > '9' ? 32 : 0))
		                              : NULL;

		if (!found || (unsigned)(found - all) >= base)
			return false;
		value = value * base + (unsigned)(found - all);
		if (value > UINT64_MAX)
			return false;
	}
	*number = (uint64_t)value;
	return length > 0;
}

static void check_number(const char *word)
{
	const size_t length = strlen(word);
	uint64_t got = 0, want = 0;
	bool is_one;

	if (strpbrk(word, "+-*^()"))
		return;                 /* fuzz_expression.c has these */
	if (length > 1 && word[0] == '0' && (word[1] | 32) == 'x')
		is_one = is_number(word + 2, length - 2, 16, &want);
	else if (length && (word[length - 1] | 32) == 'h')
		is_one = is_number(word, length - 1, 16, &want);
	else
		is_one = is_number(word, length, 10, &want);
	REQUIRE(words_is_number(word, &got) == is_one);
	REQUIRE(!is_one || got == want);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char line[MONITOR_LINE_SIZE], cut[MONITOR_LINE_SIZE], again[MONITOR_LINE_SIZE];
	unsigned count = 0;
	struct words w;
	bool fits;

	if (size == 0 || size >= sizeof(line))
		return 0;
	memcpy(line, data, size);
	line[size] = '\0';
	strcpy(cut, line);
	strcpy(again, line);
	fits = words_split(&w, cut);
	w.command = &only_command;
	for (char *word = strtok(again, " \t"); word; word = strtok(NULL, " \t"), count++) {
		if (count >= w.count)
			continue;
		REQUIRE(strcmp(w.word[count], word) == 0);
		REQUIRE(w.word[count] - cut == word - again);
		check_number(word);
	}
	REQUIRE(fits ? w.count == count : count > MONITOR_WORDS_MAX);
	if (SUCCEEDS(words_expect(&w, 1, 3)))
		REQUIRE(w.count >= 2 && w.count <= 4);
	if (SUCCEEDS(words_number(&w, 1, "it", 5, 1000)))
		REQUIRE(w.count > 1);
	return 0;
}
