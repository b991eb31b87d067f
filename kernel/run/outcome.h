/* SPDX-License-Identifier: MIT */
/* Puts what a test gave, on one processor or on all, into the log and on the screen. */
#ifndef KERNEL_RUN_OUTCOME_H
#define KERNEL_RUN_OUTCOME_H

#include <kernel/run/tap.h>

/* The result of a test that ran on the boot processor alone. */
void outcome_put(const struct test_ctx *t, struct tap_totals *totals);

/*
 * The results of a test that ran on the other processors, too: one for all processors that agree in
 * every word. boot is that of the boot processor.
 */
void outcome_put_all(const struct test_ctx *boot, struct tap_totals *totals);

#endif
