/* SPDX-License-Identifier: MIT */
/*
 * Presents the last branch records of all generations as one stack. Source: SDM 3B, "Last Branch,
 * Call Stack, Interrupt, and Exception Recording" by microarchitecture.
 */
#ifndef PMU_SAMPLING_LBR_STACK_H
#define PMU_SAMPLING_LBR_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/cpu/cpuid.h>

/* If this bit is 1, architectural LBR has the branch's type in IA32_LBR_x_INFO. */
#define CPUID_LBR_BR_TYPE  CPUID_FIELD(0x1c, 0, ECX, 2, 2)

/* Describes the registers with the records of a kind of processor. */
struct lbr_kind {
	const char *name;              /* "P6", "NetBurst, 4 entries", ... */
	unsigned depth;                /* architectural LBR: the deepest that leaf 1CH offers */
	uint32_t from_msr, to_msr, info_msr;   /* of entry 0; info_msr is 0 if there is none */
	uint32_t tos_msr;              /* 0 if entry 0 is always the newest */
	uint32_t select_msr;           /* 0 if there is no filter */
	uint32_t ler_msr;              /* the last exception's FROM, then TO; 0: none */
	bool is_packed;                /* one register per entry: bits 31:0 FROM, 63:32 TO */
	bool has_offsets;              /* P6: offsets in the code segment, whose base is 0 here */
	bool is_architectural;         /* IA32_LBR_CTL replaces DEBUGCTL.LBR */
	bool has_call_stack;
	uint8_t format;                /* enum lbr_format; 0 on processors without that field */
	uint64_t from_address, to_address;     /* the bits that are address; the others are flags */
	const char *source;
};

/*
 * Returns the kind of this processor, or NULL. *why becomes the reason, with the value that
 * decided.
 */
const struct lbr_kind *lbr_kind(const char **why);

struct test_ctx;
const char *need_lbr(struct test_ctx *t);

/* Needs records of which it is known how a PMI freezes them; only after need_lbr(). */
const char *need_known_lbr_freeze(struct test_ctx *t);

/*
 * Returns the first register of the stack that was not 0 when this kernel first looked, before it
 * recorded anything, and its value in *value. Returns 0 if all were 0.
 */
uint32_t lbr_found(uint64_t *value);

struct lbr_record { uint64_t from, to, info; bool is_mispredicted; };

/*
 * Returns the record of the branch `age` branches ago (0 is the newest), with linear addresses.
 * Recording must be off.
 */
struct lbr_record lbr_get(unsigned age);
unsigned lbr_tos(void);                        /* returns 0 if there is no TOS */

/*
 * Return the register that switches recording on and off, and its value for on. select is
 * MSR_LBR_SELECT's value, or bits of IA32_LBR_CTL without LBREN; 0 records all branches at every
 * level.
 */
uint32_t lbr_control_msr(void);
uint64_t lbr_control_on(uint64_t select);

/* Switch recording on, with this filter, and off. Other bits of DEBUGCTL stay. */
void lbr_enable(uint64_t select);
void lbr_disable(void);

/* Returns the filter for lbr_enable() that omits CPL 0, or 0 if this processor has none. */
uint64_t lbr_select_user(void);

/*
 * Runs code(rounds, argument) while recording with this filter. Without a filter, the newest branch
 * is the code's RET.
 */
void lbr_window(uint64_t select, void (*code)(uint32_t rounds, uint32_t argument),
                uint32_t rounds, uint32_t argument);

/*
 * Stops whatever recording a test left on. The engine calls it around each test, and clears
 * IA32_DEBUGCTL itself.
 */
void lbr_stop(void);

/*
 * Sets all entries and TOS to 0. Returns false if these registers cannot be written here; they then
 * keep their values.
 */
bool lbr_clear(void);

#endif
