/* SPDX-License-Identifier: MIT */
/*
 * Shows the end of the run on the screen of a machine that stays on: the end of the log beside a QR
 * code of the summary, and the whole log, which keys scroll.
 */
#ifndef KERNEL_RUN_END_SCREEN_H
#define KERNEL_RUN_END_SCREEN_H

/* Shows the log until the machine is switched off; returns only if there is no log or no screen. */
void end_screen_run(void);

#endif
