/* SPDX-License-Identifier: MIT */
#include <kernel/input/scancodes.h>

#include <stddef.h>

#include <arch/regs/table.h>
#include <kernel/input/keys.h>

/* IBM Personal System/2 Hardware Interface Technical Reference, "Keyboard": "Scan Code Set 1". */
#define RELEASED        0x80            /* bit 7: the key was released */
#define EXTENDED        0xE0
#define PAUSE           0xE1            /* two more bytes follow */
#define OVERRUN_LOW     0x00            /* keys were lost; codes of set 1 and set 2 */
#define OVERRUN_HIGH    0xFF
#define CTRL            0x1D
#define LEFT_SHIFT      0x2A
#define RIGHT_SHIFT     0x36
#define CAPS_LOCK       0x3A
#define NUM_LOCK        0x45
#define KEYPAD_FIRST    0x47
#define KEYPAD_LAST     0x53

/* Index 0 is without shift, 1 with shift. 0 means no character; the last one ends the string. */
static const char characters[2][0x3A + 1] = {
	"\0\x1b" "1234567890-=\b\t" "qwertyuiop[]\r\0" "asdfghjkl;'`\0" "\\zxcvbnm,./\0" "*\0 ",
	"\0\x1b" "!@#$%^&*()_+\b\t" "QWERTYUIOP{}\r\0" "ASDFGHJKL:\"~\0" "|ZXCVBNM<>?\0"  "*\0 ",
};

/* Keyboards with 102 keys have this one beside the left shift. */
#define KEY_102         0x56

/* Used with num lock; without it, the keypad's keys are those that follow E0H. */
static const char keypad_characters[] = "789-456+1230.";
static const int keypad_keys[] = {
	KEY_HOME, KEY_UP, KEY_PAGE_UP, '-', KEY_LEFT, KEY_NONE, KEY_RIGHT, '+', KEY_END, KEY_DOWN,
	KEY_PAGE_DOWN, KEY_NONE, KEY_DELETE,
};
_Static_assert(sizeof(keypad_characters) - 1 == KEYPAD_LAST - KEYPAD_FIRST + 1, "keypad");
_Static_assert(COUNT_OF(keypad_keys) == KEYPAD_LAST - KEYPAD_FIRST + 1, "keypad");

static bool has_shift(const struct scancodes *s) { return s->left_shift || s->right_shift; }
static bool has_ctrl(const struct scancodes *s)  { return s->left_ctrl || s->right_ctrl; }

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* CTRL changes '@' to '_' and the small letters. */
static int with_ctrl(char c)
{
	return (c >= '@' && c <= '_') || is_letter(c) ? KEY_CTRL(c) : c == '\b' ? c : KEY_NONE;
}

static int character(const struct scancodes *s, uint8_t code)
{
	const bool is_caps = s->has_caps_lock && is_letter(characters[0][code]);
	const char c = characters[has_shift(s) != is_caps][code];

	if (c == '\0')
		return KEY_NONE;
	return has_ctrl(s) ? with_ctrl(c) : c;
}

static void toggle(struct scancodes *s, bool *lock)
{
	*lock ^= !s->is_lock_held;
	s->is_lock_held = true;
}

static int press(struct scancodes *s, uint8_t code)
{
	switch (code) {
	case CTRL:        s->left_ctrl = true; return KEY_NONE;
	case LEFT_SHIFT:  s->left_shift = true; return KEY_NONE;
	case RIGHT_SHIFT: s->right_shift = true; return KEY_NONE;
	case CAPS_LOCK:   toggle(s, &s->has_caps_lock); return KEY_NONE;
	case NUM_LOCK:    toggle(s, &s->has_num_lock); return KEY_NONE;
	case KEY_102:     return has_shift(s) ? '|' : '\\';
	default:          break;
	}
	if (code >= KEYPAD_FIRST && code <= KEYPAD_LAST)
		return s->has_num_lock ? keypad_characters[code - KEYPAD_FIRST]
		                       : keypad_keys[code - KEYPAD_FIRST];
	return code < sizeof(characters[0]) ? character(s, code) : KEY_NONE;
}

static void release(struct scancodes *s, uint8_t code)
{
	switch (code) {
	case CTRL:        s->left_ctrl = false; break;
	case LEFT_SHIFT:  s->left_shift = false; break;
	case RIGHT_SHIFT: s->right_shift = false; break;
	case CAPS_LOCK:
	case NUM_LOCK:    s->is_lock_held = false; break;
	default:          break;
	}
}

/*
 * Handles a code after E0H, which marks the keys that keyboards with 101 keys have twice. The
 * shifts among them are not the user's.
 */
static int press_extended(struct scancodes *s, uint8_t code)
{
	if ((code & ~RELEASED) == CTRL) {
		s->right_ctrl = code == CTRL;
		return KEY_NONE;
	}
	if (code >= KEYPAD_FIRST && code <= KEYPAD_LAST)
		return keypad_keys[code - KEYPAD_FIRST];
	return code == 0x1C ? KEY_ENTER : code == 0x35 ? '/' : KEY_NONE;
}

int scancode_decode(struct scancodes *s, uint8_t code)
{
	const bool is_extended = s->is_extended;

	s->is_extended = false;
	if (s->skipped) {
		s->skipped--;
		return KEY_NONE;
	}
	if (code == OVERRUN_LOW || code == OVERRUN_HIGH) {
		/* The lost codes may include the release of a key. */
		s->left_shift = s->right_shift = s->left_ctrl = s->right_ctrl = false;
		return KEY_NONE;
	}
	if (code == EXTENDED || code == PAUSE) {
		s->is_extended = code == EXTENDED;
		s->skipped = code == PAUSE ? 2 : 0;
		return KEY_NONE;
	}
	if (is_extended)
		return press_extended(s, code);
	if (!(code & RELEASED))
		return press(s, code);
	release(s, code & (uint8_t)~RELEASED);
	return KEY_NONE;
}
