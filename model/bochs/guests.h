/* SPDX-License-Identifier: MIT */
/* Virtual machines of VMX: what VM entries and VM exits do to the PMU. */
#ifndef MODEL_BOCHS_GUESTS_H
#define MODEL_BOCHS_GUESTS_H

#include "glue.h"

/* Why a VM entry fails for a field of the PMU, which Bochs does not check. */
enum entry_problem { ENTRY_PASSES, ENTRY_HOST_FIELD, ENTRY_GUEST_FIELD };

/* Checks these fields before VMLAUNCH or VMRESUME; all others are Bochs' to check. */
enum entry_problem check_entry(unsigned cpu, bool is_launch);

/* Bochs has loaded the state of the guest, or of the host. */
void switch_guest(unsigned cpu);

#endif
