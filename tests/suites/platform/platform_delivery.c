/* SPDX-License-Identifier: MIT */
/* Checks what exceptions do to the interrupted code's registers, EFLAGS and DR6; and INT n. */
#include <tests/suites/common/needs.h>
#include <tests/suites/common/raise.h>

/* Vectors that only INT n raises and that push no error code. */
static const uint8_t software_vectors[] = { X86_CSO, 15, X86_MC, X86_VE, 22, 23, 24, 25, 26, 27,
                                            X86_HV, 31 };

TEST(int_n, .id = "platform.exceptions.int_n", .needs = need_modes,
     .claim = "INT n reaches the vectors that no instruction raises by itself",
     .source = "SDM 2A, \"INT n/INTO/INT3/INT1 - Call to Interrupt Procedure\"; APM 3, \"INT\"")
{
	for (size_t i = 0; i < sizeof(software_vectors); i++) {
		const struct raise row = {
			.what = "INT n", .modes = IN_CPL0 | IN(MODE_CPL0_16BIT) | IN(MODE_REAL),
			.size = 2, .at = 2, .code = { 0xcd, software_vectors[i] },
		};

		raise_rows(t, &row, 1, &(const struct raise_rule){
			software_vectors[i],
			"INT n calls the handler of vector n, without an error code",
			"INT n saves the address of the next instruction", TEST_PLACE });
	}
}

static const struct mode_regs distinct = {
	.ax = PATTERN(0xa1a2a3a4), .bx = PATTERN(0xb1b2b3b4), .cx = PATTERN(0xc1c2c3c4),
	.dx = PATTERN(0xd1d2d3d4), .si = PATTERN(0x51525354), .di = PATTERN(0x71727374),
	.bp = PATTERN(0xe1e2e3e4),
	.flags = EFLAGS_STATUS & ~EFLAGS_OF,
};

static void expect_same_regs(struct test_ctx *t, enum cpu_mode mode, const struct mode_regs *got,
                             const struct mode_regs *want)
{
	static const char why[] = "a fault leaves every register as it was before the instruction";
	uintptr_t mask = mode_mask(mode);

	expect_exact(t, "EAX", got->ax, want->ax & mask, why);
	expect_exact(t, "EBX", got->bx, want->bx & mask, why);
	expect_exact(t, "ECX", got->cx, want->cx & mask, why);
	expect_exact(t, "EDX", got->dx, want->dx & mask, why);
	expect_exact(t, "ESI", got->si, want->si & mask, why);
	expect_exact(t, "EDI", got->di, want->di & mask, why);
	expect_exact(t, "EBP", got->bp, want->bp & mask, why);
	expect_bits(t, "EFLAGS", got->flags, EFLAGS_STATUS, want->flags & EFLAGS_STATUS, why);
}

TEST(registers, .id = "platform.exceptions.registers", .needs = need_modes,
     .claim = "a fault changes no general register and no status flag, in any mode",
     .source = "SDM 3A, \"Program or Task Restart\"; APM 2, \"Precision\"")
{
	static const uint8_t ud2[] = { 0x0f, 0x0b };

	FOR_EACH_MODE(mode) {
		struct mode_result r = mode_run(mode, ud2, sizeof(ud2), &distinct);

		test_sub(t, "UD2, %s", mode_name(mode));
		expect_fault(t, "exception", r.fault, X86_UD, 0, "UD2 raises #UD");
		expect_same_regs(t, mode, &r.regs, &distinct);
	}
}

TEST(eax_of_div, .id = "platform.exceptions.registers_of_div", .needs = need_modes,
     .claim = "a DIV that faults leaves its dividend in EAX and EDX",
     .source = "SDM 3A, \"Interrupt 0 - Divide Error Exception (#DE)\", program state change; "
               "APM 2, \"#DE - Divide-by-Zero-Error Exception\"")
{
	static const uint8_t div_ecx[] = { 0xf7, 0xf1 };
	struct mode_regs in = distinct;

	in.cx = 1;
	FOR_EACH_MODE(mode) {
		struct mode_result r = mode_run(mode, div_ecx, sizeof(div_ecx), &in);

		test_sub(t, "DIV, %s", mode_name(mode));
		expect_fault(t, "exception", r.fault, X86_DE, 0,
		             "EDX:EAX / 1 and DX:AX / 1 do not fit into a register");
		expect_exact(t, "EAX", r.regs.ax, in.ax & mode_mask(mode),
		             "the quotient is written only without a fault");
		expect_exact(t, "EDX", r.regs.dx, in.dx & mode_mask(mode),
		             "the remainder is written only without a fault");
	}
}

static void judge_rf(struct test_ctx *t, const char *what, uint8_t opcode1, uint8_t opcode2,
                     uint32_t want,
                     const char *why)
{
	const uint8_t code[] = { opcode1, opcode2 };

	FOR_EACH_MODE(mode) {
		struct mode_result r;

		if (mode == MODE_REAL)
			continue;              /* FLAGS has no such bit there */
		r = mode_run(mode, code, sizeof(code), &distinct);

		test_sub(t, "%s, %s", what, mode_name(mode));
		expect_bits(t, "EFLAGS as saved", r.regs.flags, EFLAGS_RF, want, why);
	}
}

TEST(rf_of_fault, .id = "platform.exceptions.rf.fault", .needs = need_modes,
     .claim = "the EFLAGS saved by a fault have RF = 1",
     .source = "SDM 3B, \"Instruction-Breakpoint Exception Condition\"; "
               "APM 2, \"Breakpoint Instruction-Execution\"")
{
	judge_rf(t, "UD2", 0x0f, 0x0b, EFLAGS_RF,
	         "a fault saves RF = 1, so that its restart hits no breakpoint");
}

TEST(rf_of_trap, .id = "platform.exceptions.rf.trap", .needs = need_modes,
     .claim = "the EFLAGS saved by a trap have RF = 0",
     .source = "SDM 3B, \"Instruction-Breakpoint Exception Condition\"; "
               "APM 2, \"Breakpoint Instruction-Execution\"")
{
	judge_rf(t, "INT3", 0xcc, 0x90, 0,
	         "a trap saves RF as it is, and every instruction clears RF");
}

#define DR6_BS  BIT32(14)

TEST(dr6, .id = "platform.exceptions.db.dr6", .needs = need_modes,
     .claim = "a single step sets DR6.BS", .source = "SDM 3B, \"Debug Status Register (DR6)\"; "
                                                     "APM 2, \"Debug-Status Register (DR6)\"")
{
	static const uint8_t write[] = { 0x0f, 0x23, 0xf0 }, read[] = { 0x0f, 0x21, 0xf0 },
	nop[] = { 0x90, 0x90 };
	const struct mode_regs none = { .ax = 0 }, step = { .flags = EFLAGS_TF };
	struct mode_result r;

	mode_run(MODE_CPL0, write, sizeof(write), &none);
	r = mode_run(MODE_CPL0, read, sizeof(read), &none);
	expect_bits(t, "DR6 after writing 0", r.regs.ax, DR6_BS, 0, "software may clear BS");
	r = mode_run(MODE_CPL3, nop, sizeof(nop), &step);
	expect_fault(t, "a single step", r.fault, X86_DB, 0, "TF was set");
	r = mode_run(MODE_CPL0, read, sizeof(read), &none);
	expect_bits(t, "DR6 after a single step", r.regs.ax, DR6_BS, DR6_BS,
	            "BS shows that TF was the cause");
	mode_run(MODE_CPL0, write, sizeof(write), &none);
}
