/* SPDX-License-Identifier: MIT */
#include <kernel/log/kept.h>

#include <stddef.h>

#include <kernel/lib/string.h>

enum { SLOTS = 2, HEAD_SIZE = sizeof(struct kept_head) };

#define MAGIC  0x4C435442U              /* "BTCL" */

static volatile struct kept_head *head_at(void *memory, uint32_t slot_size, unsigned slot)
{
	return (volatile struct kept_head *)((uint8_t *)memory + slot * slot_size);
}

/* Any part of a head may be garbage. */
static struct kept_text read_slot(volatile struct kept_head *head, uint32_t size)
{
	struct kept_text found = { NULL, 0, 0, false };
	struct check check = { 0 };

	if (head->magic != MAGIC || head->length > size)
		return found;
	found.text = (const char *)(head + 1);
	found.length = head->length;
	for (uint32_t i = 0; i < found.length; i++)
		check_add(&check, found.text[i]);
	found.lines = check.lines;
	found.is_sound = check.crc == head->crc;
	return found;
}

void kept_open(struct kept *kept, void *memory, uint32_t size, bool is_recorded)
{
	const uint32_t slot_size = size / SLOTS, text_size = slot_size - HEAD_SIZE;
	volatile struct kept_head *const first = head_at(memory, slot_size, 0);
	volatile struct kept_head *const second = head_at(memory, slot_size, 1);
	const struct kept_text in_first = read_slot(first, text_size);
	const struct kept_text in_second = read_slot(second, text_size);
	const bool is_first_newer = in_first.text &&
		(!in_second.text || (int32_t)(first->number - second->number) > 0);
	volatile struct kept_head *const newer = is_first_newer ? first : second;

	*kept = (struct kept){ .head = is_first_newer ? second : first, .size = text_size };
	kept->previous = is_first_newer ? in_first : in_second;
	kept->text = (char *)(uintptr_t)(kept->head + 1);
	kept->head->magic = 0;
	kept->head->number = kept->previous.text ? newer->number + 1 : 1;
	kept->head->length = kept->head->crc = 0;
	kept->head->magic = is_recorded ? MAGIC : 0;
}

void kept_put(struct kept *kept, char c)
{
	if (kept->length == kept->size)
		return;
	*(volatile char *)&kept->text[kept->length++] = c;
	check_add(&kept->check, c);
	if (c != '\n')
		return;
	kept->head->length = kept->length;
	kept->head->crc = kept->check.crc;
}

struct kept_text kept_own(const struct kept *kept)
{
	return (struct kept_text){ kept->text, kept->length, kept->check.lines, true };
}

/* ---------------------------------------------------------------------------- lines */

/* Returns the line that ends at `end`, which is at a newline or at the end of the text. */
static struct kept_text line_before(const struct kept_text *in, uint32_t end)
{
	uint32_t start = end;

	while (start > 0 && in->text[start - 1] != '\n')
		start--;
	return (struct kept_text){ in->text + start, end - start, 1, true };
}

static uint32_t end_of_last(const struct kept_text *in)
{
	return in->length && in->text[in->length - 1] == '\n' ? in->length - 1 : in->length;
}

struct kept_text kept_last_line(const struct kept_text *in)
{
	return line_before(in, end_of_last(in));
}

bool kept_find_last(const struct kept_text *in, const char *start, struct kept_text *line)
{
	const uint32_t length = (uint32_t)strlen(start);

	if (in->length == 0)
		return false;
	*line = kept_last_line(in);
	for (;;) {
		if (line->length >= length && memcmp(line->text, start, length) == 0)
			return true;
		if (line->text == in->text)
			return false;
		*line = line_before(in, (uint32_t)(line->text - in->text) - 1);
	}
}
