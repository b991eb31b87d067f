/* SPDX-License-Identifier: MIT */
#include <kernel/console/console.h>

#include <stdarg.h>
#include <stddef.h>

#include <arch/cpu/insn.h>
#include <arch/cpu/self.h>
#include <arch/regs/multiboot.h>
#include <kernel/console/font.h>
#include <kernel/console/framebuffer.h>
#include <kernel/console/screen.h>
#include <kernel/console/serial.h>
#include <kernel/console/vga.h>
#include <kernel/lib/check.h>
#include <kernel/lib/format.h>

/*
 * Suffices for 1920 x 1080 pixels in cells of 8 x 16, and 3840 x 2160 in cells of 16 x 32; the rest
 * of a larger screen stays black.
 */
enum { COLUMNS_MAX = FRAMEBUFFER_COLUMNS_MAX, ROWS_MAX = 67, PROBLEM_SIZE = 256 };

static SHARED struct console_output outputs[CONSOLE_OUTPUTS_MAX];
static SHARED struct flow flows[CONSOLE_OUTPUTS_MAX];  /* of the outputs */
static SHARED unsigned output_count;

static SHARED struct uart uarts[CONSOLE_UARTS_MAX];
static SHARED unsigned uart_count;

static SHARED struct screen screen;
static SHARED uint16_t screen_cells[COLUMNS_MAX * (ROWS_MAX + 1)];
static SHARED struct vga vga;
static SHARED struct framebuffer framebuffer;

static SHARED char problem[PROBLEM_SIZE];
static SHARED unsigned problem_length;

static const uint16_t ports[CONSOLE_UARTS_MAX] = { 0x3F8, 0x2F8, 0x3E8, 0x2E8 };  /* COM1 to COM4 */

static const struct uart_bus *const buses[] = {          /* NULL: not a UART */
	[CONSOLE_IO]     = &uart_bus_io,
	[CONSOLE_MMIO]   = &uart_bus_mmio,
	[CONSOLE_MMIO32] = &uart_bus_mmio32,
};

static void put_problem(void *ctx, char c)
{
	(void)ctx;
	if (problem_length < PROBLEM_SIZE - 1)
		problem[problem_length++] = c;
}

__attribute__((format(printf, 1, 2)))
static void add_problem(const char *fmt, ...)
{
	va_list args;

	if (problem_length) {
		put_problem(NULL, ';');
		put_problem(NULL, ' ');
	}
	va_start(args, fmt);
	format_to(put_problem, NULL, fmt, args);
	va_end(args);
}

const char *console_problem(void)
{
	return problem_length ? problem : NULL;
}

void console_add_output(const struct console_output *output)
{
	if (output_count == CONSOLE_OUTPUTS_MAX) {
		add_problem("there is no room for the output %s", output->name);
		return;
	}
	flows[output_count] = (struct flow){ .put = output->put, .ctx = output->ctx };
	outputs[output_count++] = *output;
}

static void uart_output_put(void *ctx, char c)
{
	uart_put(ctx, c);
}

static void uart_output_flush(void *ctx)
{
	uart_drain(ctx);
}

/* A line that was chosen twice must not print everything twice. */
static bool is_in_use(const struct uart_bus *bus, uintptr_t base)
{
	for (unsigned i = 0; i < uart_count; i++)
		if (uarts[i].bus == bus && uarts[i].base == base)
			return true;
	return false;
}

static struct uart *start_uart(const struct uart_bus *bus, uintptr_t base, uint32_t speed)
{
	struct uart *u = &uarts[uart_count++];

	uart_init(u, bus, base, speed);
	return u;
}

int console_receive(unsigned line)
{
	return line < uart_count ? uart_get(&uarts[line]) : -1;
}

static void add_uart(const struct uart_bus *bus, uintptr_t base, uint32_t speed)
{
	struct uart *u = start_uart(bus, base, speed);

	console_add_output(&(struct console_output){
		.name = "serial line", .put = uart_output_put, .flush = uart_output_flush, .ctx = u,
		.has_reader = true,
	});
}

