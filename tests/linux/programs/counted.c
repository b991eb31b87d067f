/* SPDX-License-Identifier: MIT */
/*
 * A program for perf and rr to run, whose loop has known counts, and which also copies text to the
 * serial line, because Linux' driver waits for an interrupt that Bochs sometimes loses:
 *
 *   counted loop TURNS   runs the loop of loops.asm
 *   counted mix TURNS    runs that with loads, stores, a call
 *   counted where        prints the addresses of the loop's first instruction and of its end
 *   counted say          copies its standard input to the UART
 *   counted end          the same, then ends the emulator
 */
#include <stdarg.h>
#include <arch/regs/uart.h>
#include <kernel/lib/format.h>
#include <tests/linux/system.h>

enum { COM1 = 0x3f8, PORT_BOCHS_EXIT = 0x8900, STANDARD_INPUT = 0, STANDARD_OUTPUT = 1 };

void loop_turns(unsigned long turns);
void mix_turns(unsigned long turns);
extern const char loop_first[], loop_end[];

static void put(void *unused, char c)
{
	(void)unused;
	while (!(in_byte(COM1 + UART_LSR) & UART_LSR_THRE))
		;
	out_byte(COM1, c);
}

__attribute__((format(printf, 1, 2)))
static void print(const char *format, ...)
{
	char text[80];
	va_list arguments;

	va_start(arguments, format);
	system_call(__NR_write, STANDARD_OUTPUT, (long)text,
	            format_vbuf(text, sizeof text, format, arguments), 0, 0);
	va_end(arguments);
}

static void say(void)
{
	char text[4096];
	long got;

	system_call(__NR_iopl, 3, 0, 0, 0, 0);
	while ((got = system_call(__NR_read, STANDARD_INPUT, (long)text, sizeof text, 0, 0)) > 0)
		for (long i = 0; i < got; i++)
			put(NULL, text[i]);
	while (!(in_byte(COM1 + UART_LSR) & UART_LSR_TEMT))
		;
}

static void end(void)
{
	say();
	for (const char *c = "Shutdown"; *c; c++)
		out_byte(PORT_BOCHS_EXIT, *c);
	for (;;)
		;
}

static unsigned long number(const char *text)
{
	unsigned long value = 0;

	for (; *text >= '0' && *text <= '9'; text++)
		value = value * 10 + (unsigned long)(*text - '0');
	return value;
}

/* words: argc, then argv. */
void program(const long *words);
void program(const long *words)
{
	const char *const *argv = (const char *const *)(words + 1);
	char what = words[0] > 1 ? argv[1][0] : '\0';

	if (what == 'l' && words[0] == 3)
		loop_turns(number(argv[2]));
	else if (what == 'm' && words[0] == 3)
		mix_turns(number(argv[2]));
	else if (what == 'w')
		print("%lx %lx\n", (unsigned long)loop_first, (unsigned long)loop_end);
	else if (what == 's')
		say();
	else if (what == 'e')
		end();
	system_call(__NR_exit_group, 0, 0, 0, 0, 0);
}
