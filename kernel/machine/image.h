/* SPDX-License-Identifier: MIT */
/*
 * Sums the kernel's own code and constants, to notice a bad medium, bad memory, and code that
 * writes where it must not. The build computes the same sum (tests/runner/whole/image.py) and puts
 * it into the file after linking. Data is not summed, nor is the workload that changes itself
 * (linker.ld).
 */
#ifndef KERNEL_MACHINE_IMAGE_H
#define KERNEL_MACHINE_IMAGE_H

#include <stdint.h>

/*
 * Returns the sum of .text and .rodata as they are in memory now: the CRC-32 of 64-bit sums, one
 * for each page of 4096 bytes. A page's sum rotates after every eight words, so it depends on the
 * order of its lines. Any change within one word changes the result.
 */
uint32_t image_sum(void);

/* Returns a sentence on how this sum differs from the build's, or NULL if it does not. */
const char *image_problem(uint32_t sum);

#endif
