/* SPDX-License-Identifier: MIT */
#include <kernel/input/key_decoder.h>

#include <stddef.h>

#include <arch/regs/table.h>
#include <kernel/input/keys.h>

enum { PLAIN, AFTER_ESCAPE, IN_CSI, IN_SS3, AFTER_CSI_BRACKET };

enum { SEQUENCE_MAX = 16, NUMBER_MAX = 99 };

/* Final characters of CSI (ESC [) and SS3 (ESC O); for '~' the number before it selects the key. */
static const struct { char final; uint8_t number; int key; } sequences[] = {
	{ 'A', 0, KEY_UP },      { 'B', 0, KEY_DOWN },      { 'C', 0, KEY_RIGHT },
	{ 'D', 0, KEY_LEFT },    { 'H', 0, KEY_HOME },      { 'F', 0, KEY_END },
	{ '~', 1, KEY_HOME },    { '~', 3, KEY_DELETE },    { '~', 4, KEY_END },
	{ '~', 5, KEY_PAGE_UP }, { '~', 6, KEY_PAGE_DOWN }, { '~', 7, KEY_HOME },
	{ '~', 8, KEY_END },
};

static int find(char final, unsigned number)
{
	for (size_t i = 0; i < COUNT_OF(sequences); i++)
		if (sequences[i].final == final && (final != '~' || sequences[i].number == number))
			return sequences[i].key;
	return KEY_NONE;
}

static void go_to(struct key_decoder *d, uint8_t state)
{
	d->state = state;
	d->length = 0;
	d->number = 0;
	d->has_number = false;
}

/* Decodes a byte outside a sequence. Enter is '\r', '\n' or, from some programs, both. */
static int decode_plain(struct key_decoder *d, int byte)
{
	const bool is_second = byte == '\n' && d->is_after_return;

	d->is_after_return = byte == '\r';
	go_to(d, byte == KEY_ESCAPE ? AFTER_ESCAPE : PLAIN);
	if (byte == 0x7f)
		return KEY_BACKSPACE;
	if (byte == '\n')
		return is_second ? KEY_NONE : KEY_ENTER;
	return byte > 0 && byte < 0x7f && byte != KEY_ESCAPE ? byte : KEY_NONE;
}

static int decode_after_escape(struct key_decoder *d, int byte)
{
	if (byte == '[' || byte == 'O') {
		go_to(d, byte == '[' ? IN_CSI : IN_SS3);
		return KEY_NONE;
	}
	if (byte == KEY_ESCAPE)
		return KEY_ESCAPE;      /* the earlier ESC; this one may begin a sequence */
	return decode_plain(d, byte);
}

/*
 * A sequence has parameters (30H to 3FH), intermediates (20H to 2FH), then a final byte (40H to
 * 7EH).
 */
static int decode_sequence(struct key_decoder *d, int byte)
{
	if (byte < ' ' || byte > '~' || ++d->length > SEQUENCE_MAX)
		return decode_plain(d, byte);
	if (byte == '[' && d->state == IN_CSI && d->length == 1) {
		go_to(d, AFTER_CSI_BRACKET);    /* Linux' function keys: ESC [ [ A */
		return KEY_NONE;
	}
	if (byte < '@') {
		d->has_number |= byte < '0' || byte > '9';
		if (!d->has_number && d->number <= NUMBER_MAX)
			d->number = d->number * 10 + (unsigned)(byte - '0');
		return KEY_NONE;
	}
	byte = d->state == AFTER_CSI_BRACKET ? KEY_NONE : find((char)byte, d->number);
	go_to(d, PLAIN);
	return byte;
}

static int wait_longer(struct key_decoder *d)
{
	const bool is_escape = d->state == AFTER_ESCAPE;

	if (d->state == PLAIN || ++d->idle < KEY_DECODER_IDLE_POLLS)
		return KEY_NONE;
	go_to(d, PLAIN);
	return is_escape ? KEY_ESCAPE : KEY_NONE;
}

int key_decode(struct key_decoder *d, int byte)
{
	if (byte == KEY_NONE)
		return wait_longer(d);
	d->idle = 0;
	if (d->state == PLAIN)
		return decode_plain(d, byte);
	return d->state == AFTER_ESCAPE ? decode_after_escape(d, byte) : decode_sequence(d, byte);
}
