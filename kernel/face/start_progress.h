/* SPDX-License-Identifier: MIT */
/* Tells how far the start of the processors is, if that takes more than a second. */
#ifndef KERNEL_FACE_START_PROGRESS_H
#define KERNEL_FACE_START_PROGRESS_H

/* Must be called before each start, with the number of those that were tried so far. */
void start_progress(unsigned tried);

#endif
