/* SPDX-License-Identifier: MIT */
/*
 * Machines with other devices than Bochs': ports that the kernel reads and writes are answered here
 * by a table, so that nothing of Bochs is changed. The firmware sees Bochs' own devices: a port is
 * taken over when code at 1 MB or above, which is the kernel's, uses it.
 *
 * PMU_PORTS in the environment has words: pit=gated, pit=off, pit=slow, i8042=off, uart=off,
 * rsdp=off.
 * With PMU_PORTS_LOG each port that the kernel writes to is named on standard error, once.
 */
#include "glue.h"
#include "iodev/iodev.h"
#include "pc_system.h"
#include "ports.h"

static const Bit32u KERNEL = 0x100000, KERNEL_END = 0xe0000000;
static const Bit8u NOTHING = 0xff;              /* what a bus without a device reads */

struct Device {
	Bit16u first, last;
	const char *word;
	Bit8u (*read)(Bit16u port);
	void (*write)(Bit16u port, Bit8u value);
};

/* ------------------------------------------------------------------------------- the 8254 */

/*
 * Channels 0 and 2 in mode 0, which is all that the kernel uses. `clocks` of them pass in a second:
 * none if the chip set has gated the 8254's clock.
 */
static const Bit16u PIT_COMMAND = 0x43, PORT_B = 0x61;
static const Bit8u PORT_B_OUTPUT2 = 1 << 5, STATUS_OUTPUT = 1 << 7, STATUS_NULL = 1 << 6;
static const Bit8u STOP_CHANNEL_0 = 0x30;       /* mode 0; no count follows */
static const Bit32u PIT_HZ = 1193182;

struct Channel {
	Bit64u start;
	Bit32u count, latch, written;
	bool is_started, is_latched, is_high_byte, is_status;
};

static struct Channel channels[3];
static Bit32u clocks;
static int irq0 = BX_NULL_TIMER_HANDLE;

static Bit64u ticks_a_second(void)
{
	return (Bit64u)SIM->get_param_num(BXPN_IPS)->get();
}

static Bit32u passed(const struct Channel *c)
{
	if (!c->is_started || !clocks)
		return 0;
	return (Bit32u)((bx_pc_system.time_ticks() - c->start) * clocks / ticks_a_second());
}

static bool output(const struct Channel *c)
{
	return c->is_started && passed(c) >= c->count;
}

static void raise_irq0(void *)
{
	DEV_pic_raise_irq(0);
}

static void begin_count(unsigned n)
{
	struct Channel *c = &channels[n];

	c->count = c->written ? c->written : 0x10000;
	c->start = bx_pc_system.time_ticks();
	c->is_started = true;
	if (n == 0 && clocks)
		bx_pc_system.activate_timer_ticks(
			irq0, c->count * ticks_a_second() / clocks + 1, false);
}

static void write_command(Bit8u value)
{
	unsigned n = value >> 6;

	if (value == 0xe2) {                    /* read-back of channel 0's status */
		channels[0].is_status = true;
	} else if (n < 3 && (value & 0x30) == 0) {
		channels[n].latch = (channels[n].count - passed(&channels[n])) & 0xffff;
		channels[n].is_latched = true;
	} else if (n < 3) {
		channels[n] = Channel();
		if (n == 0) {
			bx_pc_system.deactivate_timer(irq0);
			DEV_pic_lower_irq(0);
		}
	}
}

static void write_pit(Bit16u port, Bit8u value)
{
	struct Channel *c = &channels[port & 3];

	if (port == PORT_B)
		return bx_devices.outp(port, value, 1);
	if (port == PIT_COMMAND)
		return write_command(value);
	c->written = c->is_high_byte ? (c->written & 0xff) | value << 8 : value;
	if (c->is_high_byte)
		begin_count((unsigned)(port & 3));
	c->is_high_byte = !c->is_high_byte;
}

static Bit8u read_pit(Bit16u port)
{
	struct Channel *c = &channels[port & 3];

	if (port == PORT_B)
		return (Bit8u)((bx_devices.inp(port, 1) & ~PORT_B_OUTPUT2)
		               | (output(&channels[2]) ? PORT_B_OUTPUT2 : 0));
	if (port == PIT_COMMAND)
		return NOTHING;
	if (c->is_status) {
		c->is_status = false;
		return (output(c) ? STATUS_OUTPUT : 0)
		       | (c->is_started && clocks ? 0 : STATUS_NULL);
	}
	if (!c->is_latched)
		c->latch = (c->count - passed(c)) & 0xffff;
	c->is_latched = c->is_latched && !c->is_high_byte;
	c->is_high_byte = !c->is_high_byte;
	return (Bit8u)(c->is_high_byte ? c->latch : c->latch >> 8);
}

