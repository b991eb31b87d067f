/* SPDX-License-Identifier: MIT */
/* why: examines a counter's registers, tries the counter, and says what keeps it from counting. */
#include <monitor/commands/why.h>

#include <stddef.h>

#include <arch/regs/amd.h>
#include <arch/regs/msr.h>
#include <arch/regs/p5.h>
#include <arch/regs/p6.h>
#include <arch/regs/perfmon.h>
#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <kernel/run/test.h>
#include <monitor/registers/registers.h>
#include <monitor/tools/command.h>
#include <pmu/core/driver.h>
#include <pmu/drivers/suspend.h>

/* ---------------------------------------------------------------------------- examining */

static uint64_t read_or_zero(uint32_t msr)
{
	uint64_t value;

	return is_fault(pmu_awake_read(msr, &value)) ? 0 : value;
}

static void look_arch(struct why_counter *c)
{
	const struct pmu *p = pmu_get();

	if (c->counter >= PMU_FIXED)
		c->fixed = read_or_zero(IA32_FIXED_CTR_CTRL) >> 4 * c->number;
	else
		c->select = read_or_zero(IA32_PERFEVTSEL(c->number));
	if (p->version < 2)
		return;
	c->control = read_or_zero(IA32_PERF_GLOBAL_CTRL);
	c->status = read_or_zero(IA32_PERF_GLOBAL_STATUS);
	c->debugctl = read_or_zero(IA32_DEBUGCTL);
}

/* The selects have the same fields at both addresses. */
static uint32_t amd_select(unsigned number)
{
	return pmu_get()->class->generation == PMU_AMD_K7 ? PERF_LEGACY_CTL(number)
	                                                  : PERF_CTL(number);
}

static void look_amd(struct why_counter *c)
{
	c->select = read_or_zero(amd_select(c->number));
	c->efer = read_or_zero(IA32_EFER);
	if (pmu_get()->version < 2)
		return;
	c->control = read_or_zero(PerfCntrGlobalCtl);
	c->status = read_or_zero(PerfCntrGlobalStatus);
}

static void look_netburst(struct why_counter *c)
{
	c->control = read_or_zero(netburst_counters[c->number].cccr);
	c->escr = netburst_escr_of(c->number,
	                           (unsigned)FIELD_GET(CCCR_ESCR_SELECT, c->control));
	if (c->escr && !netburst_has_escr(c->escr))
		c->escr = NULL;
	c->select = c->escr ? read_or_zero(c->escr->msr) : 0;
}

void why_look(struct why_counter *c, unsigned counter)
{
	*c = (struct why_counter){ .counter = counter };
	c->number = counter < PMU_FIXED ? counter : counter - PMU_FIXED;
	pmu_counter_name(counter, c->name);
	c->value = read_or_zero(pmu_counter_msr(counter));
	switch (pmu_get()->class->generation) {
	case PMU_ARCH:
		look_arch(c);
		break;
	case PMU_P6:
		c->select = read_or_zero(PerfEvtSel(counter));
		c->control = read_or_zero(PerfEvtSel(0));
		break;
	case PMU_NETBURST:
		look_netburst(c);
		break;
	case PMU_AMD_K7:
	case PMU_AMD_CORE:
		look_amd(c);
		break;
	default:
		c->select = read_or_zero(CESR) >> CESR_SHIFT(counter);
	}
}

/* ---------------------------------------------------------------------------- printing */

static const char *select_name(void)
{
	switch (pmu_get()->class->generation) {
	case PMU_P6:
	case PMU_AMD_K7:   return "PerfEvtSel";
	case PMU_AMD_CORE: return "PERF_CTL";
	default:           return "IA32_PERFEVTSEL";
	}
}

