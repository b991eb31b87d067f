/* SPDX-License-Identifier: MIT */
/*
 * Shows the end of the run on the screen of a machine that stays on: the verdict as a big word,
 * what it means and the failed tests, beside a QR code; and the whole log, which keys scroll.
 */
#ifndef KERNEL_END_END_SCREEN_H
#define KERNEL_END_END_SCREEN_H

#include <stdbool.h>

/*
 * Shows how the run ended, with this status, until the machine is switched off. Returns false if
 * there is no screen, and true if the user asks for the monitor, which has_monitor allows.
 */
bool end_screen_run(unsigned status, bool has_monitor);

#endif