/* A gated 8254 takes no count: all that is written is swallowed. */
static void write_gated(Bit16u port, Bit8u value)
{
	if (port == PORT_B)
		bx_devices.outp(port, value, 1);
}

/* ------------------------------------------------------------------------------- the table */

static Bit8u read_nothing(Bit16u)               { return NOTHING; }
static void write_nothing(Bit16u, Bit8u)        { }

static const struct Device devices_of_words[] = {
	{ 0x40,   0x43,   "pit=gated", read_pit,     write_gated },
	{ PORT_B, PORT_B, "pit=gated", read_pit,     write_gated },
	{ 0x40,   0x43,   "pit=slow",  read_pit,     write_pit },
	{ PORT_B, PORT_B, "pit=slow",  read_pit,     write_pit },
	{ 0x40,   0x43,   "pit=off",   read_nothing, write_nothing },
	{ PORT_B, PORT_B, "pit=off",   read_nothing, write_nothing },
	{ 0x60,   0x60,   "i8042=off", read_nothing, write_nothing },
	{ 0x64,   0x64,   "i8042=off", read_nothing, write_nothing },
	{ 0x3f8,  0x3ff,  "uart=off",  read_nothing, write_nothing },
	{ 0x2f8,  0x2ff,  "uart=off",  read_nothing, write_nothing },
	{ 0x3e8,  0x3ef,  "uart=off",  read_nothing, write_nothing },
	{ 0x2e8,  0x2ef,  "uart=off",  read_nothing, write_nothing },
};

static bool is_asked_for(const char *word)
{
	const char *words = getenv("PMU_PORTS");

	return words && strstr(words, word);
}

/* The BIOS leaves the RSDP in the shadow of its ROM, which no processor may write to. */
static void remove_rsdp(void)
{
	static const char signature[] = "RSD PTR ";

	for (Bit32u at = 0xe0000; at < 0x100000; at += 16) {
		Bit8u *bytes = BX_MEM(0)->getHostMemAddr(BX_CPU(0), at, BX_READ);
		if (bytes && memcmp(bytes, signature, sizeof(signature) - 1) == 0)
			memset(bytes, 0, sizeof(signature) - 1);
	}
}

/* The kernel's first access to any port: what firmware needs is over. */
static void begin(void)
{
	static bool has_begun;

	if (has_begun)
		return;
	has_begun = true;
	clocks = is_asked_for("pit=slow") ? PIT_HZ / 2 : 0;
	if (is_asked_for("pit=")) {
		irq0 = bx_pc_system.register_timer_ticks(NULL, raise_irq0, 1, false, false, "8254");
		bx_devices.outp(PIT_COMMAND, STOP_CHANNEL_0, 1);
		DEV_pic_lower_irq(0);
	}
	if (is_asked_for("rsdp=off"))
		remove_rsdp();
}

static const struct Device *device_at(Bit16u port)
{
	begin();
	for (const struct Device &d : devices_of_words)
		if (port >= d.first && port <= d.last && is_asked_for(d.word))
			return &d;
	return NULL;
}

bool ports_are_ours(void)
{
	const char *words = getenv("PMU_PORTS");
	static const bool ours = (words && *words) || getenv("PMU_PORTS_LOG");

	return ours;
}

static bool is_kernels(Bit64u ip)
{
	return ip >= KERNEL && ip < KERNEL_END;
}

bool ports_read(Bit64u ip, Bit16u port, Bit8u *value)
{
	const struct Device *d = is_kernels(ip) ? device_at(port) : NULL;

	if (d)
		*value = d->read(port);
	return d != NULL;
}

static void log_write(Bit16u port)
{
	static bool was_logged[0x10000];

	if (!getenv("PMU_PORTS_LOG") || was_logged[port])
		return;
	was_logged[port] = true;
	fprintf(stderr, "model: the kernel writes to port %XH\n", (unsigned)port);
}

bool ports_write(Bit64u ip, Bit16u port, Bit8u value)
{
	const struct Device *d = is_kernels(ip) ? device_at(port) : NULL;

	if (is_kernels(ip))
		log_write(port);
	if (d)
		d->write(port, value);
	return d != NULL;
}
