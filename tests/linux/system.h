/* SPDX-License-Identifier: MIT */
/* Makes system calls and port accesses on Linux, without a C library. */
#ifndef TESTS_LINUX_SYSTEM_H
#define TESTS_LINUX_SYSTEM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __x86_64__

#include <asm/unistd_64.h>

#define SYSTEM_MMAP __NR_mmap

/* Makes a system call; a negative result is -errno. */
static inline long system_call(long number, long a, long b, long c, long d, long e)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = 0;
	long result;

	__asm__ volatile ("syscall" : "=a" (result)
	                  : "a" (number), "D" (a), "S" (b), "d" (c), "r" (r10), "r" (r8), "r" (r9)
	                  : "rcx", "r11", "memory");
	return result;
}

#else

#include <asm/unistd_32.h>

#define SYSTEM_MMAP __NR_mmap2

/* Makes a system call whose sixth argument is 0; a negative result is -errno. */
static inline long system_call(long number, long a, long b, long c, long d, long e)
{
	long result;

	__asm__ volatile ("pushl %%ebp\n\t"
	                  "xorl %%ebp, %%ebp\n\t"
	                  "int $0x80\n\t"
	                  "popl %%ebp"
	                  : "=a" (result)
	                  : "a" (number), "b" (a), "c" (b), "d" (c), "S" (d), "D" (e) : "memory");
	return result;
}

#endif

static inline void out_byte(uint16_t port, char byte)
{
	__asm__ volatile ("outb %0, %1" : : "a" (byte), "Nd" (port));
}

static inline unsigned char in_byte(uint16_t port)
{
	unsigned char byte;

	__asm__ volatile ("inb %1, %0" : "=a" (byte) : "Nd" (port));
	return byte;
}

#endif
