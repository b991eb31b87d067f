/* SPDX-License-Identifier: MIT */
/* wrmsr: writes a register's value, or some of its fields. */
#include <monitor/registers/registers.h>

#include <stddef.h>

#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <kernel/lib/nearest.h>
#include <kernel/lib/string.h>
#include <kernel/run/test.h>
#include <monitor/tools/command.h>
#include <monitor/tools/expression.h>
#include <pmu/core/program.h>
#include <pmu/drivers/suspend.h>
#include <pmu/events/event_text.h>

static void refuse(const char *what, enum monitor_refusal why)
{
	if (monitor_refusals[why])
		monitor_fail("%s is not written here: %s", what, monitor_refusals[why]);
}

static void find_writable(const char *text, struct monitor_found *r)
{
	if (pmu_get()->state == PMU_IS_ABSENT)
		monitor_fail("there is nothing to be programmed: %s", pmu_get()->verdict);
	if (!monitor_register_find(text, r))
		monitor_register_fail(text);
	if (!r->row)
		monitor_fail("%s is not a register of this PMU: it can be read, not written",
		             r->name);
	refuse(r->name, r->row->refusal);
}

/* ---------------------------------------------------------------------------- the value */

static void find_field(const struct monitor_found *r, const char *name,
                       struct monitor_field_found *f)
{
	char meant[NEAREST_TEXT_SIZE];
	struct nearest nearest;

	for (unsigned n = 0; monitor_field_at(r->row, n, f); n++)
		if (event_text_is_same(f->name, name))
			return;
	if (!r->row->fields)
		monitor_fail("%s has no fields: it takes a number", r->name);
	nearest_begin(&nearest, name);
	for (unsigned n = 0; monitor_field_at(r->row, n, f); n++)
		nearest_try(&nearest, f->name);
	monitor_fail("%s has no field %s here%s; \"rdmsr %s\" shows its fields", r->name, name,
	             nearest_text(&nearest, meant), r->name);
}

/* Sets a field of value from FIELD=VALUE. */
static uint64_t set_field(const struct monitor_found *r, const char *word, uint64_t value)
{
	char text[MONITOR_LINE_SIZE], *equals;
	struct monitor_field_found f;
	const char *problem;
	struct expression e;

	format_buf(text, sizeof(text), "%s", word);
	equals = strchr(text, '=');
	if (!equals)
		monitor_fail("%s is not FIELD=VALUE: a whole value stands alone, without blanks",
		             word);
	*equals = '\0';
	find_field(r, text, &f);
	problem = expression_parse(equals + 1, &e);
	if (problem)
		monitor_fail("%s: \"%s\" %s", f.name, equals + 1, problem);
	if (e.magnitude > f.bits >> monitor_low(f.bits))
		monitor_fail("%s has %u bit%s: %s does not fit", f.name,
		             monitor_high(f.bits) - monitor_low(f.bits) + 1,
		             monitor_high(f.bits) == monitor_low(f.bits) ? "" : "s", equals + 1);
	return (value & ~f.bits) | (expression_bits(&e) << monitor_low(f.bits) & f.bits);
}

/* Returns the bits of a counter that this is, or 0: a negative value of another is a mistake. */
static uint64_t counter_bits(const struct monitor_found *r)
{
	char name[PMU_NAME_SIZE];

	for (unsigned i = 0; i < 2 * PMU_FIXED; i++)
		if (pmu_has_counter(i) && strcmp(pmu_counter_name(i, name), r->name) == 0)
			return UINT64_MAX >> (64 - pmu_counter_width(i));
	if (!r->row->fields && r->row->count == MONITOR_PER_GP)         /* IA32_A_PMC0 */
		return UINT64_MAX >> (64 - pmu_get()->gp_width);
	return 0;
}

/* A counter that is to overflow after N events starts at -N, in as many bits as it has. */
static uint64_t whole(const struct monitor_found *r, const char *word)
{
	const uint64_t bits = counter_bits(r);
	struct expression e;
	const char *problem = expression_parse(word, &e);

	if (problem)
		monitor_fail("%s %s", word, problem);
	if (!e.is_negative)
		return e.magnitude;
	if (!bits)
		monitor_fail("%s is not a counter, so it takes no negative value such as %s",
		             r->name, word);
	if (e.magnitude > bits)
		monitor_fail("%s has %u bits: %s does not fit", r->name, monitor_high(bits) + 1,
		             word);
	return expression_bits(&e) & bits;
}

