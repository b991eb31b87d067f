/* SPDX-License-Identifier: MIT */
/* Every byte that the framebuffer's screen writes, for each size of a pixel, aligned and not. */
/* LINK: kernel/console/framebuffer.c */
#include <kernel/console/framebuffer.h>

#include <arch/regs/table.h>
#include <kernel/console/font.h>
#include <kernel/console/screen.h>

#include <tests/unit/unit.h>

/* Replaces the real font: the rows differ from each other and from their mirror images. */
const uint8_t font_8x16[FONT_GLYPHS][FONT_HEIGHT] = {
	['A' - FONT_FIRST] = { 0x80, 0x01, 0xC5, [15] = 0x13 },
	['B' - FONT_FIRST] = { 0x80, 0x02, 0x35, [15] = 0xF0 },
	[FONT_REPLACEMENT] = { 0xFF, 0x81 },
	[FONT_UPPER] = { 0x11 }, [FONT_LOWER] = { 0x23 }, [FONT_FULL] = { 0x47 },
};

enum { WIDTH = 26, HEIGHT = 37, COLUMNS = 3, ROWS = 2, GUARD = 64, UNTOUCHED = 0x5A };
enum { PITCH_MAX = WIDTH * 4 + 7, SIZE_MAX_ = PITCH_MAX * HEIGHT };

static uint8_t memory[GUARD + SIZE_MAX_ + GUARD + 1];
static uint8_t wanted[sizeof(memory)];

struct format {
	const char *name;
	uint8_t bpp, red_position, red_size, green_position, green_size, blue_position, blue_size;
	uint8_t grey[4];                /* the bytes of a light grey pixel, typed by hand */
};

static const struct format formats[] = {
	{ "15 bpp, 5:5:5", 15, 10, 5, 5, 5, 0, 5, { 0xB5, 0x56 } },
	{ "16 bpp, 5:6:5", 16, 11, 5, 5, 6, 0, 5, { 0x55, 0xAD } },
	{ "24 bpp, BGR", 24, 16, 8, 8, 8, 0, 8, { 0xAA, 0xAA, 0xAA } },
	{ "32 bpp, BGRX", 32, 16, 8, 8, 8, 0, 8, { 0xAA, 0xAA, 0xAA, 0x00 } },
	{ "32 bpp, XBGR", 32, 24, 8, 16, 8, 8, 8, { 0x00, 0xAA, 0xAA, 0xAA } },
	{ "32 bpp, 10:10:10", 32, 20, 10, 10, 10, 0, 10, { 0xAA, 0xAA, 0xAA, 0x2A } },
};

#define FOR_EACH_FORMAT(f) \
	for (const struct format *f = formats; f < formats + COUNT_OF(formats); f++)

static unsigned bytes_per_pixel(const struct format *f)
{
	return (f->bpp + 7u) / 8;
}

static struct framebuffer_info info_of(const struct format *f, unsigned misalign)
{
	return (struct framebuffer_info){
		.address = (uintptr_t)memory + GUARD + misalign,
		.pitch = WIDTH * bytes_per_pixel(f) + misalign * 7,
		.width = WIDTH, .height = HEIGHT,
		.bpp = f->bpp, .type = 1,
		.red_position = f->red_position, .red_size = f->red_size,
		.green_position = f->green_position, .green_size = f->green_size,
		.blue_position = f->blue_position, .blue_size = f->blue_size,
	};
}

static struct { unsigned column, row; } cursor = { COLUMNS, ROWS };      /* none */

/* Paints the expected picture: black with these glyphs; guards and the pitch's slack stay. */
static void want(const struct format *f, unsigned misalign, const uint8_t text[ROWS][COLUMNS])
{
	unsigned size = bytes_per_pixel(f), pitch = WIDTH * size + misalign * 7;

	memset(wanted, UNTOUCHED, sizeof(wanted));
	for (unsigned y = 0; y < HEIGHT; y++)
		for (unsigned x = 0; x < WIDTH; x++) {
			uint8_t *pixel = wanted + GUARD + misalign + y * pitch + x * size;
			bool is_grey = false;

			if (x < COLUMNS * 8 && y < ROWS * 16) {
				unsigned c = text[y / 16][x / 8];
				unsigned index = c == SCREEN_UPPER ? 96 : c == SCREEN_LOWER ? 97 :
				                 c == SCREEN_FULL ? 98 :
				                 c == SCREEN_REPLACEMENT ? 95 : c - ' ';

				is_grey = font_8x16[index][y % 16] >> (7 - x % 8) & 1;
				if (x / 8 == cursor.column && y / 16 == cursor.row)
					is_grey |= y % 16 >= 14;
			}
			for (unsigned i = 0; i < size; i++)
				pixel[i] = is_grey ? f->grey[i] : 0;
		}
}

static void check_memory(const struct format *f)
{
	for (size_t i = 0; i < sizeof(memory); i++)
		if (memory[i] != wanted[i]) {
			char what[80];

			snprintf(what, sizeof(what), "%s: first wrong byte, at %zu", f->name, i);
			check_eq_u64(what, memory[i], wanted[i]);
			return;
		}
	check_true(f->name, true);
}

