/* SPDX-License-Identifier: MIT */
/*
 * Linux' first program: loads KVM's modules, and runs the guest that /guest and /guest.txt
 * describe; or, if there is a file /qemu.txt, QEMU with a guest of its own.
 */
#include <tests/linux/vmm/vmm.h>

#include <cpuid.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/io.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <arch/regs/table.h>

enum { READ_ALL = 3 };          /* syslog(2) */

/* Passes on what KVM has said in Linux' log. */
static void say_log(void)
{
	static char log[1 << 17];
	int got = klogctl(READ_ALL, log, sizeof log - 1);

	for (char *line = strtok(got > 0 ? log : NULL, "\n"); line; line = strtok(NULL, "\n"))
		if (strstr(line, "kvm") || strstr(line, "KVM"))
			say("\n# Linux: %s", line);
}

/* Linux takes a parameter and may not do it: then the module's file has another value. */
static void check_mediated(const struct module *module)
{
	char path[96], value = '?';
	FILE *file;

	if (!strstr(module->parameters, "enable_mediated_pmu=1"))
		return;
	snprintf(path, sizeof path, "/sys/module/kvm_%s/parameters/enable_mediated_pmu",
	         module->name + strlen("kvm-"));
	file = fopen(path, "r");
	if (file && fread(&value, 1, 1, file) == 1 && value == 'Y')
		return;
	say("TAP version 13\n");         /* or the reason would not be read */
	say_log();
	errno = ENOTSUP;
	give_up("KVM has not taken enable_mediated_pmu=1, which reads N");
}

static void load_module(const struct module *module)
{
	char path[64];

	snprintf(path, sizeof path, "/%s.ko", module->name);
	int file = open(path, O_RDONLY);
	if (file < 0)
		give_up(path);
	if (syscall(SYS_finit_module, file, module->parameters, 0))
		give_up(path);
	close(file);
	check_mediated(module);
}

/* Loads the modules for this processor. */
static void load_modules(const struct order *order)
{
	uint32_t leaf, name[4] = { 0 };
	const struct module *m = order->modules;

	__cpuid(0, leaf, name[0], name[2], name[1]);
	for (; m < &order->modules[order->modules_count]; m++)
		if (!strcmp(m->vendor, "all") || !strcmp(m->vendor, (const char *)name))
			load_module(m);
}

static void mount_all(void)
{
	static const char *const all[][2] = {
		{ "proc", "/proc" }, { "sysfs", "/sys" }, { "devtmpfs", "/dev" },
	};

	for (unsigned i = 0; i < COUNT_OF(all); i++)
		if (mount(all[i][0], all[i][1], all[i][0], 0, NULL) && errno != EBUSY)
			give_up(all[i][1]);
}

static void read_module(const char *line, struct order *order)
{
	struct module *m = &order->modules[order->modules_count];

	if (sscanf(line, "module %12s %31s %255[^\n]", m->vendor, m->name, m->parameters) >= 2)
		order->modules_count++;
}

/* Takes the lines of /guest.txt. Lines that it does not know are none of its business. */
static void read_order(struct order *order)
{
	FILE *file = fopen("/guest.txt", "r");
	char line[512];

	if (!file)
		give_up("/guest.txt");
	while (fgets(line, sizeof line, file)) {
		line[strcspn(line, "\n")] = '\0';
		sscanf(line, "entry %x", &order->entry);
		sscanf(line, "info %x", &order->info);
		sscanf(line, "cpus %u", &order->cpus);
		sscanf(line, "memory %u", &order->memory_mb);
		if (order->modules_count < MODULES_MAX)
			read_module(line, order);
	}
	fclose(file);
	if (order->cpus < 1 || order->cpus > CPUS_MAX) {
		errno = ERANGE;
		give_up("the number of processors in /guest.txt");
	}
}

int main(void)
{
	static struct order order;
	static struct guest guest;

	if (iopl(3))
		return 1;
	mount_all();
	read_order(&order);
	load_modules(&order);
	if (qemu_run())
		leave();
	machine_create(&guest, &order);
	guest_run(&guest);
	return 0;
}
