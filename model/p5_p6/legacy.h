/* SPDX-License-Identifier: MIT */
/* Declares what the files about P5 and P6 share. */
#ifndef MODEL_P5_P6_LEGACY_H
#define MODEL_P5_P6_LEGACY_H

#include <model/core/msrs.h>
#include <model/units/units.h>

extern const struct model_rules model_rules_legacy[];
extern const struct model_generation model_generation_p5, model_generation_p6;

/* Returns what the counter's event counts of an instruction; 0 for events of cycles. */
uint32_t model_event_count(const struct refpmu_cpu *m, const struct model_counter *c,
                           const struct model_retired *retired);

/* Returns what the event counts of the delivery of an interrupt or exception; entry is ENTRY_. */
uint32_t model_event_of_entry(const struct model_counter *c, unsigned entry);

/* Notes the instruction's unit, from which the next transition between MMX and x87 starts. */
void model_note_unit(struct refpmu_cpu *m, const struct refpmu_insn *insn);

uint32_t model_uops(const struct model_retired *retired);

/* Registers and plans (plan_legacy.c). */
extern const struct model_msr_row model_msrs_p5[], model_msrs_p6[];
void model_plan_p5(struct refpmu_cpu *m);
void model_plan_p6(struct refpmu_cpu *m);

#endif
