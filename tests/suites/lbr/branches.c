/* SPDX-License-Identifier: MIT */
#include <tests/suites/lbr/branches.h>

#include <stddef.h>

#include <arch/modes/low_memory.h>
#include <arch/modes/private.h>
#include <arch/modes/segments.h>
#include <arch/regs/cpu.h>
#include <arch/regs/table.h>
#include <kernel/lib/string.h>
#include <kernel/run/watchdog.h>
#include <tests/suites/common/fast_calls.h>

/* Vectors of INT n in the code below; each row runs between START and STOP. */
#define START   0x50
#define STOP    0x51
#define RETURN  BRANCH_VECTOR

#define START_SIZE  2u
#define SCRATCH     (LOW_STACK_TOP - 0x100)

extern uint32_t branches_msr;
extern uint64_t branches_on;
extern uintptr_t branches_interrupted, branches_storm;
extern uint32_t branches_stops;
extern void branches_start(void), branches_start_iret(void), branches_stop(void),
            branches_return(void), branches_skip(void), branches_skip_iret(void),
            branches_skip_error(void), branches_skip_error_iret(void),
            branches_debug(void), branches_debug_iret(void);

#define IN_NOT_REAL  (IN_ALL & ~IN(MODE_REAL))

const struct branch_row branch_rows[] = {
	{ "Jcc, taken", IN_NOT_REAL, BRANCH_CODE(0x31, 0xc0, 0x74, 0x01, 0x90),
	  BRANCHES({ 2, 5, BRANCH_JCC }) },
	{ "Jcc, not taken", IN_NOT_REAL, BRANCH_CODE(0x31, 0xc0, 0x75, 0x01, 0x90) },
	{ "Jcc rel32, taken", IN_WIDE, BRANCH_CODE(0x31, 0xc0, 0x0f, 0x84, 1, 0, 0, 0, 0x90),
	  BRANCHES({ 2, 9, BRANCH_JCC }) },
	{ "LOOP, taken once", IN_WIDE, BRANCH_CODE(0xb9, 2, 0, 0, 0, 0xe2, 0xfe),
	  BRANCHES({ 5, 5, BRANCH_JCC }) },
	{ "JECXZ, taken", IN_WIDE, BRANCH_CODE(0x31, 0xc9, 0xe3, 0x01, 0x90),
	  BRANCHES({ 2, 5, BRANCH_JCC }) },
	{ "JMP rel8", IN_NOT_REAL, BRANCH_CODE(0xeb, 0x01, 0x90),
	  BRANCHES({ 0, 3, BRANCH_REL_JMP }) },
	{ "JMP rel32", IN_WIDE, BRANCH_CODE(0xe9, 1, 0, 0, 0, 0x90),
	  BRANCHES({ 0, 6, BRANCH_REL_JMP }) },
	{ "JMP by register", IN_NOT_REAL, BRANCH_CODE(0xff, 0xe0, 0x90), .target = 3,
	  BRANCHES({ 0, 3, BRANCH_IND_JMP }) },
	{ "JMP by memory", IN_WIDE,
	  BRANCH_CODE(0x89, 0x03, 0xc7, 0x43, 0x04, 0, 0, 0, 0, 0xff, 0x23, 0x90), .target = 12,
	  BRANCHES({ 9, 12, BRANCH_IND_JMP }) },
	{ "CALL, RET", IN_WIDE, BRANCH_CODE(0xe8, 2, 0, 0, 0, 0xeb, 0x01, 0xc3),
	  BRANCHES({ 0, 7, BRANCH_REL_CALL }, { 7, 5, BRANCH_RET }, { 5, 8, BRANCH_REL_JMP }) },
	{ "CALL, RET imm16", IN_WIDE, BRANCH_CODE(0xe8, 2, 0, 0, 0, 0xeb, 0x03, 0xc2, 0, 0),
	  BRANCHES({ 0, 7, BRANCH_REL_CALL }, { 7, 5, BRANCH_RET }, { 5, 10, BRANCH_REL_JMP }) },
	{ "CALL by register, RET", IN_WIDE, BRANCH_CODE(0xff, 0xd0, 0xeb, 0x01, 0xc3), .target = 4,
	  BRANCHES({ 0, 4, BRANCH_IND_CALL }, { 4, 2, BRANCH_RET }, { 2, 5, BRANCH_REL_JMP }) },
	{ "RET without a CALL", IN_WIDE, BRANCH_CODE(0x50, 0xc3, 0x90), .target = 3,
	  BRANCHES({ 1, 3, BRANCH_RET }) },
	{ "far JMP", IN_WIDE, BRANCH_CODE(0x89, 0x03, 0x8c, 0x4b, 0x04, 0xff, 0x2b, 0x90),
	  .target = 8, BRANCHES({ 5, 8, BRANCH_FAR }) },
	{ "far CALL, far RET", IN_WIDE,
	  BRANCH_CODE(0x89, 0x03, 0x8c, 0x4b, 0x04, 0xff, 0x1b, 0xeb, 0x01, 0xcb), .target = 9,
	  BRANCHES({ 5, 9, BRANCH_FAR }, { 9, 7, BRANCH_FAR }, { 7, 10, BRANCH_REL_JMP }) },
	{ "INT n, IRET", IN_NOT_REAL, BRANCH_CODE(0xcd, RETURN),
	  BRANCHES({ 0, AT_RETURN, BRANCH_FAR }, { AT_RETURN, 2, BRANCH_FAR }) },
	{ "INT3, IRET", IN_NOT_REAL, BRANCH_CODE(0xcc),
	  BRANCHES({ 0, AT_RETURN, BRANCH_FAR }, { AT_RETURN, 1, BRANCH_FAR }) },
	{ "INTO, IRET", IN_32, BRANCH_CODE(0xb0, 0x7f, 0xfe, 0xc0, 0xce),
	  BRANCHES({ 4, AT_RETURN, BRANCH_FAR }, { AT_RETURN, 5, BRANCH_FAR }) },
	{ "UD2: #UD", IN_NOT_REAL, BRANCH_CODE(0x0f, 0x0b),
	  BRANCHES({ 0, AT_SKIP, BRANCH_FAR }, { AT_SKIP_IRET, 2, BRANCH_FAR }) },
	{ "MOV DS of no segment: #GP", IN_WIDE, BRANCH_CODE(0x8e, 0xd8), .ax = 0xfff8,
	  BRANCHES({ 0, AT_SKIP_ERROR, BRANCH_FAR }, { AT_SKIP_ERROR_IRET, 2, BRANCH_FAR }) },
	{ "CLI above IOPL: #GP", IN_USER, BRANCH_CODE(0xfa, 0x90),
	  BRANCHES({ 0, AT_SKIP_ERROR, BRANCH_FAR }, { AT_SKIP_ERROR_IRET, 2, BRANCH_FAR }) },
	{ "a load of a page that is not present: #PF", IN_WIDE, BRANCH_CODE(0x8b, 0x03),
	  .bx = (uintptr_t)stack_guard,
	  BRANCHES({ 0, AT_SKIP_ERROR, BRANCH_FAR }, { AT_SKIP_ERROR_IRET, 2, BRANCH_FAR }) },
	{ "CPUID and REP STOSB, which are no branches", IN_WIDE,
	  BRANCH_CODE(0x89, 0xdf, 0x89, 0xde, 0xb9, 4, 0, 0, 0, 0xf3, 0xaa,
	              0x31, 0xc0, 0x0f, 0xa2) },
};
const unsigned branch_row_count = COUNT_OF(branch_rows);

