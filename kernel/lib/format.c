/* SPDX-License-Identifier: MIT */
#include <kernel/lib/format.h>

#include <stdbool.h>
#include <stdint.h>

#include <arch/regs/table.h>
#include <kernel/lib/string.h>

enum length { LENGTH_CHAR, LENGTH_SHORT, LENGTH_INT, LENGTH_LONG, LENGTH_LONG_LONG, LENGTH_SIZE };

struct conversion {
	bool is_left;           /* flag - */
	bool has_zeros;         /* flag 0 */
	int width;
	int precision;          /* -1: none */
	enum length length;
	char letter;
};

struct output {
	void (*put)(void *ctx, char c);
	void *ctx;
};

/* A va_list is an array on some machines; inside a struct it can be passed by address. */
struct arguments {
	va_list list;
};

enum { DIGITS_MAX = 20 };       /* of 2^64 - 1 in base 10 */

struct number {
	char digits[DIGITS_MAX];
	int count;
	const char *prefix;     /* sign or base */
};

static int clamp_width(int width)
{
	if (width < -FORMAT_WIDTH_MAX)
		return -FORMAT_WIDTH_MAX;
	return width > FORMAT_WIDTH_MAX ? FORMAT_WIDTH_MAX : width;
}

/* Reads a width or precision, if there is one; missing digits count as 0. */
static int parse_width(const char **fmt, struct arguments *args)
{
	int width = 0;

	if (**fmt == '*') {
		(*fmt)++;
		return clamp_width(va_arg(args->list, int));
	}
	for (; **fmt >= '0' && **fmt <= '9'; (*fmt)++)
		width = clamp_width(width * 10 + (**fmt - '0'));
	return width;
}

static enum length parse_length(const char **fmt)
{
	static const struct {
		const char *text;
		enum length length;
	} modifiers[] = {
		{ "hh", LENGTH_CHAR },
		{ "h",  LENGTH_SHORT },
		{ "ll", LENGTH_LONG_LONG },
		{ "l",  LENGTH_LONG },
		{ "z",  LENGTH_SIZE },
	};

	for (size_t i = 0; i < COUNT_OF(modifiers); i++) {
		size_t size = strlen(modifiers[i].text);

		if (strncmp(*fmt, modifiers[i].text, size) == 0) {
			*fmt += size;
			return modifiers[i].length;
		}
	}
	return LENGTH_INT;
}

static void parse_flags(struct conversion *conversion, const char **fmt)
{
	for (; **fmt == '-' || **fmt == '0'; (*fmt)++) {
		if (**fmt == '-')
			conversion->is_left = true;
		else
			conversion->has_zeros = true;
	}
}

/* Reads what follows a %, and moves *fmt to its end. */
static struct conversion parse_conversion(const char **fmt, struct arguments *args)
{
	struct conversion conversion = { .precision = -1 };

	parse_flags(&conversion, fmt);
	conversion.width = parse_width(fmt, args);
	if (conversion.width < 0) {     /* C11: a negative * means the flag - and the width */
		conversion.is_left = true;
		conversion.width = -conversion.width;
	}
	if (**fmt == '.') {
		(*fmt)++;
		conversion.precision = parse_width(fmt, args);
		if (conversion.precision < 0)   /* C11: as if no precision was given */
			conversion.precision = -1;
	}
	conversion.length = parse_length(fmt);
	conversion.letter = **fmt;
	return conversion;
}

static void put_repeated(const struct output *out, char c, int count)
{
	while (count-- > 0)
		out->put(out->ctx, c);
}

static void put_text(const struct output *out, const char *text, int size)
{
	while (size-- > 0)
		out->put(out->ctx, *text++);
}

static void put_padded(const struct output *out, const struct conversion *conversion,
                       const char *text, int size)
{
	int padding = conversion->width - size;

	if (!conversion->is_left)
		put_repeated(out, ' ', padding);
	put_text(out, text, size);
	if (conversion->is_left)
		put_repeated(out, ' ', padding);
}

static void format_string(const struct output *out, const struct conversion *conversion,
                          const char *text)
{
	int size = 0;

	if (!text)
		text = "(null)";
	while (size != conversion->precision && text[size])
		size++;
	put_padded(out, conversion, text, size);
}

/* The zeros come from the precision, or, without one, from the flag 0, which fills the width. */
static int count_zeros(const struct conversion *conversion, const struct number *number)
{
	int used = number->count + (int)strlen(number->prefix);

	if (conversion->precision >= 0)
		return conversion->precision - number->count;
	if (conversion->has_zeros && !conversion->is_left)
		return conversion->width - used;
	return 0;
}

static void put_number(const struct output *out, const struct conversion *conversion,
                       const struct number *number)
{
	int zeros = count_zeros(conversion, number);
	int size = number->count + (int)strlen(number->prefix) + (zeros > 0 ? zeros : 0);

	if (!conversion->is_left)
		put_repeated(out, ' ', conversion->width - size);
	put_text(out, number->prefix, (int)strlen(number->prefix));
	put_repeated(out, '0', zeros);
	put_text(out, number->digits + DIGITS_MAX - number->count, number->count);
	if (conversion->is_left)
		put_repeated(out, ' ', conversion->width - size);
}