/*
 * Port E9H, which reads as its own number: Bochs' port_e9_hack, QEMU's isa-debugcon. It takes a
 * character at once, while an emulated UART makes the guest wait for its speed. Input comes from
 * COM1 instead, if that exists.
 */
enum { DEBUG_PORT = 0xE9 };

static void debug_output_put(void *ctx, char c)
{
	(void)ctx;
	port_out8(DEBUG_PORT, (uint8_t)c);
}

static void use_debug_console(void)
{
	if (port_in8(DEBUG_PORT) != DEBUG_PORT) {
		add_problem("no debug console answers at 0x%x", DEBUG_PORT);
		return;
	}
	console_add_output(&(struct console_output){
		.name = "debug console", .put = debug_output_put, .has_reader = true,
	});
	if (!uart_count && uart_is_present(&uart_bus_io, ports[0]))
		start_uart(&uart_bus_io, ports[0], UART_SPEED_MAX);
}

static void use_choice(const struct console_choice *choice)
{
	const struct uart_bus *bus = buses[choice->kind];
	unsigned long base = (unsigned long)choice->base;

	if (choice->kind == CONSOLE_DEBUG)
		use_debug_console();
	if (!bus || is_in_use(bus, choice->base))
		return;
	if (uart_count == CONSOLE_UARTS_MAX)
		add_problem("there is no room for the serial line at %s 0x%lx", bus->name, base);
	else if (!uart_is_present(bus, choice->base))
		add_problem("no UART answers at %s 0x%lx, the chosen console",
		            bus->name, base);
	else
		add_uart(bus, choice->base, choice->speed);
}

static void use_every_line(void)
{
	for (unsigned i = 0; i < CONSOLE_UARTS_MAX; i++)
		if (uart_is_present(&uart_bus_io, ports[i]))
			add_uart(&uart_bus_io, ports[i], UART_SPEED_MAX);
}

static SHARED bool is_taken;            /* the screen does not show the text */

static void screen_output_put(void *ctx, char c)
{
	if (!is_taken)
		screen_put(ctx, c);
}

struct screen *console_take_screen(void)
{
	if (!screen.cells)
		return NULL;
	if (!is_taken)
		screen_blank(&screen);
	is_taken = true;
	return &screen;
}

void console_return_screen(void)
{
	if (!is_taken)
		return;
	screen_blank(&screen);
	screen_init(&screen);
	is_taken = false;
}

/*
 * Device memory is slow, in emulators and, because it is not cached, on hardware: a screen that is
 * redrawn for every line takes longer than the tests. So it scrolls by a quarter of its height.
 */
static void add_screen(unsigned columns, unsigned rows)
{
	screen.cells = screen_cells;
	screen.columns = columns < COLUMNS_MAX ? columns : COLUMNS_MAX;
	screen.rows = rows < ROWS_MAX ? rows : ROWS_MAX;
	screen.scroll_rows = (screen.rows + 3) / 4;
	screen_init(&screen);
	console_add_output(&(struct console_output){
		.name = "screen", .put = screen_output_put, .ctx = &screen,
	});
}

struct screen *console_screen(bool *is_alone)
{
	*is_alone = true;
	for (unsigned i = 0; i < output_count; i++)
		*is_alone = *is_alone && !outputs[i].has_reader;
	return screen.cells ? &screen : NULL;
}

static void use_text_screen(const struct framebuffer_info *info)
{
	const char *wrong = vga_init(&vga, info);

	if (wrong) {
		add_problem("%s", wrong);
		return;
	}
	screen.draw = vga_draw;
	screen.draw_cursor = vga_draw_cursor;
	screen.ctx = &vga;
	add_screen(vga.columns, vga.rows);
}

