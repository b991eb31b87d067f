/* SPDX-License-Identifier: MIT */
#include <kernel/input/keys.h>

#include <arch/cpu/insn.h>
#include <arch/cpu/self.h>
#include <kernel/console/console.h>
#include <kernel/console/screen.h>
#include <kernel/console/serial.h>
#include <kernel/input/key_decoder.h>
#include <kernel/input/keyboard.h>

_Static_assert(KEY_NONE == -1, "console_receive() says so if no byte waits");
static SHARED struct key_decoder decoders[CONSOLE_UARTS_MAX];

static SHARED struct keyboard keyboard;
static SHARED bool has_keyboard, is_keyboard_tried;

void keys_use_keyboard(void)
{
	if (!is_keyboard_tried)
		has_keyboard = keyboard_init(&keyboard, &uart_bus_io);
	is_keyboard_tried = true;
}

static int read_sources(void)
{
	for (unsigned line = 0; line < CONSOLE_UARTS_MAX; line++) {
		const int key = key_decode(&decoders[line], console_receive(line));

		if (key != KEY_NONE)
			return key;
	}
	return has_keyboard ? keyboard_get(&keyboard) : KEY_NONE;
}

/* Keeps the keys that were typed ahead. */
enum { AHEAD_MAX = 256 };
static SHARED int ahead[AHEAD_MAX];
static SHARED unsigned ahead_first, ahead_count;       /* index of the first: modulo AHEAD_MAX */

void keys_collect(void)
{
	int key;

	while (ahead_count < AHEAD_MAX && (key = read_sources()) != KEY_NONE)
		ahead[(ahead_first + ahead_count++) % AHEAD_MAX] = key;
}

bool keys_has_interrupt(void)
{
	keys_collect();
	for (unsigned i = ahead_count; i-- > 0;) {
		if (ahead[(ahead_first + i) % AHEAD_MAX] != KEY_CTRL('C'))
			continue;
		ahead_first += i + 1;
		ahead_count -= i + 1;
		return true;
	}
	if (ahead_count == AHEAD_MAX)
		ahead_count = 0;
	return false;
}

int keys_get(void)
{
	if (ahead_count == 0)
		return read_sources();
	ahead_count--;
	return ahead[ahead_first++ % AHEAD_MAX];
}

void keys_give_back(int key)
{
	if (ahead_count == AHEAD_MAX)
		return;
	ahead[--ahead_first % AHEAD_MAX] = key;
	ahead_count++;
}

static void show_cursor(bool is_on)
{
	bool is_alone;
	struct screen *screen = console_screen(&is_alone);

	if (screen)
		screen_show_cursor(screen, is_on);
	if (screen && !is_on)
		screen_mark_seen(screen);
}

int keys_wait(void)
{
	int key = keys_get();

	if (key == KEY_NONE)
		show_cursor(true);
	for (; key == KEY_NONE; key = keys_get())
		cpu_pause();
	show_cursor(false);
	return key;
}
