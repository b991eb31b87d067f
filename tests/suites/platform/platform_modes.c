/* SPDX-License-Identifier: MIT */
/*
 * The tables that the processor runs with, and mode_run(): instructions that differ by mode prove
 * that each mode is what its name says.
 */
#include <arch/cpu/insn.h>
#include <arch/modes/low_memory.h>
#include <arch/modes/segments.h>
#include <arch/regs/cpu.h>
#include <arch/regs/table.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/raise.h>

static void expect_table(struct test_ctx *t, const char *what, struct table_descriptor got,
                         struct table_descriptor want)
{
	test_sub(t, "%s", what);
	expect_exact(t, "base", got.base, want.base, "the kernel's own table is loaded");
	expect_exact(t, "limit", got.limit, want.limit, "the limit is the table's size - 1");
}

TEST(tables, .id = "platform.segments.tables",
     .claim = "the GDT and the IDT in use are the kernel's own",
     .source = "SDM 2B, \"SGDT - Store Global Descriptor Table Register\", \"SIDT\"; "
               "APM 3, \"SGDT\", \"SIDT\"")
{
	struct table_descriptor got;

	gdt_store(&got);
	expect_table(t, "GDT", got, segments_gdt());
	idt_store(&got);
	expect_table(t, "IDT", got, segments_idt());
}

TEST(selectors, .id = "platform.segments.selectors",
     .claim = "the kernel runs at CPL 0 on its own segments, with its own TSS in the task register",
     .source = "SDM 3A, \"Segment Selectors\", \"Task Register\"; "
               "APM 2, \"Segment Selectors\", \"Task Register\"")
{
	expect_exact(t, "CS", code_selector_read(), SELECTOR_KERNEL_CODE,
	             "it is the kernel's code segment, RPL = CPL = 0");
	expect_exact(t, "SS", stack_selector_read(), SELECTOR_KERNEL_DATA,
	             "it is the kernel's stack segment, RPL = 0");
	expect_exact(t, "TR", task_register_read(), SELECTOR_TSS, "it is the kernel's task");
}

/* Bits 23 to 8 of a descriptor's second half, as LAR returns them. */
#define LAR_DATA(dpl)   (0x9300u | (dpl) << 13)         /* present, writable, accessed */
#define LAR_CODE(dpl)   (0x9b00u | (dpl) << 13)         /* present, readable, accessed */
#define LAR_BIG         0xc00000u                       /* G: 4 KB units, D: 32 bits */
#ifdef __x86_64__
#define LAR_OWN         0xa00000u                       /* G, L: 64-bit code */
#else
#define LAR_OWN         LAR_BIG
#endif
#define LAR_TSS_BUSY    0x8b00u
#define LAR_TSS         0x8900u
#define LAR_MASK        0xf0ff00u                       /* bits 19 to 16 are undefined */

static const struct { uint16_t selector; uint32_t rights, limit; } segments[] = {
	{ SELECTOR_KERNEL_CODE,                   LAR_CODE(0) | LAR_OWN, 0xffffffff },
	{ SELECTOR_KERNEL_DATA,                   LAR_DATA(0) | LAR_BIG, 0xffffffff },
	{ SELECTOR(GDT_CPL1_CODE, 1),             LAR_CODE(1u) | LAR_OWN, 0xffffffff },
	{ SELECTOR(GDT_CPL2_DATA, 2),             LAR_DATA(2u) | LAR_BIG, 0xffffffff },
	{ SELECTOR(GDT_CPL3_CODE, 3),             LAR_CODE(3u) | LAR_OWN, 0xffffffff },
	{ SELECTOR_CODE16,                        LAR_CODE(0),           0xffff },
	{ SELECTOR(GDT_CPL3_DATA16, 3),           LAR_DATA(3u),          0xffff },
	{ SELECTOR_TSS,                           LAR_TSS_BUSY,          103 },
#ifdef __x86_64__
	{ SELECTOR(GDT_CPL3_CODE32, 3),           LAR_CODE(3u) | LAR_BIG, 0xffffffff },
#else
	{ SELECTOR(GDT_DOUBLE_FAULT_TSS, 0),      LAR_TSS,               103 },
#endif
};

