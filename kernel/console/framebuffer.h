/* SPDX-License-Identifier: MIT */
/*
 * Draws characters on a screen of RGB pixels, in cells of 8x16 that begin in the top left corner.
 */
#ifndef KERNEL_CONSOLE_FRAMEBUFFER_H
#define KERNEL_CONSOLE_FRAMEBUFFER_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/loader/bootinfo.h>

struct framebuffer {
	uintptr_t base;
	uint32_t pitch;                 /* bytes from one line of pixels to the next */
	uint32_t width, height;         /* in pixels */
	uint32_t bytes_per_pixel;       /* 2 to 4 */
	uint32_t foreground;            /* a pixel's value in light grey; black is 0 */
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
void framebuffer_draw(void *ctx, unsigned column, unsigned row, uint8_t was, uint8_t is);

/* Draws the cursor in the cell's two lowest rows of pixels, or redraws the character there. */
void framebuffer_draw_cursor(void *ctx, unsigned column, unsigned row, uint8_t is, bool is_on);

#endif
