/* SPDX-License-Identifier: MIT */
/*
 * Looks whether guests of KVM see each other through the PMU: a static program of Linux, which
 * guests.sh runs once for each thing to look at. Each guest is in a process of its own.
 *
 *   guests look            prints what a new guest reads, and what has moved after a loop
 *   guests leave           makes a guest count by all its counters, and ends it meanwhile
 *   guests kill            does so, and kills its process while the guest runs
 *   guests stale           hands a used virtual processor to the next guest, as no host may
 *   guests count           prints instructions of one guest and branches of another, each alone
 *   guests both            prints the same of two guests that run by turns
 *   guests cost            prints the clocks that a guest's RDPMC and WRMSR take
 *   guests host            prints what perf's events of all the host count beside a guest
 */
#include <tests/linux/guests/guests_inside.h>

#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <arch/regs/table.h>

enum {
	MARK = 0x123456,                /* a value that no counter has by chance */
	TURNS = 100000, ROUNDS = 40, ROUND_TURNS = 1000,
	KILL_AFTER_US = 200000, TRIES = 8,
	FIXED_ALL = 0x333,              /* IA32_FIXED_CTR_CTRL: three counters, CPL 0 and others */
};
static const uint64_t FIXED_ENABLES = UINT64_C(7) << 32;        /* of IA32_PERF_GLOBAL_CTRL */

/* ------------------------------------------------------------------------ what vmm.h wants */

void say(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	fflush(stdout);
}

void leave(void)
{
	exit(1);
}

void give_up(const char *what)
{
	say("refused: %s: %s\n", what, strerror(errno));
	leave();
}

/* ------------------------------------------------------------------------ one after another */

static uint64_t seen[0x100];
static unsigned seen_count, moved;

static void show(struct guest *guest, uint32_t msr, uint64_t value)
{
	(void)guest;
	say("%x=%llx ", msr, (unsigned long long)value);
	if (seen_count < COUNT_OF(seen))
		seen[seen_count++] = value;
}

static void compare(struct guest *guest, uint32_t msr, uint64_t value)
{
	static unsigned at;

	(void)guest;
	if (seen[at++] == value)
		return;
	moved++;
	say("%x=%llx ", msr, (unsigned long long)value);
}

static void look_in(struct guest *guest)
{
	say("reads ");
	registers_each(guest, show);
	guest_loop(guest, TURNS);
	say("\nmoves ");
	registers_each(guest, compare);
	say("\n");
}

/* Sets all the guest's counters and lets them count, in the order of registers_each(). */
static void mark(struct guest *guest, uint32_t msr, uint64_t value)
{
	static uint64_t enables;
	const struct pmu *p = pmu_here();

	(void)value;
	if (msr == p->fixed_ctrl) {
		guest_write(guest, msr, FIXED_ALL);
		enables |= FIXED_ENABLES;
	} else if (msr == p->global_ctrl) {
		guest_write(guest, msr, enables);
	} else if (pmu_is_control(msr)) {
		guest_write(guest, msr, p->instructions);
		enables = enables << 1 | 1;
	} else if (msr != p->global_status) {
		guest_write(guest, msr, MARK);
	}
}

static void count_in(struct guest *guest)
{
	registers_each(guest, mark);
	guest_loop(guest, TURNS);
}

static void look(void)
{
	struct guest guest = { 0 };

	guest_make(&guest);
	look_in(&guest);
}

static void leave_counting(void)
{
	struct guest guest = { 0 };

	guest_make(&guest);
	count_in(&guest);
	say("left\n");
}

static void kill_counting(void)
{
	struct guest guest = { 0 };
	bool unused;
	pid_t child = fork();

	if (child < 0)
		give_up("fork");
	if (child == 0) {
		guest_make(&guest);
		count_in(&guest);
		guest_do(&guest, FOREVER, 0, 0, &unused);
	}
	usleep(KILL_AFTER_US);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	say("killed\n");
}

static void be_stale(void)
{
	struct guest guest = { 0 };

	guest_make(&guest);
	count_in(&guest);
	look_in(&guest);
}

/* ------------------------------------------------------------------------ two at once */

static void count_rounds(const char *what, uint64_t control)
{
	const struct pmu *p = pmu_here();
	struct guest guest = { 0 };
	bool is_fault;

	guest_make(&guest);
	guest_write(&guest, p->control, control);
	guest_do(&guest, WRITE_MSR, p->global_ctrl, 1, &is_fault);
	guest_write(&guest, p->count, 0);
	for (unsigned i = 0; i < ROUNDS; i++) {
		guest_loop(&guest, ROUND_TURNS);
		usleep(1000);           /* the other guest's turn */
	}
	say("%s %llu\n", what, (unsigned long long)guest_do(&guest, READ_MSR, p->count, 0,
	                                                    &is_fault));
}

