/* SPDX-License-Identifier: MIT */
/*
 * Last branch records of all generations as one stack. Source: SDM 3B, "Last Branch, Call Stack,
 * Interrupt, and Exception Recording" by microarchitecture.
 */
#ifndef PMU_SAMPLING_LBR_STACK_H
#define PMU_SAMPLING_LBR_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/cpu/cpuid.h>

/* Architectural: IA32_LBR_x_INFO has the branch's type. */
#define CPUID_LBR_BR_TYPE  CPUID_FIELD(0x1c, 0, ECX, 2, 2)

/* Where the records of a processor are; a row per kind. */
struct lbr_kind {
	const char *name;              /* "P6", "NetBurst, 4 entries", ... */
	unsigned depth;                /* architectural: the deepest that leaf 1CH offers */
	uint32_t from_msr, to_msr, info_msr;   /* of entry 0; info_msr 0: none */
	uint32_t tos_msr;              /* 0: entry 0 is the newest */
	uint32_t select_msr;           /* 0: no filter */
	uint32_t ler_msr;              /* last exception's FROM, then TO; 0: none */
	bool is_packed;                /* one register an entry: bits 31:0 FROM, 63:32 TO */
	bool has_offsets;              /* P6: in the code segment, whose base is 0 here */
	bool is_architectural;         /* IA32_LBR_CTL in place of DEBUGCTL.LBR */
	bool has_call_stack;
	uint8_t format;                /* enum lbr_format; 0 on processors without such a field */
	uint64_t from_address, to_address;     /* bits of the addresses; flags are the others */
	const char *source;
};

/* This processor's; NULL: none. *why: the reason, with the value that decided. */
const struct lbr_kind *lbr_kind(const char **why);

struct test_ctx;
const char *need_lbr(struct test_ctx *t);

/* The first register of the stack that was not 0 when this kernel first asked for its kind, before
 * it recorded anything, and its value; 0: all were. */
uint32_t lbr_found(uint64_t *value);

struct lbr_record { uint64_t from, to, info; bool is_mispredicted; };

/* The record so many branches ago, 0 the newest: linear addresses. Recording must be off. */
struct lbr_record lbr_get(unsigned age);
unsigned lbr_tos(void);                        /* 0 where there is none */

/*
 * The register that switches recording on and off, and its value for on. select: MSR_LBR_SELECT's
 * value, or bits of IA32_LBR_CTL without LBREN; 0: all branches at every level.
 */
uint32_t lbr_control_msr(void);
uint64_t lbr_control_on(uint64_t select);

/* On, with this filter; DEBUGCTL's other bits stay. Off. */
void lbr_enable(uint64_t select);
void lbr_disable(void);

/* The filter that leaves out CPL 0: bits for lbr_enable(); 0: there is none here. */
uint64_t lbr_select_user(void);

/* Runs code(rounds, argument) recording by this filter; of all branches the newest is its RET. */
void lbr_window(uint64_t select, void (*code)(uint32_t rounds, uint32_t argument),
                uint32_t rounds, uint32_t argument);

/* Whatever a test left on. The engine calls it around each; IA32_DEBUGCTL it clears itself. */
void lbr_stop(void);

/* All entries, and TOS, 0. False: they cannot be written here, and are as they were. */
bool lbr_clear(void);

#endif
