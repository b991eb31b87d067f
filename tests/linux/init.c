/* SPDX-License-Identifier: MIT */
/*
 * The only program of the Linux that tests/linux/run boots. It judges nothing: it prints the
 * kernel's messages about its PMU driver, NMIs, counts and samples as lines `KEY WORD...`, with
 * numbers in hexadecimal. tests/runner/guests/linux.py compares them with the row in cpus.csv.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <arch/regs/table.h>
#include <arch/regs/uart.h>
#include <tests/linux/init.h>
#include <tests/linux/system.h>

enum {
	OPEN_READ = 0, OPEN_WRITE = 1, KERNEL_LOG_READ_ALL = 3,
	COM1 = 0x3f8,
	PORT_BOCHS_EXIT = 0x8900, MAP_SHARED_FLAG = 1,
	RING_PAGES = 8,
	BURN_TURNS = 1000 * 1000, BURNS = 40, NMIS_WANTED = 2,
	PERIOD = 1009, SAMPLED_TURNS = 100000,
};

extern const char loop_first[], loop_end[];

static char text[1 << 16];

/* -------------------------------------------------------------------------------- lines of text */

/* Writes to the UART itself: Linux' driver waits for an interrupt, which Bochs sometimes loses. */
static void put(void *unused, char c)
{
	(void)unused;
	while (!(in_byte(COM1 + UART_LSR) & UART_LSR_THRE))
		;
	out_byte(COM1, c);
}

void say(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	format_to(put, NULL, format, arguments);
	va_end(arguments);
}

/* Reads a file into text; returns its length, or 0 if it cannot be read. */
static size_t read_file(const char *path)
{
	long file = system_call(__NR_open, (long)path, OPEN_READ, 0, 0, 0), got = 1;
	size_t used = 0;

	while (file >= 0 && got > 0 && used < sizeof text - 1) {
		got = system_call(__NR_read, file, (long)(text + used),
		                  (long)(sizeof text - 1 - used), 0, 0);
		used += got > 0 ? (size_t)got : 0;
	}
	if (file >= 0)
		system_call(__NR_close, file, 0, 0, 0, 0);
	text[used] = '\0';
	return used;
}

static void write_file(const char *path, char content)
{
	long file = system_call(__NR_open, (long)path, OPEN_WRITE, 0, 0, 0);

	if (file >= 0) {
		system_call(__NR_write, file, (long)&content, 1, 0, 0);
		system_call(__NR_close, file, 0, 0, 0, 0);
	}
}

/* Returns the text after this word, or NULL. */
static const char *find(const char *in, const char *word, const char *end)
{
	for (; in < end; in++) {
		size_t same = 0;

		while (word[same] && in + same < end && in[same] == word[same])
			same++;
		if (!word[same])
			return in + same;
	}
	return NULL;
}

/* ------------------------------------------------------------------------- what the kernel said */

/* Lines of the kernel's log with these words are about counting, or about mistakes. */
static const char *const wanted[] = {
	"Performance Events", "... ", "PMU", "perf", "PEBS", "LBR", "NMI", "MSR access",
	"Linux version", "Broken", "WARNING", "BUG", "Dazed", "MHz",
};

static void say_log(void)
{
	long length = system_call(__NR_syslog, KERNEL_LOG_READ_ALL, (long)text, sizeof text, 0, 0);
	const char *end = text + (length > 0 ? length : 0);

	for (const char *line = text, *next; line < end; line = next) {
		bool is_wanted = false;

		for (next = line; next < end && *next != '\n'; next++)
			;
		for (size_t i = 0; i < COUNT_OF(wanted); i++)
			is_wanted = is_wanted || find(line, wanted[i], next);
		if (is_wanted)
			say("log %.*s\n", (int)(next - line), line);
		next++;
	}
}

/* --------------------------------------------------------------------------------- NMI watchdog */

/* Returns the number of NMIs of the first processor so far. */
static unsigned int nmis(void)
{
	size_t length = read_file("/proc/interrupts");
	const char *at = find(text, "NMI:", text + length);
	unsigned int count = 0;

	for (; at && *at == ' '; at++)
		;
	for (; at && *at >= '0' && *at <= '9'; at++)
		count = count * 10 + (unsigned int)(*at - '0');
	return count;
}

static void say_watchdog(void)
{
	unsigned int before = nmis(), after = before, burns = 0;

	/* Twice, because Linux 6.1's driver for NetBurst starts a counter with its last period. */
	write_file("/proc/sys/kernel/nmi_watchdog", '1');
	write_file("/proc/sys/kernel/nmi_watchdog", '0');
	write_file("/proc/sys/kernel/nmi_watchdog", '1');
	for (; burns < BURNS && after - before < NMIS_WANTED; burns++) {
		loop_turns(BURN_TURNS);
		after = nmis();
		say("burn %x\n", after);
	}
	read_file("/proc/sys/kernel/nmi_watchdog");
	say("watchdog %c\n", text[0]);
	say("nmis %x %x\n", before, after);
}

/* ------------------------------------------------------------------------------------- counting */

int event_open(const struct perf_event_attr *attributes, int leader)
{
	return (int)system_call(__NR_perf_event_open, (long)attributes, 0, -1, leader, 0);
}

