/* SPDX-License-Identifier: MIT */
/* The VGA's text mode: a cell is a character and an attribute in memory. */
#ifndef KERNEL_CONSOLE_VGA_H
#define KERNEL_CONSOLE_VGA_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/loader/bootinfo.h>

struct vga {
	uintptr_t base;
	uint32_t pitch;                 /* bytes from a row to the next */
	unsigned columns, rows;
};

/*
 * Take over the text mode that info describes (type 2), or the one that a PC starts in without info
 * (NULL): clear it, hide the cursor. Returns NULL, or why the screen cannot be used.
 */
const char *vga_init(struct vga *vga, const struct framebuffer_info *info);

/* For struct screen: show the character `is`. ctx: a struct vga. */
void vga_draw(void *ctx, unsigned column, unsigned row, uint8_t was, uint8_t is);

/* The same for the cursor: the VGA has one of its own. */
void vga_draw_cursor(void *ctx, unsigned column, unsigned row, uint8_t is, bool is_on);

#endif
