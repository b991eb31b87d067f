/* SPDX-License-Identifier: MIT */
/* Formats text with the conversions of printf. */
#ifndef KERNEL_LIB_FORMAT_H
#define KERNEL_LIB_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

/* <inttypes.h> is not a freestanding header; these are the parts of it that formats need. */
#ifndef PRIu64
#if __SIZEOF_LONG__ == 8
#define PRIu64 "lu"
#define PRId64 "ld"
#define PRIx64 "lx"
#define PRIX64 "lX"
#else
#define PRIu64 "llu"
#define PRId64 "lld"
#define PRIx64 "llx"
#define PRIX64 "llX"
#endif
#define PRIu32 "u"
#define PRIX32 "X"
#endif

/*
 * The conversions are %c %s %d %i %u %x %X %p %%, with the modifiers hh h l ll z, the flags `-` and
 * `0`, a width and a precision, both also as `*`. All have the meaning that C11 gives in "The
 * fprintf function". Where C11 leaves a choice, %p prints 0x and hexadecimal digits, and %s of NULL
 * prints (null). A larger width or precision counts as FORMAT_WIDTH_MAX. A conversion outside this
 * list is printed as it stands in the format.
 */
#define FORMAT_WIDTH_MAX 4095

/* Calls put(ctx, c) with each character of the text, without a terminator. */
void format_to(void (*put)(void *ctx, char c), void *ctx, const char *fmt, va_list args);

/*
 * Writes the text to buf, cut to size - 1 characters, and always with its terminator unless size is
 * 0. Returns the length of the whole text: it was cut if that is >= size.
 */
int format_vbuf(char *buf, size_t size, const char *fmt, va_list args);
int format_buf(char *buf, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
