/* SPDX-License-Identifier: MIT */
/*
 * Runs a piece of code in any mode and at any privilege level of the processor, and returns its
 * registers and its fault, if any.
 */
#ifndef ARCH_MODES_MODES_H
#define ARCH_MODES_MODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <arch/cpu/fault.h>

enum cpu_mode {
	MODE_CPL0, MODE_CPL1, MODE_CPL2, MODE_CPL3,     /* code of the kernel's own width */
	MODE_CPL3_COMPAT,                               /* in 64 bits: 32-bit code */
	MODE_CPL0_16BIT, MODE_CPL3_16BIT,               /* protected or compatibility mode */
	MODE_VM86,                                      /* 32 bits: CPL 3, IOPL 3 */
	MODE_REAL,                                      /* 32 bits */
	MODE_COUNT
};

/* Does this kernel have the mode? One that does not exist has no name, and cannot be run. */
bool mode_exists(enum cpu_mode mode);

#define FOR_EACH_MODE(mode) \
	for (enum cpu_mode mode = 0; mode < MODE_COUNT; mode++) \
		if (mode_exists(mode))

struct mode_regs {
	uintptr_t ax, bx, cx, dx, si, di, bp;   /* out: 32 bits of each but in 64-bit mode */
	uintptr_t flags;      /* in: IF and VM as the mode needs; out: as the code left them */
};

struct mode_result {
	struct mode_regs regs;
	fault_t fault;         /* none: the code ran to its end */
	uint32_t offset;       /* where it ended or faulted, in bytes from the code's start */
	uintptr_t cr2;         /* after #PF */
};

/* In words: "CPL 3", "virtual-8086 mode", ... */
const char *mode_name(enum cpu_mode mode);

/* The privilege level: VM86 has CPL 3, real mode 0. */
unsigned mode_cpl(enum cpu_mode mode);

/* The width of its code's operands and addresses without prefixes: 16, 32, or 64 (64-bit mode). */
unsigned mode_bits(enum cpu_mode mode);

/* NULL, or why the mode services are not there: "memory 7000H to BFFFH is not free". */
const char *modes_problem(void);

/* Copies what real mode needs to low memory; low_is_free: that memory is RAM and nobody's. */
void modes_init(int low_is_free);

/*
 * Copies code (at most LOW_CODE_SIZE - 2 bytes, position independent, no stack balance needed) to
 * low memory and runs it with these registers, interrupts off, until its end or first fault.
 * Not re-entrant. Code that hangs in real mode ends with an NMI as its fault (vector 2).
 */
struct mode_result mode_run(enum cpu_mode mode, const void *code, size_t size,
                            const struct mode_regs *in);

/* Forgets code under test that was left from inside, by context_resume() or INIT. */
void mode_run_cancel(void);

/* What the assembly of mode_run() reads and writes. */
struct mode_entry {
	uintptr_t ax, bx, cx, dx, si, di, bp, sp;
	uintptr_t ip, flags;
	uint32_t vector;       /* out, real mode: the interrupt that ended it */
	uint32_t cs, ds;       /* ds: for all data segments, and for the stack but at CPL 0, */
	                       /* which stays on the kernel's */
	uint32_t cpl;
};

#endif
