/* SPDX-License-Identifier: MIT */
/* A keyboard's scan codes, and an 8042 in several states of health. */
/* LINK: kernel/input/keyboard.c kernel/input/scancodes.c */
#include <kernel/input/keyboard.h>

#include <arch/regs/table.h>
#include <kernel/input/keys.h>

#include <tests/unit/unit.h>

/* ---------------------------------------------------------------------------- scan codes */

static struct scancodes codes;

/* Returns the keys of scan codes in hexadecimal: characters as they are, others by their number. */
static const char *keys_of(const char *hex)
{
	static char text[128];
	size_t length = 0;
	unsigned code;
	int used;

	text[0] = '\0';
	for (; sscanf(hex, "%2x %n", &code, &used) == 1; hex += used) {
		int key = scancode_decode(&codes, (uint8_t)code);

		if (key > ' ' && key <= '~')
			length += (size_t)sprintf(text + length, "%c", key);
		else if (key != KEY_NONE)
			length += (size_t)sprintf(text + length, "<%X>", (unsigned)key);
	}
	return text;
}

static void check_keys(const char *what, const char *hex, const char *want)
{
	check_str(what, keys_of(hex), want);
}

static void start(void)
{
	memset(&codes, 0, sizeof(codes));
}

/* Row by row as the keys lie on the US keyboard, from the left. */
#define ROW1  "29 02 03 04 05 06 07 08 09 0A 0B 0C 0D "
#define ROW2  "10 11 12 13 14 15 16 17 18 19 1A 1B 2B "
#define ROW3  "1E 1F 20 21 22 23 24 25 26 27 28 "
#define ROW4  "2C 2D 2E 2F 30 31 32 33 34 35 "

UNIT_TEST(letters_and_signs)
{
	start();
	check_keys("digits", ROW1, "`1234567890-=");
	check_keys("the row of q", ROW2, "qwertyuiop[]\\");
	check_keys("the row of a", ROW3, "asdfghjkl;'");
	check_keys("the row of z", ROW4, "zxcvbnm,./");
	check_keys("Escape, backspace, tab, Enter, blank", "01 0E 0F 1C 39", "<1B><8><9><D><20>");
	check_keys("released", "9E 90 82 B9 9C", "");
}

UNIT_TEST(shift)
{
	start();
	check_keys("left, digits", "2A " ROW1, "~!@#$%^&*()_+");
	check_keys("the row of q", ROW2, "QWERTYUIOP{}|");
	check_keys("released", "AA 1E", "a");
	check_keys("right, the row of a", "36 " ROW3, "ASDFGHJKL:\"");
	check_keys("the row of z", ROW4, "ZXCVBNM<>?");
	check_keys("both, one released", "2A B6 1E", "A");
	check_keys("none", "AA 1E", "a");
	check_keys("the key of 102", "56 2A 56 AA", "\\|");
}

UNIT_TEST(caps_lock)
{
	start();
	check_keys("letters only", "3A BA 1E 02 1A", "A1[");
	check_keys("with shift", "2A 1E 02 AA", "a!");
	check_keys("held down, it comes again", "3A 3A 3A BA 1E", "a");
}

UNIT_TEST(control)
{
	start();
	check_keys("left: A, C, Z", "1D 1E 2E 2C", "<1><3><1A>");
	check_keys("with no meaning", "02 39", "");
	check_keys("released", "9D 1E", "a");
	check_keys("right", "E0 1D 20 E0 9D 20", "<4>d");
	check_keys("with caps lock and shift", "3A BA 2A 1D 2E AA 9D 3A BA", "<3>");
}

UNIT_TEST(keys_behind_e0)
{
	start();
	check_keys("arrows", "E0 48 E0 50 E0 4B E0 4D", "<100><101><102><103>");
	check_keys("Home, End, delete, pages", "E0 47 E0 4F E0 53 E0 49 E0 51",
	           "<104><105><106><107><108>");
	check_keys("the keypad's Enter and slash", "E0 1C E0 35", "<D>/");
	check_keys("released", "E0 C8 E0 9C", "");
	check_keys("shifts that the keyboard makes up", "E0 2A E0 47 E0 AA 1E", "<104>a");
	check_keys("no key of ours", "E0 5B E0 38 1E", "a");
	check_keys("pause: its bytes are others' elsewhere", "E1 1D 45 E1 9D C5 1E 47", "a<104>");
}

UNIT_TEST(keypad)
{
	start();
	check_keys("arrows at first", "48 50 4B 4D 47 4F 53 49 51 4C",
	           "<100><101><102><103><104><105><106><107><108>");
	check_keys("num lock", "45 C5 47 48 49 4A 4B 4C 4D 4E 4F 50 51 52 53 37", "789-456+1230.*");
	check_keys("the other arrows", "E0 48", "<100>");
}

UNIT_TEST(lost_codes)
{
	start();
	check_keys("shift, and what was lost may be its release", "2A 1D FF 1E", "a");
	check_keys("answers of the keyboard", "FA FE AA EE 1E", "a");
}

/* ---------------------------------------------------------------------------- 8042 */

/* Says what a read of the status finds besides pending bytes. */
enum health { HEALTHY, ABSENT, STUCK_FULL, STUCK_BUSY, MUTE, WITHOUT_KEYBOARD };

static enum health health;
static uint8_t waiting[32];
static unsigned waiting_count;
static bool is_mouse;                   /* the pending byte is the mouse's */
static uint8_t command_byte, pending, last_leds, sent[64];
static unsigned sent_count, reads;

