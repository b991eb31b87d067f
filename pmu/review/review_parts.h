/* SPDX-License-Identifier: MIT */
/* The functions of the page's rows, and what they share. */
#ifndef PMU_REVIEW_REVIEW_PARTS_H
#define PMU_REVIEW_REVIEW_PARTS_H

#include <pmu/core/program.h>
#include <pmu/review/review.h>
#include <pmu/workload/workload.h>

/* Adds to the text; what does not fit is cut. */
void part_say(struct review_part *part, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Sets what is judged, and returns whether it holds. */
bool part_expect(struct review_part *part, const char *what, uint64_t got, uint64_t want);

/* Returns true if there is a PMU that counts; otherwise refers to the first row. */
bool part_counts(struct review_part *part);

/* Returns a setup that counts the instructions at CPL 0 and 3 on this counter. */
struct pmu_setup instructions_on(unsigned counter);

/* Returns the number of general counters that can count instructions. */
unsigned instruction_counters(void);

/* Returns NULL, or why an overflow of counter 0 does not interrupt; measures that. */
const char *pmi_trouble(void);

/*
 * Measures a preset over so many rounds of a workload, without the window. Returns false if this
 * processor does not have it, with the reason in *why.
 */
bool preset_value(const char *preset, const struct workload *w, uint32_t rounds, int64_t *value,
                  const char **why);

/* Returns the argument with which the workload may run: memory that it may walk, or a seed. */
uint32_t argument_of(const struct workload *w);

/* Return false, and say nothing, unless AMD's branch records, or IBS, are here. */
bool tell_amd_branches(struct review_part *part);
bool tell_ibs(struct review_part *part);

/* Returns NULL, or why IBS cannot sample. */
const char *ibs_trouble(void);

void tell_pmu(struct review_part *part);
void tell_counters(struct review_part *part);
void tell_events(struct review_part *part);
void tell_rings(struct review_part *part);
void tell_overflow(struct review_part *part);
void tell_pmi(struct review_part *part);
void tell_lbr(struct review_part *part);
void tell_pebs(struct review_part *part);
void tell_bts(struct review_part *part);
void tell_hidden(struct review_part *part);
void tell_costs(struct review_part *part);
void tell_perf_stat(struct review_part *part);
void tell_perf_record(struct review_part *part);
void tell_rr(struct review_part *part);
void tell_papi(struct review_part *part);

#endif
