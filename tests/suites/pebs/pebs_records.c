/* SPDX-License-Identifier: MIT */
/* Compares every field of a PEBS record with what the code's registers must hold. */
#include <tests/suites/pebs/pebs_target.h>

#include <stddef.h>

#include <arch/regs/cpu.h>
#include <arch/regs/perfmon.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/pmi/pmi_windows.h>

enum { COUNT = 64, MISSING = 6, RECORDS = 32 };

/* All flags that the code may have; the other choice is none. */
#define SOME_FLAGS  (EFLAGS_STATUS | EFLAGS_DF)
#define FLAGS_MASK  (EFLAGS_STATUS | EFLAGS_DF | EFLAGS_FIXED | EFLAGS_TF | EFLAGS_IF | EFLAGS_OF \
                     | EFLAGS_IOPL | EFLAGS_NT | EFLAGS_VM | EFLAGS_AC | EFLAGS_ID)
#define AFTER       "the state after the instruction that caused the event, as " \
                    "PEBS is a trap here"
#define UNSURE_IP   "the manuals do not say whether the instruction or the next one"

/* A run of one counter, and the data to judge its records by. */
struct sample {
	struct pebs_target c;
	unsigned counter, records;
	struct pebs_seen seen;
};

static void make(struct sample *s, const char *event)
{
	s->c = pebs_target(event, COUNT);
	s->counter = pebs_counter(s->c.event, 0);
}

static bool sample_of(struct test_ctx *t, struct sample *s, const char *event, uint32_t flags)
{
	static struct pebs_use use;
	struct pmu_setup setup;

	make(s, event);
	pebs_set_data_cfg(MSR_PEBS_DATA_CFG_GPRS | MSR_PEBS_DATA_CFG_MEMORY);
	setup = pebs_setup(&use, s->c.event, s->counter, PMU_USR, MISSING);
	s->seen = pebs_run(&(const struct pebs_window){
		.setups = &setup, .count = 1, .code = pebs_run_target, .argument = flags,
		.records = RECORDS,
	}, NULL);
	s->records = ds_index(DS_PEBS);
	return expect_between(t, "records", s->records, 1, COUNT / MISSING,
	                      "each MISSING + 1 events make one, and more events than that occur");
}

static bool is_netburst(void) { return pmu_has(PMU_HAS_CCCRS); }

/* Returns a record's place among the instructions, by its registers. The place may be before the
 * first one if code before them also causes the event. */
static unsigned place(const struct sample *s, unsigned i) { return pebs_ordinal(&s->c, i); }

static bool is_inside(const struct sample *s, unsigned i)
{
	return place(s, i) >= 1 && place(s, i) <= s->c.count;
}

/* Finds the first record whose instruction is one of those under test. */
static bool first_inside(struct test_ctx *t, const struct sample *s, unsigned *i)
{
	for (*i = 0; *i < s->records; (*i)++)
		if (is_inside(s, *i))
			return true;
	return expect_exact(t, "records whose moving register is one of the code's", 0, 1,
	                    "every instruction of the code moves it");
}

static const char *const names[] = {
	[PEBS_AX] = "xAX", [PEBS_BX] = "xBX", [PEBS_CX] = "xCX", [PEBS_DX] = "xDX",
	[PEBS_SI] = "xSI", [PEBS_DI] = "xDI", [PEBS_BP] = "xBP", [PEBS_SP] = "xSP",
	[PEBS_R8] = "R8", [PEBS_R9] = "R9", [PEBS_R10] = "R10", [PEBS_R11] = "R11",
	[PEBS_R12] = "R12", [PEBS_R13] = "R13", [PEBS_R14] = "R14", [PEBS_R15] = "R15",
};

/* NetBurst: "the state at the beginning of the instruction, but may be partially updated". */
static bool is_unsure(const struct sample *s, enum pebs_field f)
{
	return is_netburst() && !pmu_is_exact()
	       && pebs_expected(&s->c, f, 1) != pebs_expected(&s->c, f, 2);
}

static void judge_registers(struct test_ctx *t, const struct sample *s, enum pebs_field from,
                            enum pebs_field to)
{
	uint64_t value;
	unsigned i;

	for (i = 0; i < s->records; i++) {
		if (!is_inside(s, i))
			continue;
		for (enum pebs_field f = from; f <= to; f++) {
			test_sub(t, "record %u, after instruction %u", i, place(s, i));
			if (is_unsure(s, f))
				continue;
			expect_exact(t, names[f], pebs_get(i, f, &value) ? value : 0,
			             pebs_expected(&s->c, f, place(s, i)), AFTER);
		}
	}
}

#define FOR_EACH_EVENT(name) \
	for (unsigned event_ = 0; pebs_event_name(event_); event_++) \
		for (const char *name = pebs_event_name(event_); name; name = NULL)

