/* SPDX-License-Identifier: MIT */
/* why: examines a counter's registers, tries the counter, and says what keeps it from counting. */
#include <monitor/commands/why.h>

#include <stddef.h>

#include <arch/regs/table.h>
#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <kernel/run/test.h>
#include <monitor/registers/registers.h>
#include <monitor/tools/command.h>
#include <pmu/core/driver.h>
#include <pmu/drivers/suspend.h>

/* ---------------------------------------------------------------------------- examining */

static void look(struct pmu_examined *c, unsigned counter)
{
	*c = (struct pmu_examined){ .counter = counter };
	c->number = counter < PMU_FIXED ? counter : counter - PMU_FIXED;
	pmu_counter_name(counter, c->name);
	c->value = pmu_awake_value(pmu_counter_msr(counter));
	pmu_get()->class->driver->examine(pmu_get(), c);
}

/* ---------------------------------------------------------------------------- printing */

/* Returns the text that a sign stands for, or NULL if the character is no sign. */
static const char *sign_text(const struct pmu_examined *c, char sign, char *number)
{
	switch (sign) {
	case '#':
		format_buf(number, PMU_NAME_SIZE, "%u", c->number);
		return number;
	case '!':
		format_buf(number, PMU_NAME_SIZE, "%s%u", c->select_name, c->number);
		return number;
	case '@': return c->escr ? c->escr->name : "its ESCR";
	case '$': return netburst_counters[c->number].cccr_name;
	default:  return NULL;
	}
}

const char *why_text(const struct pmu_examined *c, const char *text, char *buffer)
{
	char number[PMU_NAME_SIZE];
	size_t at = 0;

	for (; *text && at < WHY_TEXT_SIZE - 1; text++) {
		const char *in_place = sign_text(c, *text, number);

		if (in_place)
			at += (size_t)format_buf(buffer + at, WHY_TEXT_SIZE - at, "%s", in_place);
		else
			buffer[at++] = *text;
	}
	buffer[at < WHY_TEXT_SIZE ? at : WHY_TEXT_SIZE - 1] = '\0';
	return buffer;
}

const struct why_check *why_next(const struct pmu_examined *c, unsigned *at)
{
	const struct pmu *p = pmu_get();
	unsigned kind = c->counter >= PMU_FIXED ? WHY_FIXED : WHY_GENERAL;

	while (*at < why_check_count) {
		const struct why_check *check = &why_checks[(*at)++];

		if (!pmu_has(check->has)
		    || !(check->kinds & kind) || p->version < check->since
		    || (check->until && p->version > check->until) || !check->is_so(c))
			continue;
		if (check->is_last)
			*at = why_check_count;
		return check;
	}
	return NULL;
}

static void print_check(const struct pmu_examined *c, const struct why_check *check)
{
	char text[WHY_TEXT_SIZE];

	print("  %s.\n", why_text(c, check->sentence, text));
	if (check->mend)
		print("    type: %s\n", why_text(c, check->mend, text));
}

/* Prints all findings and returns how many of them stop the counter. */
static unsigned print_checks(const struct pmu_examined *c)
{
	const struct why_check *check;
	unsigned at = 0, stops = 0;

	while ((check = why_next(c, &at)) != NULL) {
		print_check(c, check);
		stops += !check->is_note;
	}
	return stops;
}

/* Returns the first finding that stops the counter, or NULL. */
static const struct why_check *first_stop(struct pmu_examined *c, unsigned counter)
{
	const struct why_check *check;
	unsigned at = 0;

	look(c, counter);
	do
		check = why_next(c, &at);
	while (check && check->is_note);
	return check;
}

void why_tell_forgotten(unsigned counter)
{
	struct pmu_examined c;
	char sentence[WHY_TEXT_SIZE], mend[WHY_TEXT_SIZE];
	const struct why_check *check;

	if (pmu_get()->state != PMU_COUNTS || !pmu_get()->class->driver)
		return;
	check = first_stop(&c, counter);
	if (check && check->is_told)
		print("%s does not count: %s; type: %s\n", c.name,
		      why_text(&c, check->sentence, sentence),
		      why_text(&c, check->mend, mend));
}

static void print_line(unsigned counter)
{
	struct pmu_examined c;
	char text[WHY_TEXT_SIZE];
	const struct why_check *check = first_stop(&c, counter);

	print("%s = %" PRIu64 ": %s\n", c.name, c.value,
	      check ? why_text(&c, check->sentence, text) : "it counts while work runs");
}

/* ---------------------------------------------------------------------------- trying */

enum { TRIAL_ROUNDS = 1000 };

/* Returns what the counter counts in the loop; afterwards all registers have their values back. */
static uint64_t count_loop(const struct pmu_examined *c)
{
	uint32_t msr = pmu_counter_msr(c->counter);
	uint64_t count;

	pmu_park_counters();
	pmu_awake_run(workload_loop.code, TRIAL_ROUNDS, 0);
	count = pmu_awake_value(msr);
	pmu_unpark_counters();
	return count;
}

