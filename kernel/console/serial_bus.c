/* SPDX-License-Identifier: MIT */
#include <kernel/console/serial.h>

#include <arch/cpu/insn.h>

static uint8_t io_read(uintptr_t base, unsigned reg)
{
	return port_in8((uint16_t)(base + reg));
}

static void io_write(uintptr_t base, unsigned reg, uint8_t value)
{
	port_out8((uint16_t)(base + reg), value);
}

static uint8_t mmio_read(uintptr_t base, unsigned reg)
{
	return *(volatile uint8_t *)(base + reg);
}

static void mmio_write(uintptr_t base, unsigned reg, uint8_t value)
{
	*(volatile uint8_t *)(base + reg) = value;
}

static uint8_t mmio32_read(uintptr_t base, unsigned reg)
{
	return (uint8_t)mmio_read32(base + 4 * reg);
}

static void mmio32_write(uintptr_t base, unsigned reg, uint8_t value)
{
	mmio_write32(base + 4 * reg, value);
}

/*
 * This takes 10 us in QEMU, where each pause ends the processor's turn and lets the host's side of
 * the line run, and 1 to 4 us on hardware.
 */
#define PAUSES  64

static void pause(void)
{
	for (unsigned i = 0; i < PAUSES; i++)
		cpu_pause();
}

const struct uart_bus uart_bus_io     = { "io",     io_read,     io_write,     pause };
const struct uart_bus uart_bus_mmio   = { "mmio",   mmio_read,   mmio_write,   pause };
const struct uart_bus uart_bus_mmio32 = { "mmio32", mmio32_read, mmio32_write, pause };
