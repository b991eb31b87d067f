/* SPDX-License-Identifier: MIT */
/* TAP 13 with YAML blocks. Source: the TAP 13 specification, "YAML blocks", "Directives". */
#ifndef KERNEL_TAP_H
#define KERNEL_TAP_H

#include <kernel/result.h>

struct tap_totals { unsigned passed, failed, errors, skipped; };

void tap_print_plan(unsigned count);

/* One result line, with a block unless it is a plain pass or a skip; adds it to the totals. */
void tap_print_result(unsigned number, const struct test_ctx *t, struct tap_totals *totals);

void tap_print_totals(const struct tap_totals *totals);

#endif