static void draw_text(const struct format *f, unsigned misalign)
{
	const uint8_t text[ROWS][COLUMNS] = { { 'A', ' ', 'B' }, { SCREEN_REPLACEMENT, 'A', 'A' } };
	const struct framebuffer_info info = info_of(f, misalign);
	struct framebuffer fb;

	memset(memory, UNTOUCHED, sizeof(memory));
	check_str(f->name, framebuffer_init(&fb, &info), NULL);
	for (unsigned row = 0; row < ROWS; row++)
		for (unsigned column = 0; column < COLUMNS; column++)
			framebuffer_draw(&fb, column, row, ' ', text[row][column]);
	want(f, misalign, text);
	check_memory(f);
	framebuffer_draw(&fb, 0, 0, 'A', 'B');
	framebuffer_draw(&fb, 2, 0, 'B', ' ');
	framebuffer_draw(&fb, 2, 1, 'A', SCREEN_REPLACEMENT);
	want(f, misalign, (const uint8_t[ROWS][COLUMNS]){ { 'B', ' ', ' ' },
	                  { SCREEN_REPLACEMENT, 'A', SCREEN_REPLACEMENT } });
	check_memory(f);
	framebuffer_draw(&fb, 0, 0, 'B', SCREEN_UPPER);
	framebuffer_draw(&fb, 1, 0, ' ', SCREEN_LOWER);
	framebuffer_draw(&fb, 1, 1, 'A', SCREEN_FULL);
	want(f, misalign, (const uint8_t[ROWS][COLUMNS]){ { SCREEN_UPPER, SCREEN_LOWER, ' ' },
	                  { SCREEN_REPLACEMENT, SCREEN_FULL, SCREEN_REPLACEMENT } });
	check_memory(f);
}

/* Draws the cursor over a character that reaches down to it, and over none. */
static void draw_cursor(const struct format *f, unsigned misalign)
{
	const uint8_t text[ROWS][COLUMNS] = { { 'A', 'A', 'A' }, { ' ', 'B', ' ' } };
	const struct framebuffer_info info = info_of(f, misalign);
	struct framebuffer fb;

	memset(memory, UNTOUCHED, sizeof(memory));
	framebuffer_init(&fb, &info);
	for (unsigned row = 0; row < ROWS; row++)
		for (unsigned column = 0; column < COLUMNS; column++)
			framebuffer_draw(&fb, column, row, ' ', text[row][column]);
	for (unsigned i = 0; i < 2; i++) {
		cursor.column = 1 + i;
		cursor.row = 1;
		framebuffer_draw_cursor(&fb, 1 + i, 1, i ? ' ' : 'B', true);
		want(f, misalign, text);
		check_memory(f);
		framebuffer_draw_cursor(&fb, 1 + i, 1, i ? ' ' : 'B', false);
		cursor.row = ROWS;
		want(f, misalign, text);
		check_memory(f);
	}
}

UNIT_TEST(draws_a_cursor_and_takes_it_away)
{
	FOR_EACH_FORMAT(f) {
		draw_cursor(f, 0);
		draw_cursor(f, 1);
	}
}

UNIT_TEST(draws_every_pixel_format_exactly)
{
	FOR_EACH_FORMAT(f)
		draw_text(f, 0);
}

UNIT_TEST(draws_at_any_alignment)
{
	FOR_EACH_FORMAT(f)
		draw_text(f, 1);
}

/* Frame buffers are slow: a glyph into a blank cell must cost its own pixels and no more. */
UNIT_TEST(writes_only_pixels_that_differ)
{
	const struct framebuffer_info info = info_of(&formats[3], 0);
	struct framebuffer fb;
	unsigned written = 0;

	framebuffer_init(&fb, &info);
	memset(memory, UNTOUCHED, sizeof(memory));
	framebuffer_draw(&fb, 1, 1, 'A', 'B');
	for (unsigned i = 0; i < SIZE_MAX_; i++)
		written += memory[GUARD + i] != UNTOUCHED;
	/* differing bits: 01H and 02H: 2, C5H and 35H: 4, 13H and F0H: 5 */
	check_eq_u64("bytes written", written, (2 + 4 + 5) * 4);
}

static void check_refused(struct framebuffer_info info, const char *want_problem)
{
	struct framebuffer fb;

	memset(memory, UNTOUCHED, sizeof(memory));
	check_str("problem", framebuffer_init(&fb, &info), want_problem);
	for (size_t i = 0; i < sizeof(memory); i++)
		if (memory[i] != UNTOUCHED) {
			check_true("memory is untouched", false);
			return;
		}
}

UNIT_TEST(refuses_what_it_cannot_draw)
{
	const struct framebuffer_info good = info_of(&formats[3], 0);
	struct framebuffer_info bad = good;

	bad.type = 0;
	check_refused(bad, "the framebuffer's pixels are not RGB");
	bad = good, bad.bpp = 8;
	check_refused(bad, "the framebuffer has neither 16 nor 24 nor 32 bits per pixel");
	bad = good, bad.bpp = 64;
	check_refused(bad, "the framebuffer has neither 16 nor 24 nor 32 bits per pixel");
	bad = good, bad.red_position = 25;
	check_refused(bad, "the framebuffer's colours are not inside of its pixels");
	bad = good, bad.blue_size = 0;
	check_refused(bad, "the framebuffer's colours are not inside of its pixels");
	bad = good, bad.height = 15;
	check_refused(bad, "the framebuffer is smaller than one character");
	bad = good, bad.width = 7;
	check_refused(bad, "the framebuffer is smaller than one character");
	bad = good, bad.pitch = WIDTH * 4 - 1;
	check_refused(bad, "the framebuffer's pitch is less than its width");
}

UNIT_TEST(refuses_what_it_cannot_reach)
{
	const char *beyond = "the framebuffer's address is beyond the reach of this kernel";
	const struct framebuffer_info good = info_of(&formats[3], 0);
	struct framebuffer_info bad = good;

	bad.address = 0;
	check_refused(bad, beyond);
	bad.address = (uint64_t)UINTPTR_MAX - 100;
	check_refused(bad, beyond);
	bad.address = UINT64_MAX;
	check_refused(bad, beyond);
#if UINTPTR_MAX < UINT64_MAX
	bad.address = UINT64_C(0x100000000);
	check_refused(bad, beyond);
#endif
}

UNIT_MAIN()
