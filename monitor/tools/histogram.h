/* SPDX-License-Identifier: MIT */
/* Keeps sampled addresses and prints their histogram. The data is private to each processor. */
#ifndef MONITOR_TOOLS_HISTOGRAM_H
#define MONITOR_TOOLS_HISTOGRAM_H

#include <stdint.h>

/* Limits the addresses that are kept; further ones are only counted. */
enum { HISTOGRAM_MAX = 4096 };

void histogram_clear(void);
void histogram_add(uintptr_t address);

/* Returns the number of samples since histogram_clear(), including those not kept. */
uint32_t histogram_count(void);

/* Prints the places, those with most samples first: count, share, address, place, a bar. */
void histogram_print(void);

/* Writes histogram_print()'s columns of one address: "10A2E3H   loop+7H". */
enum { HISTOGRAM_TEXT_SIZE = 80 };
const char *histogram_text(uintptr_t address, char *buffer);

#endif
