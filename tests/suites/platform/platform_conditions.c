/* SPDX-License-Identifier: MIT */
/*
 * Exceptions that need more than an instruction: a control register, a gate or a page that is set
 * for the purpose and restored. platform_exceptions.c has the others.
 */
#include <arch/cpu/control.h>
#include <arch/cpu/cpuid.h>
#include <arch/cpu/insn.h>
#include <arch/modes/low_memory.h>
#include <arch/modes/paging.h>
#include <arch/modes/segments.h>
#include <arch/regs/table.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/raise.h>

/* Sets some bits of CR0 and clears others; returns its former value, for cr0_write(). */
static uintptr_t change_cr0(uintptr_t set, uintptr_t clear)
{
	uintptr_t before = cr0_read();

	cr0_write((before & ~clear) | set);
	return before;
}

static const char *needs_fpu(struct test_ctx *t)
{
	if (!cpuid_get(CPUID_FPU))
		return test_reason(t, "CPUID.1:EDX[0] (FPU) = 0");
	return need_modes(t);
}

/* ------------------------------------------------------------------------------ x87, SSE, debug */

static const struct raise emulated[] = {
	{ "FNOP with CR0.EM = 1", IN_ALL, CODE(0xd9, 0xd0) },
	{ "FNOP after NOP with CR0.EM = 1", IN_ALL, CODE(0x90, 0xd9, 0xd0), .at = 1 },
	{ "WAIT with CR0.EM = 1, TS = 0", IN_ALL, CODE(0x9b), .is_quiet = true },
};

static const struct raise switched[] = {
	{ "FNOP with CR0.TS = 1", IN_ALL, CODE(0xd9, 0xd0) },
	{ "WAIT with CR0.TS = 1, MP = 1", IN_ALL, CODE(0x9b) },
};

static const struct raise unmonitored[] = {
	{ "FNOP with CR0.TS = 1, MP = 0", IN_ALL, CODE(0xd9, 0xd0) },
	{ "WAIT with CR0.TS = 1, MP = 0", IN_ALL, CODE(0x9b), .is_quiet = true },
};

#define NM_RULE  X86_NM, "x87 instructions need TS = EM = 0, WAIT needs TS = 0 or MP = 0", AT_FAULT

TEST(nm, .id = "platform.exceptions.nm", .needs = needs_fpu,
     .claim = "CR0.EM and CR0.TS make x87 instructions raise #NM; TS with MP makes WAIT raise it",
     .source = REFERENCE "\"Interrupt 7 - Device Not Available Exception (#NM)\"")
{
	uintptr_t before = change_cr0(CR0_EM, CR0_TS);

	RAISE_ALL(t, emulated, NM_RULE);
	change_cr0(CR0_TS | CR0_MP, CR0_EM);
	RAISE_ALL(t, switched, NM_RULE);
	change_cr0(CR0_TS, CR0_EM | CR0_MP);
	RAISE_ALL(t, unmonitored, NM_RULE);
	cr0_write(before);
}

/*
 * The control word 037BH unmasks only division by zero: FNINIT; FLDCW [ESI]; FLD1; FLDZ; FDIVP;
 * FNSTSW AX; then a waiting instruction at byte 16.
 */
#define DIVIDE_X87 \
	0xeb, 0x02, 0x7b, 0x03, 0xdb, 0xe3, 0xd9, 0x2e, \
	0xd9, 0xe8, 0xd9, 0xee, 0xde, 0xf9, 0xdf, 0xe0

#define MF_ROW(what_, ...) \
	{ what_ " after 1 / 0", IN_WIDE, CODE(DIVIDE_X87, __VA_ARGS__), .at = 16, \
	  .in = { .si = LOW_CODE_BASE + 2 } }

static const struct raise x87_wait[] = { MF_ROW("WAIT", 0x9b) };
static const struct raise x87_load[] = { MF_ROW("FLD1", 0xd9, 0xe8) };
static const struct raise x87_quiet[] = {
	{ "FNSTSW after 1 / 0", IN_WIDE, CODE(DIVIDE_X87), .is_quiet = true,
	  .in = { .si = LOW_CODE_BASE + 2 } },
};

#define MF_RULE \
	X86_MF, "the exception is pending from the division on; FNSTSW ignores it", AT_FAULT
