/* SPDX-License-Identifier: MIT */
/* pebs: shows records that the processor writes by itself. */
#include <monitor/tools/command.h>

#include <stddef.h>

#include <arch/cpu/fault.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <kernel/run/watchdog.h>
#include <monitor/tools/histogram.h>
#include <monitor/tools/sampler.h>
#include <pmu/drivers/suspend.h>
#include <pmu/sampling/pebs.h>

/* The groups of adaptive records that give them the fields of the other formats. */
#define GROUPS  (MSR_PEBS_DATA_CFG_MEMORY | MSR_PEBS_DATA_CFG_GPRS)

/*
 * More events than any window has, so that no record is written; all counters are wide enough for
 * it.
 */
#define NEVER   UINT64_C(0x40000000)

static const struct { enum pebs_field field; const char *name, *meaning; } fields[] = {
	{ PEBS_FORMAT_SIZE, "FORMAT SIZE", "63:48: bytes; 47:0: groups, as MSR_PEBS_DATA_CFG" },
	{ PEBS_EVENTING_IP, "EVENTING IP", "the instruction that caused the event" },
	{ PEBS_IP, "IP", NULL },
	{ PEBS_FLAGS, "FLAGS", "EFLAGS" },
	{ PEBS_AX, "AX", "" }, { PEBS_BX, "BX", "" }, { PEBS_CX, "CX", "" }, { PEBS_DX, "DX", "" },
	{ PEBS_SI, "SI", "" }, { PEBS_DI, "DI", "" }, { PEBS_BP, "BP", "" }, { PEBS_SP, "SP", "" },
	{ PEBS_R8, "R8", "" }, { PEBS_R9, "R9", "" }, { PEBS_R10, "R10", "" },
	{ PEBS_R11, "R11", "" }, { PEBS_R12, "R12", "" }, { PEBS_R13, "R13", "" },
	{ PEBS_R14, "R14", "" }, { PEBS_R15, "R15", "" },
	{ PEBS_STATUS, "STATUS", "bit n: counter n wrote it; 32 + n: IA32_FIXED_CTRn" },
	{ PEBS_ADDRESS, "ADDRESS", "of the data, if the event has any" },
	{ PEBS_SOURCE, "DATA SOURCE", "where the data came from, if the event has any" },
	{ PEBS_LATENCY, "LATENCY", "clocks, of load latency events" },
	{ PEBS_TX, "TX", "transactions: 0 outside of them" },
	{ PEBS_TSC, "TSC", "the time-stamp counter" },
};
enum { FIELDS = COUNT_OF(fields) };

static const char *const ip_meanings[] = {
	[PEBS_IP_NEXT]     = "after the instruction that caused the event",
	[PEBS_IP_EVENTING] = "the instruction that caused the event",
	[PEBS_IP_UNSURE]   = "the instruction that caused the event, or the one after it",
};

/* ---------------------------------------------------------------------------- this processor */

static void need_here(void)
{
	sampler_need_counters();
	if (pebs_unavailable())
		monitor_fail("no records are written here: %s", pebs_unavailable());
	if (!pebs_event_at(0))
		monitor_fail("no events of PEBS are known of this processor");
}

static void describe(void)
{
	const struct pebs_layout *layout = pebs_layout();
	const struct pebs_event *e;

	if (layout->is_adaptive)
		print("PEBS: adaptive records, format %u: MSR_PEBS_DATA_CFG says what is in "
		      "them.\n", pebs_format());
	else
		print("PEBS: %s records of %u bytes. IP is %s.\n", layout->name, layout->size,
		      ip_meanings[pebs_ip_is()]);
	print("Events that it records here, and counters that can (bit n: counter n):\n");
	for (unsigned i = 0; (e = pebs_event_at(i)) != NULL; i++)
		print("  %-17s %-31s %" PRIX64 "H\n", e->name, e->manual, e->counters);
	if (ds_unavailable())
		print("Records are not written: %s.\n", ds_unavailable());
}

/* ---------------------------------------------------------------------------- an event */

/* Finds "loads" or "MEM_INST_RETIRED.LOADS", either of them with :u or :k. */
static const struct pebs_event *find(const char *text, unsigned *flags)
{
	const char *colon = strchr(text, ':');
	const size_t size = colon ? (size_t)(colon - text) : strlen(text);
	const struct pebs_event *e;

	*flags = !colon ? PMU_BOTH : strcmp(colon, ":u") == 0 ? PMU_USR
	         : strcmp(colon, ":k") == 0 ? PMU_OS : 0;
	if (!*flags)
		monitor_fail("only :u (CPL 3) or :k (CPL 0) may follow an event of PEBS, not %s",
		             colon);
	for (unsigned i = 0; (e = pebs_event_at(i)) != NULL; i++)
		if ((strlen(e->name) == size && strncmp(text, e->name, size) == 0)
		    || (strlen(e->manual) == size && strncmp(text, e->manual, size) == 0))
			return e;
	monitor_fail("%s is no event that PEBS records here: \"pebs\" lists them", text);
}

