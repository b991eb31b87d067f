/* SPDX-License-Identifier: MIT */
/* The bytes that terminals send, decoded as keys. */
/* LINK: kernel/input/key_decoder.c */
#include <kernel/input/key_decoder.h>

#include <arch/regs/table.h>
#include <kernel/input/keys.h>

#include <tests/unit/unit.h>

static struct key_decoder decoder;

static void start(void)
{
	memset(&decoder, 0, sizeof(decoder));
}

/* Returns the keys of all bytes as text: characters as they are, others by their number. */
static const char *keys_of(const char *bytes)
{
	static char text[256];
	size_t length = 0;

	for (text[0] = '\0'; *bytes && length < sizeof(text) - 8; bytes++) {
		int key = key_decode(&decoder, (unsigned char)*bytes);

		if (key > ' ' && key <= '~')
			length += (size_t)sprintf(text + length, "%c", key);
		else if (key != KEY_NONE)
			length += (size_t)sprintf(text + length, "<%X>", (unsigned)key);
	}
	return text;
}

static int wait(uint32_t polls)
{
	int key = KEY_NONE;

	while (polls-- > 0 && key == KEY_NONE)
		key = key_decode(&decoder, KEY_NONE);
	return key;
}

UNIT_TEST(characters_are_themselves)
{
	start();
	check_str("printable", keys_of("rdmsr!~"), "rdmsr!~");
	check_str("control keys, Enter, tab", keys_of("\x03\r\t"), "<3><D><9>");
	check_str("backspace, and what most terminals send for it", keys_of("\b\x7f"), "<8><8>");
	check_str("UTF-8 is no key", keys_of("a\xc3\xa4z"), "az");
	check_eq_u64("NUL is no key", (uint64_t)key_decode(&decoder, 0), (uint64_t)KEY_NONE);
}

UNIT_TEST(enter_is_one_key)
{
	start();
	check_str("CR", keys_of("\r\r"), "<D><D>");
	start();
	check_str("LF", keys_of("\n\n"), "<D><D>");
	start();
	check_str("CR LF", keys_of("a\r\nb\r\n\n"), "a<D>b<D><D>");
}

static const struct { const char *bytes; int key; } sequences[] = {
	{ "\x1b[A", KEY_UP },      { "\x1bOA", KEY_UP },     { "\x1b[B", KEY_DOWN },
	{ "\x1bOB", KEY_DOWN },    { "\x1b[C", KEY_RIGHT },  { "\x1bOC", KEY_RIGHT },
	{ "\x1b[D", KEY_LEFT },    { "\x1bOD", KEY_LEFT },   { "\x1b[H", KEY_HOME },
	{ "\x1bOH", KEY_HOME },    { "\x1b[1~", KEY_HOME },  { "\x1b[7~", KEY_HOME },
	{ "\x1b[F", KEY_END },     { "\x1bOF", KEY_END },    { "\x1b[4~", KEY_END },
	{ "\x1b[8~", KEY_END },    { "\x1b[3~", KEY_DELETE },
	{ "\x1b[5~", KEY_PAGE_UP },                          { "\x1b[6~", KEY_PAGE_DOWN },
	{ "\x1b[1;5C", KEY_RIGHT },                          { "\x1b[3;2~", KEY_DELETE },
};

UNIT_TEST(sequences_are_keys)
{
	for (size_t i = 0; i < COUNT_OF(sequences); i++) {
		char want[16];

		start();
		snprintf(want, sizeof(want), "<%X>", (unsigned)sequences[i].key);
		check_str(sequences[i].bytes, keys_of(sequences[i].bytes), want);
		check_str("the next key", keys_of("x"), "x");
	}
}

UNIT_TEST(unknown_sequences_are_swallowed)
{
	start();
	check_str("F5, insert, F1 of xterm", keys_of("\x1b[15~\x1b[2~\x1bOPx"), "x");
	check_str("F1 of Linux", keys_of("\x1b[[Ax"), "x");
	check_str("an answer about the cursor", keys_of("\x1b[24;80Rx"), "x");
	check_str("a number that is no number", keys_of("\x1b[99999999999~x"), "x");
}

UNIT_TEST(escape_swallows_nothing_else)
{
	start();
	check_str("a letter after it", keys_of("\x1bhelp"), "help");
	check_str("Enter after it", keys_of("\x1b\r"), "<D>");
	check_str("twice", keys_of("\x1b\x1b[A"), "<1B><100>");
	check_str("a control key within a sequence", keys_of("\x1b[1\x03x"), "<3>x");
	check_str("a sequence within a sequence", keys_of("\x1b[1\x1b[Bx"), "<101>x");
	check_str("one without an end", keys_of("\x1b[1111111111111111x"), "x");
}

UNIT_TEST(escape_alone_is_a_key_in_the_end)
{
	start();
	check_eq_u64("nothing was typed", (uint64_t)wait(2 * KEY_DECODER_IDLE_POLLS),
	             (uint64_t)KEY_NONE);
	keys_of("\x1b");
	check_eq_u64("too early", (uint64_t)wait(KEY_DECODER_IDLE_POLLS - 1), (uint64_t)KEY_NONE);
	check_eq_u64("in the end", (uint64_t)wait(1), KEY_ESCAPE);
	check_str("what follows does not belong to it", keys_of("[A"), "[A");
	keys_of("\x1b[1");
	check_eq_u64("a sequence cut off is no key", (uint64_t)wait(2 * KEY_DECODER_IDLE_POLLS),
	             (uint64_t)KEY_NONE);
	check_str("what follows does not belong to it", keys_of("x"), "x");
	keys_of("\x1b");
	wait(KEY_DECODER_IDLE_POLLS - 1);
	keys_of("[");
	wait(KEY_DECODER_IDLE_POLLS - 1);
	check_str("slow, but in time", keys_of("A"), "<100>");
}

UNIT_MAIN()
