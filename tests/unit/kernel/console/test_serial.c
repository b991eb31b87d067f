/* SPDX-License-Identifier: MIT */
/* The UART driver with a fake device that can be absent, get stuck, or die at work. */
/* LINK: kernel/console/serial.c */
#include <kernel/console/serial.h>

#include <tests/unit/unit.h>

/* Typed from the PC16550D's data sheet, not taken from arch/regs, which the driver uses. */
enum { DATA, IER, FCR, LCR, MCR, LSR, MSR, SCR };
enum { DR = 0x01, THRE = 0x20, TEMT = 0x40, DLAB = 0x80, LOOP = 0x10 };

enum defect {
	NO_DEFECT,
	ABSENT_FF, ABSENT_00, ABSENT_ECHO,      /* ECHO: the bus holds the last byte written */
	NO_LOOP,                                /* has a scratch register and nothing else */
	CROSSED_BITS,                           /* the loop comes back with bit 3 stuck at 0 */
	STUCK,                                  /* THRE never comes */
	RECEIVES_FOREVER,                       /* DR stays set */
};

static struct fake {
	enum defect defect;
	unsigned polls_per_char;        /* reads of LSR while a character is on the line */
	unsigned dies_after;            /* characters on the line; 0: never */
	uint8_t dead_lsr;
	uint8_t ier, fcr, lcr, mcr, scr, dll, dlm, rbr, last;
	bool has_data;                  /* in rbr */
	bool has_loop;                  /* the character in transmission goes back to rbr */
	uint8_t loop;
	unsigned busy;                  /* reads of LSR until TEMT */
	bool has_next;                  /* THR holds a character after the one on the line */
	uint8_t next;
	char line[64];
	unsigned line_length, lost, accesses, stray, pauses;
} fake;

static void fake_start(enum defect defect)
{
	fake = (struct fake){
		.defect = defect, .polls_per_char = 10, .lcr = 0x00, .mcr = 0x0B, .ier = 0x05,
		.fcr = 0x01, .dll = 12, .scr = 0x77,
	};
}

static void fake_transmit(uint8_t value)
{
	fake.busy = fake.polls_per_char;
	if (fake.mcr & LOOP) {
		if (fake.defect == NO_LOOP)
			return;
		fake.loop = fake.defect == CROSSED_BITS ? value & 0xF7 : value;
		fake.has_loop = true;
	} else if (fake.line_length < sizeof(fake.line) - 1) {
		fake.line[fake.line_length++] = (char)value;
	}
}

/* Ends the character whose last bit has left. */
static void fake_arrive(void)
{
	if (fake.has_loop) {
		fake.rbr = fake.loop;
		fake.has_data = true;
	}
	fake.has_loop = false;
	if (fake.has_next)
		fake_transmit(fake.next);
	fake.has_next = false;
}

static bool fake_is_dead(void)
{
	return fake.dies_after && fake.line_length >= fake.dies_after;
}

static uint8_t fake_lsr(void)
{
	if (fake_is_dead())
		return fake.dead_lsr;
	if (fake.defect == STUCK)
		return 0;
	if (fake.busy && --fake.busy == 0)
		fake_arrive();
	return (uint8_t)((fake.has_next ? 0 : THRE) | (fake.busy ? 0 : TEMT) |
	                 (fake.has_data || fake.defect == RECEIVES_FOREVER ? DR : 0));
}

static uint8_t fake_read_register(unsigned reg)
{
	switch (reg) {
	case DATA:
		if (fake.lcr & DLAB)
			return fake.dll;
		fake.has_data = false;
		return fake.rbr;
	case IER:
		return fake.lcr & DLAB ? fake.dlm : fake.ier;
	case FCR:
		return fake.fcr & 1 ? 0xC1 : 0x01;
	case LCR:
		return fake.lcr;
	case MCR:
		return fake.mcr;
	case LSR:
		return fake_lsr();
	case MSR:
		return 0;
	default:
		return fake.scr;
	}
}

static uint8_t fake_read(uintptr_t base, unsigned reg)
{
	fake.accesses++;
	fake.stray += base != 0x3F8 || reg > SCR;
	switch (fake.defect) {
	case ABSENT_FF:
		return 0xFF;
	case ABSENT_00:
		return 0x00;
	case ABSENT_ECHO:
		return fake.last;
	default:
		return fake_read_register(reg);
	}
}

