/* SPDX-License-Identifier: MIT */
#include <kernel/console/serial.h>

#include <stddef.h>

#include <arch/regs/uart.h>

/*
 * The bounds of waiting are counted in reads of LSR, because no timer is known to work when the
 * console starts. A read takes about 1 us on ISA and LPC, some microseconds in a virtual machine,
 * and in an emulator as long as the emulated processor takes for the loop. Assuming only 1 ns, this
 * many reads outlast a character on the line: start bit, 8 data bits, stop bit.
 */
#define BITS_PER_CHARACTER  10U
#define READS_PER_SECOND    1000000000U

/* Suffices for a line that firmware left at any speed: a second on ISA. */
#define PROBE_POLLS         1000000U

/*
 * A virtual UART is also busy while its host's pipe is full: until the host schedules the reader.
 * QEMU reads LSR in 50 ns, so a million reads are over before a busy host runs the reader at all.
 * So a pause precedes each of these reads, long in an emulator and short on hardware
 * (serial_bus.c). This many last 10 s in QEMU and 5 s on ISA; the UART counts as dead after one
 * such wait.
 */
#define PATIENT_POLLS       1000000U

#define FLOATING            0xFF        /* read from a bus on which no device answers */
#define RECEIVE_FIFO_MAX    256U        /* the deepest FIFO of the 16550's relatives */

#define LCR_8N1             ((uint8_t)FIELD_PUT(UART_LCR_WORD_LENGTH, 3))

struct saved_registers {
	uint8_t lcr, ier, mcr, dll, dlm;
	bool has_fifos_on;
};

static uint8_t read_register(const struct uart *u, unsigned reg)
{
	return u->bus->read(u->base, reg);
}

static void write_register(const struct uart *u, unsigned reg, uint8_t value)
{
	u->bus->write(u->base, reg, value);
}

static uint32_t polls_per_character(uint32_t speed)
{
	return READS_PER_SECOND / speed * BITS_PER_CHARACTER;
}

/*
 * Returns true if LSR shows status within so many reads. Returns false at once if no device
 * answers.
 */
static bool has_status(const struct uart *u, uint8_t status, uint32_t polls, void (*pause)(void))
{
	for (; polls > 0; polls--) {
		uint8_t lsr;

		if (pause)
			pause();
		lsr = read_register(u, UART_LSR);
		if (lsr == FLOATING)
			return false;
		if (lsr & status)
			return true;
	}
	return false;
}

/* Leaves 8N1 in LCR. Its old value cannot be kept, because Bochs starts with 5 data bits. */
static void set_divisor(const struct uart *u, uint8_t dll, uint8_t dlm)
{
	write_register(u, UART_LCR, UART_LCR_DLAB | LCR_8N1);
	write_register(u, UART_DLL, dll);
	write_register(u, UART_DLM, dlm);
	write_register(u, UART_LCR, LCR_8N1);
}

static bool keeps_byte(const struct uart *u, uint8_t value)
{
	write_register(u, UART_SCR, value);
	return read_register(u, UART_SCR) == value;
}

/*
 * Tests cheaply, to spare other devices the rest of the probe. An empty bus that echoes what was
 * written passes, too.
 */
static bool has_scratch_register(const struct uart *u)
{
	uint8_t old = read_register(u, UART_SCR);
	bool is_kept = keeps_byte(u, 0x5A) && keeps_byte(u, 0xA5);

	write_register(u, UART_SCR, old);
	return is_kept;
}

static void save_registers(const struct uart *u, struct saved_registers *saved)
{
	saved->lcr = read_register(u, UART_LCR);
	write_register(u, UART_LCR, saved->lcr & (uint8_t)~UART_LCR_DLAB);
	saved->ier = read_register(u, UART_IER);
	saved->mcr = read_register(u, UART_MCR);
	saved->has_fifos_on =
		FIELD_GET(UART_IIR_FIFOS_ENABLED, read_register(u, UART_IIR)) == 3;
	write_register(u, UART_LCR, saved->lcr | UART_LCR_DLAB);
	saved->dll = read_register(u, UART_DLL);
	saved->dlm = read_register(u, UART_DLM);
}

