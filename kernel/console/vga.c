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
#define DAC_PORT                0x3C8U
#define DAC_INDEX               0U
#define DAC_DATA                1U              /* red, green, blue in turn */
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
#define CODE_PAGE_437_SQUARE    0xFEU
#define CODE_PAGE_437_FULL      0xDBU
#define CODE_PAGE_437_LOWER     0xDCU
#define CODE_PAGE_437_UPPER     0xDFU

/*
 * Foregrounds on black. The colours of two of them are put into the DAC, because VGA's own are too
 * dark: 6 bits of red, green and blue, at the index that the attribute controller has after a mode
 * set. If a VGA has another order, its own colours stay.
 */
static const struct { uint8_t attribute, index, rgb[3]; } looks[SCREEN_COLOURS] = {
	[SCREEN_COLOUR(SCREEN_GREY)]   = { 0x07, 0, { 0 } },
	[SCREEN_COLOUR(SCREEN_WHITE)]  = { 0x0F, 0, { 0 } },
	[SCREEN_COLOUR(SCREEN_BLUE)]   = { 0x09, 0x39, { 21, 45, 58 } },
	[SCREEN_COLOUR(SCREEN_ORANGE)] = { 0x06, 0x14, { 57, 40, 0 } },
};

static void set_cell(const struct vga *vga, unsigned column, unsigned row, uint8_t attribute,
                     uint8_t character)
{
	uintptr_t cell = vga->base + row * vga->pitch + column * BYTES_PER_CELL;

	*(volatile uint16_t *)cell = (uint16_t)(attribute << 8 | character);
}

/* The CRT controller has byte-wide registers at I/O ports, so the UART's bus can access it. */
static void write_crtc(uint8_t index, unsigned value)
{
	uart_bus_io.write(CRTC_PORT, CRTC_INDEX, index);
	uart_bus_io.write(CRTC_PORT, CRTC_DATA, (uint8_t)value);
}

static void set_colours(void)
{
	for (unsigned i = 0; i < SCREEN_COLOURS; i++) {
		if (!looks[i].index)
			continue;
		uart_bus_io.write(DAC_PORT, DAC_INDEX, looks[i].index);
		for (unsigned j = 0; j < 3; j++)
			uart_bus_io.write(DAC_PORT, DAC_DATA, looks[i].rgb[j]);
	}
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
			vga_draw(vga, column, row, 0, SCREEN_BLANK);
	write_crtc(CRTC_CURSOR_START, CRTC_CURSOR_START_OFF);
	set_colours();
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

void vga_draw(void *ctx, unsigned column, unsigned row, uint16_t was, uint16_t is)
{
	(void)was;
	set_cell(ctx, column, row, looks[SCREEN_COLOUR(is)].attribute,
	         character_of(SCREEN_CHARACTER(is)));
}

void vga_draw_cursor(void *ctx, unsigned column, unsigned row, uint16_t is, bool is_on)
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
