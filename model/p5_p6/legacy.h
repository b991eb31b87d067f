/* SPDX-License-Identifier: MIT */
/* Declares what the files about P5 and P6 share. */
#ifndef MODEL_P5_P6_LEGACY_H
#define MODEL_P5_P6_LEGACY_H

#include <model/steps/steps.h>

extern const struct model_rules model_rules_legacy[];
extern const struct model_generation model_generation_p5, model_generation_p6;

/* Registers and plans (plan_legacy.c). */
extern const struct model_msr_row model_msrs_p5[], model_msrs_p6[];
void model_plan_p5(struct refpmu_cpu *m);
void model_plan_p6(struct refpmu_cpu *m);

#endif