static void fake_write_data(uint8_t value)
{
	if (fake.lcr & DLAB) {
		fake.dll = value;
	} else if (!fake.busy) {
		fake_transmit(value);
	} else {
		fake.lost += fake.has_next;
		fake.next = value;
		fake.has_next = true;
	}
}

static void fake_write(uintptr_t base, unsigned reg, uint8_t value)
{
	uint8_t *const plain[] = { NULL, &fake.ier, &fake.fcr, &fake.lcr, &fake.mcr, NULL, NULL,
	                           &fake.scr };

	fake.accesses++;
	fake.stray += base != 0x3F8 || reg > SCR;
	fake.last = value;
	if (reg == DATA)
		fake_write_data(value);
	else if (reg == IER && fake.lcr & DLAB)
		fake.dlm = value;
	else if (plain[reg])
		*plain[reg] = value;
}

static void fake_pause(void)
{
	fake.pauses++;
}

static const struct uart_bus fake_bus = { "fake", fake_read, fake_write, fake_pause };

static bool is_present(enum defect defect)
{
	fake_start(defect);
	return uart_is_present(&fake_bus, 0x3F8);
}

static void send(struct uart *u, const char *text)
{
	while (*text)
		uart_put(u, *text++);
}

UNIT_TEST(a_working_uart_is_present)
{
	check_true("is present", is_present(NO_DEFECT));
	check_eq_u64("characters on the line", fake.line_length, 0);
	check_eq_u64("accesses outside of its registers", fake.stray, 0);
}

UNIT_TEST(probing_restores_every_register)
{
	fake_start(NO_DEFECT);
	fake.lcr = 0x1B;
	fake.dlm = 0x02;
	check_true("is present", uart_is_present(&fake_bus, 0x3F8));
	check_eq_u64("LCR", fake.lcr, 0x1B);
	check_eq_u64("MCR", fake.mcr, 0x0B);
	check_eq_u64("IER", fake.ier, 0x05);
	check_eq_u64("DLL", fake.dll, 12);
	check_eq_u64("DLM", fake.dlm, 0x02);
	check_eq_u64("SCR", fake.scr, 0x77);
	check_eq_u64("FCR, FIFOs enabled", fake.fcr & 1, 1);
}

UNIT_TEST(probing_restores_the_divisor_latch_access_bit)
{
	fake_start(NO_DEFECT);
	fake.lcr = DLAB | 0x03;
	check_true("is present", uart_is_present(&fake_bus, 0x3F8));
	check_eq_u64("LCR", fake.lcr, DLAB | 0x03);
	check_eq_u64("IER", fake.ier, 0x05);
	check_eq_u64("DLL", fake.dll, 12);
}

UNIT_TEST(probing_waits_for_characters_under_way)
{
	fake_start(NO_DEFECT);
	fake_transmit('a');
	fake_write_data('b');
	check_true("is present", uart_is_present(&fake_bus, 0x3F8));
	check_str("line", fake.line, "ab");
}

UNIT_TEST(probing_is_not_misled_by_received_characters)
{
	fake_start(NO_DEFECT);
	fake.rbr = 'x';
	fake.has_data = true;
	check_true("is present", uart_is_present(&fake_bus, 0x3F8));
}

UNIT_TEST(what_is_no_uart_is_absent)
{
	check_true("floating bus, FFH", !is_present(ABSENT_FF));
	check_true("FFH: is found out in a few accesses", fake.accesses < 10);
	check_true("bus that reads 00H", !is_present(ABSENT_00));
	check_true("00H: is found out in a few accesses", fake.accesses < 10);
	check_true("bus that echoes", !is_present(ABSENT_ECHO));
	check_true("scratch register only", !is_present(NO_LOOP));
	check_true("a bit is lost in the loop", !is_present(CROSSED_BITS));
}

/* A read takes about 1 us on ISA: 2 million are 2 seconds, for a broken device. */
UNIT_TEST(probing_a_stuck_uart_ends)
{
	check_true("transmitter never empty", !is_present(STUCK));
	check_true("accesses are bounded", fake.accesses < 2000000);
	check_true("receiver never empty", !is_present(RECEIVES_FOREVER));
	check_true("accesses are bounded", fake.accesses < 2000000);
}

