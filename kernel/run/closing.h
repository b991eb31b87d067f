/* SPDX-License-Identifier: MIT */
/*
 * What is on the screen of a machine that stays on after its run: the end of the log beside a QR
 * code of the summary, and the whole log, to be scrolled through by keys.
 */
#ifndef KERNEL_RUN_CLOSING_H
#define KERNEL_RUN_CLOSING_H

/* Does not return, unless there is nothing to show or no screen. */
void closing_run(void);

#endif
