/* SPDX-License-Identifier: MIT */
/*
 * Every exception that an instruction raises without further preparation. Each row is one way of
 * raising it: the code, the modes that it runs in, what is pushed and the address that is saved.
 *
 * Code that needs operands in memory has them after a jump. It runs at LOW_CODE_BASE in every mode
 * (low_memory.h).
 */
#include <arch/modes/low_memory.h>
#include <arch/modes/segments.h>
#include <arch/regs/cpu.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/raise.h>

static const struct raise divide[] = {
	{ "DIV by 0", IN_ALL, CODE(0xf7, 0xf1), .in = { .ax = 1 } },
	{ "DIV, quotient of 33 bits", IN_WIDE, CODE(0xf7, 0xf1), .in = { .dx = 1, .cx = 1 } },
	{ "DIV, quotient of 17 bits", IN_16, CODE(0xf7, 0xf1), .in = { .dx = 1, .cx = 1 } },
	{ "IDIV of the lowest number by -1", IN_WIDE, CODE(0xf7, 0xf9),
	  .in = { .ax = 0x80000000, .dx = 0xffffffff, .cx = 0xffffffff } },
	{ "AAM 0 after NOP", IN_LEGACY, CODE(0x90, 0xd4, 0x00), .at = 1 },
	{ "DIV, quotient of 32 bits", IN_WIDE, CODE(0xf7, 0xf1), .is_quiet = true,
	  .in = { .dx = 1, .cx = 2 } },
};

TEST(de, .id = "platform.exceptions.de", .needs = need_modes,
     .claim = "division by zero and a quotient that does not fit raise #DE; nothing else does",
     .source = REFERENCE "\"Interrupt 0 - Divide Error Exception (#DE)\"")
{
	RAISE_ALL(t, divide, X86_DE,
	          "#DE is for a divisor of 0 and for a quotient too large for its register",
	          AT_FAULT);
}

static const struct raise single_step[] = {
	{ "NOP with EFLAGS.TF", IN_ALL, CODE(0x90, 0x90), .at = 1, .in = { .flags = EFLAGS_TF } },
	{ "ADD EAX, EAX with EFLAGS.TF", IN_ALL, CODE(0x01, 0xc0, 0x90), .at = 2,
	  .in = { .flags = EFLAGS_TF } },
};

TEST(db_step, .id = "platform.exceptions.db.single_step", .needs = need_modes,
     .claim = "EFLAGS.TF, set by IRET, raises #DB as a trap after the first instruction",
     .source = "SDM 3B, \"Single-Step Exception Condition\"; APM 2, \"Single Stepping\"")
{
	RAISE_ALL(t, single_step, X86_DB, "with TF set each instruction ends in #DB", AT_TRAP);
}

static const struct raise breakpoint[] = {
	{ "INT3", IN_ALL, CODE(0xcc), .at = 1 },
	{ "INT3 after NOP", IN_ALL, CODE(0x90, 0xcc), .at = 2 },
};

TEST(bp, .id = "platform.exceptions.bp", .needs = need_modes,
     .claim = "INT3 raises #BP as a trap at every privilege level",
     .source = REFERENCE "\"Interrupt 3 - Breakpoint Exception (#BP)\"")
{
	RAISE_ALL(t, breakpoint, X86_BP, "INT3 raises #BP; its gate has DPL 3", AT_TRAP);
}

static const struct raise overflow[] = {
	{ "INTO with EFLAGS.OF", IN_LEGACY, CODE(0xce), .at = 1, .in = { .flags = EFLAGS_OF } },
	{ "INTO without EFLAGS.OF", IN_LEGACY, CODE(0xce), .is_quiet = true },
};

TEST(of, .id = "platform.exceptions.of", .needs = need_modes,
     .claim = "INTO raises #OF as a trap if EFLAGS.OF is set, and nothing if it is clear",
     .source = REFERENCE "\"Interrupt 4 - Overflow Exception (#OF)\"")
{
	RAISE_ALL(t, overflow, X86_OF, "INTO depends on OF alone; its gate has DPL 3", AT_TRAP);
}