/* Single-steps over the NOP; the handler ends that. */
const struct branch_row branch_step = {
	"single-step, JMP", IN(MODE_CPL0),
	BRANCH_CODE(0x9c,                                       /* PUSHF */
	            0x81, 0x0c, 0x24, 0x00, 0x01, 0x00, 0x00,   /* OR dword [ESP], 100H: TF */
	            0x9d,                                       /* POPF */
	            0x90,
	            0xeb, 0x01, 0x90),                          /* 10 JMP 13 */
	BRANCHES({ 10, AT_DEBUG, BRANCH_FAR }, { AT_DEBUG_IRET, 10, BRANCH_FAR },
	         { 10, 13, BRANCH_REL_JMP })
};

const struct branch_row branch_mix = {
	"one of each kind", IN_WIDE,
	BRANCH_CODE(0xff, 0xd0,                        /*  0 CALL EAX: to 32 */
	     0xe8, 25, 0, 0, 0,                 /*  2 CALL 32 */
	     0x8d, 0x40, 0xf0,                  /*  7 LEA EAX, [EAX - 16]: 16 */
	     0xff, 0xe0,                        /* 10 JMP EAX: to 16 */
	     0x90, 0x90, 0x90, 0x90,
	     0x31, 0xc0,                        /* 16 XOR EAX, EAX */
	     0x74, 0x01, 0x90,                  /* 18 JZ 21 */
	     0xcd, RETURN,                      /* 21 INT n */
	     0xeb, 0x08,                        /* 23 JMP 33 */
	     0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90,
	     0xc3),                             /* 32 RET */
	.target = 32,
	BRANCHES({ 0, 32, BRANCH_IND_CALL }, { 32, 2, BRANCH_RET }, { 2, 32, BRANCH_REL_CALL },
	         { 32, 7, BRANCH_RET }, { 10, 16, BRANCH_IND_JMP }, { 18, 21, BRANCH_JCC },
	         { 21, AT_RETURN, BRANCH_FAR }, { AT_RETURN, 23, BRANCH_FAR },
	         { 23, 33, BRANCH_REL_JMP })
};

