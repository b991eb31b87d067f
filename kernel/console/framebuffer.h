/* SPDX-License-Identifier: MIT */
/*
 * Draws characters on a screen of RGB pixels, in cells of 8x16 dots that begin in the top left
 * corner. A dot is a pixel, or, on a screen of more than 240 columns, a square of pixels.
 */
#ifndef KERNEL_CONSOLE_FRAMEBUFFER_H
#define KERNEL_CONSOLE_FRAMEBUFFER_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/console/screen.h>
#include <kernel/loader/bootinfo.h>

enum { FRAMEBUFFER_COLUMNS_MAX = 240 };  /* further ones make larger characters */

struct framebuffer {
	uintptr_t base;
	uint32_t pitch;                 /* bytes from one line of pixels to the next */
	uint32_t width, height;         /* in pixels */
	uint32_t bytes_per_pixel;       /* 2 to 4 */
	unsigned scale;                 /* pixels per dot of a glyph, in both directions */
	uint32_t colour[SCREEN_COLOURS];        /* a pixel's value; black is 0 */
};

/*
 * Initialises fb for the framebuffer that info describes, and makes the screen black. The
 * framebuffer's memory must be mapped where info says. Returns NULL, or a sentence that says why
 * the framebuffer cannot be used; its memory is then untouched.
 */
const char *framebuffer_init(struct framebuffer *fb, const struct framebuffer_info *info);

/*
 * Changes the cell that shows the character `was` to show `is`, for struct screen. It writes only
 * the pixels in which the two glyphs differ, and never reads. ctx is a struct framebuffer.
 */
void framebuffer_draw(void *ctx, unsigned column, unsigned row, uint16_t was, uint16_t is);

/* Draws the cursor in the cell's two lowest rows of pixels, or redraws the character there. */
void framebuffer_draw_cursor(void *ctx, unsigned column, unsigned row, uint16_t is, bool is_on);

#endif
