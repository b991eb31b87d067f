/* SPDX-License-Identifier: MIT */
#include <kernel/console/framebuffer.h>

#include <stdbool.h>
#include <stddef.h>

#include <arch/regs/multiboot.h>
#include <kernel/console/font.h>
#include <kernel/console/screen.h>

#define CURSOR_FIRST_ROW  (FONT_HEIGHT - 2)
#define ALL_PIXELS        0xFFU         /* of a row of a cell */

/* Neither the start nor the pitch of a framebuffer need be aligned to its pixels. */
struct unaligned16 { uint16_t value; } __attribute__((packed, may_alias));
struct unaligned32 { uint32_t value; } __attribute__((packed, may_alias));

static void write8(uintptr_t address, uint32_t value)
{
	*(volatile uint8_t *)address = (uint8_t)value;
}

static void write16(uintptr_t address, uint32_t value)
{
	((volatile struct unaligned16 *)address)->value = (uint16_t)value;
}

static void write32(uintptr_t address, uint32_t value)
{
	((volatile struct unaligned32 *)address)->value = value;
}

static void write_pixel(const struct framebuffer *fb, uintptr_t address, uint32_t value)
{
	if (fb->bytes_per_pixel == 4) {
		write32(address, value);
	} else {
		write16(address, value);
		if (fb->bytes_per_pixel == 3)
			write8(address + 2, value >> 16);
	}
}

static void make_black(const struct framebuffer *fb)
{
	uint32_t length = fb->width * fb->bytes_per_pixel;

	for (uint32_t y = 0; y < fb->height; y++) {
		uintptr_t line = fb->base + y * (uintptr_t)fb->pitch;
		uint32_t x = 0;

		for (; x + 4 <= length; x += 4)
			write32(line + x, 0);
		for (; x < length; x++)
			write8(line + x, 0);
	}
}

static bool has_channel(const struct framebuffer_info *info, unsigned position, unsigned size)
{
	return size > 0 && size <= 16 && position + size <= info->bpp;
}

/*
 * Returns 0 to FFH in a channel of size bits, rounded. size is at most 16, so the product fits.
 */
static uint32_t channel(unsigned value, unsigned position, unsigned size)
{
	uint32_t full = (UINT32_C(1) << size) - 1;

	return (full * value + 0x7F) / 0xFF << position;
}

/* Blue and orange are sky blue and orange of Okabe and Ito's palette for all kinds of sight. */
static void make_colours(struct framebuffer *fb, const struct framebuffer_info *info)
{
	static const uint8_t rgb[SCREEN_COLOURS][3] = {
		[SCREEN_COLOUR(SCREEN_GREY)]   = { 0xAA, 0xAA, 0xAA },
		[SCREEN_COLOUR(SCREEN_WHITE)]  = { 0xFF, 0xFF, 0xFF },
		[SCREEN_COLOUR(SCREEN_BLUE)]   = { 0x56, 0xB4, 0xE9 },
		[SCREEN_COLOUR(SCREEN_ORANGE)] = { 0xE6, 0x9F, 0x00 },
	};

	for (unsigned i = 0; i < SCREEN_COLOURS; i++)
		fb->colour[i] = channel(rgb[i][0], info->red_position, info->red_size) |
		                channel(rgb[i][1], info->green_position, info->green_size) |
		                channel(rgb[i][2], info->blue_position, info->blue_size);
}

static const char *find_problem(const struct framebuffer_info *info, uint32_t bytes_per_pixel)
{
	uint64_t size = (uint64_t)info->pitch * info->height;

	if (info->type != MULTIBOOT_FRAMEBUFFER_TYPE_RGB)
		return "the framebuffer's pixels are not RGB";
	if (bytes_per_pixel < 2 || bytes_per_pixel > 4)
		return "the framebuffer has neither 16 nor 24 nor 32 bits per pixel";
	if (!has_channel(info, info->red_position, info->red_size) ||
	    !has_channel(info, info->green_position, info->green_size) ||
	    !has_channel(info, info->blue_position, info->blue_size))
		return "the framebuffer's colours are not inside of its pixels";
	if (info->width < FONT_WIDTH || info->height < FONT_HEIGHT)
		return "the framebuffer is smaller than one character";
	if (info->pitch / bytes_per_pixel < info->width)
		return "the framebuffer's pitch is less than its width";
	if (info->address == 0 || size > UINTPTR_MAX || info->address > UINTPTR_MAX - size)
		return "the framebuffer's address is beyond the reach of this kernel";
	return NULL;
}

