/* SPDX-License-Identifier: MIT */
#include <kernel/face/big_word.h>

#include <stdbool.h>
#include <stddef.h>

#include <arch/regs/table.h>
#include <kernel/lib/string.h>

/* A cell is one dot wide and two high, which is nearly square. */
enum { LETTER_DOTS = 6, LETTER_ROWS = LETTER_DOTS / 2, GAP_DOTS = 1, WIDTH_MAX = 5 };

/* tests/host/matrix/faces.t reads these letters, too. */
static const struct letter { char is; char dots[LETTER_DOTS][WIDTH_MAX + 1]; } letters[] = {
	{ ' ', { "..", "..", "..", "..", "..", ".." } },
	{ 'A', { ".##.", "#..#", "#..#", "####", "#..#", "#..#" } },
	{ 'B', { "###.", "#..#", "###.", "#..#", "#..#", "###." } },
	{ 'E', { "####", "#...", "###.", "#...", "#...", "####" } },
	{ 'F', { "####", "#...", "###.", "#...", "#...", "#..." } },
	{ 'G', { ".###", "#...", "#...", "#.##", "#..#", ".###" } },
	{ 'I', { "###", ".#.", ".#.", ".#.", ".#.", "###" } },
	{ 'K', { "#..#", "#.#.", "##..", "##..", "#.#.", "#..#" } },
	{ 'L', { "#...", "#...", "#...", "#...", "#...", "####" } },
	{ 'M', { "#...#", "##.##", "#.#.#", "#...#", "#...#", "#...#" } },
	{ 'N', { "#..#", "##.#", "##.#", "#.##", "#.##", "#..#" } },
	{ 'O', { ".##.", "#..#", "#..#", "#..#", "#..#", ".##." } },
	{ 'P', { "###.", "#..#", "#..#", "###.", "#...", "#..." } },
	{ 'R', { "###.", "#..#", "#..#", "###.", "#.#.", "#..#" } },
	{ 'S', { ".###", "#...", ".##.", "...#", "...#", "###." } },
	{ 'T', { "#####", "..#..", "..#..", "..#..", "..#..", "..#.." } },
	{ 'U', { "#..#", "#..#", "#..#", "#..#", "#..#", ".##." } },
};

static const struct letter *find(char is)
{
	for (size_t i = 1; i < COUNT_OF(letters); i++)
		if (letters[i].is == is)
			return &letters[i];
	return &letters[0];
}

static unsigned width_of(const char *word)
{
	unsigned dots = 0;

	for (; *word; word++)
		dots += (unsigned)strlen(find(*word)->dots[0]) + GAP_DOTS;
	return dots;
}

/* Draws a letter with its top left dot in this cell; `scale` is the size of its dots. */
static void draw_letter(struct pen *pen, const struct letter *l, unsigned left, unsigned scale,
                        uint16_t colour)
{
	static const uint8_t cells[] = { SCREEN_BLANK, SCREEN_UPPER, SCREEN_LOWER, SCREEN_FULL };
	const unsigned width = (unsigned)strlen(l->dots[0]) * scale;

	for (unsigned row = 0; row < LETTER_ROWS * scale; row++)
		for (unsigned column = 0; column < width; column++) {
			const bool is_upper = l->dots[2 * row / scale][column / scale] == '#';
			const bool is_lower = l->dots[(2 * row + 1) / scale][column / scale] == '#';
			const uint16_t is = cells[is_upper | is_lower << 1];

			pen_set(pen->screen, left + column, pen->row + row,
			        is == SCREEN_BLANK ? is : is | colour);
		}
}

void big_word_draw(struct pen *pen, unsigned rows, uint16_t colour, const char *word)
{
	const unsigned by_columns = pen->columns / width_of(word), by_rows = rows / LETTER_ROWS;
	const unsigned least = by_columns < by_rows ? by_columns : by_rows;
	const unsigned scale = least ? least : 1, top = pen->row;
	unsigned left = 0;

	for (unsigned row = 0; row < LETTER_ROWS * scale; row++)
		pen_text(pen, SCREEN_GREY, "", 0);
	pen->row = top;
	for (; *word; word++) {
		draw_letter(pen, find(*word), left, scale, colour);
		left += ((unsigned)strlen(find(*word)->dots[0]) + GAP_DOTS) * scale;
	}
	pen->row = top + LETTER_ROWS * scale;
}