static pid_t start(const char *what, uint64_t control)
{
	pid_t child = fork();

	if (child < 0)
		give_up("fork");
	if (child)
		return child;
	count_rounds(what, control);
	exit(0);
}

static void count_alone(void)
{
	waitpid(start("instructions", pmu_here()->instructions), NULL, 0);
	waitpid(start("branches", pmu_here()->branches), NULL, 0);
}

static void count_both(void)
{
	pid_t first = start("instructions", pmu_here()->instructions);
	pid_t second = start("branches", pmu_here()->branches);

	waitpid(first, NULL, 0);
	waitpid(second, NULL, 0);
}

/* ------------------------------------------------------------------------ costs */

/* The least of some tries: the host may be interrupted in the others. */
static void say_cost(struct guest *guest, const char *name, enum operation operation,
                     uint32_t argument, uint64_t value)
{
	uint64_t least = UINT64_MAX, clocks;
	bool is_fault = false;

	for (unsigned i = 0; i < TRIES && !is_fault; i++) {
		clocks = guest_do(guest, operation, argument, value, &is_fault);
		least = clocks < least ? clocks : least;
	}
	say(is_fault ? " %s=#GP" : " %s=%llu", name, (unsigned long long)least);
}

static void say_costs(struct guest *guest, const char *when)
{
	const struct pmu *p = pmu_here();
	bool is_fault;
	uint64_t select = guest_do(guest, READ_MSR, p->control, 0, &is_fault);
	uint64_t enables = guest_do(guest, READ_MSR, p->global_ctrl, 0, &is_fault);

	say("%s", when);
	say_cost(guest, "cpuid", TIME_CPUID, 0, 0);
	say_cost(guest, "rdpmc", TIME_PMC, 0, 0);
	say_cost(guest, "counter", TIME_WRMSR, p->count, MARK);
	say_cost(guest, "select", TIME_WRMSR, p->control, select);
	say_cost(guest, "global_ctrl", TIME_WRMSR, p->global_ctrl, enables);
	say("\n");
}

static void tell_costs(void)
{
	struct guest guest = { 0 };

	guest_make(&guest);
	say_costs(&guest, "idle");
	count_in(&guest);
	say_costs(&guest, "counting");
}

/* ------------------------------------------------------------------------ the host */

/* Returns an event of all that processor 0 does, or -1 and errno. */
static int open_event(bool excludes_guests)
{
	struct perf_event_attr attributes = {
		.type = PERF_TYPE_HARDWARE, .size = sizeof attributes,
		.config = PERF_COUNT_HW_INSTRUCTIONS, .exclude_guest = excludes_guests,
	};

	return (int)syscall(SYS_perf_event_open, &attributes, -1, 0, -1, 0);
}

static uint64_t count_of(int event)
{
	uint64_t count = 0;

	return read(event, &count, sizeof count) == sizeof count ? count : 0;
}

/* Prints what the event counts more of a guest's loop that is so much longer, or why it does not
 * exist. */
static void watch(struct guest *guest, const char *name, bool excludes_guests)
{
	int event = open_event(excludes_guests);

	if (event < 0) {
		say("%s refused: %s\n", name, strerror(errno));
		return;
	}
	guest_loop(guest, TURNS);       /* KVM's first steps for this guest's code cost more */
	uint64_t before = count_of(event);
	guest_loop(guest, TURNS);
	uint64_t shorter = count_of(event);
	guest_loop(guest, 3 * TURNS);
	say("%s %lld\n", name, (long long)(count_of(event) - shorter - (shorter - before)));
	close(event);
}

/* An event of all the host that is there before the guest is. */
static void watch_first(void)
{
	struct guest guest = { 0 };
	int event = open_event(false);

	if (event < 0)
		give_up("perf_event_open");
	say("guest_after_event ");
	guest_make(&guest);
	say("made\n");
}

static void look_from_host(void)
{
	struct guest guest = { 0 };
	pid_t child = fork();

	if (child == 0) {
		watch_first();
		exit(0);
	}
	waitpid(child, NULL, 0);
	guest_make(&guest);
	watch(&guest, "all", false);
	watch(&guest, "host_only", true);
}

int main(int count, char **arguments)
{
	static const struct {
		const char *name;
		void (*act)(void);
	} all[] = {
		{ "look", look }, { "leave", leave_counting }, { "kill", kill_counting },
		{ "stale", be_stale }, { "count", count_alone }, { "both", count_both },
		{ "cost", tell_costs }, { "host", look_from_host },
	};

	for (unsigned i = 0; i < COUNT_OF(all); i++)
		if (count == 2 && !strcmp(arguments[1], all[i].name)) {
			all[i].act();
			return 0;
		}
	return 2;
}