enum branch_subject branches_subject(const struct branch_row *row)
{
	enum branch_subject subject = BRANCHES_NEAR;

	for (unsigned i = 0; i < row->count; i++) {
		if (row->branch[i].to == AT_SKIP || row->branch[i].to == AT_SKIP_ERROR)
			return BRANCHES_EXCEPTION;
		if (row->branch[i].kind == BRANCH_FAR)
			subject = BRANCHES_FAR;
	}
	return subject;
}

void branches_each(struct test_ctx *t, enum branch_subject subject,
                   void (*judge)(struct test_ctx *t, const struct branch_row *row,
                                 enum cpu_mode mode))
{
	for (unsigned i = 0; i < branch_row_count; i++) {
		if (branches_subject(&branch_rows[i]) != subject)
			continue;
		FOR_EACH_BRANCH_MODE(&branch_rows[i], mode)
			judge(t, &branch_rows[i], mode);
	}
}

const struct branch_row *branches_chain(unsigned jumps)
{
	return branches_chain_and_pauses(jumps, 0);
}

const struct branch_row *branches_chain_and_pauses(unsigned jumps, unsigned pauses)
{
	static uint8_t code[BRANCH_CODE_MAX];
	static struct branch branch[BRANCH_ROW_MAX];
	static struct branch_row row = { "jumps in a row", IN_NOT_REAL, .code = code,
	                                 .branch = branch };

	for (unsigned i = 0; i < jumps; i++) {
		code[2 * i] = 0xeb;             /* JMP to the next byte but one */
		code[2 * i + 1] = 0;
		branch[i] = (struct branch){ (uint16_t)(2 * i), (uint16_t)(2 * i + 2),
		                             BRANCH_REL_JMP };
	}
	for (unsigned i = jumps; i < jumps + pauses; i++) {
		code[2 * i] = 0xf3;
		code[2 * i + 1] = 0x90;
	}
	row.size = (uint16_t)(2 * (jumps + pauses));
	row.count = (uint8_t)jumps;
	return &row;
}

static unsigned stop_vector;

void branches_stop_at(unsigned vector)
{
	stop_vector = vector;
}

uintptr_t branches_stopped_at(void)
{
	return branches_interrupted;
}

uintptr_t branches_address(unsigned offset)
{
	return LOW_CODE_BASE + START_SIZE + offset;
}

