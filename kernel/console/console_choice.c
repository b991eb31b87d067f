/* SPDX-License-Identifier: MIT */
#include <kernel/console/console.h>

#include <stdbool.h>
#include <stddef.h>

#include <arch/regs/table.h>
#include <kernel/console/serial.h>
#include <kernel/lib/digit.h>
#include <kernel/lib/string.h>

/* The words that take a number, and the bounds of that number. */
struct place {
	const char *word;
	enum console_kind kind;
	bool needs_speed;
	unsigned alignment;             /* in bytes */
	uintptr_t last;                 /* highest base from which all registers are in reach */
	const char *wrong;
};

/* 8 registers aligned to 8 never cross the end; 8 words aligned to 4 might. */
static const struct place places[] = {
	{ "io", CONSOLE_IO, false, 8, 0xFFFF,
	  "the port is not a multiple of 8 from 8 to 0xFFF8" },
	{ "mmio", CONSOLE_MMIO, true, 8, UINTPTR_MAX,
	  "the address is 0, not a multiple of 8 or beyond the reach of this kernel" },
	{ "mmio32", CONSOLE_MMIO32, true, 4, UINTPTR_MAX - 31,
	  "the address is 0, not a multiple of 4 or beyond the reach of this kernel" },
};

/* The serial adapters of the IBM PC and PC/AT have these ports. */
static const struct {
	const char *word;
	uintptr_t port;
} com_ports[] = { { "com1", 0x3F8 }, { "com2", 0x2F8 }, { "com3", 0x3E8 }, { "com4", 0x2E8 } };

/* Skips word if it stands at *text as a whole word. */
static bool has_word(const char **text, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(*text, word, length) != 0)
		return false;
	if ((*text)[length] != ',' && (*text)[length] != '\0')
		return false;
	*text += length;
	return true;
}

/* Reads ",NUMBER" and skips it. Returns NULL, or what is wrong with it. */
static const char *parse_number(const char **text, uint64_t *value)
{
	const char *at = *text + 1;
	unsigned base = 10;

	if (**text != ',' || *at == ',' || *at == '\0')
		return "a number is missing";
	if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
		base = 16;
		at += 2;
	}
	*value = 0;
	do {
		if (digit(*at) >= base)
			return "not a number";
		if (*value >> 60)
			return "the number is too large";       /* one more digit may not fit */
		*value = *value * base + digit(*at++);
	} while (*at != ',' && *at != '\0');
	*text = at;
	return NULL;
}

/* Reads ",SPEED" up to the end of the word. */
static const char *parse_speed(const char *text, uint32_t *speed)
{
	uint64_t value;
	const char *wrong = parse_number(&text, &value);

	if (wrong)
		return wrong;
	if (value < UART_SPEED_MIN || value > UART_SPEED_MAX || UART_SPEED_MAX % (uint32_t)value)
		return "the speed is not 115200 or a divisor of it from 300";
	if (*text != '\0')
		return "something follows the speed";
	*speed = (uint32_t)value;
	return NULL;
}

static const char *parse_place(const char *text, const struct place *place,
                               struct console_choice *choice)
{
	uint64_t base;
	const char *wrong = parse_number(&text, &base);

	if (wrong)
		return wrong;
	if (base == 0 || base > place->last || base & (place->alignment - 1))
		return place->wrong;
	choice->kind = place->kind;
	choice->base = (uintptr_t)base;
	if (place->needs_speed && *text == '\0')
		return "the speed is missing";
	return *text == '\0' ? NULL : parse_speed(text, &choice->speed);
}

const char *console_choice_parse(const char *text, struct console_choice *choice)
{
	*choice = (struct console_choice){ .kind = CONSOLE_NONE, .speed = UART_SPEED_MAX };
	if (strcmp(text, "none") == 0)
		return NULL;
	if (strcmp(text, "debug") == 0) {
		choice->kind = CONSOLE_DEBUG;
		return NULL;
	}
	for (size_t i = 0; i < COUNT_OF(com_ports); i++) {
		if (!has_word(&text, com_ports[i].word))
			continue;
		choice->kind = CONSOLE_IO;
		choice->base = com_ports[i].port;
		return *text == '\0' ? NULL : parse_speed(text, &choice->speed);
	}
	for (size_t i = 0; i < COUNT_OF(places); i++)
		if (has_word(&text, places[i].word))
			return parse_place(text, &places[i], choice);
	return "it is none of com1 to com4, io,PORT, mmio,ADDRESS,SPEED, mmio32,ADDRESS,SPEED, "
	       "debug, none";
}
