/* SPDX-License-Identifier: MIT */
#include <monitor/tools/tally.h>

#include <stdbool.h>

#include <kernel/lib/string.h>

static void begin_text(struct tally *t)
{
	struct tally_text *now = &t->kept[t->count];

	now->times = now->length = 0;
	now->check = (struct check){ 0, 0 };
	now->text[0] = '\0';
}

void tally_begin(struct tally *t)
{
	t->runs = t->count = t->others = 0;
	begin_text(t);
}

void tally_put(struct tally *t, char c)
{
	struct tally_text *now = &t->kept[t->count];

	check_add(&now->check, c);
	if (now->length < TALLY_SIZE - 1) {
		now->text[now->length] = c;
		now->text[now->length + 1] = '\0';
	}
	now->length++;
}

static bool is_equal(const struct tally_text *a, const struct tally_text *b)
{
	return a->length == b->length && a->check.crc == b->check.crc
	       && strcmp(a->text, b->text) == 0;
}

void tally_end_run(struct tally *t)
{
	struct tally_text *now = &t->kept[t->count];
	unsigned i = 0;

	while (i < t->count && !is_equal(&t->kept[i], now))
		i++;
	t->runs++;
	if (i == TALLY_TEXTS)
		t->others++;
	else
		t->kept[i].times++;
	if (i == t->count && i < TALLY_TEXTS)
		t->count++;
	begin_text(t);
}
