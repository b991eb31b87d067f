/* SPDX-License-Identifier: MIT */
/* Sampled addresses, and their histogram. A processor's own. */
#ifndef MONITOR_TOOLS_PLACES_H
#define MONITOR_TOOLS_PLACES_H

#include <stdint.h>

/* So many are kept; more are counted. */
enum { PLACES_MAX = 4096 };

void places_clear(void);
void places_add(uintptr_t address);

/* Since places_clear(), those not kept, too. */
uint32_t places_count(void);

/* The places with most samples first: count, share, address, place, a bar. */
void places_print(void);

/* places_print()'s columns of one address: "10A2E3H   loop+7H". */
enum { PLACES_TEXT_SIZE = 80 };
const char *places_text(uintptr_t address, char *buffer);

#endif
