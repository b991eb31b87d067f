/* SPDX-License-Identifier: MIT */
/* Virtual-8086 and real mode are what their names say. */
#include <arch/modes/low_memory.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/raise.h>

/* MOV AX, LOW_CODE_BASE / 16; MOV DS, AX; MOV AL, [0000], which reads the first byte of
 * this code. */
#define BY_PARAGRAPH \
	0xb8, LOW_CODE_BASE >> 4 & 0xff, LOW_CODE_BASE >> 12, 0x8e, 0xd8, 0xa0, 0x00, 0x00

TEST(by_value, .id = "platform.modes.segments_by_value", .needs = need_modes,
     .claim = "in VM86 and real mode a segment takes any value, and its base is 16 times that",
     .source = "SDM 3B, \"Address Translation in Real-Address Mode\"")
{
	static const uint8_t code[] = { BY_PARAGRAPH };
	static const enum cpu_mode by_paragraph[] = { MODE_VM86, MODE_REAL };
	const struct mode_regs in = { .ax = 0 };

	for (unsigned i = 0; i < 2; i++) {
		struct mode_result r = mode_run(by_paragraph[i], code, sizeof(code), &in);

		test_sub(t, "MOV DS, 900H; MOV AL, [0]; %s", mode_name(by_paragraph[i]));
		expect_no_fault(t, "exception", r.fault, "no descriptor is looked up");
		expect_exact(t, "AL", r.regs.ax & 0xff, code[0],
		             "DS:0 is linear address 9000H, where the code is");
	}
}

TEST(vm_flag, .id = "platform.modes.vm86_flag", .needs = need_modes,
     .claim = "EFLAGS.VM is 1 only in VM86, and PUSHFD does not show it there",
     .source = "SDM 3B, \"Enabling Virtual-8086 Mode\"; SDM 2B, \"PUSHF/PUSHFD\"")
{
	static const uint8_t pushfd[] = { 0x66, 0x9c, 0x66,
	                                  0x58 };                 /* ...; POP EAX */
	const struct mode_regs in = { .ax = EFLAGS_VM };
	struct mode_result r = mode_run(MODE_VM86, pushfd, sizeof(pushfd), &in);

	expect_no_fault(t, "PUSHFD", r.fault, "IOPL is 3");
	expect_bits(t, "EFLAGS as pushed", r.regs.ax, EFLAGS_VM, 0,
	            "PUSHFD clears VM in the image");
	FOR_EACH_MODE(mode) {
		r = mode_run(mode, pushfd, 0, &in);
		test_sub(t, "%s", mode_name(mode));
		expect_bits(t, "EFLAGS as interrupted", r.regs.flags, EFLAGS_VM,
		            mode == MODE_VM86 ? EFLAGS_VM : 0,
		            "an interrupt saves VM");
	}
}
