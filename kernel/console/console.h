/* SPDX-License-Identifier: MIT */
/* Prints all text to every serial line and screen that exists. */
#ifndef KERNEL_CONSOLE_CONSOLE_H
#define KERNEL_CONSOLE_CONSOLE_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/console/flow.h>
#include <kernel/console/screen.h>
#include <kernel/loader/bootinfo.h>

enum { CONSOLE_OUTPUTS_MAX = 8, CONSOLE_UARTS_MAX = 4 };

enum console_kind { CONSOLE_NONE, CONSOLE_DEBUG, CONSOLE_IO, CONSOLE_MMIO, CONSOLE_MMIO32 };

/*
 * Describes a line that the user chose. CONSOLE_NONE stands for no line, CONSOLE_DEBUG for an
 * emulator's debug console. Base and speed apply to serial lines.
 */
struct console_choice {
	enum console_kind kind;
	uintptr_t base;                 /* port or address of the UART */
	uint32_t speed;                 /* bit/s */
};

/*
 * Parses the value of `console=`: com1 to com4, or io,PORT, both with or without ,SPEED (115200);
 * mmio,ADDRESS,SPEED; mmio32,ADDRESS,SPEED (registers 4 bytes apart); debug; none. Numbers are
 * decimal, or hexadecimal after 0x. Returns NULL, or a sentence that says what is wrong; then
 * choice is undefined.
 */
const char *console_choice_parse(const char *text, struct console_choice *choice);

/* Describes a device that takes characters. */
struct console_output {
	const char *name;
	void (*put)(void *ctx, char c);
	void (*flush)(void *ctx);       /* returns when all have left; NULL: they leave at once */
	void *ctx;
	bool has_reader;                /* somebody at its other end can read all text */
};

/*
 * Finds and starts the outputs: the screen, and the chosen serial lines, or, if count is 0, each of
 * COM1 to COM4 that answers, at 115200 bit/s. Having no output is no error. The memory that boot
 * and the choices point to must be mapped. May be called once.
 */
void console_init(const struct bootinfo *boot,
                  const struct console_choice *choices, unsigned count);

/*
 * Returns sentences on the outputs that exist or were chosen but cannot be used, or NULL if there
 * is no such output.
 */
const char *console_problem(void);

/*
 * Adds an output for all text from now on; an output beyond CONSOLE_OUTPUTS_MAX becomes a
 * console_problem().
 */
void console_add_output(const struct console_output *output);

/* Hold back the text of other processors from console_hold() until as many releases. */
void console_hold(void);
void console_release(void);

/*
 * Drops the holds of a processor that was stopped, perhaps while it printed, and will not release
 * them.
 */
void console_forget_holds(unsigned cpu);

/* Sends all text to put() and nowhere else, whichever processor prints it; NULL ends that. */
void console_capture(void (*put)(char c));

/*
 * Returns the screen, or NULL. is_alone becomes true if text that scrolls off the screen is not
 * available elsewhere.
 */
struct screen *console_screen(bool *is_alone);

/*
 * Describes the terminal at the other end of a line; columns 0: unknown, all text is passed on as
 * it is. hold is called on the first line alone (flow.h); NULL: no text waits for a reader.
 */
struct console_page { unsigned columns, rows; unsigned (*hold)(struct flow *f); };

/*
 * From console_flow_begin() to console_flow_end() lines are broken at blanks: on the screen at its
 * width, on lines as `page` says. The outputs' cursors must be at the left edge.
 */
void console_flow_begin(const struct console_page *page);
void console_flow_end(void);

/*
 * Takes the screen from the text, which then goes to the other outputs only, and returns the blank
 * screen, or NULL if there is none. console_return_screen() shows text again.
 */
struct screen *console_take_screen(void);
void console_return_screen(void);

/* Prints c to every output. No output exists before console_init(). */
void console_put(char c);
void console_write(const char *text);
void print(const char *fmt, ...) __attribute__((format(printf, 1, 2)));    /* see format.h */

/* Returns the next byte from a serial line, 0 to CONSOLE_UARTS_MAX - 1, or -1 if none waits. */
int console_receive(unsigned line);

/*
 * Prints the check line, the sum of all that was printed: the last line but one of a complete run.
 */
void console_put_check(void);

/* Waits until all text has left the machine; must be called before power-off and reset. */
void console_flush(void);

#endif