static void restore_registers(const struct uart *u, const struct saved_registers *saved)
{
	set_divisor(u, saved->dll, saved->dlm);
	write_register(u, UART_FCR, saved->has_fifos_on ? UART_FCR_FIFO_ENABLE : 0);
	write_register(u, UART_MCR, saved->mcr);
	write_register(u, UART_IER, saved->ier);
	write_register(u, UART_LCR, saved->lcr);
}

/* Enters loop mode at full speed, without FIFOs, so that a sent character is received at once. */
static void enter_loop_mode(const struct uart *u)
{
	unsigned left = RECEIVE_FIFO_MAX;

	set_divisor(u, 1, 0);
	write_register(u, UART_IER, 0);
	write_register(u, UART_FCR, 0);
	write_register(u, UART_MCR, UART_MCR_LOOP);
	while (left-- > 0 && read_register(u, UART_LSR) & UART_LSR_DR)
		read_register(u, UART_RBR);
}

static bool is_looped_back(const struct uart *u, uint8_t value)
{
	uint32_t polls = polls_per_character(UART_SPEED_MAX);

	if (!has_status(u, UART_LSR_THRE, polls, NULL))
		return false;
	write_register(u, UART_THR, value);
	return has_status(u, UART_LSR_DR, polls, NULL) && read_register(u, UART_RBR) == value;
}

bool uart_is_present(const struct uart_bus *bus, uintptr_t base)
{
	struct uart u = { .bus = bus, .base = base };
	struct saved_registers saved;
	bool is_present;

	if (!has_scratch_register(&u))
		return false;
	/*
	 * Otherwise the firmware's last characters would be cut off, or would be received as ours.
	 */
	(void)has_status(&u, UART_LSR_TEMT, PROBE_POLLS, NULL);
	save_registers(&u, &saved);
	enter_loop_mode(&u);
	is_present = is_looped_back(&u, 0x00) && is_looped_back(&u, 0xFF) &&
	             is_looped_back(&u, 0x55) && is_looped_back(&u, 0xAA);
	restore_registers(&u, &saved);
	return is_present;
}

void uart_init(struct uart *u, const struct uart_bus *bus, uintptr_t base, uint32_t speed)
{
	uint32_t divisor = UART_SPEED_MAX / speed;

	u->bus = bus;
	u->base = base;
	u->polls = polls_per_character(speed);
	u->is_dead = false;
	set_divisor(u, (uint8_t)divisor, (uint8_t)(divisor >> 8));
	write_register(u, UART_IER, 0);
	write_register(u, UART_FCR,
	               UART_FCR_FIFO_ENABLE | UART_FCR_RCVR_RESET | UART_FCR_XMIT_RESET);
	write_register(u, UART_MCR, UART_MCR_DTR | UART_MCR_RTS);
}

/* Polls as fast as a real line needs, then as long as a host may take. */
static bool has_status_at_last(const struct uart *u, uint8_t status, uint32_t polls)
{
	return has_status(u, status, polls, NULL)
	       || has_status(u, status, PATIENT_POLLS, u->bus->pause);
}

static void send(struct uart *u, uint8_t value)
{
	if (u->is_dead)
		return;
	if (has_status_at_last(u, UART_LSR_THRE, u->polls))
		write_register(u, UART_THR, value);
	else
		u->is_dead = true;
}

void uart_put(struct uart *u, char c)
{
	if (c == '\n')
		send(u, '\r');
	send(u, (uint8_t)c);
}

int uart_get(struct uart *u)
{
	uint8_t lsr = u->is_dead ? FLOATING : read_register(u, UART_LSR);

	return lsr != FLOATING && lsr & UART_LSR_DR ? read_register(u, UART_RBR) : -1;
}

void uart_drain(struct uart *u)
{
	/*
	 * At most two characters are under way, because send() waits for an empty holding register.
	 */
	if (!u->is_dead)
		(void)has_status_at_last(u, UART_LSR_TEMT, 2 * u->polls);
}
