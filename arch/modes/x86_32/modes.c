/* SPDX-License-Identifier: MIT */
/* Defines the modes of the 32-bit kernel. modes.asm and real.asm have the switches. */
#include <arch/modes/mode_run.h>

#include <arch/clock/clocks.h>
#include <arch/clock/one_shot.h>
#include <arch/cpu/insn.h>
#include <arch/cpu/lock.h>
#include <arch/cpu/self.h>
#include <arch/modes/low_memory.h>
#include <arch/modes/paging.h>
#include <arch/modes/segments.h>
#include <arch/regs/cpu.h>

#define REAL_ATTEMPTS  5
#define LATE_MS        40

extern const uint8_t real_blob[], real_blob_end[];

extern void real_run(struct mode_entry *entry);

/*
 * Returns true if so much time has passed that the 8254 may have ticked between the modes; false
 * without a TSC.
 */
static bool was_late(uint64_t start)
{
	return tsc_khz() && tsc_read() - start > LATE_MS * (uint64_t)tsc_khz();
}

/*
 * An NMI ends the code under test, also if it arrives between the two modes. So the 8254, whose
 * NMIs watch over the tests, is restarted on the way in and (in real.asm) on the way out, for 55 ms
 * without an NMI. If one arrives all the same, either the code hangs in real mode or a busy host
 * suspended the processor for 55 ms: the code is run again.
 */
static void try_real(struct mode_entry *entry)
{
	struct mode_entry in = *entry;

	for (unsigned i = 0; i < REAL_ATTEMPTS; i++) {
		uint64_t start = tsc_khz() ? tsc_read() : 0;

		*entry = in;
		if (smp_self() == 0)
			one_shot_start(ONE_SHOT_US_MAX);
		real_run(entry);
		if (smp_self() || (entry->vector != X86_NMI && !was_late(start)))
			break;
	}
}

/* Without paging all processors share one low memory, so only one at a time may use it. */
static SHARED struct lock low_memory;

static void leave_low_memory(void)
{
	if (!lock_is_mine(&low_memory))
		return;
	paging_share_low(false);
	lock_release(&low_memory);
}

static void take_low_memory(void)
{
	lock_take(&low_memory);
	paging_share_low(true);
}

static void run_real(struct mode_entry *entry)
{
	try_real(entry);
	leave_low_memory();
}

/*
 * In VM86 and real mode, segment 0 and offset give the same linear address as in the other modes.
 */
const struct mode_row mode_table[MODE_COUNT] = {
	[MODE_CPL0]       = { "CPL 0", SELECTOR_KERNEL_CODE, SELECTOR_KERNEL_DATA, .bits = 32 },
	[MODE_CPL1]       = { "CPL 1", SELECTOR(GDT_CPL1_CODE, 1), SELECTOR(GDT_CPL1_DATA, 1),
	                      .cpl = 1, .bits = 32 },
	[MODE_CPL2]       = { "CPL 2", SELECTOR(GDT_CPL2_CODE, 2), SELECTOR(GDT_CPL2_DATA, 2),
	                      .cpl = 2, .bits = 32 },
	[MODE_CPL3]       = { "CPL 3", SELECTOR(GDT_CPL3_CODE, 3), SELECTOR(GDT_CPL3_DATA, 3),
	                      .cpl = 3, .bits = 32 },
	[MODE_CPL0_16BIT] = { "16-bit code, CPL 0", SELECTOR_CODE16, SELECTOR_DATA16,
	                      .bits = 16 },
	[MODE_CPL3_16BIT] = { "16-bit code, CPL 3", SELECTOR(GDT_CPL3_CODE16, 3),
	                      SELECTOR(GDT_CPL3_DATA16, 3), .cpl = 3, .bits = 16 },
	[MODE_VM86]       = { "virtual-8086 mode", .flags = EFLAGS_VM | EFLAGS_IOPL,
	                      .cpl = 3, .bits = 16 },
	[MODE_REAL]       = { "real mode", .bits = 16, .prepare = take_low_memory,
	                      .run = run_real, .cancel = leave_low_memory },
};

void mode_table_init(void)
{
	for (size_t i = 0; i < (size_t)(real_blob_end - real_blob); i++)
		mmio_write8(LOW_REAL_BASE + i, real_blob[i]);
}
