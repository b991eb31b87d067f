/* SPDX-License-Identifier: MIT */
/*
 * Executes branches at known addresses, for LBR and BTS to record. The code runs under mode_run(),
 * at every level of privilege, between an INT whose handler switches recording on and an
 * instruction that switches it off: a WRMSR at CPL 0, another INT at other levels.
 */
#ifndef TESTS_SUITES_LBR_BRANCHES_H
#define TESTS_SUITES_LBR_BRANCHES_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/modes/modes.h>
#include <arch/regs/table.h>
#include <kernel/run/test.h>
#include <tests/suites/common/raise.h>      /* IN(mode), IN_WIDE */

/* Lists the kinds in the order of MSR_LBR_SELECT's bits from 2 on. FAR includes INT n, IRET,
 * exceptions and interrupts. */
enum branch_kind { BRANCH_JCC, BRANCH_REL_CALL, BRANCH_IND_CALL, BRANCH_RET, BRANCH_IND_JMP,
                   BRANCH_REL_JMP, BRANCH_FAR, BRANCH_KINDS };

/* Numbers places where a branch leaves or arrives. Smaller numbers are bytes from the start of the
 * row's code. */
enum branch_place { AT_START_IRET = 0x100, AT_STOP, AT_RETURN, AT_SKIP, AT_SKIP_IRET,
                    AT_SKIP_ERROR, AT_SKIP_ERROR_IRET, AT_DEBUG, AT_DEBUG_IRET,
                    AT_SYSENTER, AT_SYSEXIT, AT_SYSCALL, AT_SYSRET };

/* INT n with this n returns at once. */
enum { BRANCH_VECTOR = 0x52 };

struct branch { uint16_t from, to; uint8_t kind; };

enum { BRANCH_CODE_MAX = 768, BRANCH_ROW_MAX = 64, BRANCH_PAUSES_MAX = 320 };

/* Describes a row. Its code is position independent; EAX holds the target of its indirect jumps,
 * EBX the address of scratch memory. */
struct branch_row {
	const char *what;
	unsigned modes;                /* IN(mode) | ... */
	uint16_t size;                 /* of code, in bytes */
	uint8_t count;                 /* of branches */
	uint8_t target;                /* EAX = the address of this byte; 0: EAX = ax */
	const uint8_t *code;
	const struct branch *branch;
	uintptr_t ax, bx;              /* bx 0: scratch memory */
};
#define BRANCH_CODE(...) .size = sizeof((const uint8_t[]){ __VA_ARGS__ }), \
	                 .code = (const uint8_t[]){ __VA_ARGS__ }
#define BRANCHES(...) .count = COUNT_OF(((const struct branch[]){ __VA_ARGS__ })), \
	              .branch = (const struct branch[]){ __VA_ARGS__ }

/* Describes a record that must exist. A trace has them oldest first, with the IRET that leads to
 * the code and the INT that ends it, if one does. */
struct branch_want {
	uint64_t from, to;
	uint8_t kind;
	uint8_t from_cpl, to_cpl;
};
enum { BRANCH_WANT_MAX = BRANCH_ROW_MAX + 2 };
struct branch_trace {
	unsigned count;
	struct branch_want want[BRANCH_WANT_MAX];
};

extern const struct branch_row branch_rows[];
extern const unsigned branch_row_count;

/* Names the subject of a row. */
enum branch_subject { BRANCHES_NEAR, BRANCHES_FAR, BRANCHES_EXCEPTION };
enum branch_subject branches_subject(const struct branch_row *row);

/* Calls judge() for each row of this subject, in each mode in which it is the same code. */
void branches_each(struct test_ctx *t, enum branch_subject subject,
                   void (*judge)(struct test_ctx *t, const struct branch_row *row,
                                 enum cpu_mode mode));

/* Makes judge(t, subject) the tests family.records.near, .far and .exceptions; leave and leaves are
 * the verb of what a branch does with its record. */
#define BRANCH_SUBJECT_TESTS(family, needs_, source_, leave, leaves, judge) \
	static void near(struct test_ctx *t) { judge(t, BRANCHES_NEAR); } \
	static void far(struct test_ctx *t) { judge(t, BRANCHES_FAR); } \
	static void exceptions(struct test_ctx *t) { judge(t, BRANCHES_EXCEPTION); } \
	TEST_OF(near, .id = family ".records.near", .needs = needs_, .source = source_, \
	     .claim = "Jcc that is taken, JMP, CALL and RET " leave " a record with both exact " \
	              "addresses; Jcc that is not taken " leaves " none"); \
	TEST_OF(far, .id = family ".records.far", .needs = needs_, .source = source_, \
	     .claim = "far JMP, CALL and RET, INT n, INT3 and IRET " leave " a record each"); \
	TEST_OF(exceptions, .id = family ".records.exceptions", .needs = needs_, \
	     .source = source_, \
	     .claim = "an exception " leaves " a record from the instruction that faulted to its " \
	              "handler")

/* Single-steps over a NOP and then jumps; the handler of #DB ends the stepping. */
extern const struct branch_row branch_step;

/* Has one branch of each kind, the same at every wide level, for filters to choose from. */
extern const struct branch_row branch_mix;

/* Returns a row of so many jumps, at most BRANCH_ROW_MAX, each of two bytes and to the next one.
 * The row is valid until the next call. */
const struct branch_row *branches_chain(unsigned jumps);

/* The same with so many PAUSEs of two bytes at its end, at most BRANCH_PAUSES_MAX. */
const struct branch_row *branches_chain_and_pauses(unsigned jumps, unsigned pauses);

/* Holds the register and value that switch recording on; 0 switches it off. */
struct branch_recorder { uint32_t msr; uint64_t on; };

/* Runs the row; fills in the records that must exist. Returns the result of mode_run(). */
struct mode_result branches_run(const struct branch_row *row, enum cpu_mode mode,
                                const struct branch_recorder *by, struct branch_trace *trace);

/* Returns the address to which the first INT or interrupt that stopped recording returned. */
uintptr_t branches_stopped_at(void);

/* Return the linear address of a byte of the row's code; of a place. */
uintptr_t branches_address(unsigned offset);
uintptr_t branches_place(unsigned place);

/* Makes this interrupt, too, end the recording in the next branches_run(): its gate's target is
 * AT_STOP. */
void branches_stop_at(unsigned vector);

/* Iterates over every mode of this kernel in which a row is the same code. */
#define FOR_EACH_BRANCH_MODE(row, mode) \
	FOR_EACH_MODE(mode) \
		if ((row)->modes & IN(mode))

#endif
