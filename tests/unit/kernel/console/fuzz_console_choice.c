/* SPDX-License-Identifier: MIT */
/* Fuzzes the value of console=: a choice that is accepted can be used. */
/* LINK: kernel/console/console_choice.c */
#include <kernel/console/console.h>

#include <string.h>

#include <tests/unit/fuzz.h>


static int is_usable(const struct console_choice *choice)
{
	uintptr_t span = choice->kind == CONSOLE_MMIO32 ? 31 : 7;

	if (choice->speed < 300 || choice->speed > 115200 || 115200 % choice->speed)
		return 0;
	if (choice->kind == CONSOLE_NONE || choice->kind == CONSOLE_DEBUG)
		return 1;
	if (choice->kind == CONSOLE_IO && choice->base + span > 0xFFFF)
		return 0;
	return choice->base != 0 && choice->base + span > choice->base && choice->base % 4 == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct console_choice choice;
	char *text = malloc(size + 1);          /* of the exact size, for ASan */

	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	if (!console_choice_parse(text, &choice) && !is_usable(&choice))
		abort();
	free(text);
	return 0;
}
