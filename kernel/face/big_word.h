/* SPDX-License-Identifier: MIT */
/* Draws a word in large letters of block characters. */
#ifndef KERNEL_FACE_BIG_WORD_H
#define KERNEL_FACE_BIG_WORD_H

#include <kernel/face/pen.h>

/* Draws the word as large as the pen's columns and `rows` rows allow; the pen is then below it. */
void big_word_draw(struct pen *pen, unsigned rows, uint16_t colour, const char *word);

#endif
