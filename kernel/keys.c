/* SPDX-License-Identifier: MIT */
#include <kernel/keys.h>

#include <arch/insn.h>
#include <arch/self.h>
#include <kernel/console.h>
#include <kernel/key_decoder.h>
#include <kernel/keyboard.h>
#include <kernel/screen.h>
#include <kernel/uart.h>

struct source {
	struct key_source is;
	struct key_decoder decoder;
};

static SHARED struct source sources[KEY_SOURCES_MAX];
static SHARED unsigned source_count;

static SHARED struct keyboard keyboard;
static SHARED bool is_keyboard_tried;

void keys_add_source(const struct key_source *source)
{
	if (source_count < KEY_SOURCES_MAX)
		sources[source_count++].is = *source;
}

static int keyboard_key(void *ctx)
{
	return keyboard_get(ctx);
}

void keys_use_keyboard(void)
{
	if (!is_keyboard_tried && keyboard_init(&keyboard, &uart_bus_io))
		keys_add_source(&(struct key_source){ .get = keyboard_key, .ctx = &keyboard });
	is_keyboard_tried = true;
}

static int read_sources(void)
{
	for (unsigned i = 0; i < source_count; i++) {
		int key = sources[i].is.get(sources[i].is.ctx);

		if (sources[i].is.is_terminal)
			key = key_decode(&sources[i].decoder, key);
		if (key != KEY_NONE)
			return key;
	}
	return KEY_NONE;
}

/* What was typed ahead. */
enum { AHEAD_MAX = 256 };
static SHARED int ahead[AHEAD_MAX];
static SHARED unsigned ahead_first, ahead_count;       /* the first's place is modulo AHEAD_MAX */

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
