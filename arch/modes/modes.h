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
	MODE_CPL3_COMPAT,                               /* only in the 64-bit kernel: 32-bit code */
	MODE_CPL0_16BIT, MODE_CPL3_16BIT,               /* protected or compatibility mode */
	MODE_VM86,                                      /* only in the 32-bit kernel; IOPL 3 */
	MODE_REAL,                                      /* only in the 32-bit kernel */
	MODE_COUNT
};

/*
 * Returns true if this kernel has the mode. A mode that does not exist has no name and cannot be
 * run.
 */
bool mode_exists(enum cpu_mode mode);

#define FOR_EACH_MODE(mode) \
	for (enum cpu_mode mode = 0; mode < MODE_COUNT; mode++) \
		if (mode_exists(mode))

struct mode_regs {
	uintptr_t ax, bx, cx, dx, si, di, bp;   /* out: 32 bits of each, except in 64-bit mode */
	uintptr_t flags;      /* in: IF and VM as the mode needs them; out: as the code left them */
};

struct mode_result {
	struct mode_regs regs;
	fault_t fault;         /* FAULT_NONE if the code ran to its end */
	uint32_t offset;       /* where the code ended or faulted, in bytes from its start */
	uintptr_t cr2;         /* valid after #PF */
};

/* Returns the mode's name: "CPL 3", "virtual-8086 mode", ... */
const char *mode_name(enum cpu_mode mode);

/* Returns the mode's privilege level: 3 for VM86, 0 for real mode. */
unsigned mode_cpl(enum cpu_mode mode);

/*
 * Returns the width of the mode's operands and addresses without prefixes: 16, 32, or 64 (64-bit
 * mode).
 */
unsigned mode_bits(enum cpu_mode mode);

/* Returns NULL, or why the mode services are unavailable: "memory 7000H to BFFFH is not free". */
const char *modes_problem(void);

/*
 * Copies the code that real mode needs to low memory. low_is_free says that this memory is RAM and
 * unused.
 */
void modes_init(int low_is_free);

/*
 * Copies code to low memory and runs it with these registers, interrupts off, until its end or its
 * first fault. The code has at most LOW_CODE_SIZE - 2 bytes, is position independent and need not
 * balance its stack. mode_run() is not re-entrant. Code that hangs in real mode ends with an NMI as
 * its fault (vector 2).
 */
struct mode_result mode_run(enum cpu_mode mode, const void *code, size_t size,
                            const struct mode_regs *in);

/* Forgets code under test that context_resume() or INIT left from inside. */
void mode_run_cancel(void);

/* Holds what the assembly of mode_run() reads and writes. */
struct mode_entry {
	uintptr_t ax, bx, cx, dx, si, di, bp, sp;
	uintptr_t ip, flags;
	uint32_t vector;       /* out, real mode: the interrupt that ended it */
	uint32_t cs, ds;       /* ds: for all data segments, and for the stack except at CPL 0, */
	                       /* where the kernel's stack stays in use */
	uint32_t cpl;
};

#endif
