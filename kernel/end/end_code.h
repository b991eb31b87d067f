/* SPDX-License-Identifier: MIT */
/* The end screen's QR code: the verdict and the failed tests, for a phone. */
#ifndef KERNEL_END_END_CODE_H
#define KERNEL_END_END_CODE_H

#include <kernel/console/screen.h>

enum { END_TEXT_COLUMNS_MIN = 30 };     /* left beside the code: fits each big word */

/* Makes the code of the run that has ended, as large as the screen takes, or none. */
void end_code_make(const struct screen *screen);

/* Returns how many columns it takes, with a gap to its left; 0 if there is none. */
unsigned end_code_columns(void);

/* Draws it in the top right corner, light on dark, and the gap. */
void end_code_draw(struct screen *screen);

#endif