static void answer(uint8_t value)
{
	waiting[waiting_count++ % sizeof(waiting)] = value;
}

static uint8_t port_read(uintptr_t base, unsigned reg)
{
	uint8_t value = waiting[0];

	reads++;
	if (base != 0x60 || (reg != 0 && reg != 4) || health == ABSENT)
		return 0xFF;
	if (reg == 4)
		return health == STUCK_FULL ? 0x01 : health == STUCK_BUSY ? 0x02
		       : waiting_count ? (is_mouse ? 0x21 : 0x01) : 0x00;
	if (waiting_count)
		memmove(waiting, waiting + 1, --waiting_count);
	return value;
}

static void keyboard_takes(uint8_t value)
{
	if (health == WITHOUT_KEYBOARD)
		return;
	if (sent_count && sent[sent_count - 1] == 0xED)
		last_leds = value;
	if (sent_count < sizeof(sent))
		sent[sent_count++] = value;
	answer(0xFA);
}

static void port_write(uintptr_t base, unsigned reg, uint8_t value)
{
	check_eq_u64("port", base, 0x60);
	if (health == MUTE)
		return;
	if (reg == 4) {
		pending = value;
		if (value == 0x20)
			answer(command_byte);
	} else if (pending == 0x60) {
		command_byte = value;
		pending = 0;
	} else {
		keyboard_takes(value);
	}
}

static const struct uart_bus bus = { "test", port_read, port_write, NULL };
static struct keyboard keyboard;

static bool begin(enum health how)
{
	health = how;
	waiting_count = sent_count = reads = 0;
	is_mouse = false;
	command_byte = 0x13;            /* interrupts on, keyboard off, no translation */
	return keyboard_init(&keyboard, &bus);
}

UNIT_TEST(it_is_set_up)
{
	static const uint8_t want[] = { 0xF0, 2, 0xF4, 0xED, 0 };

	check_true("found", begin(HEALTHY));
	check_eq_u64("command byte: translated, no mouse, no interrupts", command_byte, 0x60);
	check_eq_u64("bytes to the keyboard", sent_count, sizeof(want));
	for (unsigned i = 0; i < sizeof(want); i++)
		check_eq_u64("a byte to the keyboard", sent[i], want[i]);
	check_eq_u64("nothing is left to read", waiting_count, 0);
}

UNIT_TEST(keys_come)
{
	begin(HEALTHY);
	check_eq_u64("none", (uint64_t)keyboard_get(&keyboard), (uint64_t)KEY_NONE);
	answer(0x1E);
	check_eq_u64("a", (uint64_t)keyboard_get(&keyboard), 'a');
	check_eq_u64("none more", (uint64_t)keyboard_get(&keyboard), (uint64_t)KEY_NONE);
}

UNIT_TEST(a_mouse_is_no_key)
{
	begin(HEALTHY);
	is_mouse = true;
	answer(0x1E);
	check_eq_u64("key", (uint64_t)keyboard_get(&keyboard), (uint64_t)KEY_NONE);
	check_eq_u64("its byte was taken", waiting_count, 0);
}

UNIT_TEST(locks_are_shown)
{
	begin(HEALTHY);
	answer(0x3A);
	keyboard_get(&keyboard);
	check_eq_u64("caps lock", last_leds, 4);
	answer(0xBA);
	keyboard_get(&keyboard);
	answer(0x45);
	keyboard_get(&keyboard);
	check_eq_u64("both", last_leds, 6);
}

UNIT_TEST(what_firmware_left_is_dropped)
{
	health = HEALTHY;
	waiting_count = 0;
	answer(0x1E);
	answer(0x9E);
	check_true("found", keyboard_init(&keyboard, &bus));
	check_eq_u64("key", (uint64_t)keyboard_get(&keyboard), (uint64_t)KEY_NONE);
}

/* Each attempt ends after as many reads as its bounds say, and is not repeated. */
UNIT_TEST(sick_controllers_are_given_up)
{
	static const struct { enum health how; const char *name; unsigned reads; } sick[] = {
		{ ABSENT, "no device answers: one read", 1 },
		{ STUCK_FULL, "always something to read", 2 * 66 },
		{ STUCK_BUSY, "never takes a command", 100000 + 16 },
		{ MUTE, "takes commands, never answers", 100000 + 16 },
	};

	for (size_t i = 0; i < COUNT_OF(sick); i++) {
		check_true(sick[i].name, !begin(sick[i].how));
		check_true("reads, at most those of its bounds", reads <= sick[i].reads);
	}
}

UNIT_TEST(a_keyboard_may_come_later)
{
	check_true("found", begin(WITHOUT_KEYBOARD));
	check_true("reads: four answers are waited for", reads <= 4 * 40000 + 100);
	answer(0x1E);
	check_eq_u64("a", (uint64_t)keyboard_get(&keyboard), 'a');
	answer(0x3A);
	reads = 0;
	keyboard_get(&keyboard);
	check_true("reads: its lights are not tried again", reads < 10);
}

UNIT_TEST(it_dies_later)
{
	begin(HEALTHY);
	health = ABSENT;
	for (unsigned i = 0; i < 100; i++)
		check_eq_u64("no key", (uint64_t)keyboard_get(&keyboard), (uint64_t)KEY_NONE);
}

UNIT_MAIN()
