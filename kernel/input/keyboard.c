/* SPDX-License-Identifier: MIT */
#include <kernel/input/keyboard.h>

#include <arch/regs/i8042.h>
#include <kernel/input/keys.h>

/*
 * The bounds of waiting, in reads of the status. One read takes about 1 us on ISA and LPC, less in
 * an emulator, which answers at once. The controller needs some microseconds for a command, its
 * firmware some milliseconds; a keyboard answers within 20 ms.
 */
#define CONTROLLER_POLLS  100000u
#define KEYBOARD_POLLS    40000u
#define DRAINED_MAX       64u           /* a keyboard keeps 16 bytes */
#define FLOATING          0xFF          /* read from a bus on which no device answers */

#define SCAN_CODE_SET     2             /* the controller translates it to set 1 */

static uint8_t read_status(struct keyboard *k)
{
	uint8_t status = k->bus->read(I8042_PORT, I8042_STATUS);

	k->is_dead |= status == FLOATING;
	return k->is_dead ? I8042_STATUS_INPUT_FULL : status;
}

static uint8_t read_data(struct keyboard *k)
{
	return k->bus->read(I8042_PORT, I8042_DATA);
}

/* A controller that once failed to take what is written to it never takes anything again. */
static void write(struct keyboard *k, unsigned reg, uint8_t value)
{
	uint32_t polls = CONTROLLER_POLLS;

	while (!k->is_dead && read_status(k) & I8042_STATUS_INPUT_FULL)
		k->is_dead |= polls-- == 0;
	if (!k->is_dead)
		k->bus->write(I8042_PORT, reg, value);
}

static bool has_output(struct keyboard *k, uint32_t polls)
{
	while (polls-- > 0 && !k->is_dead)
		if (read_status(k) & I8042_STATUS_OUTPUT_FULL)
			return true;
	return false;
}

/* Drops what firmware left. The keyboard counts as dead if that does not end. */
static void drain(struct keyboard *k)
{
	unsigned left = DRAINED_MAX;

	while (has_output(k, 1) && !k->is_dead) {
		read_data(k);
		k->is_dead |= left-- == 0;
	}
}

static void set_command_byte(struct keyboard *k)
{
	uint8_t byte;

	write(k, I8042_COMMAND, I8042_READ_COMMAND_BYTE);
	if (!has_output(k, CONTROLLER_POLLS)) {
		k->is_dead = true;
		return;
	}
	byte = read_data(k);
	byte &= (uint8_t)~(I8042_COMMAND_BYTE_DISABLE_KEYBOARD
	                   | I8042_COMMAND_BYTE_KEYBOARD_INTERRUPT
	                   | I8042_COMMAND_BYTE_AUXILIARY_INTERRUPT);
	byte |= I8042_COMMAND_BYTE_TRANSLATE | I8042_COMMAND_BYTE_DISABLE_AUXILIARY;
	write(k, I8042_COMMAND, I8042_WRITE_COMMAND_BYTE);
	write(k, I8042_DATA, byte);
}

/*
 * Sends value to the keyboard; keys that come before its answer are lost. Returns false if the
 * keyboard did not accept it.
 */
static bool tell(struct keyboard *k, uint8_t value)
{
	write(k, I8042_DATA, value);
	for (uint32_t polls = KEYBOARD_POLLS; polls > 0 && !k->is_dead; polls--) {
		uint8_t status = read_status(k), data;

		if (!(status & I8042_STATUS_OUTPUT_FULL))
			continue;
		data = read_data(k);
		if (!(status & I8042_STATUS_AUXILIARY)
		    && (data == KEYBOARD_ACK || data == KEYBOARD_RESEND))
			return data == KEYBOARD_ACK;
	}
	return false;
}

/* Does nothing after the keyboard has once rejected the command. */
static void show_locks(struct keyboard *k)
{
	uint8_t leds = (uint8_t)((k->codes.has_caps_lock ? KEYBOARD_LED_CAPS_LOCK : 0)
	                         | (k->codes.has_num_lock ? KEYBOARD_LED_NUM_LOCK : 0));

	k->has_leds = k->has_leds && tell(k, KEYBOARD_SET_LEDS) && tell(k, leds);
}

bool keyboard_init(struct keyboard *k, const struct uart_bus *bus)
{
	*k = (struct keyboard){ .bus = bus, .has_leds = true };
	drain(k);
	write(k, I8042_COMMAND, I8042_DISABLE_KEYBOARD);
	write(k, I8042_COMMAND, I8042_DISABLE_AUXILIARY);
	drain(k);
	if (!k->is_dead)
		set_command_byte(k);
	write(k, I8042_COMMAND, I8042_ENABLE_KEYBOARD);
	if (k->is_dead)
		return false;
	if (tell(k, KEYBOARD_SELECT_SCAN_CODES))
		(void)tell(k, SCAN_CODE_SET);
	(void)tell(k, KEYBOARD_ENABLE);
	show_locks(k);
	return !k->is_dead;
}

int keyboard_get(struct keyboard *k)
{
	const struct scancodes before = k->codes;
	uint8_t status = read_status(k), data;
	int key;

	if (k->is_dead || !(status & I8042_STATUS_OUTPUT_FULL))
		return KEY_NONE;
	data = read_data(k);
	if (status & (I8042_STATUS_AUXILIARY | I8042_STATUS_TIMEOUT | I8042_STATUS_PARITY))
		return KEY_NONE;
	key = scancode_decode(&k->codes, data);
	if (k->codes.has_caps_lock != before.has_caps_lock
	    || k->codes.has_num_lock != before.has_num_lock)
		show_locks(k);
	return key;
}
