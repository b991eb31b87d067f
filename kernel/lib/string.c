/* SPDX-License-Identifier: MIT */
#include <kernel/lib/string.h>

#include <stdint.h>

/* Otherwise GCC replaces the loop in memcpy() by a call of memcpy(). */
#ifndef __clang__
#pragma GCC optimize ("no-tree-loop-distribute-patterns")
#endif

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
	uint8_t *target = to;
	const uint8_t *source = from;

	while (size--)
		*target++ = *source++;
	return to;
}

void *memmove(void *to, const void *from, size_t size)
{
	uint8_t *target = to;
	const uint8_t *source = from;

	if ((uintptr_t)to - (uintptr_t)from >= size)   /* the target begins outside the source */
		return memcpy(to, from, size);
	while (size--)
		target[size] = source[size];
	return to;
}

/* Works by words if possible: an emulator takes as long for a byte as for a word. */
void *memset(void *to, int byte, size_t size)
{
	typedef uintptr_t __attribute__((may_alias)) word;
	const word pattern = UINTPTR_MAX / 0xff * (uint8_t)byte;
	uint8_t *target = to;

	for (; size && (uintptr_t)target % sizeof(word); size--)
		*target++ = (uint8_t)byte;
	for (; size >= sizeof(word); size -= sizeof(word), target += sizeof(word))
		*(word *)(void *)target = pattern;
	while (size--)
		*target++ = (uint8_t)byte;
	return to;
}

int memcmp(const void *a, const void *b, size_t size)
{
	const uint8_t *left = a, *right = b;

	for (; size--; left++, right++) {
		if (*left != *right)
			return *left - *right;
	}
	return 0;
}

size_t strlen(const char *text)
{
	const char *end = text;

	while (*end)
		end++;
	return (size_t)(end - text);
}

int strcmp(const char *a, const char *b)
{
	return strncmp(a, b, PTRDIFF_MAX);     /* no object is larger */
}

int strncmp(const char *a, const char *b, size_t size)
{
	for (; size--; a++, b++) {
		if (*a != *b)
			return (uint8_t)*a - (uint8_t)*b;
		if (!*a)
			break;
	}
	return 0;
}

char *strchr(const char *text, int c)
{
	for (; *text != (char)c; text++) {
		if (!*text)
			return NULL;
	}
	return (char *)(uintptr_t)text;
}
