/* SPDX-License-Identifier: MIT */
/* Executes one instruction in any mode with every register known, and checks the outcome. */
#ifndef TESTS_SUITES_COMMON_INSTRUCTION_H
#define TESTS_SUITES_COMMON_INSTRUCTION_H

#include <stdint.h>

#include <arch/modes/modes.h>
#include <kernel/run/test.h>

struct instruction { const char *name; uint8_t code[4]; uint8_t size; };

extern const struct instruction insn_rdpmc, insn_lock_rdpmc, insn_rdtsc, insn_rdmsr, insn_wrmsr;

/* Holds the registers' values before the instruction: patterns whose halves all differ, none of
 * them 0. */
extern const struct mode_regs instruction_regs;

/* Executes the instruction with this ECX and the patterns in all other registers, including
 * EDX:EAX. */
struct mode_result instruction_run(const struct instruction *insn, enum cpu_mode mode,
                                   uint32_t ecx);

/* Does the same with EDX:EAX given. */
struct mode_result instruction_run_with(const struct instruction *insn, enum cpu_mode mode,
                                        uint32_t ecx, uint64_t edx_eax);

/* Returns EDX:EAX of a result. */
uint64_t instruction_value(const struct mode_result *r);

/* Checks that EBX, ESI, EDI, EBP and the flags, and after a fault also EDX:EAX, are as before. */
#define expect_registers_kept(t, r) expect_registers_kept_at(t, TEST_PLACE, r)
void expect_registers_kept_at(struct test_ctx *t, struct test_place at,
                              const struct mode_result *r);

/* Checks that the instruction raised this fault, or none if want is FAULT_NONE, and kept the other
 * registers. */
#define expect_outcome(t, r, want, why) expect_outcome_at(t, TEST_PLACE, r, want, why)
void expect_outcome_at(struct test_ctx *t, struct test_place at, const struct mode_result *r,
                       fault_t want, const char *why);

#endif