const char *framebuffer_init(struct framebuffer *fb, const struct framebuffer_info *info)
{
	uint32_t bytes_per_pixel = (info->bpp + 7U) / 8;
	const char *problem = find_problem(info, bytes_per_pixel);

	if (problem)
		return problem;
	fb->base = (uintptr_t)info->address;
	fb->pitch = info->pitch;
	fb->width = info->width;
	fb->height = info->height;
	fb->bytes_per_pixel = bytes_per_pixel;
	fb->scale = info->width > FRAMEBUFFER_COLUMNS_MAX * FONT_WIDTH ? 2 : 1;
	make_colours(fb, info);
	make_black(fb);
	return NULL;
}

static const uint8_t *glyph(uint16_t of)
{
	const uint8_t cell = SCREEN_CHARACTER(of);
	const bool is_there = cell >= FONT_FIRST && cell <= FONT_LAST;

	switch (cell) {
	case SCREEN_UPPER: return font_8x16[FONT_UPPER];
	case SCREEN_LOWER: return font_8x16[FONT_LOWER];
	case SCREEN_FULL:  return font_8x16[FONT_FULL];
	default:           return font_8x16[is_there ? cell - FONT_FIRST : FONT_REPLACEMENT];
	}
}

/* Draws a dot, whose top left pixel is at address. */
static void draw_dot(const struct framebuffer *fb, uintptr_t address, uint32_t value)
{
	for (unsigned y = 0; y < fb->scale; y++, address += fb->pitch)
		for (unsigned x = 0; x < fb->scale; x++)
			write_pixel(fb, address + x * fb->bytes_per_pixel, value);
}

/* Draws the changed dots of one row of a cell from right to left; its rightmost dot is bit 0. */
static void draw_row(const struct framebuffer *fb, uintptr_t rightmost, unsigned changed,
                     unsigned is, uint32_t colour)
{
	for (; changed; changed &= changed - 1) {
		unsigned bit = (unsigned)__builtin_ctz(changed);

		draw_dot(fb, rightmost - bit * fb->scale * fb->bytes_per_pixel,
		         is >> bit & 1 ? colour : 0);
	}
}

/* Returns the address of the rightmost dot in row y of the cell. */
static uintptr_t rightmost_dot(const struct framebuffer *fb, unsigned column, unsigned row,
                               unsigned y)
{
	return fb->base + (row * FONT_HEIGHT + y) * fb->scale * (uintptr_t)fb->pitch +
	       ((column + 1) * FONT_WIDTH - 1) * fb->scale * fb->bytes_per_pixel;
}

void framebuffer_draw(void *ctx, unsigned column, unsigned row, uint16_t was, uint16_t is)
{
	const struct framebuffer fb = *(const struct framebuffer *)ctx;
	const uint8_t *before = glyph(was), *after = glyph(is);
	const bool is_same_colour = SCREEN_COLOUR(was) == SCREEN_COLOUR(is);
	uintptr_t rightmost = rightmost_dot(&fb, column, row, 0);

	for (unsigned y = 0; y < FONT_HEIGHT; y++, rightmost += fb.scale * fb.pitch)
		draw_row(&fb, rightmost,
		         is_same_colour ? before[y] ^ after[y] : before[y] | after[y], after[y],
		         fb.colour[SCREEN_COLOUR(is)]);
}

void framebuffer_draw_cursor(void *ctx, unsigned column, unsigned row, uint16_t is, bool is_on)
{
	const struct framebuffer *fb = ctx;

	for (unsigned y = CURSOR_FIRST_ROW; y < FONT_HEIGHT; y++) {
		const unsigned own = glyph(is)[y];

		draw_row(fb, rightmost_dot(fb, column, row, y), own ^ ALL_PIXELS,
		         is_on ? ALL_PIXELS : own, fb->colour[SCREEN_COLOUR(is)]);
	}
}
