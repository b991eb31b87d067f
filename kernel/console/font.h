/* SPDX-License-Identifier: MIT */
/*
 * Declares the console's font: one 8x16 glyph for every printable ASCII character, three blocks for
 * drawing QR codes, and one for all other characters.
 */
#ifndef KERNEL_CONSOLE_FONT_H
#define KERNEL_CONSOLE_FONT_H

#include <stdint.h>

#define FONT_WIDTH        8U
#define FONT_HEIGHT       16U
#define FONT_FIRST        0x20U
#define FONT_LAST         0x7EU
/* These glyphs follow those of ASCII. */
#define FONT_REPLACEMENT  (FONT_LAST - FONT_FIRST + 1)    /* for all other characters */
#define FONT_UPPER        (FONT_REPLACEMENT + 1)          /* U+2580, U+2584, U+2588 */
#define FONT_LOWER        (FONT_REPLACEMENT + 2)
#define FONT_FULL         (FONT_REPLACEMENT + 3)
#define FONT_GLYPHS       (FONT_REPLACEMENT + 4)

/*
 * Each glyph has one byte per row of pixels, the top row first, bit 7 leftmost. The glyph of
 * character c is font_8x16[c - FONT_FIRST]. font.py generates it from font.txt.
 */
extern const uint8_t font_8x16[FONT_GLYPHS][FONT_HEIGHT];

#endif
