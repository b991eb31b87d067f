/* SPDX-License-Identifier: MIT */
/* Writes lines into an area of the screen. Every line is filled up with blanks. */
#ifndef KERNEL_FACE_PEN_H
#define KERNEL_FACE_PEN_H

#include <stdint.h>

#include <kernel/console/screen.h>

struct pen {
	struct screen *screen;
	unsigned columns, end;          /* the area: from column 0, up to the row before `end` */
	unsigned row;                   /* of the next line; lines from `end` on are not drawn */
};

/* Sets a cell if the screen has it. */
void pen_set(struct screen *screen, unsigned column, unsigned row, uint16_t is);

/* Draws one line, cut at the area's edge. */
void pen_text(struct pen *pen, uint16_t colour, const char *text, unsigned length);
void pen_line(struct pen *pen, uint16_t colour, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Draws a text in as many lines as it needs, broken between words where possible. */
void pen_wrap(struct pen *pen, uint16_t colour, const char *text);

/* Draws blank lines to the area's end. */
void pen_clear(struct pen *pen);

#endif
