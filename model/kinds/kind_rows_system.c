/* SPDX-License-Identifier: MIT */
/* Kinds of branches, of system instructions, and of those with integers. Source: SDM 2, appendix
 * "Opcode Map"; SDM 3A, "Serializing Instructions". */
#include <model/kinds/kind_rows.h>

#define T(name) REFPMU_TRAIT_##name
#define BRANCH(map, first, last, kind) \
	{ map, ANY_PREFIX, first, last, EITHER, ALL, ALL, kind, 0, 0 }
#define GROUP_5(form, reg, kind) \
	{ ONE_BYTE, ANY_PREFIX, 0xff, 0xff, form, OF(reg), ALL, kind, 0, 0 }
#define KIND(map, first, last, traits) \
	{ map, ANY_PREFIX, first, last, EITHER, ALL, ALL, 0, 0, traits }
#define GROUP(map, opcode, form, regs, traits) \
	{ map, ANY_PREFIX, opcode, opcode, form, regs, ALL, 0, 0, traits }
#define SEGMENT(map, opcode, number) \
	{ map, ANY_PREFIX, opcode, opcode, EITHER, ALL, ALL, 0, 1 << (number), 0 }

enum { ES, CS, SS, DS, FS, GS };

const struct kind_row kind_rows_system[] = {
	BRANCH(ONE_BYTE, 0x70, 0x7f, REFPMU_JCC),
	BRANCH(ONE_BYTE, 0xe0, 0xe3, REFPMU_JCC),
	BRANCH(MAP_0F, 0x80, 0x8f, REFPMU_JCC),
	BRANCH(ONE_BYTE, 0xe9, 0xe9, REFPMU_JMP),
	BRANCH(ONE_BYTE, 0xeb, 0xeb, REFPMU_JMP),
	GROUP_5(EITHER, 4, REFPMU_JMP_INDIRECT),
	BRANCH(ONE_BYTE, 0xe8, 0xe8, REFPMU_CALL),
	GROUP_5(EITHER, 2, REFPMU_CALL_INDIRECT),
	BRANCH(ONE_BYTE, 0xc2, 0xc3, REFPMU_RET),
	BRANCH(ONE_BYTE, 0xea, 0xea, REFPMU_FAR_JMP),
	GROUP_5(IN_MEMORY, 5, REFPMU_FAR_JMP),
	BRANCH(ONE_BYTE, 0x9a, 0x9a, REFPMU_FAR_CALL),
	GROUP_5(IN_MEMORY, 3, REFPMU_FAR_CALL),
	BRANCH(ONE_BYTE, 0xca, 0xcb, REFPMU_FAR_RET),
	BRANCH(ONE_BYTE, 0xcc, 0xcd, REFPMU_INT),
	BRANCH(ONE_BYTE, 0xf1, 0xf1, REFPMU_INT),
	BRANCH(ONE_BYTE, 0xcf, 0xcf, REFPMU_IRET),
	BRANCH(MAP_0F, 0x05, 0x05, REFPMU_SYSCALL),
	BRANCH(MAP_0F, 0x07, 0x07, REFPMU_SYSRET),
	BRANCH(MAP_0F, 0x34, 0x34, REFPMU_SYSENTER),
	BRANCH(MAP_0F, 0x35, 0x35, REFPMU_SYSEXIT),

	KIND(ONE_BYTE, 0xcf, 0xcf, T(SERIALIZING)),             /* IRET */
	KIND(MAP_0F, 0x08, 0x09, T(SERIALIZING) | T(INVALIDATES)),      /* INVD, WBINVD */
	KIND(MAP_0F, 0x22, 0x23, T(SERIALIZING)),               /* MOV to CRn, DRn */
	KIND(MAP_0F, 0x30, 0x30, T(SERIALIZING)),               /* WRMSR */
	KIND(MAP_0F, 0xa2, 0xa2, T(SERIALIZING) | T(CPUID)),
	KIND(MAP_0F, 0xaa, 0xaa, T(SERIALIZING)),               /* RSM */
	KIND(MAP_0F38, 0x80, 0x81, T(SERIALIZING)),             /* INVEPT, INVVPID */
	/* SERIALIZE; LLDT, LTR; LGDT, LIDT; INVLPG */
	{ MAP_0F, NP, 0x01, 0x01, IN_REGISTER, OF(5), OF(0), 0, 0, T(SERIALIZING) },
	GROUP(MAP_0F, 0x00, EITHER, OF(2) | OF(3), T(SERIALIZING) | T(TABLE_LOAD)),
	GROUP(MAP_0F, 0x01, IN_MEMORY, OF(2) | OF(3), T(SERIALIZING) | T(TABLE_LOAD)),
	GROUP(MAP_0F, 0x01, IN_MEMORY, OF(7), T(SERIALIZING) | T(INVALIDATES)),
	KIND(ONE_BYTE, 0xf4, 0xf4, T(HLT)),

	GROUP(ONE_BYTE, 0xf6, EITHER, OF(4) | OF(5), T(MUL)),
	GROUP(ONE_BYTE, 0xf7, EITHER, OF(4) | OF(5), T(MUL)),
	KIND(ONE_BYTE, 0x69, 0x69, T(MUL)),
	KIND(ONE_BYTE, 0x6b, 0x6b, T(MUL)),
	KIND(MAP_0F, 0xaf, 0xaf, T(MUL)),
	GROUP(ONE_BYTE, 0xf6, EITHER, OF(6) | OF(7), T(DIV)),
	GROUP(ONE_BYTE, 0xf7, EITHER, OF(6) | OF(7), T(DIV)),
	{ ONE_BYTE, ANY_PREFIX, 0x86, 0x87, IN_MEMORY, ALL, ALL, 0, 0, T(LOCKED) },     /* XCHG */

	SEGMENT(ONE_BYTE, 0x07, ES),
	SEGMENT(ONE_BYTE, 0x17, SS),
	SEGMENT(ONE_BYTE, 0x1f, DS),
	SEGMENT(ONE_BYTE, 0xc4, ES),
	SEGMENT(ONE_BYTE, 0xc5, DS),
	SEGMENT(MAP_0F, 0xa1, FS),
	SEGMENT(MAP_0F, 0xa9, GS),
	SEGMENT(MAP_0F, 0xb2, SS),
	SEGMENT(MAP_0F, 0xb4, FS),
	SEGMENT(MAP_0F, 0xb5, GS),
	{ 0 }
};
