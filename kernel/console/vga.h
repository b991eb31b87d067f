/* SPDX-License-Identifier: MIT */
/* Drives the VGA's text mode, in which a cell is a character and an attribute in memory. */
#ifndef KERNEL_CONSOLE_VGA_H
#define KERNEL_CONSOLE_VGA_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/loader/bootinfo.h>

struct vga {
	uintptr_t base;
	uint32_t pitch;                 /* bytes from one row to the next */
	unsigned columns, rows;
};

/*
 * Initialises vga for the text mode that info describes (type 2), or, if info is NULL, for the one
 * that a PC starts in; clears the screen and hides the cursor. Returns NULL, or why the screen
 * cannot be used.
 */
const char *vga_init(struct vga *vga, const struct framebuffer_info *info);

/* Shows the character `is`, for struct screen. ctx is a struct vga. */
void vga_draw(void *ctx, unsigned column, unsigned row, uint16_t was, uint16_t is);

/* Shows or removes the VGA's own cursor, for struct screen. */
void vga_draw_cursor(void *ctx, unsigned column, unsigned row, uint16_t is, bool is_on);

#endif