#define MF_SOURCE  REFERENCE "\"Interrupt 16 - x87 FPU Floating-Point Error (#MF)\""

TEST(mf_wait, .id = "platform.exceptions.mf.wait", .needs = needs_fpu,
     .claim = "with CR0.NE = 1 an unmasked x87 exception raises #MF at the next WAIT",
     .source = MF_SOURCE)
{
	RAISE_ALL(t, x87_wait, MF_RULE);
	RAISE_ALL(t, x87_quiet, MF_RULE);
	fpu_init();
}

TEST(mf_next, .id = "platform.exceptions.mf.next", .needs = needs_fpu,
     .claim = "with CR0.NE = 1 an unmasked x87 exception raises #MF at the next x87 load",
     .source = MF_SOURCE)
{
	RAISE_ALL(t, x87_load, MF_RULE);
	fpu_init();
}

/*
 * MXCSR 1D80H unmasks only division by zero, 1F80H masks all: LDMXCSR [ESI]; MOVSS XMM0, [ESI + 4];
 * XORPS XMM1, XMM1; DIVSS XMM0, XMM1 at byte 21.
 */
#define DIVIDE_SSE(mxcsr_high) \
	0xeb, 0x08, 0x80, mxcsr_high, 0, 0, 0, 0, 0x80, 0x3f, 0x0f, 0xae, 0x16, \
	0xf3, 0x0f, 0x10, 0x46, 0x04, 0x0f, 0x57, 0xc9, 0xf3, 0x0f, 0x5e, 0xc1

static const struct raise unmasked_sse[] = {
	{ "DIVSS 1 / 0, unmasked", IN_CPL0 | IN_CPL3, CODE(DIVIDE_SSE(0x1d)), .at = 21,
	  .in = { .si = LOW_CODE_BASE + 2 } },
};
static const struct raise masked_sse[] = {
	{ "DIVSS 1 / 0, masked", IN_CPL0 | IN_CPL3, CODE(DIVIDE_SSE(0x1f)), .is_quiet = true,
	  .in = { .si = LOW_CODE_BASE + 2 } },
};

static const char *needs_sse(struct test_ctx *t)
{
	if (!cpuid_get(CPUID_SSE))
		return test_reason(t, "CPUID.1:EDX[25] (SSE) = 0");
	return need_modes(t);
}

TEST(xm, .id = "platform.exceptions.xm", .needs = needs_sse,
     .claim = "an unmasked SSE exception raises #XM with CR4.OSXMMEXCPT = 1, and #UD with 0",
     .source = REFERENCE "\"Interrupt 19 - SIMD Floating-Point Exception (#XM)\"")
{
	uintptr_t before = cr4_read();

	cr4_write(before | CR4_OSFXSR | CR4_OSXMMEXCPT);
	RAISE_ALL(t, unmasked_sse, X86_XM, "CR4.OSXMMEXCPT = 1, and MXCSR.ZM = 0", AT_FAULT);
	cr4_write((before | CR4_OSFXSR) & ~(uintptr_t)CR4_OSXMMEXCPT);
	RAISE_ALL(t, unmasked_sse, X86_UD, "CR4.OSXMMEXCPT = 0, and MXCSR.ZM = 0", AT_FAULT);
	RAISE_ALL(t, masked_sse, X86_XM, "MXCSR.ZM = 1",
	          AT_FAULT);      /* leaves MXCSR as after reset */
	cr4_write(before);
}

static const struct raise int1[] = {
	{ "INT1", IN_ALL, CODE(0xf1), .at = 1 },
};

TEST(db_int1, .id = "platform.exceptions.db.int1", .needs = need_modes,
     .claim = "INT1 raises #DB as a trap at every privilege level",
     .source = "SDM 2A, \"INT n/INTO/INT3/INT1 - Call to Interrupt Procedure\"; APM 3, \"INT\"")
{
	RAISE_ALL(t, int1, X86_DB, "INT1 raises #DB whatever the DPL of its gate is", AT_TRAP);
}

/* ------------------------------------------------------------------------------------ alignment */

#define ODD  LOW_CODE_BASE + 1
#define AC   EFLAGS_AC