static uint64_t count_as_tried(const struct pmu_switch *s, const struct pmu_examined *c)
{
	uint64_t before[PMU_SWITCH_MAX], count;

	for (unsigned i = 0; i < s->on_count; i++) {
		const struct pmu_switch_write *w = &s->on[i];

		before[i] = pmu_awake_value(w->msr);
		pmu_awake_write(w->msr, (uint64_t)w->high << 32 | w->low);
	}
	count = count_loop(c);
	for (unsigned i = s->on_count; i-- > 0;)
		pmu_awake_write(s->on[i].msr, before[i]);
	return count;
}

static void try_counter(const struct pmu_examined *c, unsigned stops)
{
	struct pmu_switch s = { 0 };
	const char *what = pmu_get()->class->driver->sure(pmu_get(), c->counter, &s);
	uint64_t as_it_is, as_tried;

	if (!pmu_place_to_write(c->counter, c->value)) {
		print("  It was not tried, because no write could restore its value.\n");
		return;
	}
	as_it_is = count_loop(c);
	as_tried = count_as_tried(&s, c);
	print("  As it is programmed, loop:%u at CPL 0 moves it by %" PRIu64 "; programmed for %s, "
	      "by %" PRIu64 ".\n", TRIAL_ROUNDS, as_it_is, what, as_tried);
	if (as_it_is && !stops)
		print("  Nothing is wrong with it: it counts while \"work\" runs.\n");
	else if (!as_tried)
		print("  It counts nothing whatever is programmed: the PMU, or its emulator, does "
		      "not have it.\n");
	else if (!stops)
		print("  The counter works; code without the event leaves it at 0.\n");
}

/* ---------------------------------------------------------------------------- the command */

/* Hints for a PMU that does not exist, or that counts nothing at all. */
static const char *const hints[] = {
	[PMU_IS_ABSENT] = "CPUID reports no counters; a virtual machine gets its PMU from its "
	                  "host.",
	[PMU_FAULTS]    = "A virtual machine gets its PMU from its host; on hardware the firmware "
	                  "may hide it.",
	[PMU_SWALLOWS]  = "The emulator of this processor has the registers, but no PMU.",
	[PMU_IS_DEAD]   = "The emulator of this processor keeps the registers and counts nothing.",
};

/* Returns false after reporting it if no counter counts here. */
static bool has_counters(void)
{
	const struct pmu *p = pmu_get();

	if (p->state == PMU_COUNTS && p->class->driver)
		return true;
	if (p->state == PMU_COUNTS)
		print("No counter of this PMU, %s, can be examined yet.\n", p->class->name);
	else
		print("No counter counts here: this is %s.\n%s\n", p->verdict, hints[p->state]);
	return false;
}

const char *why_indices(char *buffer)
{
	const unsigned starts[] = { 0, PMU_FIXED };
	size_t at = (size_t)format_buf(buffer, WHY_TEXT_SIZE, "the indices are");

	for (unsigned i = 0; i < COUNT_OF(starts); i++) {
		unsigned last = starts[i] + PMU_FIXED;

		while (last > starts[i] && !pmu_has_counter(last - 1))
			last--;
		if (last > starts[i])
			at += (size_t)format_buf(buffer + at, WHY_TEXT_SIZE - at,
			                         "%s %" PRIX32 "H to %" PRIX32 "H", i ? " and" : "",
			                         pmu_rdpmc_index(starts[i]),
			                         pmu_rdpmc_index(last - 1));
	}
	return buffer;
}

/* Accepts "0", "40000001H", "IA32_FIXED_CTR1", "PerfCtr0". */
static unsigned counter_of(const char *text)
{
	char name[PMU_NAME_SIZE], indices[WHY_TEXT_SIZE];
	struct monitor_found r;
	uint64_t index;
	const bool is_index = words_is_number(text, &index);
	const bool is_register = monitor_register_find(text, &r);

	for (unsigned i = 0; i < 2 * PMU_FIXED; i++) {
		if (!pmu_has_counter(i))
			continue;
		if (is_index && index == pmu_rdpmc_index(i))
			return i;
		if (is_register && strcmp(pmu_counter_name(i, name), r.name) == 0)
			return i;
	}
	if (!is_index && !is_register)
		monitor_register_fail(text);
	monitor_fail("%s is not a counter: %s; \"rdpmc\" or \"why\" alone shows all counters", text,
	             why_indices(indices));
}

COMMAND(why, .syntax = "[COUNTER]", .summary = "shows why a counter does not count, and what to "
                                               "type",
        .text = "COUNTER is its name or its index for RDPMC. Its registers are examined, a\n"
                "loop is run with them as they are, and again with the counter programmed\n"
                "for something sure; then everything is restored. Alone it prints a line\n"
                "for each counter.\n",
        .example = "why", .completion = COMPLETE_REGISTERS)
{
	struct pmu_examined c;

	words_expect(w, 0, 1);
	if (!has_counters())
		return;
	if (w->count == 1) {
		for (unsigned i = 0; i < 2 * PMU_FIXED; i++)
			if (pmu_has_counter(i))
				print_line(i);
		return;
	}
	look(&c, counter_of(w->word[1]));
	print("%s = %" PRIu64 "\n", c.name, c.value);
	try_counter(&c, print_checks(&c));
}
