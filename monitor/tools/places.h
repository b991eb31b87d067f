/* SPDX-License-Identifier: MIT */
/* Keeps sampled addresses and prints their histogram. The data is private to each processor. */
#ifndef MONITOR_TOOLS_PLACES_H
#define MONITOR_TOOLS_PLACES_H

#include <stdint.h>

/* So many addresses are kept; further ones are only counted. */
enum { PLACES_MAX = 4096 };

void places_clear(void);
void places_add(uintptr_t address);

/* Returns the number of samples since places_clear(), including those not kept. */
uint32_t places_count(void);

/* Prints the places, those with most samples first: count, share, address, place, a bar. */
void places_print(void);

/* Writes places_print()'s columns of one address: "10A2E3H   loop+7H". */
enum { PLACES_TEXT_SIZE = 80 };
const char *places_text(uintptr_t address, char *buffer);

#endif