static const struct raise unchecked[] = {
	{ "dword at an odd address, CR0.AM = 0, AC = 1", IN_ALL, CODE(0x67, 0x8b, 0x04, 0x26),
	  .is_quiet = true, .in = { .si = ODD, .flags = AC } },
};
static const struct raise checked[] = {
	{ "dword at an odd address, AC = 1", IN_CPL3, CODE(0x8b, 0x06), .in = { .si = ODD,
	                                                                        .flags = AC } },
	{ "dword at 2 mod 4 after NOP, AC = 1", IN_CPL3, CODE(0x90, 0x8b, 0x06), .at = 1,
	  .in = { .si = ODD + 1, .flags = AC } },
	{ "write of a word at an odd address, AC = 1", IN_CPL3, CODE(0x66, 0x89, 0x46, 0x10),
	  .in = { .si = ODD, .flags = AC } },
	{ "word at an odd address, AC = 1", IN(MODE_CPL3_16BIT) | IN(MODE_VM86), CODE(0x8b, 0x04),
	  .in = { .si = ODD, .flags = AC } },
	{ "byte at an odd address, AC = 1", IN_CPL3, CODE(0x8a, 0x06), .is_quiet = true,
	  .in = { .si = ODD, .flags = AC } },
	{ "dword at an odd address, AC = 0", IN_CPL3, CODE(0x8b, 0x06), .is_quiet = true,
	  .in = { .si = ODD } },
	{ "dword at an odd address, AC = 1", IN_WIDE & ~IN_CPL3, CODE(0x8b, 0x06), .is_quiet = true,
	  .in = { .si = ODD, .flags = AC } },
};

#define AC_RULE \
	X86_AC, "alignment is checked where CR0.AM = 1, EFLAGS.AC = 1 and CPL = 3", AT_FAULT

TEST(ac, .id = "platform.exceptions.ac", .needs = need_modes,
     .claim = "a misaligned access raises #AC(0) at CPL 3 with CR0.AM and EFLAGS.AC, and only then",
     .source = REFERENCE "\"Interrupt 17 - Alignment Check Exception (#AC)\"")
{
	uintptr_t before = change_cr0(0, CR0_AM);

	RAISE_ALL(t, unchecked, AC_RULE);
	change_cr0(CR0_AM, 0);
	RAISE_ALL(t, checked, AC_RULE);
	cr0_write(before);
}

/* ---------------------------------------------------------------------------------------- gates */

#define OVERLONG(modes)  { "NOP of 16 bytes, the gate of #GP not present", modes, \
	                   CODE(FIFTEEN_PREFIXES, 0x90) }
#define DIV_BY_0(modes)  { "DIV by 0, the gate of #DE not present", modes, CODE(0xf7, 0xf1) }

static const struct raise double_gp[] = { OVERLONG(IN_ALL & ~IN(MODE_REAL)) };
static const struct raise double_de[] = { DIV_BY_0(IN_ALL & ~IN(MODE_REAL)) };

#define DF_RULE  X86_DF, "#NP while #GP or #DE is delivered: these are two " \
                         "contributory exceptions", NULL

TEST(df, .id = "platform.exceptions.df", .needs = need_modes,
     .claim = "#NP while #GP or #DE is delivered raises #DF, which has a stack of its own",
     .source = REFERENCE "\"Interrupt 8 - Double Fault Exception (#DF)\"")
{
	idt_set_present(X86_GP, 0);
	RAISE_ALL(t, double_gp, DF_RULE);
	idt_set_present(X86_GP, 1);
	idt_set_present(X86_DE, 0);
	RAISE_ALL(t, double_de, DF_RULE);
	idt_set_present(X86_DE, 1);
}

static const struct raise absent_int[] = {
	{ "INT 42H, its gate not present", IN_CPL0 | IN(MODE_CPL0_16BIT), CODE(0xcd, VECTOR_TEST),
	  .error = GATE_ERROR(VECTOR_TEST) },
};
static const struct raise absent_ud[] = {
	{ "UD2, the gate of #UD not present", IN_ALL & ~IN(MODE_REAL), CODE(0x0f, 0x0b),
	  .error = GATE_ERROR(X86_UD) | ERROR_EXT },
};

TEST(np_gate, .id = "platform.exceptions.np.gate", .needs = need_modes,
     .claim = "INT n through a gate that is not present raises #NP(n * 8 + 2)",
     .source = REFERENCE "\"Interrupt 11 - Segment Not Present (#NP)\"; \"Error Code\"")
{
	idt_set_present(VECTOR_TEST, 0);
	RAISE_ALL(t, absent_int, X86_NP, "IDT = 1 and EXT = 0, as INT n is no external event",
	          AT_FAULT);
	idt_set_present(VECTOR_TEST, 1);
}

