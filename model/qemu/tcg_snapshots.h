/* SPDX-License-Identifier: MIT */
/* Snapshots (savevm, loadvm) and migration of the PMU. */
#ifndef MODEL_QEMU_SNAPSHOTS_H
#define MODEL_QEMU_SNAPSHOTS_H

/* Makes QEMU save and restore the library's state once for the machine, after all processors. */
void register_snapshots(void);

#endif
