/* SPDX-License-Identifier: MIT */
/* Lists the known generations of PMUs, and finds the one of this processor. */
#ifndef PMU_DRIVERS_CLASSES_H
#define PMU_DRIVERS_CLASSES_H

#include <arch/regs/table.h>
#include <pmu/core/driver.h>
#include <pmu/core/pmu.h>

/* Lists all classes. The first one that matches the processor applies. */
extern const struct pmu_class pmu_classes[];
extern const unsigned pmu_class_count;

/* Returns the class with this word, or NULL. */
const struct pmu_class *pmu_class_find(const char *word);

/*
 * Finds the class, then calls pmu_examine(). forced is the class that uarch= names; if it is NULL,
 * the processor decides.
 */
void pmu_detect(const struct cpu_identity *cpu, const struct pmu_class *forced);

#define PAUSABLES(table) .pausables = (table), .pausable_count = COUNT_OF(table)

extern const struct pmu_driver pmu_driver_arch, pmu_driver_p6, pmu_driver_p5, pmu_driver_netburst;
extern const struct pmu_driver pmu_driver_amd_k7, pmu_driver_amd_core;

#endif
