/* SPDX-License-Identifier: MIT */
/*
 * Branches at known addresses, for whatever records them: LBR and BTS. Code under mode_run(), at
 * every level of privilege, between an INT whose handler switches recording on and what switches it
 * off: a WRMSR at CPL 0, another INT elsewhere.
 */
#ifndef TESTS_SUITES_LBR_BRANCHES_H
#define TESTS_SUITES_LBR_BRANCHES_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/modes/modes.h>
#include <kernel/run/test.h>
#include <tests/suites/common/raise.h>      /* IN(mode), IN_WIDE */

/* In the order of MSR_LBR_SELECT's bits from 2 on. FAR: INT n, IRET, exceptions, interrupts too. */
enum branch_kind { BRANCH_JCC, BRANCH_REL_CALL, BRANCH_IND_CALL, BRANCH_RET, BRANCH_IND_JMP,
                   BRANCH_REL_JMP, BRANCH_FAR, BRANCH_KINDS };

/* Where a branch leaves or arrives: bytes from the start of the row's code, or one of these. */
enum branch_place { AT_START_IRET = 0x100, AT_STOP, AT_RETURN, AT_SKIP, AT_SKIP_IRET,
                    AT_SKIP_ERROR, AT_SKIP_ERROR_IRET, AT_DEBUG, AT_DEBUG_IRET,
                    AT_SYSENTER, AT_SYSEXIT, AT_SYSCALL, AT_SYSRET };

/* INT n with this n comes back at once. */
enum { BRANCH_VECTOR = 0x52 };

struct branch { uint16_t from, to; uint8_t kind; };

enum { BRANCH_CODE_MAX = 128, BRANCH_ROW_MAX = 64 };

/* The code: position independent; what it jumps to indirectly is in EAX, scratch memory at EBX. */
struct branch_row {
	const char *what;
	unsigned modes;                /* IN(mode) | ... */
	uint8_t size, count;           /* of code, in bytes; of branches */
	uint8_t target;                /* EAX = the address of this byte; 0: EAX = ax */
	const uint8_t *code;
	const struct branch *branch;
	uintptr_t ax, bx;              /* bx 0: scratch memory */
};
#define BRANCH_CODE(...) .size = sizeof((const uint8_t[]){ __VA_ARGS__ }), \
	                 .code = (const uint8_t[]){ __VA_ARGS__ }
#define BRANCHES(...) .count = sizeof((const struct branch[]){ __VA_ARGS__ }) \
	                       / sizeof(struct branch), \
	              .branch = (const struct branch[]){ __VA_ARGS__ }

/* What must have been recorded, the oldest first: with the IRET that leads to the code, and the
 * INT at its end, if one ends it. */
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

/* What a row is about. */
enum branch_subject { BRANCHES_NEAR, BRANCHES_FAR, BRANCHES_EXCEPTION };
enum branch_subject branches_subject(const struct branch_row *row);

/* One of each kind, the same at every wide level: what filters choose from. */
extern const struct branch_row branch_mix;

/* So many jumps, each to the next one, of two bytes each; at most BRANCH_ROW_MAX. The row is
 * valid until the next call. */
const struct branch_row *branches_chain(unsigned jumps);

/* How recording is switched on, by this register; 0 switches it off. */
struct branch_recorder { uint32_t msr; uint64_t on; };

/* Runs it; fills in what must have been recorded. Its result is that of mode_run(). */
struct mode_result branches_run(const struct branch_row *row, enum cpu_mode mode,
                                const struct branch_recorder *by, struct branch_trace *trace);

/* Where the first INT or interrupt that stopped recording returned to. */
uintptr_t branches_stopped_at(void);

/* Linear address of a byte of the row's code; of a place. */
uintptr_t branches_address(unsigned offset);
uintptr_t branches_place(unsigned place);

/* In the next branches_run() this interrupt, too, ends recording: its gate's target is AT_STOP. */
void branches_stop_at(unsigned vector);

/* Every mode of this kernel that a row is the same code in. */
#define FOR_EACH_BRANCH_MODE(row, mode) \
	FOR_EACH_MODE(mode) \
		if ((row)->modes & IN(mode))

#endif