struct perf_event_attr event(uint64_t config)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_HARDWARE, .size = sizeof(struct perf_event_attr),
		.config = config,
		.disabled = 1, .pinned = 1, .exclude_kernel = 1, .exclude_hv = 1,
	};
}

uint64_t count_now(int file)
{
	uint64_t count;

	if (system_call(__NR_read, file, (long)&count, sizeof count, 0, 0) != sizeof count)
		return UINT64_MAX;
	return count;
}

/* Returns the least of some counts of so many turns and the call: an interrupt may add to one. */
static uint64_t count_of(int file, unsigned long turns)
{
	uint64_t least = UINT64_MAX, before, after;

	for (int i = 0; i < TIMES; i++) {
		before = count_now(file);
		loop_turns(turns);
		after = count_now(file);
		if (before == UINT64_MAX || after == UINT64_MAX)
			return UINT64_MAX;
		least = after - before < least ? after - before : least;
	}
	return least;
}

static void say_counts(const char *name, uint64_t config)
{
	struct perf_event_attr attributes = event(config);
	int file = event_open(&attributes, ALONE);
	uint64_t one, three;

	if (file < 0) {
		say("count %s error %x\n", name, (unsigned int)-file);
		return;
	}
	system_call(__NR_ioctl, file, PERF_EVENT_IOC_ENABLE, 0, 0, 0);
	one = count_of(file, TURNS);
	three = count_of(file, 3 * TURNS);
	say("count %s %" PRIx64 " %" PRIx64 "\n", name, one, three);
	system_call(__NR_close, file, 0, 0, 0, 0);
}

/* ------------------------------------------------------------------------------------- sampling */

struct sample {
	struct perf_event_header header;
	uint64_t ip;
};

/* Counts the samples in the ring, and those with an address in the loop. */
static void say_samples(const char *name, unsigned int precise,
                        const struct perf_event_mmap_page *ring)
{
	const char *data = (const char *)ring + PAGE;
	unsigned int samples = 0, inside = 0, exact = 0;

	for (uint32_t at = 0, size; at < (uint32_t)ring->data_head; at += size) {
		const struct sample *sample = (const void *)(data + at);
		bool is_inside = sample->ip >= (uintptr_t)loop_first &&
		                 sample->ip <= (uintptr_t)loop_end;

		size = sample->header.size;
		if (size == 0)
			break;
		if (sample->header.type != PERF_RECORD_SAMPLE)
			continue;
		samples++;
		inside += is_inside;
		exact += (sample->header.misc & PERF_RECORD_MISC_EXACT_IP) != 0;
	}
	say("pebs %s %x samples %x inside %x exact %x\n", name, precise, samples, inside, exact);
}

static void say_pebs(const char *name, uint64_t config, unsigned int precise)
{
	struct perf_event_attr attributes = event(config);
	void *ring;
	int file;

	attributes.sample_period = PERIOD;
	attributes.sample_type = PERF_SAMPLE_IP;
	attributes.precise_ip = precise & 3;
	/* Otherwise Linux lets PEBS fill its buffer, and has no branch record for each record. */
	attributes.wakeup_events = precise > 1;
	file = event_open(&attributes, ALONE);
	if (file < 0) {
		say("pebs %s %x error %x\n", name, precise, (unsigned int)-file);
		return;
	}
	ring = (void *)system_call(SYSTEM_MMAP, 0, (1 + RING_PAGES) * PAGE, PROT_READ_WRITE,
	                           MAP_SHARED_FLAG, file);
	system_call(__NR_ioctl, file, PERF_EVENT_IOC_ENABLE, 0, 0, 0);
	loop_turns(SAMPLED_TURNS);
	system_call(__NR_ioctl, file, PERF_EVENT_IOC_DISABLE, 0, 0, 0);
	say_samples(name, precise, ring);
	system_call(__NR_close, file, 0, 0, 0, 0);
}

static void leave(void)
{
	while (!(in_byte(COM1 + UART_LSR) & UART_LSR_TEMT))
		;
	for (const char *c = "Shutdown"; *c; c++)
		out_byte(PORT_BOCHS_EXIT, *c);
	for (;;)
		;
}

void start(void);
void start(void)
{
	system_call(__NR_iopl, 3, 0, 0, 0, 0);
	system_call(__NR_mount, (long)"proc", (long)"/proc", (long)"proc", 0, 0);
	say("bits %x\n", (unsigned int)sizeof(long) * 8);
	say_log();
	say("turn %x %x\n", TURN_INSTRUCTIONS, TURN_BRANCHES);
	say("turns %x\n", 2 * TURNS);
	say("samples instructions %x\n", SAMPLED_TURNS * TURN_INSTRUCTIONS / PERIOD);
	say("samples branches %x\n", SAMPLED_TURNS * TURN_BRANCHES / PERIOD);
	say_watchdog();
	say_counts("instructions", PERF_COUNT_HW_INSTRUCTIONS);
	say_counts("branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS);
	say_all_faults();
	write_file("/proc/sys/kernel/nmi_watchdog", '0');       /* an NMI is no interrupt */
	say_all_interrupts();
	for (unsigned int precise = 1; precise <= 2; precise++) {
		say_pebs("instructions", PERF_COUNT_HW_INSTRUCTIONS, precise);
		say_pebs("branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS, precise);
	}
	say_log();
	say("end\n");
	leave();
}
