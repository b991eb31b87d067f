/* SPDX-License-Identifier: MIT */
/* The page of the test "summary": what this PMU is good for, in two columns, from the log. */
#ifndef KERNEL_END_END_PAGE_H
#define KERNEL_END_END_PAGE_H

#include <stdbool.h>

#include <kernel/face/pen.h>
#include <kernel/log/warm_log.h>

/* Says whether the log has the page. */
bool end_page_is_there(const struct warm_log_text *log);

/* Returns how many pages the log has: on a hybrid one for each kind of processors. */
unsigned end_page_count(const struct warm_log_text *log);

/* Draws one of them, from 0 on, and blank lines to the area's end. The log must have it. */
void end_page_draw(struct pen *pen, const struct warm_log_text *log, unsigned number);

#endif
