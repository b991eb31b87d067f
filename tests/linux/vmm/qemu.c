/* SPDX-License-Identifier: MIT */
#include <tests/linux/vmm/vmm.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 64 };

/* Reads /qemu.txt, an argument in each line. Returns false if there is no such file. */
static bool read_arguments(char *arguments[ARGUMENTS_MAX])
{
	static char text[4096];
	FILE *file = fopen("/qemu.txt", "r");
	unsigned count = 0;

	if (!file)
		return false;
	text[fread(text, 1, sizeof text - 1, file)] = '\0';
	fclose(file);
	for (char *line = strtok(text, "\n"); line && count < ARGUMENTS_MAX - 1;
	     line = strtok(NULL, "\n"))
		arguments[count++] = line;
	return count != 0;
}

static __attribute__((noreturn)) void become_qemu(char *arguments[], int output)
{
	int nothing = open("/dev/null", O_RDONLY);

	dup2(nothing, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	execv(arguments[0], arguments);
	_exit(127);
}

static void pass_on(int output)
{
	uint8_t bytes[4096];
	ssize_t got;

	while ((got = read(output, bytes, sizeof bytes)) > 0)
		say_bytes(bytes, (unsigned)got);
}

bool qemu_run(void)
{
	char *arguments[ARGUMENTS_MAX] = { NULL };
	int ends[2], status = 0;
	pid_t child;

	if (!read_arguments(arguments))
		return false;
	if (pipe(ends) || (child = fork()) < 0)
		give_up("a process for QEMU");
	if (child == 0)
		become_qemu(arguments, ends[1]);
	close(ends[1]);
	pass_on(ends[0]);
	waitpid(child, &status, 0);
	say("\n# QEMU ended, by the status of wait() %xH\n", (unsigned)status);
	return true;
}