static void use_framebuffer(const struct framebuffer_info *info)
{
	const char *wrong = framebuffer_init(&framebuffer, info);

	if (wrong) {
		add_problem("%s", wrong);
		return;
	}
	screen.draw = framebuffer_draw;
	screen.draw_cursor = framebuffer_draw_cursor;
	screen.ctx = &framebuffer;
	add_screen(framebuffer.width / FONT_WIDTH / framebuffer.scale,
	           framebuffer.height / FONT_HEIGHT / framebuffer.scale);
}

static void use_screens(const struct bootinfo *boot)
{
	if (!boot->has_framebuffer) {
		if (!boot->is_efi)      /* machines with EFI firmware may lack a VGA */
			use_text_screen(NULL);
	} else if (boot->framebuffer.type == MULTIBOOT_FRAMEBUFFER_TYPE_EGA_TEXT) {
		use_text_screen(&boot->framebuffer);
	} else {
		use_framebuffer(&boot->framebuffer);
	}
}

void console_init(const struct bootinfo *boot,
                  const struct console_choice *choices, unsigned count)
{
	use_screens(boot);
	if (count == 0)
		use_every_line();
	for (unsigned i = 0; i < count; i++)
		use_choice(&choices[i]);
}

/*
 * The time that a processor that panics waits for another one to stop printing. That one may have
 * died while it printed, so the wait is bounded. A pause takes about 10 ns or more.
 */
#define HOLD_PAUSES  100000000u

static SHARED volatile uint32_t holder;         /* number + 1; 0: no processor */
static SHARED unsigned hold_depth;

void console_hold(void)
{
	const uint32_t own = smp_self() + 1;
	uint32_t nobody = 0;

	for (uint32_t i = 0; holder != own && i < HOLD_PAUSES; i++, nobody = 0) {
		if (__atomic_compare_exchange_n(&holder, &nobody, own, false, __ATOMIC_SEQ_CST,
		                                __ATOMIC_SEQ_CST))
			break;
		cpu_pause();
	}
	hold_depth++;
}

void console_release(void)
{
	if (--hold_depth == 0)
		holder = 0;
}

void console_forget_holds(unsigned cpu)
{
	if (holder != cpu + 1)
		return;
	hold_depth = 0;
	holder = 0;
}

static SHARED void (*capture)(char c);

void console_capture(void (*put)(char c))
{
	capture = put;
}

void console_flow_begin(const struct console_page *page)
{
	unsigned (*hold)(struct flow *f) = page->hold;

	for (unsigned i = 0; i < output_count; i++) {
		struct flow *f = &flows[i];

		f->columns = outputs[i].put == screen_output_put ? screen.columns : 0;
		f->hold = NULL;
		if (outputs[i].has_reader) {
			f->columns = page->columns;
			f->hold = hold;
			hold = NULL;            /* nobody reads two of them */
		}
		f->rows = page->rows;
		flow_begin(f);
	}
}

void console_flow_end(void)
{
	for (unsigned i = 0; i < output_count; i++) {
		flow_end(&flows[i]);
		flows[i].columns = 0;
	}
}

static SHARED struct check check;              /* of all output */

void console_put_check(void)
{
	const struct check so_far = check;

	print("# check: CRC-32 %08" PRIX32 ", %" PRIu32 " lines\n", so_far.crc, so_far.lines);
}

void console_put(char c)
{
	if (capture) {
		capture(c);
		return;
	}
	check_add(&check, c);
	for (unsigned i = 0; i < output_count; i++)
		flow_put(&flows[i], c);
}

void console_write(const char *text)
{
	while (*text)
		console_put(*text++);
}

static void print_put(void *ctx, char c)
{
	(void)ctx;
	console_put(c);
}

void print(const char *fmt, ...)
{
	va_list args;

	console_hold();
	va_start(args, fmt);
	format_to(print_put, NULL, fmt, args);
	va_end(args);
	console_release();
}

void console_flush(void)
{
	for (unsigned i = 0; i < output_count; i++)
		if (outputs[i].flush)
			outputs[i].flush(outputs[i].ctx);
}