/* Returns the text that a sign stands for, or NULL if the character is no sign. */
static const char *sign_text(const struct why_counter *c, char sign, char *number)
{
	switch (sign) {
	case '#':
		format_buf(number, PMU_NAME_SIZE, "%u", c->number);
		return number;
	case '!':
		format_buf(number, PMU_NAME_SIZE, "%s%u", select_name(), c->number);
		return number;
	case '@': return c->escr ? c->escr->name : "its ESCR";
	case '$': return netburst_counters[c->number].cccr_name;
	default:  return NULL;
	}
}

const char *why_text(const struct why_counter *c, const char *text, char *buffer)
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

const struct why_check *why_next(const struct why_counter *c, unsigned *at)
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

static void print_check(const struct why_counter *c, const struct why_check *check)
{
	char text[WHY_TEXT_SIZE];

	print("  %s.\n", why_text(c, check->sentence, text));
	if (check->mend)
		print("    type: %s\n", why_text(c, check->mend, text));
}

/* Prints all findings and returns how many of them stop the counter. */
static unsigned print_checks(const struct why_counter *c)
{
	const struct why_check *check;
	unsigned at = 0, stops = 0;

	while ((check = why_next(c, &at)) != NULL) {
		print_check(c, check);
		stops += !check->is_note;
	}
	return stops;
}

static void print_line(unsigned counter)
{
	const struct why_check *check;
	struct why_counter c;
	char text[WHY_TEXT_SIZE];
	unsigned at = 0;

	why_look(&c, counter);
	do
		check = why_next(&c, &at);
	while (check && check->is_note);
	print("%s = %" PRIu64 ": %s\n", c.name, c.value,
	      check ? why_text(&c, check->sentence, text) : "it counts while work runs");
}

/* ---------------------------------------------------------------------------- trying */

enum { TRIAL_WRITES = 2, TRIAL_ROUNDS = 1000 };

struct trial {
	/* written in this order; msr 0 ends them */
	struct { uint32_t msr; uint64_t value; } write[TRIAL_WRITES];
	const char *what;
};

static void add(struct trial *t, uint32_t msr, uint64_t value)
{
	unsigned i = t->write[0].msr != 0;

	t->write[i].msr = msr;
	t->write[i].value = value;
}

static void try_arch(struct trial *t, const struct why_counter *c)
{
	if (c->counter >= PMU_FIXED)
		add(t, IA32_FIXED_CTR_CTRL, (IA32_FIXED_CTR_CTRL_EN_OS(0)
		                             | IA32_FIXED_CTR_CTRL_EN_USR(0)) << 4 * c->number);
	else
		add(t, IA32_PERFEVTSEL(c->number), EVENT_INSTRUCTIONS_RETIRED | IA32_PERFEVTSEL_OS
		    | IA32_PERFEVTSEL_USR | IA32_PERFEVTSEL_EN);
	if (pmu_get()->version >= 2)
		add(t, IA32_PERF_GLOBAL_CTRL, IA32_PERF_GLOBAL_CTRL_EN_PMC(c->counter));
	t->what = c->counter > PMU_FIXED ? "its own event" : "instructions";
}

static void try_p6(struct trial *t, const struct why_counter *c)
{
	const uint64_t instructions = P6_EVENT_INST_RETIRED | PerfEvtSel_OS | PerfEvtSel_USR;

	if (c->number)
		add(t, PerfEvtSel(1), instructions);
	add(t, PerfEvtSel(0), PerfEvtSel_EN | (c->number ? P6_EVENT_L2_RQSTS : instructions));
	t->what = "instructions";
}

static void try_amd(struct trial *t, const struct why_counter *c)
{
	add(t, amd_select(c->number),
	    AMD_EVENT_INST_RETIRED | PERF_CTL_OS | PERF_CTL_USR | PERF_CTL_EN);
	if (pmu_get()->version >= 2)
		add(t, PerfCntrGlobalCtl, PerfCntrGlobalCtl_EN(c->number));
	t->what = "instructions";
}