struct window {
	struct pmu_setup setup;
	const struct sampler_order *order;
	unsigned records;              /* room for this many */
};

/*
 * Returns how many events the counter has counted since its start value, or since its last record.
 */
static uint64_t run(struct window *w, uint64_t missing)
{
	const struct work *work = &w->order->work;
	const uint64_t mask = UINT64_MAX >> (64 - pmu_counter_width(w->setup.counter));

	watchdog_renew();
	w->setup.start = 0 - missing;
	ds_set_up(&(const struct ds_plan){
		.buffer[DS_PEBS] = { .records = w->records, .threshold = w->records + 1 },
		.resets = pebs_resets(&w->setup, 1), .reset_count = PEBS_RESETS });
	pmu_program(&w->setup, 1);
	pebs_enable(&w->setup, 1);
	pmu_window(work_get_code(work), work->rounds, work->argument);
	pebs_disable();
	return (pmu_read(w->setup.counter) + missing) & mask;
}

/* ---------------------------------------------------------------------------- records */

static uintptr_t address_of(unsigned record)
{
	uint64_t ip;

	if (!pebs_get(record, PEBS_EVENTING_IP, &ip))
		pebs_get(record, PEBS_IP, &ip);
	return (uintptr_t)ip;
}

static const char *meaning_of(unsigned i)
{
	uint64_t value;

	if (fields[i].meaning)
		return fields[i].meaning;
	return pebs_get(0, PEBS_EVENTING_IP, &value) ? "of the machine's state: after it"
	       : ip_meanings[pebs_ip_is()];
}

static void print_first(void)
{
	uint64_t value;

	print("The first record:\n");
	for (unsigned i = 0; i < FIELDS; i++)
		if (pebs_get(0, fields[i].field, &value))
			print("  %-11s %17" PRIX64 "H%s%s\n", fields[i].name, value,
			      *meaning_of(i) ? "  " : "", meaning_of(i));
}

static void print_records(const struct window *w, uint64_t counted)
{
	const unsigned records = ds_index(DS_PEBS);
	const uint32_t due = (uint32_t)counted / w->order->number;
	const char *where;
	char name[PMU_NAME_SIZE];

	print("%s: %" PRIu64 " of %s in this work, a record every %u: %u due, %u written, %u lost"
	      "%s.\n", pmu_counter_name(w->setup.counter, name), counted, w->order->event,
	      w->order->number, due, records, due > records ? due - records : 0,
	      records == w->records ? ": the buffer is full" : "");
	if (ds_damage(&where))
		print("The processor wrote where it must not, %s.\n", where);
	histogram_clear();
	for (unsigned i = 0; i < records; i++)
		histogram_add(address_of(i));
	histogram_print();
	if (records)
		print_first();
}

static void sample(const struct sampler_order *r)
{
	static struct pebs_use use;
	unsigned flags;
	const struct pebs_event *e = find(r->event, &flags);
	struct window w = { .order = r };
	uint64_t counted;

	if (ds_unavailable())
		monitor_fail("%s", ds_unavailable());
	if (pebs_counter(e, 0) == PMU_NO_COUNTER)
		monitor_fail("no counter here can record %s", r->event);
	pmu_suspend_forget();
	pebs_set_data_cfg(GROUPS);
	w.setup = pebs_setup(&use, e, pebs_counter(e, 0), flags, 0);
	w.records = ds_room(DS_PEBS);
	counted = run(&w, NEVER);
	if (counted < NEVER) {
		run(&w, r->number - 1);
		print_records(&w, counted);
	} else {
		print("This work counts %" PRIu64 ", which is too much: take fewer rounds.\n",
		      counted);
	}
	sampler_end();
}

COMMAND(pebs, .syntax = "[EVENT every N on WORK]",
        .summary = "shows records that the processor writes by itself (PEBS)",
        .text =
	"Alone it says which records and events this processor has. With EVENT every Nth\n"
	"EVENT leaves a record with the registers at that instruction; it shows the\n"
	"places, then the first record's fields. There is no skid, and no handler that\n"
	"counts itself. EVENT:u counts only CPL 3, EVENT:k CPL 0. What does not fit\n"
	"into the buffer of 16 KB is lost; an instruction with several events, as\n"
	"REP MOVSB, leaves one record for them. On real hardware the processor\n"
	"writes to memory by itself only where the kernel got the word `sampling`.\n",
        .example = "pebs")
{
	struct sampler_order r;

	if (w->count > 1)
		r = sampler_parse(w, "every");
	need_here();
	if (w->count == 1) {
		describe();
		return;
	}
	if (r.number < 2)
		monitor_fail("N is 2 or more: the event after N - 1 others is recorded");
	sample(&r);
}
