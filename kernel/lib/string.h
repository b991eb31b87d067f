/* SPDX-License-Identifier: MIT */
/*
 * Declares the functions of <string.h> that the kernel uses, or that the compiler calls by itself.
 */
#ifndef KERNEL_LIB_STRING_H
#define KERNEL_LIB_STRING_H

#include <stddef.h>

/* All are as in C11, "String handling <string.h>". GCC inserts calls of the first four. */
void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
int memcmp(const void *a, const void *b, size_t size);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t size);
char *strchr(const char *text, int c);

#endif
