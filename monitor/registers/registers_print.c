/* SPDX-License-Identifier: MIT */
/* Prints a register's value, field by field, and the event that it selects. */
#include <monitor/registers/registers.h>

#include <stddef.h>

#include <arch/regs/table.h>
#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <kernel/lib/nearest.h>
#include <kernel/lib/string.h>
#include <monitor/tools/command.h>
#include <pmu/events/event_spec.h>

static const char *event_name(const struct monitor_found *r, uint64_t value)
{
	return value && r->row && r->row->is_select ? pmu_selected(r->name, value) : NULL;
}

/* Prints "EN[22] = 1" or "CMASK[31:24] = FFH". */
static void print_field(const struct monitor_field_found *f, uint64_t value)
{
	const struct monitor_field *row = f->row;
	unsigned high = monitor_high(f->bits), low = monitor_low(f->bits);
	uint64_t now = monitor_get(f->bits, value);
	const char *meaning = now ? row->meaning : row->zero;

	if (row->values)
		meaning = row->values[now];
	if (high == low)
		print("  %s[%u] = %u", f->name, low, (unsigned)now);
	else
		print("  %s[%u:%u] = %" PRIX64 "H", f->name, high, low, now);
	print("%s%s\n", meaning ? "  " : "", meaning ? meaning : "");
}

static void print_value(const struct monitor_found *r, uint64_t value)
{
	if (r->row)
		print("%s (%" PRIX32 "H) = %" PRIX64 "H", r->name, r->msr, value);
	else
		print("%s = %" PRIX64 "H", r->name, value);
}

void monitor_register_print_line(const struct monitor_found *r, uint64_t value)
{
	const char *event = event_name(r, value);

	print_value(r, value);
	print("%s%s\n", event ? "  " : "", event ? event : "");
}

/* A counter has no fields, so its value is printed in decimal, too. */
void monitor_register_print(const struct monitor_found *r, uint64_t value, uint64_t shown)
{
	const char *event = event_name(r, value);
	struct monitor_field_found f;
	uint64_t other;

	print_value(r, value);
	if (!r->row || !r->row->fields)
		print(", which is %" PRIu64, value);
	print("\n");
	for (unsigned n = 0; r->row && monitor_field_at(r->row, n, &f); n++)
		if (f.bits & shown)
			print_field(&f, value);
	other = r->row ? monitor_unnamed_bits(r->row) & value : 0;
	if (other)
		print("  bits without a name here: %" PRIX64 "H\n", other);
	if (event)
		print("  counts %s\n", event);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Returns true if the names are the same but for their numbers, and have one. */
static bool is_same_family(const char *a, const char *b)
{
	bool has_number = false;

	for (; *a && *b; a++, b++) {
		if (is_digit(*a) && is_digit(*b)) {
			has_number = true;
			while (is_digit(a[1]))
				a++;
			while (is_digit(b[1]))
				b++;
		} else if ((*a | 32) != (*b | 32)) {
			return false;
		}
	}
	return has_number && *a == *b;
}

/* Accepts a name without the manual's "IA32_" or "MSR_", too. */
static bool is_of_family(const char *text, const char *name)
{
	static const char *const prefixes[] = { "IA32_", "MSR_" };

	for (unsigned i = 0; i < COUNT_OF(prefixes); i++)
		if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0
		    && is_same_family(text, name + strlen(prefixes[i])))
			return true;
	return is_same_family(text, name);
}

/* Ends the command if only the number of the name is wrong. */
static void fail_if_out_of_range(const char *text)
{
	char first[MONITOR_REGISTER_NAME_SIZE] = "", last[MONITOR_REGISTER_NAME_SIZE] = "";
	struct monitor_walk walk = { 0 };
	struct monitor_found r;

	while (monitor_register_next(&walk, &r)) {
		if (!is_of_family(text, r.name))
			continue;
		if (!first[0])
			memcpy(first, r.name, sizeof(first));
		memcpy(last, r.name, sizeof(last));
	}
	if (first[0])
		monitor_fail("%s: this processor has %s%s%s", text, first,
		             strcmp(first, last) ? " to " : "", strcmp(first, last) ? last : "");
}

void monitor_register_fail(const char *text)
{
	char meant[NEAREST_TEXT_SIZE];
	struct monitor_walk walk = { 0 };
	struct monitor_found r;
	struct nearest nearest;

	fail_if_out_of_range(text);
	nearest_begin(&nearest, text);
	while (monitor_register_next(&walk, &r))
		nearest_try(&nearest, r.name);
	monitor_fail("no register of this processor is called %s%s; \"rdmsr\" alone lists them, "
	             "and any can be read by its number", text, nearest_text(&nearest, meant));
}
