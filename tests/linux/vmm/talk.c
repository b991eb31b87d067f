/* SPDX-License-Identifier: MIT */
#include <tests/linux/vmm/vmm.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/io.h>
#include <unistd.h>

void say_bytes(const uint8_t *bytes, unsigned count)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&lock);
	for (unsigned i = 0; i < count; i++)
		outb(bytes[i], PORT_DEBUG_CONSOLE);
	pthread_mutex_unlock(&lock);
}

void say(const char *format, ...)
{
	char text[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	say_bytes((const uint8_t *)text, (unsigned)strlen(text));
}

void leave(void)
{
	static const char word[] = "Shutdown";

	for (const char *c = word; *c; c++)
		outb((unsigned char)*c, PORT_BOCHS_EXIT);
	for (;;)
		pause();
}

void give_up(const char *what)
{
	say("\nBail out! the virtual machine monitor on the model: %s: %s\n", what,
	    strerror(errno));
	leave();
}