TEST(descriptors, .id = "platform.segments.descriptors", .needs = need_modes,
     .claim = "LAR and LSL read the GDT as it was built; the TSS in use is busy",
     .source = "SDM 2A, \"LAR - Load Access Rights Byte\", \"LSL - Load Segment Limit\"; "
               "APM 3, \"LAR\", \"LSL\"")
{
	static const uint8_t lar_lsl[] = { 0x0f, 0x02, 0xc1, 0x0f, 0x03,
	                                   0xd1 };    /* EAX, EDX from ECX */

	for (size_t i = 0; i < COUNT_OF(segments); i++) {
		const struct mode_regs in = { .cx = segments[i].selector };
		struct mode_result r = mode_run(MODE_CPL0, lar_lsl, sizeof(lar_lsl), &in);

		test_sub(t, "selector %XH", segments[i].selector);
		expect_bits(t, "ZF", r.regs.flags, EFLAGS_ZF, EFLAGS_ZF,
		            "LSL, the later of the two, found the segment");
		expect_bits(t, "rights", r.regs.ax, LAR_MASK, segments[i].rights,
		            "type, DPL, P, D and G are as the kernel built them");
		expect_exact(t, "limit", r.regs.dx, segments[i].limit,
		             "the limit is in bytes, with G applied");
	}
}

TEST(privilege, .id = "platform.modes.privilege", .needs = need_modes,
     .claim = "code under test in protected mode has the CPL that was requested",
     .source = "SDM 3A, \"Privilege Levels\"; APM 2, \"Privilege-Level Types\"")
{
	static const uint8_t mov_ax_cs[] = { 0x8c, 0xc8 };
	const struct mode_regs in = { .ax = 0 };

	FOR_EACH_MODE(mode) {
		struct mode_result r;

		if (mode == MODE_VM86 || mode == MODE_REAL)
			continue;              /* CS has no privilege level there */
		r = mode_run(mode, mov_ax_cs, sizeof(mov_ax_cs), &in);

		test_sub(t, "%s", mode_name(mode));
		expect_no_fault(t, "MOV AX, CS", r.fault, "reading CS is allowed at every level");
		expect_bits(t, "CS", r.regs.ax, 3, mode_cpl(mode),
		            "the low two bits of CS are the CPL");
	}
}

static const struct raise control_reads[] = {
	{ "MOV EAX, CR0", IN_CPL0 | IN(MODE_CPL0_16BIT) | IN(MODE_REAL), CODE(0x0f, 0x20, 0xc0),
	  .is_quiet = true },
	{ "MOV EAX, CR0", IN_UNPRIVILEGED, CODE(0x0f, 0x20, 0xc0) },
	{ "LIDT [SI]", IN(MODE_VM86) | IN(MODE_CPL3_16BIT), CODE(0x0f, 0x01, 0x1c),
	  .in = { .si = LOW_CODE_BASE } },
};

TEST(control_read, .id = "platform.modes.control_registers", .needs = need_modes,
     .claim = "CR0 can be read only at CPL 0 and in real mode",
     .source = "SDM 2B, \"MOV - Move to/from Control Registers\"; APM 3, \"MOV CRn\"")
{
	RAISE_ALL(t, control_reads, X86_GP,
	          "control and system registers are for CPL 0; VM86 has CPL 3", AT_FAULT);
}

TEST(protection_enable, .id = "platform.modes.protection_enable", .needs = need_modes,
     .claim = "CR0.PE is 0 in real mode and 1 in every other mode",
     .source = "SDM 2B, \"SMSW - Store Machine Status Word\"; SDM 3A, \"Control Registers\"; "
               "APM 3, \"SMSW\"")
{
	static const uint8_t smsw_ax[] = { 0x0f, 0x01, 0xe0 };
	const struct mode_regs in = { .ax = 0 };

	FOR_EACH_MODE(mode) {
		struct mode_result r = mode_run(mode, smsw_ax, sizeof(smsw_ax), &in);

		test_sub(t, "%s", mode_name(mode));
		expect_no_fault(t, "SMSW", r.fault,
		                "SMSW is allowed at every level while CR4.UMIP is 0");
		expect_bits(t, "CR0", r.regs.ax, CR0_PE, mode == MODE_REAL ? 0 : CR0_PE,
		            "PE = 0 is real mode");
	}
}

