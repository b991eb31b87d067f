/* SPDX-License-Identifier: MIT */
/* Drives a 16550-compatible UART by polling. Every wait is bounded, whatever the device does. */
#ifndef KERNEL_CONSOLE_SERIAL_H
#define KERNEL_CONSOLE_SERIAL_H

#include <stdbool.h>
#include <stdint.h>

#define UART_SPEED_MAX  115200U         /* bit/s: a PC's 1.8432 MHz clock, divided by 16 */
#define UART_SPEED_MIN  300U

/* Accesses the registers of a UART. reg is the register's number, 0 to 7. */
struct uart_bus {
	const char *name;
	uint8_t (*read)(uintptr_t base, unsigned reg);
	void (*write)(uintptr_t base, unsigned reg, uint8_t value);
	void (*pause)(void);    /* called between reads of a UART that stays busy */
};

extern const struct uart_bus uart_bus_io;       /* I/O ports base to base + 7 */
extern const struct uart_bus uart_bus_mmio;     /* bytes of memory base to base + 7 */
extern const struct uart_bus uart_bus_mmio32;   /* 32-bit words of memory base to base + 31 */

struct uart {
	const struct uart_bus *bus;
	uintptr_t base;
	uint32_t polls;         /* number of reads of LSR that outlast a character on the line */
	bool is_dead;           /* it stopped answering; nothing more is sent */
};

/*
 * Returns true if a working UART is at base. It must keep a byte in its scratch register and
 * receive in loop mode what it sends; nothing reaches the line. All registers get their values
 * back. A device that is not a UART may be written to at base + 7 (one byte, which is restored).
 */
bool uart_is_present(const struct uart_bus *bus, uintptr_t base);

/*
 * Sets a UART that is present to speed bit/s, 8 data bits, no parity, 1 stop bit, FIFOs on, no
 * interrupts, DTR and RTS active. speed is at least UART_SPEED_MIN and divides UART_SPEED_MAX.
 */
void uart_init(struct uart *u, const struct uart_bus *bus, uintptr_t base, uint32_t speed);

/*
 * Sends c, and a carriage return before a line feed. A UART that no longer takes characters is
 * marked as dead.
 */
void uart_put(struct uart *u, char c);

/* Returns the next received byte, or -1 if none waits or the UART is dead. */
int uart_get(struct uart *u);

/* Waits until the last bit has left, because the transmitter's content is lost at power-off. */
void uart_drain(struct uart *u);

#endif