/* BOUND EAX, [ESI] and BOUND AX, [SI], with the bounds 10 and 20 after a jump. */
#define BOUNDS_32  0xeb, 0x08, 10, 0, 0, 0, 20, 0, 0, 0, 0x62, 0x06
#define BOUNDS_16  0xeb, 0x04, 10, 0, 20, 0, 0x62, 0x04

static const struct raise bound[] = {
	{ "BOUND, index 9 of 10 to 20", IN_32, CODE(BOUNDS_32), .at = 10,
	  .in = { .ax = 9, .si = LOW_CODE_BASE + 2 } },
	{ "BOUND, index 21 of 10 to 20", IN_32, CODE(BOUNDS_32), .at = 10,
	  .in = { .ax = 21, .si = LOW_CODE_BASE + 2 } },
	{ "BOUND, index 20 of 10 to 20", IN_32, CODE(BOUNDS_32), .is_quiet = true,
	  .in = { .ax = 20, .si = LOW_CODE_BASE + 2 } },
	{ "BOUND, index -1 of 10 to 20", IN_16, CODE(BOUNDS_16), .at = 6,
	  .in = { .ax = 0xffff, .si = LOW_CODE_BASE + 2 } },
	{ "BOUND, index 10 of 10 to 20", IN_16, CODE(BOUNDS_16), .is_quiet = true,
	  .in = { .ax = 10, .si = LOW_CODE_BASE + 2 } },
};

TEST(br, .id = "platform.exceptions.br", .needs = need_modes,
     .claim = "BOUND raises #BR for an index outside its bounds, and nothing for an index inside",
     .source = REFERENCE "\"Interrupt 5 - BOUND Range Exceeded Exception (#BR)\"")
{
	RAISE_ALL(t, bound, X86_BR, "the index is signed, and both bounds belong to the range",
	          AT_FAULT);
}

static const struct raise undefined[] = {
	{ "UD2", IN_ALL, CODE(0x0f, 0x0b) },
	{ "UD2 after NOP", IN_ALL, CODE(0x90, 0x0f, 0x0b), .at = 1 },
	{ "LOCK NOP", IN_ALL, CODE(0xf0, 0x90) },
	{ "LOCK ADD to a register", IN_ALL, CODE(0xf0, 0x01, 0xc0) },
	{ "LEA of a register", IN_ALL, CODE(0x8d, 0xc0) },
	{ "MOV to CS", IN_ALL, CODE(0x8e, 0xc8) },
	{ "RSM outside SMM", IN_ALL, CODE(0x0f, 0xaa) },
	{ "STR AX", IN_BY_VALUE, CODE(0x0f, 0x00, 0xc8) },
	{ "ARPL AX, AX", IN_BY_VALUE, CODE(0x63, 0xc0) },
	{ "LAR AX, AX", IN_BY_VALUE, CODE(0x0f, 0x02, 0xc0) },
	{ "INTO", IN_64, CODE(0xce) },
	{ "PUSH ES", IN_64, CODE(0x06) },
	{ "PUSHA", IN_64, CODE(0x60) },
	{ "DAA", IN_64, CODE(0x27) },
	{ "AAM", IN_64, CODE(0xd4, 0x0a) },
	{ "JMP far, to what is in the code", IN_64, CODE(0xea, 0, 0, 0, 0, 0, 0) },
};

TEST(ud, .id = "platform.exceptions.ud", .needs = need_modes,
     .claim = "opcodes with operands, prefixes or in modes for which they do not exist raise #UD",
     .source = "SDM 2, each instruction; SDM 3A, \"Interrupt 6 - Invalid Opcode Exception (#UD)\"; "
               "APM 2, \"#UD - Invalid-Opcode Exception\"")
{
	RAISE_ALL(t, undefined, X86_UD, "no such instruction exists here", AT_FAULT);
}