TEST(code_size, .id = "platform.modes.code_size", .needs = need_modes,
     .claim = "operands are 16 bits wide in 16-bit code and VM86, else 32; 40H is INC or REX",
     .source = "SDM 1, \"Operand-Size and Address-Size Attributes\"; "
               "APM 3, \"Operand-Size Override Prefix\"")
{
	/* MOV EAX, 40400000H; or MOV AX, 0; INC AX; INC AX. */
	static const uint8_t mov_or_inc[] = { 0xb8, 0x00, 0x00, 0x40, 0x40 };
	static const uint8_t inc_or_rex[] = { 0x40, 0x90 };     /* INC EAX (or AX); or NOP */
	const struct mode_regs in = { .ax = 0 };

	FOR_EACH_MODE(mode) {
		struct mode_result r = mode_run(mode, mov_or_inc, sizeof(mov_or_inc), &in);

		test_sub(t, "B8 00 00 40 40, %s", mode_name(mode));
		expect_no_fault(t, "exception", r.fault,
		                "both readings of these bytes are harmless");
		expect_exact(t, "EAX", r.regs.ax, mode_bits(mode) == 16 ? 2 : 0x40400000,
		             "the width decides where MOV ends");
		r = mode_run(mode, inc_or_rex, sizeof(inc_or_rex), &in);
		test_sub(t, "40 90, %s", mode_name(mode));
		expect_exact(t, "EAX", r.regs.ax, mode_bits(mode) == 64 ? 0 : 1,
		             "40H is a prefix in 64-bit code, and an instruction elsewhere");
	}
}

static const struct raise by_descriptor[] = {
	{ "MOV DS, 1234H", IN_WIDE | IN_PROTECTED16, CODE(0x8e, 0xd8), .error = 0x1234,
	  .in = { .ax = 0x1234 } },
};

TEST(by_selector, .id = "platform.modes.segments_by_selector", .needs = need_modes,
     .claim = "in protected mode, even in 16-bit code, a segment register takes only "
              "selectors of descriptors",
     .source = "SDM 3A, \"Segment Selectors\"; APM 2, \"Segment Selectors\"")
{
	RAISE_ALL(t, by_descriptor, X86_GP, "1234H is in an LDT, which does not exist", AT_FAULT);
}

static const struct raise interrupt_flag[] = {
	{ "CLI, IOPL 0", IN_USER | IN(MODE_CPL3_16BIT), CODE(0xfa) },
	{ "STI after NOP, IOPL 0", IN_USER | IN(MODE_CPL3_16BIT), CODE(0x90, 0xfb), .at = 1 },
	{ "CLI, IOPL 3", IN_USER | IN(MODE_CPL3_16BIT), CODE(0xfa), .is_quiet = true,
	  .in = { .flags = EFLAGS_IOPL } },
	{ "CLI", IN_CPL0 | IN(MODE_CPL0_16BIT) | IN(MODE_VM86) | IN(MODE_REAL), CODE(0xfa),
	  .is_quiet = true },
};

TEST(iopl, .id = "platform.modes.iopl", .needs = need_modes,
     .claim = "CLI and STI raise #GP(0) at CPL 1, 2 and 3 with IOPL 0, and nowhere else",
     .source = "SDM 2A, \"CLI - Clear Interrupt Flag\"; SDM 2B, \"STI - Set Interrupt Flag\"; "
               "APM 3, \"CLI\", \"STI\"")
{
	RAISE_ALL(t, interrupt_flag, X86_GP, "IF is for CPL <= IOPL; VM86 runs with IOPL 3",
	          AT_FAULT);
}

TEST(popf, .id = "platform.modes.popf", .needs = need_modes,
     .claim = "POPF at CPL 3 changes neither IOPL nor IF, and does not fault",
     .source = "SDM 2B, \"POPF/POPFD/POPFQ - Pop Stack Into EFLAGS Register\"; APM 3, \"POPF\"")
{
	static const uint8_t push_popf[] = { 0x50, 0x9d };
	const struct mode_regs in = { .ax = EFLAGS_IOPL | EFLAGS_IF | EFLAGS_FIXED | EFLAGS_CF };
	struct mode_result r = mode_run(MODE_CPL3, push_popf, sizeof(push_popf), &in);

	expect_no_fault(t, "POPF", r.fault, "protected mode's POPF never faults because of IOPL");
	expect_bits(t, "EFLAGS", r.regs.flags, EFLAGS_IOPL | EFLAGS_IF | EFLAGS_CF, EFLAGS_CF,
	            "IOPL changes at CPL 0 only, IF where CPL <= IOPL, CF always");
}

/*
 * NOT of EAX, ECX, EDX, EBX, EBP, ESI, EDI in 32-bit code; each has a 66H prefix in 16-bit code,
 * REX.W in 64-bit code.
 */
static const uint8_t not64[] = { 0x48, 0xf7, 0xd0, 0x48, 0xf7, 0xd1, 0x48, 0xf7, 0xd2, 0x48, 0xf7,
                                 0xd3,
                                 0x48, 0xf7, 0xd5, 0x48, 0xf7, 0xd6, 0x48, 0xf7, 0xd7 };
static const uint8_t not32[] = { 0xf7, 0xd0, 0xf7, 0xd1, 0xf7, 0xd2, 0xf7, 0xd3, 0xf7, 0xd5, 0xf7,
                                 0xd6, 0xf7, 0xd7 };
