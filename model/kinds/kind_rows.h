/* SPDX-License-Identifier: MIT */
/* The rows by which the bytes of an instruction tell its kind. */
#ifndef MODEL_KINDS_KINDS_H
#define MODEL_KINDS_KINDS_H

#include <model/refpmu_kinds.h>

/* The opcode maps, those of VEX apart; those of EVEX are one. */
enum kind_map { ONE_BYTE, MAP_0F, MAP_0F38, MAP_0F3A, VEX_0F, VEX_0F38, VEX_0F3A, EVEX };
/* The prefix that is a part of the opcode. */
enum { NP = 1, P66 = 2, PF3 = 4, PF2 = 8, ANY_PREFIX = 15 };
/* ModRM's operand; OF(n): an opcode with these values of ModRM.reg or .rm alone. */
enum { IN_MEMORY = 1, IN_REGISTER = 2, EITHER = 3 };
#define OF(n) (1 << (n))
#define ALL 0xff

/* A group of opcodes. Each row that an instruction matches adds to its kind. */
struct kind_row {
	uint8_t map, prefixes, first, last, form;
	uint8_t regs, rms;             /* bits by ModRM.reg and, with a register, by .rm */
	uint8_t branch, segments;
	uint64_t traits;
};

/* Tables end with a row whose prefixes are 0. */
extern const struct kind_row kind_rows_system[], kind_rows_x87[], kind_rows_mmx[], kind_rows_sse[];
extern const struct kind_row kind_rows_pairs[];

#endif