static void try_netburst(struct trial *t, const struct why_counter *c)
{
	struct netburst_use use;

	netburst_clock_setup(&use, c->number);
	add(t, netburst_counters[c->number].cccr, use.cccr_value | CCCR_ENABLE);
	add(t, use.escr->msr, use.escr_value);
	t->what = "clocks";
}

static void try_p5(struct trial *t, const struct why_counter *c)
{
	add(t, CESR, (FIELD_PUT(CESR_ES0, P5_EVENT_INSTRUCTIONS)
	              | FIELD_PUT(CESR_CC0, CESR_CC_ANY_CPL)) << CESR_SHIFT(c->number));
	t->what = "instructions";
}

static struct trial trial_of(const struct why_counter *c)
{
	struct trial t = { .what = NULL };

	switch (pmu_get()->class->generation) {
	case PMU_ARCH:     try_arch(&t, c); break;
	case PMU_P6:       try_p6(&t, c); break;
	case PMU_NETBURST: try_netburst(&t, c); break;
	case PMU_AMD_K7:
	case PMU_AMD_CORE: try_amd(&t, c); break;
	default:           try_p5(&t, c);
	}
	return t;
}

/* Returns what the counter counts in the loop; afterwards all registers have their values back. */
static uint64_t count_loop(const struct why_counter *c)
{
	uint32_t msr = pmu_counter_msr(c->counter);
	uint64_t count;

	pmu_park_counters();
	pmu_awake_run(workload_loop.code, TRIAL_ROUNDS, 0);
	count = read_or_zero(msr);
	pmu_unpark_counters();
	return count;
}

static uint64_t run_trial(const struct trial *t, const struct why_counter *c)
{
	uint64_t before[TRIAL_WRITES] = { 0 }, count;

	for (unsigned i = 0; i < TRIAL_WRITES && t->write[i].msr; i++) {
		before[i] = read_or_zero(t->write[i].msr);
		pmu_awake_write(t->write[i].msr, t->write[i].value);
	}
	count = count_loop(c);
	for (unsigned i = TRIAL_WRITES; i-- > 0;)
		if (t->write[i].msr)
			pmu_awake_write(t->write[i].msr, before[i]);
	return count;
}

static void try_counter(const struct why_counter *c, unsigned stops)
{
	struct trial t = trial_of(c);
	uint64_t as_it_is, as_tried;

	if (!pmu_place_to_write(c->counter, c->value)) {
		print("  It was not tried, because no write could restore its value.\n");
		return;
	}
	as_it_is = count_loop(c);
	as_tried = run_trial(&t, c);
	print("  As it is programmed, loop:%u at CPL 0 moves it by %" PRIu64 "; programmed for %s, "
	      "by %" PRIu64 ".\n", TRIAL_ROUNDS, as_it_is, t.what, as_tried);
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

/* Accepts "0", "40000001H", "IA32_FIXED_CTR1", "PerfCtr0". */
static unsigned counter_of(const char *text)
{
	char name[PMU_NAME_SIZE];
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
	monitor_fail("%s is not a counter; \"rdpmc\" or \"why\" alone shows all counters", text);
}

COMMAND(why, .syntax = "[COUNTER]", .summary = "shows why a counter does not count, and what to "
                                               "type",
        .text = "COUNTER is its name or its index for RDPMC. Its registers are examined, a\n"
                "loop is run with them as they are, and again with the counter programmed\n"
                "for something sure; then everything is restored. Alone it prints a line\n"
                "for each counter.\n",
        .example = "why", .completion = COMPLETE_REGISTERS)
{
	struct why_counter c;

	words_expect(w, 0, 1);
	if (!has_counters())
		return;
	if (w->count == 1) {
		for (unsigned i = 0; i < 2 * PMU_FIXED; i++)
			if (pmu_has_counter(i))
				print_line(i);
		return;
	}
	why_look(&c, counter_of(w->word[1]));
	print("%s = %" PRIu64 "\n", c.name, c.value);
	try_counter(&c, print_checks(&c));
}