static const uint8_t not16[] = { 0x66, 0xf7, 0xd0, 0x66, 0xf7, 0xd1, 0x66, 0xf7, 0xd2, 0x66, 0xf7,
                                 0xd3,
                                 0x66, 0xf7, 0xd5, 0x66, 0xf7, 0xd6, 0x66, 0xf7, 0xd7 };

static struct mode_result run_not(enum cpu_mode mode, const struct mode_regs *in)
{
	switch (mode_bits(mode)) {
	case 64: return mode_run(mode, not64, sizeof(not64), in);
	case 32: return mode_run(mode, not32, sizeof(not32), in);
	default: return mode_run(mode, not16, sizeof(not16), in);
	}
}

static void expect_inverted(struct test_ctx *t, enum cpu_mode mode, const struct mode_regs *got,
                            const struct mode_regs *in)
{
	static const char why[] = "NOT was applied to the value that went in";
	uintptr_t mask = mode_mask(mode);

	expect_exact(t, "EAX", got->ax, ~in->ax & mask, why);
	expect_exact(t, "EBX", got->bx, ~in->bx & mask, why);
	expect_exact(t, "ECX", got->cx, ~in->cx & mask, why);
	expect_exact(t, "EDX", got->dx, ~in->dx & mask, why);
	expect_exact(t, "ESI", got->si, ~in->si & mask, why);
	expect_exact(t, "EDI", got->di, ~in->di & mask, why);
	expect_exact(t, "EBP", got->bp, ~in->bp & mask, why);
}

TEST(mode_registers, .id = "platform.modes.registers", .needs = need_modes,
     .claim = "all bits of seven registers pass into and out of every mode",
     .source = "SDM 1, \"General-Purpose Registers\"; APM 1, \"General-Purpose Registers\"")
{
	const struct mode_regs in = {
		.ax = PATTERN(0xa1a2a3a4), .bx = PATTERN(0xb1b2b3b4), .cx = PATTERN(0xc1c2c3c4),
		.dx = PATTERN(0xd1d2d3d4), .si = PATTERN(0x51525354), .di = PATTERN(0x71727374),
		.bp = PATTERN(0xe1e2e3e4),
	};

	FOR_EACH_MODE(mode) {
		struct mode_result r = run_not(mode, &in);

		test_sub(t, "%s", mode_name(mode));
		expect_no_fault(t, "exception", r.fault, "NOT of a register does not fault");
		expect_inverted(t, mode, &r.regs, &in);
	}
}

TEST(flags, .id = "platform.modes.flags", .needs = need_modes,
     .claim = "the status flags pass into and out of every mode",
     .source = "SDM 1, \"EFLAGS Register\"; APM 1, \"Flags Register\"")
{
	static const uint8_t cmc[] = { 0xf5 };

	FOR_EACH_MODE(mode) {
		const struct mode_regs set = { .flags = EFLAGS_STATUS }, clear = { .flags = 0 };

		test_sub(t, "CMC, %s", mode_name(mode));
		expect_bits(t, "from all set", mode_run(mode, cmc, sizeof(cmc), &set).regs.flags,
		            EFLAGS_STATUS,
		            EFLAGS_STATUS & ~EFLAGS_CF, "CMC complements CF and leaves the others");
		expect_bits(t, "from all clear", mode_run(mode, cmc, sizeof(cmc),
		                                          &clear).regs.flags, EFLAGS_STATUS,
		            EFLAGS_CF, "CMC complements CF and leaves the others");
	}
}

TEST(offset, .id = "platform.modes.offset", .needs = need_modes,
     .claim = "the offset returned is that of the code's end or of the faulting instruction",
     .source = "SDM 3A, \"Program or Task Restart\"; APM 2, \"Precision\"")
{
	static const uint8_t nops[] = { 0x90, 0x90, 0x90, 0x90, 0x90, 0x0f, 0x0b };
	const struct mode_regs in = { .ax = 0 };

	FOR_EACH_MODE(mode) {
		struct mode_result r = mode_run(mode, nops, 4, &in);

		test_sub(t, "%s", mode_name(mode));
		expect_no_fault(t, "four NOPs", r.fault, "NOP does not fault");
		expect_exact(t, "offset at the end", r.offset, 4,
		             "four instructions of one byte ran");
		r = mode_run(mode, nops, sizeof(nops), &in);
		expect_fault(t, "UD2 after five NOPs", r.fault, X86_UD, 0, "UD2 raises #UD");
		expect_exact(t, "offset at the fault", r.offset, 5,
		             "a fault saves the address of its instruction");
	}
}