TEST(np_external, .id = "platform.exceptions.np.gate_of_exception", .needs = need_modes,
     .claim = "an exception whose gate is not present raises #NP(vector * 8 + 3)",
     .source = REFERENCE "\"Interrupt 11 - Segment Not Present (#NP)\"; \"Error Code\"")
{
	idt_set_present(X86_UD, 0);
	RAISE_ALL(t, absent_ud, X86_NP,
	          "IDT = 1 and EXT = 1, as an earlier exception was being delivered", AT_FAULT);
	idt_set_present(X86_UD, 1);
}

/* ---------------------------------------------------------------------------------------- pages */

#define MOV_AL_ESI  CODE(0x8a, 0x06)
#define MOV_ESI_AL  CODE(0x88, 0x06)
#define READABLE    (PAGE_P | PAGE_US)
#define SUPERVISOR  (PAGE_P | PAGE_RW)

struct page_row {
	uint32_t flags;
	bool is_wp_off;
	struct raise row;              /* its ESI and CR2 are filled in */
};

/* The order matters: the write that is allowed leaves a TLB entry that the next row must
 * not find. */
static const struct page_row accesses[] = {
	{ 0, false, { "read, page not present", IN_WIDE & ~IN_CPL3, MOV_AL_ESI, .error = 0 } },
	{ 0, false, { "write, page not present", IN_WIDE & ~IN_CPL3, MOV_ESI_AL, .error = PF_WR } },
	{ 0, false, { "read, page not present", IN_CPL3, MOV_AL_ESI, .error = PF_US } },
	{ 0, false, { "write, page not present", IN_CPL3, MOV_ESI_AL, .error = PF_US | PF_WR } },
	{ SUPERVISOR, false, { "read, supervisor page", IN_CPL3, MOV_AL_ESI,
	                       .error = PF_P | PF_US } },
	{ SUPERVISOR, false, { "write, supervisor page", IN_CPL3, MOV_ESI_AL,
	                       .error = PF_P | PF_WR | PF_US } },
	{ SUPERVISOR, false, { "write, supervisor page", IN_WIDE & ~IN_CPL3, MOV_ESI_AL,
	                       .is_quiet = true } },
	{ READABLE, false, { "write, page read-only, CR0.WP = 1", IN_WIDE & ~IN_CPL3, MOV_ESI_AL,
	                     .error = PF_P | PF_WR } },
	{ READABLE, false, { "read, page read-only", IN_WIDE, MOV_AL_ESI, .is_quiet = true } },
	{ READABLE, true,  { "write, page read-only, CR0.WP = 0", IN_WIDE & ~IN_CPL3, MOV_ESI_AL,
	                     .is_quiet = true } },
	{ READABLE, true,  { "write, page read-only, CR0.WP = 0", IN_CPL3, MOV_ESI_AL,
	                     .error = PF_P | PF_WR | PF_US } },
};

static const char *needs_paging(struct test_ctx *t)
{
	if (!is_paging_on())
		return test_reason(t, "paging is off: %s", paging_problem());
	return need_modes(t);
}

TEST(pf, .id = "platform.exceptions.pf", .needs = needs_paging,
     .claim = "#PF reports presence, write and CPL 3 in its error code, and the address in CR2",
     .source = REFERENCE "\"Interrupt 14 - Page-Fault Exception (#PF)\"")
{
	static uint8_t page[PAGE_SIZE] __attribute__((aligned(4096)));
	uintptr_t before = cr0_read();

	for (size_t i = 0; i < COUNT_OF(accesses); i++) {
		struct raise row = accesses[i].row;

		row.in.si = row.cr2 = (uintptr_t)&page[0x123];
		if (accesses[i].is_wp_off)
			cr0_write(before & ~(uintptr_t)CR0_WP);
		paging_set_page(page, accesses[i].flags);
		raise_rows(t, &row, 1, &(const struct raise_rule){
			X86_PF, "in the error code P = 1 means that the page is present, W/R a "
			        "write, U/S CPL 3",
			AT_FAULT, TEST_PLACE });
		if (accesses[i].is_wp_off)
			cr0_write(before);
	}
	paging_restore_page(page);
}