static const struct raise privileged[] = {
	{ "HLT", IN_UNPRIVILEGED, CODE(0xf4) },
	{ "CLTS", IN_UNPRIVILEGED, CODE(0x0f, 0x06) },
	{ "INVD after NOP", IN_UNPRIVILEGED, CODE(0x90, 0x0f, 0x08), .at = 1 },
	{ "MOV EAX, DR7", IN_UNPRIVILEGED, CODE(0x0f, 0x21, 0xf8) },
	{ "IN AL, DX without a bit map of ports", IN_UNPRIVILEGED, CODE(0xec),
	  .in = { .dx = 0x80 } },
};

TEST(gp_privileged, .id = "platform.exceptions.gp.privileged", .needs = need_modes,
     .claim = "privileged instructions raise #GP(0) at CPL 1, 2 and 3 and in virtual-8086 mode",
     .source = "SDM 3A, \"Privileged Instructions\"; SDM 1, \"I/O Permission Bit Map\"; "
               "APM 2, \"#GP - General-Protection Exception\"")
{
	RAISE_ALL(t, privileged, X86_GP, "the instruction is only for CPL 0 (ports: for "
	                                 "CPL <= IOPL = 0)",
	          AT_FAULT);
}

#define BEYOND_GDT  SELECTOR(GDT_SIZE, 0)
#define IN_LDT      (SELECTOR(1, 0) | ERROR_TI)
#define CPL3_DATA   SELECTOR(GDT_CPL3_DATA, 0)

static const struct raise selectors[] = {
	{ "MOV DS, selector beyond the GDT", IN_WIDE | IN_PROTECTED16, CODE(0x8e, 0xd8),
	  .error = BEYOND_GDT,
	  .in = { .ax = BEYOND_GDT } },
	{ "MOV ES, selector beyond the GDT with RPL 3", IN_WIDE | IN_PROTECTED16, CODE(0x8e, 0xc0),
	  .error = BEYOND_GDT, .in = { .ax = BEYOND_GDT | 3 } },
	{ "MOV DS, selector of an LDT that does not exist", IN_WIDE | IN_PROTECTED16,
	  CODE(0x8e, 0xd8), .error = IN_LDT, .in = { .ax = IN_LDT } },
	{ "MOV DS, data segment of DPL 0", IN_USER | IN(MODE_CPL3_16BIT), CODE(0x8e, 0xd8),
	  .error = SELECTOR_KERNEL_DATA, .in = { .ax = SELECTOR_KERNEL_DATA } },
	{ "MOV DS, TSS", IN_CPL0, CODE(0x8e, 0xd8), .error = SELECTOR_TSS,
	  .in = { .ax = SELECTOR_TSS } },
	{ "MOV SS, null selector", IN_CPL0 & ~IN_64, CODE(0x8e, 0xd0) },
	{ "MOV SS, null selector", IN_64 & IN_CPL3, CODE(0x8e, 0xd0) },
	{ "MOV SS, null selector", IN_64 & IN_CPL0, CODE(0x8e, 0xd0), .is_quiet = true },
	{ "MOV SS, data segment of DPL 3", IN_CPL0, CODE(0x8e, 0xd0), .error = CPL3_DATA,
	  .in = { .ax = CPL3_DATA } },
	{ "MOV SS, code segment", IN_CPL0, CODE(0x8e, 0xd0), .error = SELECTOR_KERNEL_CODE,
	  .in = { .ax = SELECTOR_KERNEL_CODE } },
	{ "JMP to the null selector", IN_32, CODE(0xea, 0, 0, 0, 0, 0, 0) },
	{ "JMP to a data segment", IN_CPL0 & ~IN_64,
	  CODE(0xea, 0, 0, 0, 0, SELECTOR_KERNEL_DATA, 0), .error = SELECTOR_KERNEL_DATA },
	{ "LTR of the TSS in use", IN_CPL0, CODE(0x0f, 0x00, 0xd8), .error = SELECTOR_TSS,
	  .in = { .ax = SELECTOR_TSS } },
};

