/* SPDX-License-Identifier: MIT */
/* A screen of RGB pixels: draws characters into 8x16 cells, the first in the top left corner. */
#ifndef KERNEL_CONSOLE_FRAMEBUFFER_H
#define KERNEL_CONSOLE_FRAMEBUFFER_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/loader/bootinfo.h>

struct framebuffer {
	uintptr_t base;
	uint32_t pitch;                 /* bytes from a line of pixels to the next */
	uint32_t width, height;         /* pixels */
	uint32_t bytes_per_pixel;       /* 2 to 4 */
	uint32_t foreground;            /* a pixel's value in light grey; black is 0 */
};

/*
 * Take over the framebuffer that info describes and make it black. Its memory must be mapped where
 * info says. Returns NULL, or the sentence that says why it cannot be used; then it is untouched.
 */
const char *framebuffer_init(struct framebuffer *fb, const struct framebuffer_info *info);

/*
 * For struct screen: turn the cell that shows the character `was` into `is`, by writing only the
 * pixels in which the two glyphs differ; nothing is ever read. ctx: a struct framebuffer.
 */
void framebuffer_draw(void *ctx, unsigned column, unsigned row, uint8_t was, uint8_t is);

/* The same for the cursor: the cell's two lowest rows of pixels, or the character's own again. */
void framebuffer_draw_cursor(void *ctx, unsigned column, unsigned row, uint8_t is, bool is_on);

#endif