TEST(registers, .id = "pebs.record.registers", .needs = need_pebs_code,
     .claim = "a record holds the eight general registers as they are after the instruction that "
              "caused the event", .source = PEBS_SDM "; " DS_SDM)
{
	FOR_EACH_EVENT(event) {
		struct sample s;
		unsigned i;

		if (sample_of(t, &s, event, 0) && first_inside(t, &s, &i))
			judge_registers(t, &s, PEBS_AX, PEBS_SP);
	}
}

#ifdef __x86_64__
TEST(high_registers, .id = "pebs.record.r8_to_r15", .needs = need_pebs_code,
     .claim = "in 64-bit mode a record holds R8 to R15", .source = PEBS_SDM "; " DS_SDM)
{
	struct sample s;
	unsigned i;

	if (sample_of(t, &s, pebs_event_name(0), 0) && first_inside(t, &s, &i))
		judge_registers(t, &s, PEBS_R8, PEBS_R15);
}
#endif

TEST(flags, .id = "pebs.record.flags", .needs = need_pebs_code,
     .claim = "a record holds the flags of the code, whether all are set or all are clear",
     .source = PEBS_SDM "; " DS_SDM)
{
	static const uint32_t patterns[] = { 0, SOME_FLAGS };

	for (unsigned n = 0; n < 2; n++) {
		struct sample s;
		uint64_t value;
		unsigned i;

		if (!sample_of(t, &s, pebs_event_name(0), patterns[n]) || !first_inside(t, &s, &i))
			return;
		pebs_get(i, PEBS_FLAGS, &value);
		expect_bits(t, "flags", value, FLAGS_MASK, patterns[n] | EFLAGS_FIXED,
		            "the code runs with these flags: none of its instructions changes one");
	}
}

/* The last instruction executed ended where the next one begins. */
static void judge_ip(struct test_ctx *t, const struct sample *s, unsigned i)
{
	const uintptr_t next = s->c.first + place(s, i) * s->c.size;
	uint64_t ip;

	pebs_get(i, PEBS_IP, &ip);
	test_sub(t, "record %u, by its registers after instruction %u", i, place(s, i));
	if (pebs_ip_is() == PEBS_IP_UNSURE)
		expect_between(t, "IP", ip, next - s->c.size, next, UNSURE_IP);
	else
		expect_exact(t, "IP", ip, pebs_ip_is() == PEBS_IP_NEXT ? next : next - s->c.size,
		             pebs_ip_is() == PEBS_IP_NEXT
		             ? "IA32_PERF_CAPABILITIES[6] = 1: the IP is that of the "
		               "next instruction"
		             : "IA32_PERF_CAPABILITIES[6] = 0: the IP is that of the "
		               "instruction itself");
}

TEST(ip, .id = "pebs.record.ip", .needs = need_pebs_code,
     .claim = "a record's IP is that of the instruction after the last one whose effect the "
              "record's registers show (on NetBurst also of that one)",
     .source = PEBS_SDM "; SDM 4, IA32_PERF_CAPABILITIES: PEBS_TRAP")
{
	FOR_EACH_EVENT(event) {
		struct sample s;
		unsigned i;

		if (!sample_of(t, &s, event, 0) || !first_inside(t, &s, &i))
			continue;
		for (; i < s.records && is_inside(&s, i); i++)
			judge_ip(t, &s, i);
	}
}

/* Where nothing slips, the instruction is the (MISSING + 1)th event. */
TEST(instruction, .id = "pebs.record.instruction", .needs = need_pebs_code,
     .claim = "record n is taken after the instruction that caused event n * (N + 1), "
              "and after no other",
     .source = PEBS_SDM ": the counter is armed by its overflow, and the next event recorded")
{
	FOR_EACH_EVENT(event) {
		struct sample s;
		uint64_t prefix;

		make(&s, event);
		prefix = pebs_prefix(&s.c, s.counter);
		test_sub(t, "%s", event);
		if (!sample_of(t, &s, event, 0))
			continue;
		for (unsigned i = 0; i < s.records; i++) {
			uint64_t due = (uint64_t)(i + 1) * (MISSING + 1) - prefix;

			if ((uint64_t)(i + 1) * (MISSING + 1) > prefix && due <= s.c.count)
				expect_bounds(t, "after instruction", place(&s, i),
				              if_exact(due, "the counter starts at -N and is "
				                       "reloaded with -N"),
				              i ? ELSE_NOTHING : ELSE_SHOWN);
		}
	}
}

static const char *need_field(struct test_ctx *t, enum pebs_field field, const char *name)
{
	const char *reason = need_pebs_code(t);

	if (!reason && !pebs_layout()->is_adaptive && !pebs_layout()->offset[field])
		return test_reason(t, "records of %s have no %s", pebs_layout()->name, name);
	return reason;
}

static const char *need_eventing_ip(struct test_ctx *t)
{
	return need_field(t, PEBS_EVENTING_IP, "eventing IP");
}

static const char *need_status(struct test_ctx *t)
{
	return need_field(t, PEBS_STATUS, "status");
}

static const char *need_address(struct test_ctx *t)
{
	return need_field(t, PEBS_EVENTING_IP, "data address of every load");
}

