/* SPDX-License-Identifier: MIT */
#include <kernel/vga.h>

#include <stddef.h>

#include <kernel/screen.h>
#include <kernel/uart.h>

/* IBM VGA: colour text at B8000H, CRT controller's index and data register at 3D4H. */
#define TEXT_BASE               0xB8000U
#define TEXT_COLUMNS            80U
#define TEXT_ROWS               25U
#define CRTC_PORT               0x3D4U
#define CRTC_INDEX              0U
#define CRTC_DATA               1U
#define CRTC_CURSOR_START       0x0AU
#define CRTC_CURSOR_START_OFF   0x20U           /* bit 5: no cursor */

#define BYTES_PER_CELL          2U
#define LIGHT_GREY_ON_BLACK     0x07U
#define CODE_PAGE_437_SQUARE    0xFEU

static void set_cell(const struct vga *vga, unsigned column, unsigned row, uint8_t character)
{
	uintptr_t cell = vga->base + row * vga->pitch + column * BYTES_PER_CELL;

	*(volatile uint16_t *)cell = (uint16_t)(LIGHT_GREY_ON_BLACK << 8 | character);
}

/* The CRT controller is byte-wide registers behind I/O ports, which is all the UART's bus knows. */
static void hide_cursor(void)
{
	uart_bus_io.write(CRTC_PORT, CRTC_INDEX, CRTC_CURSOR_START);
	uart_bus_io.write(CRTC_PORT, CRTC_DATA, CRTC_CURSOR_START_OFF);
}

const char *vga_init(struct vga *vga, const struct framebuffer_info *info)
{
	*vga = (struct vga){ TEXT_BASE, TEXT_COLUMNS * BYTES_PER_CELL, TEXT_COLUMNS, TEXT_ROWS };
	if (info) {
		if (info->address > UINTPTR_MAX)
			return "the text screen is beyond the reach of this kernel";
		if (info->width == 0 || info->height == 0 ||
		    info->pitch / BYTES_PER_CELL < info->width)
			return "the boot loader's text screen has no size";
		*vga = (struct vga){ (uintptr_t)info->address, info->pitch,
		                     info->width, info->height };
	}
	for (unsigned row = 0; row < vga->rows; row++)
		for (unsigned column = 0; column < vga->columns; column++)
			set_cell(vga, column, row, SCREEN_BLANK);
	hide_cursor();
	return NULL;
}

void vga_draw(void *ctx, unsigned column, unsigned row, uint8_t was, uint8_t is)
{
	(void)was;
	set_cell(ctx, column, row, is == SCREEN_REPLACEMENT ? CODE_PAGE_437_SQUARE : is);
}