/*
 * Returns the whole value if one was given, else the present value with the given fields; for a
 * register that does not read as it was written, only the fields of this line.
 */
static uint64_t wanted(const struct words *w, const struct monitor_found *r, uint64_t now)
{
	uint64_t value = r->row->reads_otherwise ? 0 : now;

	if (w->count == 3 && !strchr(w->word[2], '='))
		return whole(r, w->word[2]);
	for (unsigned i = 2; i < w->count; i++)
		value = set_field(r, w->word[i], value);
	return value;
}

static void check_fields(const struct monitor_found *r, uint64_t value)
{
	struct monitor_field_found f;

	for (unsigned n = 0; monitor_field_at(r->row, n, &f); n++)
		if (value & f.bits)
			refuse(f.name, f.row->refusal);
}

/* ---------------------------------------------------------------------------- writing */

/* Returns the new bits that fault when each is added alone to the present value. */
static uint64_t find_faulting(const struct monitor_found *r, uint64_t now, uint64_t value)
{
	uint64_t faulting = 0;

	for (unsigned i = 0; i < 64; i++) {
		uint64_t bit = value & ~now & UINT64_C(1) << i;

		if (bit && is_fault(pmu_awake_write(r->msr, now | bit)))
			faulting |= bit;
	}
	pmu_awake_write(r->msr, now);
	return faulting;
}

static void tell_fault(const struct monitor_found *r, uint64_t now, uint64_t value, fault_t fault)
{
	char text[FAULT_TEXT_SIZE];
	uint64_t bits = r->row->reads_otherwise ? 0 : find_faulting(r, now, value);

	if (bits)
		monitor_fail("WRMSR %s = %" PRIX64 "H: %s: the bits %" PRIX64 "H are reserved; it "
		             "stays %" PRIX64 "H", r->name, value, fault_text(fault, text), bits,
		             now);
	monitor_fail("WRMSR %s = %" PRIX64 "H: %s: it cannot hold this value", r->name, value,
	             fault_text(fault, text));
}

/* Prints the fields that are not 0 or were not 0, because the user wants to see these. */
static void write_and_tell(const struct monitor_found *r, uint64_t now, uint64_t value)
{
	const uint64_t before = now;
	fault_t fault = pmu_awake_write(r->msr, value);

	if (is_fault(fault))
		tell_fault(r, now, value, fault);
	if (is_fault(pmu_awake_read(r->msr, &now))) {
		print("%s = %" PRIX64 "H was written; it cannot be read.\n", r->name, value);
		return;
	}
	monitor_register_print(r, now, before | now);
	if (now != value && !r->row->reads_otherwise)
		print("It was written as %" PRIX64 "H.\n", value);
}

COMMAND(wrmsr, .syntax = "REGISTER VALUE|FIELD=VALUE...",
        .summary = "writes a register of the PMU, or some of its fields",
        .text = "Fields that are not named keep their values. What is written stays, but\n"
                "counts only while \"work\" runs. Registers that are not the PMU's are\n"
                "not written, and nothing that lets the processor write to memory by\n"
                "itself. \"rdmsr REGISTER\" shows the names of its fields:\n"
                "wrmsr IA32_PERFEVTSEL0 EVENT_SELECT=C0H OS=1 EN=1. Whatever its\n"
                "name, COUNTER0 is counter 0; it overflows after N events from -N on.\n"
                "Values are numbers, or expressions without blanks: -100, 2^48-1,\n"
                "(3+1)*10H.\n",
        .example = "wrmsr COUNTER0 0",
        .completion = COMPLETE_REGISTERS)
{
	char text[FAULT_TEXT_SIZE];
	struct monitor_found r;
	uint64_t now, value;
	fault_t fault;

	words_expect(w, 2, MONITOR_WORDS_MAX);
	find_writable(w->word[1], &r);
	fault = pmu_awake_read(r.msr, &now);
	if (is_fault(fault))
		monitor_fail("RDMSR %s: %s: this processor has no such register", r.name,
		             fault_text(fault, text));
	value = wanted(w, &r, now);
	check_fields(&r, value);
	write_and_tell(&r, now, value);
}
