/* SPDX-License-Identifier: MIT */
/* Source: Intel 8254 Programmable Interval Timer, "Mode 0: Interrupt on Terminal Count",
 * "Counter Latch Command", "Read-Back Command". */
#include <arch/clock/pit.h>

#include <arch/cpu/insn.h>
#include <arch/regs/apic.h>

#define READ_BACK_STATUS0     0xe2     /* status of channel 0, no count */
#define STATUS_OUTPUT         0x80

_Static_assert((uint64_t)ONE_SHOT_US_MAX * PIT_HZ / 1000000 <= UINT16_MAX, "one_shot.h");

static void command(unsigned channel, unsigned access)
{
	port_out8(PIT_COMMAND, (uint8_t)(FIELD_PUT(PIT_COMMAND_CHANNEL, channel)
	                                 | FIELD_PUT(PIT_COMMAND_ACCESS, access)));
}

static void start(unsigned channel, uint16_t count)
{
	const uint16_t port = (uint16_t)(PIT_CHANNEL0 + channel);

	command(channel, 3);
	port_out8(port, (uint8_t)count);
	port_out8(port, (uint8_t)(count >> 8));
}

/* -------------------------------------------------------------------------- the one shot */

static volatile bool is_reading, was_read;

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

static void program(uint32_t us)
{
	start(0, (uint16_t)divide_u64((uint64_t)us * PIT_HZ, 1000000));
}

const struct one_shot pit_one_shot = { program, is_output_high };

/* ------------------------------------------------------------------------- the stop-watch */

/*
 * Opens the gate of channel 2. Returns false if the port does not keep what is written: a machine
 * without it (QEMU's microvm) reads FFH there, in which channel 2 seems to have ended.
 */
bool pit_has_channel2(void)
{
	uint8_t gate = port_in8(PIT_GATE) & (uint8_t)~PIT_GATE_SPEAKER;

	port_out8(PIT_GATE, gate | (uint8_t)PIT_GATE_ENABLE2);
	return (port_in8(PIT_GATE) & (PIT_GATE_ENABLE2 | PIT_GATE_SPEAKER)) == PIT_GATE_ENABLE2;
}

static unsigned stopwatch;              /* its channel */

void pit_stopwatch_begin(void)
{
	stopwatch = pit_has_channel2() ? 2 : 0;
	start(stopwatch, UINT16_MAX);
}

uint32_t pit_stopwatch_read(void)
{
	const uint16_t port = (uint16_t)(PIT_CHANNEL0 + stopwatch);
	uint32_t low;

	command(stopwatch, 0);
	low = port_in8(port);
	return UINT16_MAX - (low | (uint32_t)port_in8(port) << 8);
}

void pit_begin(uint16_t count)
{
	start(2, count);
}

bool pit_has_ended(void)
{
	return (port_in8(PIT_GATE) & PIT_GATE_OUTPUT2) != 0;
}
