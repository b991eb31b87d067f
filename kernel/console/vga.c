/* SPDX-License-Identifier: MIT */
#include <kernel/console/vga.h>

#include <stddef.h>

#include <kernel/console/screen.h>
#include <kernel/console/serial.h>

/* IBM VGA: colour text at B8000H, CRT controller's index and data register at 3D4H. */
#define TEXT_BASE               0xB8000U
#define TEXT_COLUMNS            80U
#define TEXT_ROWS               25U
#define CRTC_PORT               0x3D4U
#define CRTC_INDEX              0U
#define CRTC_DATA               1U
#define CRTC_CURSOR_START       0x0AU
#define CRTC_CURSOR_START_OFF   0x20U           /* bit 5: no cursor */
#define CRTC_CURSOR_END         0x0BU
#define CRTC_CURSOR_HIGH        0x0EU           /* number of the cell, counted from address 0 */
#define CRTC_CURSOR_LOW         0x0FU

/*
 * Of the 16 lines of a cell, the cursor takes two that no letter except g, j, p, q and y reaches.
 */
#define CURSOR_FIRST_LINE       14U
#define CURSOR_LAST_LINE        15U

#define BYTES_PER_CELL          2U
#define LIGHT_GREY_ON_BLACK     0x07U
#define CODE_PAGE_437_SQUARE    0xFEU
#define CODE_PAGE_437_FULL      0xDBU
#define CODE_PAGE_437_LOWER     0xDCU
#define CODE_PAGE_437_UPPER     0xDFU

static void set_cell(const struct vga *vga, unsigned column, unsigned row, uint8_t character)
{
	uintptr_t cell = vga->base + row * vga->pitch + column * BYTES_PER_CELL;

	*(volatile uint16_t *)cell = (uint16_t)(LIGHT_GREY_ON_BLACK << 8 | character);
}

/* The CRT controller has byte-wide registers at I/O ports, so the UART's bus can access it. */
static void write_crtc(uint8_t index, unsigned value)
{
	uart_bus_io.write(CRTC_PORT, CRTC_INDEX, index);
	uart_bus_io.write(CRTC_PORT, CRTC_DATA, (uint8_t)value);
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
	write_crtc(CRTC_CURSOR_START, CRTC_CURSOR_START_OFF);
	return NULL;
}

static uint8_t character_of(uint8_t cell)
{
	switch (cell) {
	case SCREEN_REPLACEMENT: return CODE_PAGE_437_SQUARE;
	case SCREEN_UPPER:       return CODE_PAGE_437_UPPER;
	case SCREEN_LOWER:       return CODE_PAGE_437_LOWER;
	case SCREEN_FULL:        return CODE_PAGE_437_FULL;
	default:                 return cell;
	}
}

void vga_draw(void *ctx, unsigned column, unsigned row, uint8_t was, uint8_t is)
{
	(void)was;
	set_cell(ctx, column, row, character_of(is));
}

void vga_draw_cursor(void *ctx, unsigned column, unsigned row, uint8_t is, bool is_on)
{
	const struct vga *vga = ctx;
	uintptr_t cell = (vga->base - TEXT_BASE + row * vga->pitch) / BYTES_PER_CELL + column;

	(void)is;
	if (!is_on) {
		write_crtc(CRTC_CURSOR_START, CRTC_CURSOR_START_OFF);
		return;
	}
	write_crtc(CRTC_CURSOR_HIGH, (unsigned)cell >> 8);
	write_crtc(CRTC_CURSOR_LOW, (unsigned)cell);
	write_crtc(CRTC_CURSOR_END, CURSOR_LAST_LINE);
	write_crtc(CRTC_CURSOR_START, CURSOR_FIRST_LINE);
}