TEST(gp_selector, .id = "platform.exceptions.gp.selector", .needs = need_modes,
     .claim = "a selector that may not be loaded raises #GP whose error code is the selector "
              "without its RPL",
     .source = REFERENCE "\"Interrupt 13 - General Protection Exception (#GP)\"; \"Error Code\"")
{
	RAISE_ALL(t, selectors, X86_GP,
	          "the error code is the selector's index, and TI, EXT and IDT are 0",
	          AT_FAULT);
}

static const struct raise gates[] = {
	{ "INT 42H, gate of DPL 0", IN_UNPRIVILEGED, CODE(0xcd, VECTOR_TEST),
	  .error = GATE_ERROR(VECTOR_TEST) },
	{ "INT 13 after NOP, gate of DPL 0", IN_UNPRIVILEGED, CODE(0x90, 0xcd, X86_GP), .at = 1,
	  .error = GATE_ERROR(X86_GP) },
	{ "INT 0, gate of DPL 0", IN_UNPRIVILEGED, CODE(0xcd, X86_DE),
	  .error = GATE_ERROR(X86_DE) },
};

TEST(gp_gate, .id = "platform.exceptions.gp.gate", .needs = need_modes,
     .claim = "INT n from CPL > DPL of the gate raises #GP with vector * 8 + 2 as the error code",
     .source = "SDM 3A, \"Protection of Exception- and Interrupt-Handler Procedures\"; "
               "APM 2, \"#GP - General-Protection Exception\"")
{
	RAISE_ALL(t, gates, X86_GP,
	          "software may use gates of DPL >= CPL; the error code names the gate (IDT)",
	          AT_FAULT);
}

static const struct raise lengths[] = {
	{ "NOP of 16 bytes", IN_ALL, CODE(FIFTEEN_PREFIXES, 0x90) },
	{ "NOP of 15 bytes", IN_ALL, CODE(0x26, 0x26, 0x26, 0x26, 0x26, 0x26, 0x26, 0x26, 0x26,
	                                  0x26, 0x26,
	  0x26, 0x26, 0x26, 0x90), .is_quiet = true },
};

TEST(gp_length, .id = "platform.exceptions.gp.length", .needs = need_modes,
     .claim = "an instruction of 16 bytes raises #GP(0), one of 15 does not",
     .source = REFERENCE "\"Interrupt 13 - General Protection Exception (#GP)\"")
{
	RAISE_ALL(t, lengths, X86_GP,
	          "an instruction has at most 15 bytes, including redundant prefixes",
	          AT_FAULT);
}

static const struct raise rights[] = {
	{ "MOV CS:[ESI], AL", IN_32, CODE(0x2e, 0x88, 0x06), .in = { .si = LOW_CODE_BASE + 16 } },
	{ "MOV AL, [ESI] after MOV DS, null selector", IN_32, CODE(0x8e, 0xd8, 0x8a, 0x06),
	  .at = 2,
	  .in = { .si = LOW_CODE_BASE } },
	{ "MOV CS:[RSI], AL", IN_64, CODE(0x2e, 0x88, 0x06), .in = { .si = LOW_CODE_BASE + 16 },
	  .is_quiet = true },
	{ "MOV AL, [RSI] after MOV DS, null selector", IN_64, CODE(0x8e, 0xd8, 0x8a, 0x06),
	  .in = { .si = LOW_CODE_BASE }, .is_quiet = true },
};

