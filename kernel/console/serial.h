/* SPDX-License-Identifier: MIT */
/* A 16550-compatible UART, polled. No call here waits for ever, whatever the device does. */
#ifndef KERNEL_CONSOLE_SERIAL_H
#define KERNEL_CONSOLE_SERIAL_H

#include <stdbool.h>
#include <stdint.h>

#define UART_SPEED_MAX  115200U         /* bit/s: a PC's 1.8432 MHz clock, divided by 16 */
#define UART_SPEED_MIN  300U

/* How the registers of a UART are reached. reg is the register's number, 0 to 7. */
struct uart_bus {
	const char *name;
	uint8_t (*read)(uintptr_t base, unsigned reg);
	void (*write)(uintptr_t base, unsigned reg, uint8_t value);
	void (*pause)(void);    /* between reads of a UART that is busy for longer than its line */
};

extern const struct uart_bus uart_bus_io;       /* I/O ports base to base + 7 */
extern const struct uart_bus uart_bus_mmio;     /* bytes of memory base to base + 7 */
extern const struct uart_bus uart_bus_mmio32;   /* 32-bit words of memory base to base + 31 */

struct uart {
	const struct uart_bus *bus;
	uintptr_t base;
	uint32_t polls;         /* reads of LSR that outlast a character on the line */
	bool is_dead;           /* it stopped answering; nothing more is sent */
};

/*
 * Is there a UART at base that works? It must keep a byte in its scratch register and send itself
 * some in loop mode; nothing reaches the line. All registers get their values back. What is not
 * a UART may be written to at base + 7 (one byte, then put back).
 */
bool uart_is_present(const struct uart_bus *bus, uintptr_t base);

/*
 * Set a UART that is present to speed bit/s, 8 data bits, no parity, 1 stop bit, FIFOs on, no
 * interrupts, DTR and RTS active. speed: UART_SPEED_MIN or more, a divisor of UART_SPEED_MAX.
 */
void uart_init(struct uart *u, const struct uart_bus *bus, uintptr_t base, uint32_t speed);

/* Send c, and a carriage return before a line feed. A UART that takes it no more is dead then. */
void uart_put(struct uart *u, char c);

/* The next byte that was received, or -1: none waits, or the UART is dead. */
int uart_get(struct uart *u);

/* Wait until the last bit has left: what is in the transmitter is lost at power-off. */
void uart_drain(struct uart *u);

#endif
