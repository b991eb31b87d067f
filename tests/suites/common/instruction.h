/* SPDX-License-Identifier: MIT */
/* One instruction, executed in any mode with every register known, and what may be said of it. */
#ifndef TESTS_SUITES_COMMON_INSTRUCTION_H
#define TESTS_SUITES_COMMON_INSTRUCTION_H

#include <stdint.h>

#include <arch/modes/modes.h>
#include <kernel/run/test.h>

struct instruction { const char *name; uint8_t code[4]; uint8_t size; };

extern const struct instruction insn_rdpmc, insn_lock_rdpmc, insn_rdtsc, insn_rdmsr, insn_wrmsr;

/* What the registers hold before: patterns with every half different, none of them 0. */
extern const struct mode_regs instruction_regs;

/* Executes it with ECX and the patterns; EDX:EAX too are the patterns. */
struct mode_result instruction_run(const struct instruction *insn, enum cpu_mode mode,
                                   uint32_t ecx);

/* The same, with EDX:EAX given. */
struct mode_result instruction_run_with(const struct instruction *insn, enum cpu_mode mode,
                                        uint32_t ecx, uint64_t edx_eax);

/* EDX:EAX of a result. */
uint64_t instruction_value(const struct mode_result *r);

/* EBX, ESI, EDI, EBP and the flags are what they were; EDX:EAX too, after a fault. */
#define expect_registers_kept(t, r) expect_registers_kept_at(t, TEST_PLACE, r)
void expect_registers_kept_at(struct test_ctx *t, struct test_place at,
                              const struct mode_result *r);

/* It did what it should: no fault, or this one, raised at the instruction; other registers kept. */
#define expect_outcome(t, r, want, why) expect_outcome_at(t, TEST_PLACE, r, want, why)
void expect_outcome_at(struct test_ctx *t, struct test_place at, const struct mode_result *r,
                       fault_t want, const char *why);

#endif
