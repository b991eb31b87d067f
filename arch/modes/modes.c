/* SPDX-License-Identifier: MIT */
/*
 * Runs code under test in any mode. The modes and the switches to them are in the files of each
 * width.
 */
#include <arch/modes/modes.h>

#include <arch/cpu/insn.h>
#include <arch/modes/low_memory.h>
#include <arch/modes/mode_run.h>
#include <arch/modes/segments.h>
#include <arch/regs/cpu.h>

#define INT_N          0xcd

static const char *problem = "the mode services were not set up";
static struct mode_entry entry;
static struct mode_result result;
static uintptr_t defined;       /* the bits of a register that are defined after the mode */
static bool is_active;

const char *mode_name(enum cpu_mode mode)  { return mode_table[mode].name; }
unsigned mode_cpl(enum cpu_mode mode)      { return mode_table[mode].cpl; }
unsigned mode_bits(enum cpu_mode mode)     { return mode_table[mode].bits; }
bool mode_exists(enum cpu_mode mode)       { return mode_table[mode].name != NULL; }
const char *modes_problem(void)            { return problem; }
bool mode_run_is_active(void)              { return is_active; }

void mode_run_cancel(void)
{
	is_active = false;
	for (unsigned i = 0; i < MODE_COUNT; i++)
		if (mode_table[i].cancel)
			mode_table[i].cancel();
}

static void copy(uintptr_t to, const uint8_t *from, size_t size)
{
	for (size_t i = 0; i < size; i++)
		mmio_write8(to + i, from[i]);
}

void modes_init(int low_is_free)
{
	if (!low_is_free) {
		problem = "memory 7000H to BFFFH is not free in the machine's memory map";
		return;
	}
	mode_table_init();
	problem = NULL;
}

/*
 * The INT n that ends the code leaves IP at the instruction that follows it, a fault leaves IP at
 * its own instruction.
 */
static void take_end(unsigned vector, uint32_t error, uintptr_t ip)
{
	bool is_end = vector == VECTOR_MODE_END;

	result.fault = is_end ? FAULT_NONE : fault_make(vector, error);
	result.offset = (uint32_t)(ip - LOW_CODE_BASE - (is_end ? 2 : 0));
	result.cr2 = cr2_read();
}

void mode_run_end(const struct frame *f)
{
	is_active = false;
	result.regs = (struct mode_regs){
		f->ax & defined, f->bx & defined, f->cx & defined, f->dx & defined,
		f->si & defined, f->di & defined, f->bp & defined, f->flags,
	};
	take_end(f->vector, f->error, f->ip);
	mode_leave();
}

/* Copies the code under test, followed by the instruction that ends it. */
static void put_code(const void *code, size_t size)
{
	static const uint8_t end[] = { INT_N, VECTOR_MODE_END };

	copy(LOW_CODE_BASE, code, size);
	copy(LOW_CODE_BASE + size, end, sizeof(end));
}

static void run_by_row(const struct mode_row *m)
{
	m->run(&entry);
	result.regs = (struct mode_regs){
		entry.ax, entry.bx, entry.cx, entry.dx, entry.si, entry.di, entry.bp, entry.flags,
	};
	take_end(entry.vector, 0, entry.ip);
}

struct mode_result mode_run(enum cpu_mode mode, const void *code, size_t size,
                            const struct mode_regs *in)
{
	const struct mode_row *m = &mode_table[mode];

	entry = (struct mode_entry){
		.ax = in->ax, .bx = in->bx, .cx = in->cx, .dx = in->dx,
		.si = in->si, .di = in->di, .bp = in->bp, .sp = LOW_STACK_TOP,
		.ip = LOW_CODE_BASE, .cs = m->cs, .ds = m->ds, .cpl = m->cpl,
		.flags = (in->flags & ~(uintptr_t)(EFLAGS_IF | EFLAGS_VM)) | m->flags
		          | EFLAGS_FIXED,
	};
	if (m->prepare)
		m->prepare();
	put_code(code, size);
	if (m->run) {
		run_by_row(m);
	} else {
		defined = m->bits == 64 ? UINTPTR_MAX : UINT32_MAX;
		is_active = true;
		mode_enter(&entry);
	}
	return result;
}
