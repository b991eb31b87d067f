/* SPDX-License-Identifier: MIT */
/* Good and bad values of console=. */
/* LINK: kernel/console/console_choice.c */
#include <kernel/console/console.h>

#include <tests/unit/unit.h>

static void check_good(const char *text, enum console_kind kind, uintptr_t base, uint32_t speed)
{
	struct console_choice choice;

	if (!check_str(text, console_choice_parse(text, &choice), NULL))
		return;
	check_eq_u64(text, choice.kind, kind);
	check_eq_u64(text, choice.base, base);
	check_eq_u64(text, choice.speed, speed);
}

static void check_bad(const char *text, const char *problem)
{
	struct console_choice choice;

	check_str(text, console_choice_parse(text, &choice), problem);
}

UNIT_TEST(com_ports)
{
	check_good("com1", CONSOLE_IO, 0x3F8, 115200);
	check_good("com2", CONSOLE_IO, 0x2F8, 115200);
	check_good("com3", CONSOLE_IO, 0x3E8, 115200);
	check_good("com4", CONSOLE_IO, 0x2E8, 115200);
	check_good("com2,9600", CONSOLE_IO, 0x2F8, 9600);
	check_good("com1,0x2580", CONSOLE_IO, 0x3F8, 9600);
}

UNIT_TEST(io_ports)
{
	check_good("io,0x2f0", CONSOLE_IO, 0x2F0, 115200);
	check_good("io,1016,57600", CONSOLE_IO, 0x3F8, 57600);
	check_good("io,0XFFF8,300", CONSOLE_IO, 0xFFF8, 300);
	check_good("io,8", CONSOLE_IO, 8, 115200);
}

UNIT_TEST(memory)
{
	check_good("mmio,0xfedc9000,115200", CONSOLE_MMIO, 0xFEDC9000, 115200);
	check_good("mmio,4275867648,19200", CONSOLE_MMIO, 0xFEDC9000, 19200);
	check_good("mmio32,0x91A1f004,38400", CONSOLE_MMIO32, 0x91A1F004, 38400);
	check_good("mmio,0x0000000000000000fedc9000,115200", CONSOLE_MMIO, 0xFEDC9000, 115200);
}

UNIT_TEST(no_uart)
{
	check_good("none", CONSOLE_NONE, 0, 115200);
	check_good("debug", CONSOLE_DEBUG, 0, 115200);
}

UNIT_TEST(unknown_words)
{
	const char *unknown = "it is none of com1 to com4, io,PORT, mmio,ADDRESS,SPEED, "
	                      "mmio32,ADDRESS,SPEED, debug, none";

	check_bad("", unknown);
	check_bad(",", unknown);
	check_bad("com", unknown);
	check_bad("com0", unknown);
	check_bad("com5", unknown);
	check_bad("com11", unknown);
	check_bad("COM1", unknown);
	check_bad("none,9600", unknown);
	check_bad("debug,9600", unknown);
	check_bad("nones", unknown);
	check_bad("vga", unknown);
	check_bad("mmio3,0x1000,9600", unknown);
	check_bad("io0x3f8", unknown);
}

UNIT_TEST(missing_numbers)
{
	check_bad("io", "a number is missing");
	check_bad("io,", "a number is missing");
	check_bad("io,,9600", "a number is missing");
	check_bad("io,0x3f8,", "a number is missing");
	check_bad("com1,", "a number is missing");
	check_bad("mmio,0xfedc9000", "the speed is missing");
	check_bad("mmio32,0xfedc9000", "the speed is missing");
}

UNIT_TEST(no_numbers)
{
	check_bad("io,3f8", "not a number");
	check_bad("io,0x", "not a number");
	check_bad("io,0x,9600", "not a number");
	check_bad("io,0x3g8", "not a number");
	check_bad("io,-8", "not a number");
	check_bad("io, 8", "not a number");
	check_bad("com1,fast", "not a number");
	check_bad("com1,9600 ", "not a number");
	check_bad("com1,9600n8", "not a number");
}

UNIT_TEST(numbers_that_no_computer_holds)
{
	check_bad("io,0x10000000000000000", "the number is too large");
	check_bad("io,0x100000000000003f8", "the number is too large");
	check_bad("io,99999999999999999999999", "the number is too large");
	check_bad("com1,18446744073709561216", "the number is too large");      /* 2^64 + 9600 */
}

UNIT_TEST(wrong_ports)
{
	const char *wrong = "the port is not a multiple of 8 from 8 to 0xFFF8";

	check_bad("io,0", wrong);
	check_bad("io,0x3f9", wrong);
	check_bad("io,0xffff", wrong);
	check_bad("io,0x10000", wrong);
	check_bad("io,0x103f8,9600", wrong);
	check_bad("io,0x1000003f8", wrong);
}

UNIT_TEST(wrong_addresses)
{
	const char *mmio = "the address is 0, not a multiple of 8 "
	                   "or beyond the reach of this kernel";
	const char *mmio32 = "the address is 0, not a multiple of 4 "
	                     "or beyond the reach of this kernel";

	check_bad("mmio,0,9600", mmio);
	check_bad("mmio,0xfedc9004,9600", mmio);
	check_bad("mmio32,0x0,9600", mmio32);
	check_bad("mmio32,0xfedc9002,9600", mmio32);
	check_bad("mmio32,0xffffffffffffffe4,9600", mmio32);    /* 8 registers do not fit */
#if UINTPTR_MAX < UINT64_MAX
	check_bad("mmio,0x100000000,9600", mmio);
	check_bad("mmio32,0xffffffe4,9600", mmio32);
#endif
}

UNIT_TEST(wrong_speeds)
{
	const char *wrong = "the speed is not 115200 or a divisor of it from 300";

	check_bad("com1,0", wrong);
	check_bad("com1,110", wrong);
	check_bad("com1,288", wrong);
	check_bad("com1,14401", wrong);
	check_bad("com1,115201", wrong);
	check_bad("com1,230400", wrong);
	check_bad("com1,4294976896", wrong);    /* 2^32 + 9600 */
	check_bad("mmio,0xfedc9000,12345", wrong);
}

UNIT_TEST(nothing_may_follow)
{
	check_bad("com1,9600,8n1", "something follows the speed");
	check_bad("io,0x3f8,9600,", "something follows the speed");
	check_bad("mmio,0xfedc9000,9600,9600", "something follows the speed");
}

UNIT_MAIN()
