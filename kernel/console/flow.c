/* SPDX-License-Identifier: MIT */
#include <kernel/console/flow.h>

void flow_begin(struct flow *f)
{
	f->length = f->blanks = f->column = 0;
	f->left = f->rows;
	f->is_dropping = false;
}

static void begin_row(struct flow *f)
{
	if (f->hold && f->left == 0) {
		f->left = f->hold(f);
		f->is_dropping = f->left == 0;
	}
	f->left -= f->left > 0;
}

static void show(struct flow *f, char c)
{
	if (f->is_dropping)
		return;
	if (f->column == 0)
		begin_row(f);
	if (f->is_dropping)
		return;
	f->put(f->ctx, c);
	f->column = c == '\n' ? 0 : f->column + 1;
}

/* A word longer than a row cannot but be cut. */
static void show_word(struct flow *f)
{
	if (f->length == 0)
		return;
	if (f->column && f->column + f->blanks + f->length > f->columns)
		show(f, '\n');
	else
		for (; f->blanks; f->blanks--)
			show(f, ' ');
	f->blanks = 0;
	for (unsigned i = 0; i < f->length; i++) {
		if (f->column == f->columns)
			show(f, '\n');
		show(f, f->word[i]);
	}
	f->length = 0;
}

void flow_end(struct flow *f)
{
	show_word(f);
	for (; f->blanks && f->column < f->columns; f->blanks--)
		show(f, ' ');
	f->blanks = 0;
}

void flow_put(struct flow *f, char c)
{
	if (f->columns == 0) {
		f->put(f->ctx, c);
	} else if (c == ' ') {
		show_word(f);
		f->blanks++;
	} else if (c == '\n') {
		show_word(f);
		f->blanks = 0;
		show(f, '\n');
	} else {
		if (f->length == FLOW_WORD_SIZE)
			show_word(f);
		f->word[f->length++] = c;
	}
}
