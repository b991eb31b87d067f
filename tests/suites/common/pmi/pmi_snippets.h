/* SPDX-License-Identifier: MIT */
/* Declares code of exactly known instructions for the PMI tests. It is called as workloads are. */
#ifndef TESTS_SUITES_COMMON_PMI_PMI_SNIPPETS_H
#define TESTS_SUITES_COMMON_PMI_PMI_SNIPPETS_H

#include <stdint.h>

/* Executes eight NOPs, HLT, RET. pmi_hlt_insn is the HLT, pmi_hlt_next the RET. */
void pmi_hlt(uint32_t rounds, uint32_t argument);
extern const uint8_t pmi_hlt_insn[], pmi_hlt_next[];

/* Executes the same with a ninth NOP in place of the HLT; pmi_no_hlt_next is the RET. */
void pmi_no_hlt(uint32_t rounds, uint32_t argument);
extern const uint8_t pmi_no_hlt_next[];

/*
 * Handles vector 2 as the target of the IDT's gate: counts in pmi_soon_count and, pmi_soon_left
 * times, writes pmi_soon_value to the address pmi_soon_lvtpc. The handler has eleven instructions.
 */
void pmi_soon_gate(void);
extern volatile uint32_t pmi_soon_count;
extern uint32_t pmi_soon_left, pmi_soon_lvtpc, pmi_soon_value;
extern uintptr_t pmi_soon_storm;        /* the handler of all those after them */

#endif
