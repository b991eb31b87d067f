/* SPDX-License-Identifier: MIT */
/* Where all text goes: to every serial line and screen that there is. */
#ifndef KERNEL_CONSOLE_CONSOLE_H
#define KERNEL_CONSOLE_CONSOLE_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/console/screen.h>
#include <kernel/loader/bootinfo.h>

enum { CONSOLE_OUTPUTS_MAX = 8, CONSOLE_UARTS_MAX = 4 };

enum console_kind { CONSOLE_NONE, CONSOLE_DEBUG, CONSOLE_IO, CONSOLE_MMIO, CONSOLE_MMIO32 };

/* One line that the user asked for. CONSOLE_NONE: no line; CONSOLE_DEBUG: an emulator's debug
 * console. Base and speed are those of serial lines. */
struct console_choice {
	enum console_kind kind;
	uintptr_t base;                 /* port or address of the UART */
	uint32_t speed;                 /* bit/s */
};

/*
 * Reads what stands behind `console=`: com1 to com4, or io,PORT, both with or without ,SPEED
 * (115200); mmio,ADDRESS,SPEED; mmio32,ADDRESS,SPEED (registers 4 bytes apart); debug; none.
 * Numbers are decimal, or hexadecimal behind 0x. Returns NULL, or the sentence that says what is
 * wrong; then choice is undefined.
 */
const char *console_choice_parse(const char *text, struct console_choice *choice);

/* Something that takes characters. */
struct console_output {
	const char *name;
	void (*put)(void *ctx, char c);
	void (*flush)(void *ctx);       /* returns when all have left; NULL: they leave at once */
	void *ctx;
	bool has_reader;                /* all of it is to be had at its other end */
};

/*
 * Find and start the outputs: the screen, and the serial lines that were chosen; with count = 0
 * each of COM1 to COM4 that answers, at 115200 bit/s. It is no error if there is none. What
 * boot and the choices point to must be mapped. To be called once.
 */
void console_init(const struct bootinfo *boot,
                  const struct console_choice *choices, unsigned count);

/* What could not be used of what is there or was chosen: sentences, or NULL if all is well. */
const char *console_problem(void);

/* Adds one output for all text from now on; more than CONSOLE_OUTPUTS_MAX are a console_problem. */
void console_add_output(const struct console_output *output);

/* What is printed from now on until the same number of releases stays together. */
void console_hold(void);
void console_release(void);

/* This processor was stopped, perhaps while it printed: what it holds it will not release. */
void console_forget_holds(unsigned cpu);

/* All text goes to put(), whichever processor prints it, and nowhere else; NULL: it is over. */
void console_capture(void (*put)(char c));

/* The screen, or NULL. is_alone: nobody else has what scrolls away there. */
struct screen *console_screen(bool *is_alone);

/* To every output; before console_init, to none. */
void console_put(char c);
void console_write(const char *text);
void print(const char *fmt, ...) __attribute__((format(printf, 1, 2)));    /* see format.h */

/* Returns the next byte from a serial line, 0 to CONSOLE_UARTS_MAX - 1, or -1 if none waits. */
int console_receive(unsigned line);

/* The line with the sum of all that was printed: the last but one of a run that is complete. */
void console_put_check(void);

/* Wait until all text has left the machine: before power-off and reset. */
void console_flush(void);

#endif