TEST(gp_rights, .id = "platform.exceptions.gp.rights", .needs = need_modes,
     .claim = "writing a code segment and using a null selector raise #GP(0)",
     .source = REFERENCE "\"Interrupt 13 - General Protection Exception (#GP)\"")
{
	RAISE_ALL(t, rights, X86_GP,
	          "code segments are not writable, and null selectors are not usable "
	          "except in 64-bit code",
	          AT_FAULT);
}

/* 67H makes the addresses 32 bits wide in 16-bit code. */
static const struct raise limits[] = {
	{ "MOV AL, [10000H]", IN_16, CODE(0x67, 0x8a, 0x06), .in = { .si = 0x10000 } },
	{ "MOV AX, [FFFFH]", IN_16, CODE(0x67, 0x8b, 0x06), .in = { .si = 0xffff } },
	{ "MOV AL, [FFFFH]", IN_16, CODE(0x67, 0x8a, 0x06), .in = { .si = 0xffff },
	  .is_quiet = true },
};

TEST(gp_limit, .id = "platform.exceptions.gp.limit", .needs = need_modes,
     .claim = "an access beyond the limit of a data segment raises #GP(0)",
     .source = "SDM 3A, \"Limit Checking\"; SDM 3B, \"Address Translation in Real-Address Mode\"; "
               "APM 2, \"Segment Limit Checks\"")
{
	RAISE_ALL(t, limits, X86_GP, "DS ends at FFFFH here, and the last byte "
	                             "accessed lies beyond it",
	          AT_FAULT);
}

static const struct raise stack_limits[] = {
	{ "MOV AL, [BP = 10000H]", IN_16 & ~IN(MODE_CPL0_16BIT), CODE(0x67, 0x8a, 0x45, 0x00),
	  .in = { .bp = 0x10000 } },
	{ "MOV AX, [BP = FFFFH]", IN_16 & ~IN(MODE_CPL0_16BIT), CODE(0x67, 0x8b, 0x45, 0x00),
	  .in = { .bp = 0xffff } },
};

TEST(ss_limit, .id = "platform.exceptions.ss.limit", .needs = need_modes,
     .claim = "an access beyond the limit of the stack segment raises #SS(0), not #GP",
     .source = REFERENCE "\"Interrupt 12 - Stack Fault Exception (#SS)\"")
{
	RAISE_ALL(t, stack_limits, X86_SS,
	          "SS ends at FFFFH here, and the last byte accessed lies beyond it",
	          AT_FAULT);
}

#define NOT_PRESENT_ROW(name, modrm) \
	{ "MOV " name ", segment with P = 0", IN_CPL0 | IN(MODE_CPL0_16BIT), CODE(0x8e, modrm), \
	  .error = SELECTOR_NOT_PRESENT, .in = { .ax = SELECTOR_NOT_PRESENT } }

static const struct raise not_present[] = {
	NOT_PRESENT_ROW("DS", 0xd8), NOT_PRESENT_ROW("ES", 0xc0),
	NOT_PRESENT_ROW("FS", 0xe0), NOT_PRESENT_ROW("GS", 0xe8),
};

TEST(np, .id = "platform.exceptions.np.segment", .needs = need_modes,
     .claim = "loading DS, ES, FS or GS with a segment that is not present raises #NP(selector)",
     .source = REFERENCE "\"Interrupt 11 - Segment Not Present (#NP)\"")
{
	RAISE_ALL(t, not_present, X86_NP, "P = 0 in the descriptor; the error code is the selector",
	          AT_FAULT);
}

static const struct raise stack_not_present[] = { NOT_PRESENT_ROW("SS", 0xd0) };

TEST(ss, .id = "platform.exceptions.ss.not_present", .needs = need_modes,
     .claim = "loading SS with a segment that is not present raises #SS(selector), not #NP",
     .source = REFERENCE "\"Interrupt 12 - Stack Fault Exception (#SS)\"")
{
	RAISE_ALL(t, stack_not_present, X86_SS,
	          "P = 0 in the descriptor; the error code is the selector",
	          AT_FAULT);
}