static const char *need_tsc(struct test_ctx *t) { return need_field(t, PEBS_TSC, "TSC"); }

TEST(eventing_ip, .id = "pebs.record.eventing_ip", .needs = need_eventing_ip,
     .claim = "from format 2 on a record also has the IP of the instruction itself",
     .source = PEBS_SDM ", Haswell: EventingIP")
{
	FOR_EACH_EVENT(event) {
		struct sample s;
		uint64_t ip;
		unsigned i;

		if (!sample_of(t, &s, event, 0) || !first_inside(t, &s, &i))
			continue;
		pebs_get(i, PEBS_EVENTING_IP, &ip);
		expect_exact(t, "EventingIP", ip, s.c.first + (place(&s, i) - 1) * s.c.size,
		             "it is the last instruction whose effect the registers show");
	}
}

TEST(status, .id = "pebs.record.counters", .needs = need_status,
     .claim = "a record names the counter for which it was taken, and none that is not in use",
     .source = PEBS_SDM ": IA32_PERF_GLOBAL_STATUS of the record; Skylake: Applicable Counters")
{
	struct sample s;
	uint64_t value;

	if (!sample_of(t, &s, pebs_event_name(0), 0))
		return;
	for (unsigned i = 0; i < s.records; i++) {
		pebs_get(i, PEBS_STATUS, &value);
		expect_exact(t, "counters of the record", value, BIT(s.counter),
		             "one counter is enabled in IA32_PEBS_ENABLE");
	}
}

TEST(address, .id = "pebs.record.address", .needs = need_address,
     .claim = "from format 2 on the record of a load or store has its linear address",
     .source = PEBS_SDM ", Haswell: Data Linear Address")
{
	FOR_EACH_EVENT(event) {
		struct sample s;
		uint64_t value;

		if (!sample_of(t, &s, event, 0))
			continue;
		for (unsigned i = 0; i < s.records; i++) {
			pebs_get(i, PEBS_ADDRESS, &value);
			test_sub(t, "%s", event);
			if (is_inside(&s, i) && pebs_expected(&s.c, PEBS_ADDRESS, place(&s, i)))
				expect_exact(t, "data address", value,
				             pebs_expected(&s.c, PEBS_ADDRESS, place(&s, i)),
				             "it is what xSI or xDI held before the instruction");
			else if (i == 0)
				test_report(t, "data address", "%" PRIX64 "H", value);
		}
	}
}

TEST(tsc, .id = "pebs.record.tsc", .needs = need_tsc,
     .claim = "a record's TSC lies between RDTSC before and after the code, and never goes back",
     .source = PEBS_SDM ", Skylake: TSC")
{
	struct sample s;
	uint64_t value, last;

	if (!sample_of(t, &s, pebs_event_name(0), 0))
		return;
	last = s.seen.tsc_before;
	for (unsigned i = 0; i < s.records; i++) {
		pebs_get(i, PEBS_TSC, &value);
		expect_between(t, "TSC of the record", value, last, s.seen.tsc_after,
		               "it lies neither before the last record nor after the second RDTSC");
		last = value;
	}
}

#ifndef __x86_64__
static const char *need_wide(struct test_ctx *t)
{
	const char *reason = need_pebs_code(t);

	if (!reason && ds_width() == 4)
		return test_reason(t, "addresses of the area have 4 bytes, like the kernel's own");
	return reason;
}

TEST(upper, .id = "pebs.record.upper_halves", .needs = need_wide,
     .claim = "64-bit records of 32-bit code have zeros in the upper halves of IP and registers",
     .source = DS_SDM ": DTES64")
{
	struct sample s;
	uint64_t value;

	if (!sample_of(t, &s, pebs_event_name(0), 0))
		return;
	for (enum pebs_field f = PEBS_IP; f <= PEBS_SP; f++) {
		pebs_get(0, f, &value);
		expect_exact(t, f == PEBS_IP ? "upper half of IP" : names[f], value >> 32, 0,
		             "32-bit code has only 32 bits of them");
	}
}
#endif

/* The size is computed from the layout's table; the index moves by it. */
TEST(size, .id = "pebs.record.size", .needs = need_pebs_code,
     .claim = "each record moves the index by the size of the format's records",
     .source = PEBS_SDM "; " DS_SDM)
{
	struct sample s;
	uint64_t ip;

	if (!sample_of(t, &s, pebs_event_name(0), 0))
		return;
	expect_exact(t, "index - base, modulo the record's size",
	             (uint32_t)(ds_index_address(DS_PEBS) - ds_base(DS_PEBS)) % pebs_record_size(),
	             0, "the index points to the end of the last record");
	for (unsigned i = 0; i < s.records; i++) {
		pebs_get(i, PEBS_IP, &ip);
		expect_between(t, "IP of the record", ip, s.c.first - 80,
		               s.c.first + s.c.count * s.c.size + 2,
		               "the code under test; a record of another size would "
		               "shift the next one");
	}
	expect_no_damage(t);
}
