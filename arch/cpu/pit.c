/* SPDX-License-Identifier: MIT */
/* Source: Intel 8254 Programmable Interval Timer, "Mode 0: Interrupt on Terminal Count",
 * "Read-Back Command". */
#include <arch/cpu/pit.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/insn.h>
#include <arch/cpu/self.h>
#include <arch/regs/apic.h>

#define READ_BACK_STATUS0     0xe2     /* status of channel 0, no count */
#define STATUS_OUTPUT         0x80
#define CALIBRATION_CLOCKS    (PIT_HZ / 500)
#define CALIBRATIONS          10

/*
 * The port reads after which a wait of 65535 clocks, 55 ms, must be over. A read of an ISA port
 * takes 0.5 us or more on hardware, and about 5 instructions of simulated time in Bochs at 50
 * million a second.
 */
#define MAX_POLLS             2000000u

static void start(unsigned channel, uint16_t port, uint16_t count)
{
	port_out8(PIT_COMMAND, (uint8_t)(FIELD_PUT(PIT_COMMAND_CHANNEL, channel)
	                                 | FIELD_PUT(PIT_COMMAND_ACCESS, 3)));
	port_out8(port, (uint8_t)count);
	port_out8(port, (uint8_t)(count >> 8));
}

static volatile bool is_starting, was_hit, is_due, is_seen, is_reading, was_read;

/* Latches the status, unless a latched one has not been read yet, and reads it. */
static bool read_output(void)
{
	port_out8(PIT_COMMAND, READ_BACK_STATUS0);
	return (port_in8(PIT_CHANNEL0) & STATUS_OUTPUT) != 0;
}

/*
 * The tick's NMI may come between the latch and the read. Its handler then finds a status that was
 * latched before the tick: it reads that away, reads again, and what it interrupted does so, too.
 */
static bool is_output_high(void)
{
	const bool is_nested = is_reading;
	bool is_high = false;

	if (is_nested)
		read_output();
	do {
		is_reading = true;
		was_read = false;
		is_high = read_output();
	} while (was_read);
	is_reading = was_read = is_nested;
	return is_high;
}

/*
 * The output may rise while the channel is being programmed. The interrupt handler then finds it
 * low again, and the 8254 with half a count or with the new one. Both count as a rise, and the
 * channel is started again until no rise interferes. If the output is high before the start and no
 * code has seen it, its interrupt is under way, which takes long in an emulator on a busy host.
 */
void pit_start_one_shot(uint16_t count)
{
	if (is_starting)
		return;                 /* the loop that was interrupted starts again */
	is_due = !is_seen && is_output_high();
	is_seen = false;
	do {
		was_hit = false;
		is_starting = true;
		start(0, PIT_CHANNEL0, count);
		is_starting = false;
		count = UINT16_MAX;
	} while (was_hit);
}

bool pit_has_expired(void)
{
	if (!is_starting && !is_due) {
		is_seen = is_output_high();
		return is_seen;
	}
	was_hit = is_starting;
	is_due = false;
	return true;
}

/*
 * Opens the gate of channel 2. Returns false if the port does not keep what is written: a machine
 * without it (QEMU's microvm) reads FFH there, in which channel 2 seems to have ended.
 */
static bool open_gate2(void)
{
	uint8_t gate = port_in8(PIT_GATE) & (uint8_t)~PIT_GATE_SPEAKER;

	port_out8(PIT_GATE, gate | (uint8_t)PIT_GATE_ENABLE2);
	return (port_in8(PIT_GATE) & (PIT_GATE_ENABLE2 | PIT_GATE_SPEAKER)) == PIT_GATE_ENABLE2;
}

static bool wait_by_channel2(uint16_t count)
{
	unsigned polls = 0;

	if (!open_gate2())
		return false;
	start(2, PIT_CHANNEL2, count);
	while (!(port_in8(PIT_GATE) & PIT_GATE_OUTPUT2))
		if (++polls == MAX_POLLS)
			return false;
	return true;
}

/*
 * All processors share channel 2: those other than the boot processor use the TSC, whose rate is
 * already measured.
 */
static bool wait_by_tsc(uint16_t count)
{
	uint64_t start = tsc_read();
	uint64_t ticks = (uint64_t)(tsc_khz() / (PIT_HZ / 1000) + 1) * count;

	while (tsc_read() - start < ticks)
		cpu_pause();
	return true;
}

bool pit_has_channel2(void)
{
	return open_gate2();
}

bool pit_wait(uint16_t count)
{
	if (tsc_khz() && (smp_self() || !pit_has_channel2()))
		return wait_by_tsc(count);
	return wait_by_channel2(count);
}

/* Without port 61H, and before the watchdog uses channel 0. */
static bool wait_by_channel0(uint16_t count)
{
	unsigned polls = 0;

	start(0, PIT_CHANNEL0, count);
	while (!is_output_high())
		if (++polls == MAX_POLLS)
			return false;
	return true;
}

static bool wait_to_measure(uint16_t count)
{
	return pit_has_channel2() ? wait_by_channel2(count) : wait_by_channel0(count);
}

/*
 * Returns the TSC's ticks in 2 ms (32 bits suffice to 2000 GHz), or 0 if the 8254 does not count.
 */
static uint32_t measure_once(void)
{
	uint64_t before = tsc_read();

	return wait_to_measure(CALIBRATION_CLOCKS) ? (uint32_t)(tsc_read() - before) : 0;
}

/*
 * Takes the smallest of several measurements: SMM or an emulator's host can make a wait longer,
 * never shorter. A single wait of 10 ms gave up to four times the rate on a busy host, and an
 * intended 40 ms were wrong by that factor.
 */
static uint32_t measure(void)
{
	uint32_t least = UINT32_MAX;

	if (!cpuid_get(CPUID_TSC))
		return 0;
	for (unsigned i = 0; i < CALIBRATIONS; i++) {
		uint32_t ticks = measure_once();

		if (!ticks)
			return 0;
		if (ticks < least)
			least = ticks;
	}
	return least / 2;
}

uint32_t tsc_khz(void)
{
	static bool is_measured;
	static uint32_t khz;

	if (!is_measured)
		khz = measure();
	is_measured = true;
	return khz;
}