UNIT_TEST(init_sets_the_line)
{
	struct uart u;

	fake_start(NO_DEFECT);
	fake.lcr = 0x40;
	uart_init(&u, &fake_bus, 0x3F8, 115200);
	check_eq_u64("LCR: 8 data bits, no parity, 1 stop bit, DLAB = 0", fake.lcr, 0x03);
	check_eq_u64("DLL", fake.dll, 1);
	check_eq_u64("DLM", fake.dlm, 0);
	check_eq_u64("IER", fake.ier, 0);
	check_eq_u64("FCR: FIFOs enabled and reset", fake.fcr, 0x07);
	check_eq_u64("MCR: DTR and RTS", fake.mcr, 0x03);
}

UNIT_TEST(init_divides_the_clock)
{
	struct uart u;

	fake_start(NO_DEFECT);
	uart_init(&u, &fake_bus, 0x3F8, 9600);
	check_eq_u64("9600: DLL", fake.dll, 12);
	uart_init(&u, &fake_bus, 0x3F8, 300);
	check_eq_u64("300: DLL", fake.dll, 384 & 0xFF);
	check_eq_u64("300: DLM", fake.dlm, 384 >> 8);
}

UNIT_TEST(text_arrives_whole)
{
	struct uart u;

	fake_start(NO_DEFECT);
	uart_init(&u, &fake_bus, 0x3F8, 115200);
	send(&u, "ok 1\nok 2\n");
	uart_drain(&u);
	check_str("line", fake.line, "ok 1\r\nok 2\r\n");
	check_eq_u64("characters written over others", fake.lost, 0);
	check_eq_u64("characters still under way", fake.busy + fake.has_next, 0);
	check_true("lives", !u.is_dead);
}

/* 10 bits at 300 bit/s are 33 ms; the fastest read that seems possible takes 1 ns. */
UNIT_TEST(the_slowest_line_is_not_taken_for_dead)
{
	struct uart u;

	fake_start(NO_DEFECT);
	fake.polls_per_char = 33000000;
	uart_init(&u, &fake_bus, 0x3F8, 300);
	send(&u, "abc");
	uart_drain(&u);
	check_str("line", fake.line, "abc");
	check_true("lives", !u.is_dead);
	check_eq_u64("pauses", fake.pauses, 0);
}

/* A host's pipe is full for 800 ms, at 1 us per read. */
UNIT_TEST(a_blocked_host_is_not_taken_for_dead)
{
	struct uart u;

	fake_start(NO_DEFECT);
	fake.polls_per_char = 800000;
	uart_init(&u, &fake_bus, 0x3F8, 115200);
	send(&u, "abc");
	uart_drain(&u);
	check_str("line", fake.line, "abc");
	check_true("lives", !u.is_dead);
	check_true("lets the host work", fake.pauses > 100000);
}

static void check_death(const char *how, uint8_t dead_lsr, unsigned accesses)
{
	struct uart u;

	fake_start(NO_DEFECT);
	fake.dies_after = 3;
	fake.dead_lsr = dead_lsr;
	uart_init(&u, &fake_bus, 0x3F8, 115200);
	send(&u, "abcdefgh\n");
	uart_drain(&u);
	check_true(how, u.is_dead);
	check_str("line until then", fake.line, "abc");
	check_true("accesses are bounded", fake.accesses < accesses);
	fake.accesses = 0;
	send(&u, "more\n");
	uart_drain(&u);
	check_eq_u64("accesses to a dead UART", fake.accesses, 0);
}

UNIT_TEST(a_uart_that_dies_is_given_up)
{
	check_death("never ready any more", 0x00, 2000000);
	check_death("vanished", 0xFF, 100);
}

UNIT_TEST(draining_a_stuck_transmitter_ends)
{
	struct uart u;

	fake_start(NO_DEFECT);
	uart_init(&u, &fake_bus, 0x3F8, 115200);
	fake.defect = STUCK;
	fake.accesses = 0;
	uart_drain(&u);
	check_true("waited at all", fake.accesses > 1000);
	check_true("accesses are bounded", fake.accesses < 4000000);
}

UNIT_MAIN()