/*
 * Divides *value by divisor (below 65536) and returns the remainder. A 64-bit division would call
 * libgcc.
 */
static uint32_t divide(uint64_t *value, uint32_t divisor)
{
	uint64_t quotient = 0;
	uint32_t rest = 0;

	for (int shift = 48; shift >= 0; shift -= 16) {
		uint32_t part = rest << 16 | (uint32_t)(*value >> shift & 0xffff);

		quotient = quotient << 16 | part / divisor;
		rest = part % divisor;
	}
	*value = quotient;
	return rest;
}

/* Builds the digits at the end of number->digits. */
static void format_number(const struct output *out, const struct conversion *conversion,
                          uint64_t value, uint32_t base, const char *prefix)
{
	const char *digits = conversion->letter == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
	struct number number = { .count = 0, .prefix = prefix };

	/* C11: 0 has a digit unless the precision is 0 */
	while (value || (number.count == 0 && conversion->precision != 0)) {
		number.count++;
		number.digits[DIGITS_MAX - number.count] = digits[divide(&value, base)];
	}
	put_number(out, conversion, &number);
}

static uint64_t take_unsigned(enum length length, struct arguments *args)
{
	switch (length) {
	case LENGTH_CHAR:       return (unsigned char)va_arg(args->list, unsigned);
	case LENGTH_SHORT:      return (unsigned short)va_arg(args->list, unsigned);
	case LENGTH_LONG:       return va_arg(args->list, unsigned long);
	case LENGTH_LONG_LONG:  return va_arg(args->list, unsigned long long);
	case LENGTH_SIZE:       return va_arg(args->list, size_t);
	case LENGTH_INT:        break;
	}
	return va_arg(args->list, unsigned);
}

static int64_t take_signed(enum length length, struct arguments *args)
{
	switch (length) {
	case LENGTH_CHAR:       return (signed char)va_arg(args->list, int);
	case LENGTH_SHORT:      return (short)va_arg(args->list, int);
	case LENGTH_LONG:       return va_arg(args->list, long);
	case LENGTH_LONG_LONG:  return va_arg(args->list, long long);
	case LENGTH_SIZE:       return va_arg(args->list, ptrdiff_t);
	case LENGTH_INT:        break;
	}
	return va_arg(args->list, int);
}

static void format_signed(const struct output *out, const struct conversion *conversion,
                          int64_t value)
{
	uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;

	format_number(out, conversion, magnitude, 10, value < 0 ? "-" : "");
}

static void format_char(const struct output *out, const struct conversion *conversion, char c)
{
	put_padded(out, conversion, &c, 1);
}

static bool is_conversion(char letter)
{
	return letter && strchr("%csdiuxXp", letter);
}

static void format_argument(const struct output *out, const struct conversion *conversion,
                            struct arguments *args)
{
	switch (conversion->letter) {
	case '%':
		out->put(out->ctx, '%');
		break;
	case 'c':
		format_char(out, conversion, (char)va_arg(args->list, int));
		break;
	case 's':
		format_string(out, conversion, va_arg(args->list, const char *));
		break;
	case 'd':
	case 'i':
		format_signed(out, conversion, take_signed(conversion->length, args));
		break;
	case 'u':
		format_number(out, conversion, take_unsigned(conversion->length, args), 10, "");
		break;
	case 'x':
	case 'X':
		format_number(out, conversion, take_unsigned(conversion->length, args), 16, "");
		break;
	case 'p':
		format_number(out, conversion, (uintptr_t)va_arg(args->list, void *), 16, "0x");
		break;
	}
}

/* Formats one conversion; fmt points to what follows its %. Returns where the format continues. */
static const char *format_one(const struct output *out, const char *fmt, struct arguments *args)
{
	const char *end = fmt;
	struct conversion conversion = parse_conversion(&end, args);

	if (!is_conversion(conversion.letter)) {
		out->put(out->ctx, '%');
		return fmt;
	}
	format_argument(out, &conversion, args);
	return end + 1;
}

void format_to(void (*put)(void *ctx, char c), void *ctx, const char *fmt, va_list args)
{
	struct output out = { put, ctx };
	struct arguments arguments;

	va_copy(arguments.list, args);
	while (*fmt) {
		char c = *fmt++;

		if (c == '%')
			fmt = format_one(&out, fmt, &arguments);
		else
			put(ctx, c);
	}
	va_end(arguments.list);
}

struct buffer {
	char *text;
	size_t size;
	size_t length;
};

static void put_in_buffer(void *ctx, char c)
{
	struct buffer *buffer = ctx;

	if (buffer->length < buffer->size)      /* leaves space for the terminator */
		buffer->text[buffer->length] = c;
	buffer->length++;
}

int format_vbuf(char *buf, size_t size, const char *fmt, va_list args)
{
	struct buffer buffer = { buf, size, 0 };

	format_to(put_in_buffer, &buffer, fmt, args);
	if (size)
		buf[buffer.length < size ? buffer.length : size - 1] = '\0';
	return (int)buffer.length;
}

int format_buf(char *buf, size_t size, const char *fmt, ...)
{
	va_list args;
	int length;

	va_start(args, fmt);
	length = format_vbuf(buf, size, fmt, args);
	va_end(args);
	return length;
}
