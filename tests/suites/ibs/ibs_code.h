/* SPDX-License-Identifier: MIT */
/* Declares code whose samples are known. The code is called as workloads are. */
#ifndef TESTS_SUITES_IBS_IBS_CODE_H
#define TESTS_SUITES_IBS_IBS_CODE_H

#include <stdint.h>

enum ibs_kind {
	IBS_BRANCH = 1 << 0, IBS_TAKEN = 1 << 1, IBS_RETURN = 1 << 2,
	IBS_LOAD = 1 << 3, IBS_STORE = 1 << 4, IBS_LOCKED = 1 << 5,
	IBS_STACK = 1 << 6             /* its memory is the stack */
};

/* Describes an instruction of ibs_mix() or ibs_locks(). */
struct ibs_row {
	uint32_t ip;
	uint32_t kind;                 /* enum ibs_kind */
	uint32_t target;               /* of a branch: the instruction that executes next */
	uint32_t bytes;                /* of its access to memory */
};
extern const struct ibs_row ibs_rows[], ibs_rows_end[];

/* Executes one instruction of each kind a round; reads and writes 64 bytes from the argument on. */
enum { IBS_MIX_BYTES = 64, IBS_MIX_INSNS = 24 };
void ibs_mix(uint32_t rounds, uint32_t argument);
extern const uint8_t ibs_mix_end[];
extern const uint8_t ibs_mix_return[];       /* the last RET, which has no row */

/* Does the same with one locked instruction in a round of six. */
void ibs_locks(uint32_t rounds, uint32_t argument);

/* Executes IBS_NOPS NOPs, of a byte and one op each. */
enum { IBS_NOPS = 16384 };
void ibs_sled(uint32_t unused, uint32_t unused_too);
extern const uint8_t ibs_sled_end[];

#endif
