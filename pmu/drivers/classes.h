/* SPDX-License-Identifier: MIT */
/* The generations of PMUs that are known, and which of them this processor has. */
#ifndef PMU_DRIVERS_CLASSES_H
#define PMU_DRIVERS_CLASSES_H

#include <pmu/core/driver.h>
#include <pmu/core/pmu.h>

/* Every row of the table, in the order in which they are asked; the first that matches is it. */
extern const struct pmu_class pmu_classes[];
extern const unsigned pmu_class_count;

/* The class of this word, NULL: there is none. */
const struct pmu_class *pmu_class_find(const char *word);

/*
 * Finds the class, then examines the PMU: pmu_examine(). forced: the class of uarch=; NULL: the
 * class is the processor's.
 */
void pmu_detect(const struct cpu_identity *cpu, const struct pmu_class *forced);

extern const struct pmu_driver pmu_driver_arch, pmu_driver_p6, pmu_driver_p5, pmu_driver_netburst;

#endif
