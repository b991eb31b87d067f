/* SPDX-License-Identifier: MIT */
/* Code under test in any mode; the switches themselves are in modes.asm and real.asm. */
#include <arch/modes.h>

#include <arch/low_memory.h>
#include <arch/pit.h>
#include <arch/regs/cpu.h>
#include <arch/segments.h>
#include <arch/x86_32/mode_run.h>

#include <arch/insn.h>

#define INT_N          0xcd
#define REAL_ATTEMPTS  5
#define LATE_MS        40

struct mode_row {
	const char *name;
	uint32_t cs, ds, flags;
	unsigned cpl;
};

/* In VM86 and real mode segment 0 and offset make the same linear address as in the others. */
static const struct mode_row modes[MODE_COUNT] = {
	[MODE_CPL0]       = { "CPL 0",
	                      SELECTOR_KERNEL_CODE, SELECTOR_KERNEL_DATA, 0, 0 },
	[MODE_CPL1]       = { "CPL 1",
	                      SELECTOR(GDT_CPL1_CODE, 1), SELECTOR(GDT_CPL1_DATA, 1), 0, 1 },
	[MODE_CPL2]       = { "CPL 2",
	                      SELECTOR(GDT_CPL2_CODE, 2), SELECTOR(GDT_CPL2_DATA, 2), 0, 2 },
	[MODE_CPL3]       = { "CPL 3",
	                      SELECTOR(GDT_CPL3_CODE, 3), SELECTOR(GDT_CPL3_DATA, 3), 0, 3 },
	[MODE_CPL0_16BIT] = { "16-bit code, CPL 0",
	                      SELECTOR_CODE16, SELECTOR_DATA16, 0, 0 },
	[MODE_CPL3_16BIT] = { "16-bit code, CPL 3",
	                      SELECTOR(GDT_CPL3_CODE16, 3), SELECTOR(GDT_CPL3_DATA16, 3), 0, 3 },
	[MODE_VM86]       = { "virtual-8086 mode",
	                      0, 0, EFLAGS_VM | EFLAGS_IOPL, 3 },
	[MODE_REAL]       = { "real mode",
	                      0, 0, 0, 0 },
};

extern const uint8_t real_blob[], real_blob_end[];

extern void mode_enter(struct mode_entry *entry);
extern void mode_leave(void) __attribute__((noreturn));
extern void real_run(struct mode_entry *entry);

static const char *problem = "the mode services were not set up";
static struct mode_entry entry;
static struct mode_result result;
static bool is_active;

const char *mode_name(enum cpu_mode mode)  { return modes[mode].name; }
unsigned mode_cpl(enum cpu_mode mode)      { return modes[mode].cpl; }
const char *modes_problem(void)            { return problem; }
bool mode_run_is_active(void)              { return is_active; }

void mode_run_cancel(void)
{
	is_active = false;
}

static void copy(uint32_t to, const uint8_t *from, size_t size)
{
	for (size_t i = 0; i < size; i++)
		mmio_write8(to + i, from[i]);
}

void modes_init(int low_is_free)
{
	if (!low_is_free) {
		problem = "memory 7000H to AFFFH is not free in the machine's memory map";
		return;
	}
	copy(LOW_REAL_BASE, real_blob, (size_t)(real_blob_end - real_blob));
	problem = NULL;
}

static void take_regs(uint32_t ax, uint32_t bx, uint32_t cx, uint32_t dx, uint32_t si, uint32_t di,
                      uint32_t bp, uint32_t flags)
{
	result.regs = (struct mode_regs){ ax, bx, cx, dx, si, di, bp, flags };
}

/* The end (INT n) leaves IP behind itself; a fault leaves it at the instruction. */
static void take_end(unsigned vector, uint32_t error, uint32_t ip)
{
	bool is_end = vector == VECTOR_MODE_END;

	result.fault = is_end ? FAULT_NONE : fault_make(vector, error);
	result.offset = ip - LOW_CODE_BASE - (is_end ? 2 : 0);
	result.cr2 = cr2_read();
}

void mode_run_end(const struct frame *f)
{
	is_active = false;
	take_regs(f->ax, f->bx, f->cx, f->dx, f->si, f->di, f->bp, f->flags);
	take_end(f->vector, f->error, f->ip);
	mode_leave();
}

/* Has so much time gone by that the 8254 may have ticked between the modes? Without a TSC: no. */
static bool was_late(uint64_t start)
{
	return tsc_khz() && tsc_read() - start > LATE_MS * (uint64_t)tsc_khz();
}

/*
 * An NMI between the two modes would find the wrong interrupt table. So the 8254, whose NMIs watch
 * over the tests, starts anew on the way in and (in real.asm) on the way out: 55 ms without one.
 * What is left is a real-mode hang, or a processor that a busy host kept for 55 ms, and then
 * anything may have ended the code: tried again.
 */
static void run_real(void)
{
	struct mode_entry in = entry;

	for (unsigned i = 0; i < REAL_ATTEMPTS; i++) {
		uint64_t start = tsc_khz() ? tsc_read() : 0;

		entry = in;
		pit_start_one_shot(UINT16_MAX);
		real_run(&entry);
		if (entry.vector != X86_NMI && !was_late(start))
			break;
	}
	take_regs(entry.ax, entry.bx, entry.cx, entry.dx, entry.si, entry.di, entry.bp,
	          entry.flags);
	take_end(entry.vector, 0, entry.ip);
}

struct mode_result mode_run(enum cpu_mode mode, const void *code, size_t size,
                            const struct mode_regs *in)
{
	static const uint8_t end[] = { INT_N, VECTOR_MODE_END };
	const struct mode_row *m = &modes[mode];

	copy(LOW_CODE_BASE, code, size);
	copy(LOW_CODE_BASE + size, end, sizeof(end));
	entry = (struct mode_entry){
		.ax = in->ax, .bx = in->bx, .cx = in->cx, .dx = in->dx,
		.si = in->si, .di = in->di, .bp = in->bp, .sp = LOW_STACK_TOP,
		.ip = LOW_CODE_BASE, .cs = m->cs, .ds = m->ds, .cpl = m->cpl,
		.flags = (in->flags & ~(uint32_t)(EFLAGS_IF | EFLAGS_VM)) | m->flags
		          | EFLAGS_FIXED,
	};
	if (mode == MODE_REAL) {
		run_real();
	} else {
		is_active = true;
		mode_enter(&entry);
	}
	return result;
}