uintptr_t branches_place(unsigned place)
{
	static void (*const handlers[])(void) = {
		branches_start_iret, branches_stop, branches_return, branches_skip,
		branches_skip_iret, branches_skip_error, branches_skip_error_iret,
		branches_debug, branches_debug_iret,
		fast_calls_sysenter, fast_calls_sysexit,
#ifdef __x86_64__
		fast_calls_syscall, fast_calls_sysret,
#endif
	};

	return place < AT_START_IRET ? branches_address(place)
	       : (uintptr_t)handlers[place - AT_START_IRET];
}

static void add(struct branch_trace *trace, enum cpu_mode mode, struct branch b)
{
	unsigned cpl = mode_cpl(mode);

	trace->want[trace->count++] = (struct branch_want){
		.from = branches_place(b.from), .to = branches_place(b.to), .kind = b.kind,
		.from_cpl = (uint8_t)(b.from < AT_START_IRET ? cpl : 0),
		.to_cpl = (uint8_t)(b.to < AT_START_IRET ? cpl : 0),
	};
}

/* Only code at CPL 0 of the kernel's own width ends by XOR EAX, EAX; XOR EDX, EDX;
 * MOV ECX, msr; WRMSR. */
static bool ends_by_wrmsr(enum cpu_mode mode)
{
	return mode == MODE_CPL0;
}

static unsigned put_end(uint8_t *code, enum cpu_mode mode, uint32_t msr)
{
	const uint8_t by_wrmsr[] = { 0x31, 0xc0, 0x31, 0xd2, 0xb9, (uint8_t)msr,
	                             (uint8_t)(msr >> 8), (uint8_t)(msr >> 16),
	                             (uint8_t)(msr >> 24), 0x0f, 0x30 };
	const uint8_t by_int[] = { 0xcd, STOP };

	if (ends_by_wrmsr(mode)) {
		memcpy(code, by_wrmsr, sizeof(by_wrmsr));
		return sizeof(by_wrmsr);
	}
	memcpy(code, by_int, sizeof(by_int));
	return sizeof(by_int);
}

static void set_gates(void)
{
	idt_set_gate(START, (uintptr_t)branches_start, 3);
	idt_set_gate(STOP, (uintptr_t)branches_stop, 3);
	idt_set_gate(RETURN, (uintptr_t)branches_return, 3);
	idt_set_gate(X86_DB, (uintptr_t)branches_debug, 0);
	idt_set_gate(X86_BP, (uintptr_t)branches_return, 3);
	idt_set_gate(X86_OF, (uintptr_t)branches_return, 3);
	idt_set_gate(X86_UD, (uintptr_t)branches_skip, 0);
	idt_set_gate(X86_GP, (uintptr_t)branches_skip_error, 0);
	idt_set_gate(X86_PF, (uintptr_t)branches_skip_error, 0);
	if (stop_vector)
		idt_set_gate(stop_vector, (uintptr_t)branches_stop, 0);
}

struct mode_result branches_run(const struct branch_row *row, enum cpu_mode mode,
                                const struct branch_recorder *by, struct branch_trace *trace)
{
	uint8_t code[BRANCH_CODE_MAX + 16] = { 0xcd, START };
	const struct mode_regs regs = {
		.ax = row->target ? branches_address(row->target) : row->ax,
		.bx = row->bx ? row->bx : SCRATCH,
	};
	unsigned size = START_SIZE + row->size;
	struct mode_result r;

	trace->count = 0;
	add(trace, mode, (struct branch){ AT_START_IRET, 0, BRANCH_FAR });
	for (unsigned i = 0; i < row->count; i++)
		add(trace, mode, row->branch[i]);
	if (!ends_by_wrmsr(mode))
		add(trace, mode, (struct branch){ row->size, AT_STOP, BRANCH_FAR });
	memcpy(code + START_SIZE, row->code, row->size);
	size += put_end(code + size, mode, by->msr);
	branches_msr = by->msr;
	branches_on = by->on;
	branches_interrupted = 0;
	branches_stops = 0;
	branches_storm = idt_own_handler(X86_NMI);
	watchdog_pet();
	set_gates();
	r = mode_run(mode, code, size, &regs);
	idt_reset();
	stop_vector = 0;
	return r;
}
