/* SPDX-License-Identifier: MIT */
/* Virtual machines of VMX: what VM entries and VM exits do to the PMU. */
#ifndef MODEL_BOCHS_GUESTS_H
#define MODEL_BOCHS_GUESTS_H

#include "glue.h"

/* Checks the PMU's fields before VMLAUNCH or VMRESUME; all others are Bochs' to check. */
enum refpmu_vm_check check_entry(unsigned cpu, bool is_launch);

/* Says whether an exception leaves a guest: Bochs reports it before it looks. Page faults that do
 * are not reported. */
bool leaves_guest(BX_CPU_C *c, unsigned vector);

/* Reads the VMCB of the guest that runs, or ran last. */
Bit64u vmcb_read(BX_CPU_C *c, unsigned offset);

/* Bochs has loaded the state of the guest, or of the host. */
void switch_guest(unsigned cpu);

/* After VMRUN: lets interrupts leave the guest if the host's IF is what masks them, and is 1. */
void unmask_interrupts(BX_CPU_C *c);

#endif
