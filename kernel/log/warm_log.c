/* SPDX-License-Identifier: MIT */
#include <kernel/log/warm_log.h>

#include <stddef.h>

#include <kernel/lib/string.h>

enum { SLOTS = 2, HEAD_SIZE = sizeof(struct warm_log_head) };

#define MAGIC  0x4C435442U              /* "BTCL" */

static volatile struct warm_log_head *head_at(void *memory, uint32_t slot_size, unsigned slot)
{
	return (volatile struct warm_log_head *)((uint8_t *)memory + slot * slot_size);
}

/* Any part of a head may be garbage. */
static struct warm_log_text read_slot(volatile struct warm_log_head *head, uint32_t size)
{
	struct warm_log_text found = { NULL, 0, 0, false };
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

void warm_log_open(struct warm_log *log, void *memory, uint32_t size, bool is_recorded)
{
	const uint32_t slot_size = size / SLOTS, text_size = slot_size - HEAD_SIZE;
	volatile struct warm_log_head *const first = head_at(memory, slot_size, 0);
	volatile struct warm_log_head *const second = head_at(memory, slot_size, 1);
	const struct warm_log_text in_first = read_slot(first, text_size);
	const struct warm_log_text in_second = read_slot(second, text_size);
	const bool is_first_newer = in_first.text &&
		(!in_second.text || (int32_t)(first->number - second->number) > 0);
	volatile struct warm_log_head *const newer = is_first_newer ? first : second;

	*log = (struct warm_log){ .head = is_first_newer ? second : first, .size = text_size };
	log->previous = is_first_newer ? in_first : in_second;
	log->text = (char *)(uintptr_t)(log->head + 1);
	log->head->magic = 0;
	log->head->number = log->previous.text ? newer->number + 1 : 1;
	log->head->length = log->head->crc = 0;
	log->head->magic = is_recorded ? MAGIC : 0;
}

void warm_log_put(struct warm_log *log, char c)
{
	if (log->length == log->size)
		return;
	*(volatile char *)&log->text[log->length++] = c;
	check_add(&log->check, c);
	if (c != '\n')
		return;
	log->head->length = log->length;
	log->head->crc = log->check.crc;
}

struct warm_log_text warm_log_own(const struct warm_log *log)
{
	return (struct warm_log_text){ log->text, log->length, log->check.lines, true };
}

/* ---------------------------------------------------------------------------- lines */

/* Returns the line that ends at `end`, which is at a newline or at the end of the text. */
static struct warm_log_text line_before(const struct warm_log_text *in, uint32_t end)
{
	uint32_t start = end;

	while (start > 0 && in->text[start - 1] != '\n')
		start--;
	return (struct warm_log_text){ in->text + start, end - start, 1, true };
}

static uint32_t end_of_last(const struct warm_log_text *in)
{
	return in->length && in->text[in->length - 1] == '\n' ? in->length - 1 : in->length;
}

struct warm_log_text warm_log_last_line(const struct warm_log_text *in)
{
	return line_before(in, end_of_last(in));
}

bool warm_log_find_last(const struct warm_log_text *in, const char *start,
                        struct warm_log_text *line)
{
	const uint32_t length = (uint32_t)strlen(start);

	if (in->length == 0)
		return false;
	*line = warm_log_last_line(in);
	for (;;) {
		if (line->length >= length && memcmp(line->text, start, length) == 0)
			return true;
		if (line->text == in->text)
			return false;
		*line = line_before(in, (uint32_t)(line->text - in->text) - 1);
	}
}

uint32_t warm_log_find_next(const struct warm_log_text *in, uint32_t from, const char *text,
                            bool is_at_start)
{
	const uint32_t length = (uint32_t)strlen(text);
	uint32_t line = from;

	for (uint32_t i = from; length && i + length <= in->length; i++) {
		if (i && in->text[i - 1] == '\n')
			line = i;
		if (line > from && (i == line || !is_at_start) &&
		    memcmp(in->text + i, text, length) == 0)
			return line;
	}
	return in->length;
}
