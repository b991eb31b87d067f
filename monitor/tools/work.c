/* SPDX-License-Identifier: MIT */
#include <monitor/tools/work.h>

#include <stddef.h>

#include <arch/cpu/self.h>
#include <arch/modes/modes.h>
#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <kernel/lib/nearest.h>
#include <kernel/lib/string.h>
#include <kernel/run/test.h>
#include <monitor/tools/expression.h>
#include <pmu/drivers/suspend.h>
#include <pmu/workload/workload_rules.h>

enum { ROUNDS_USUAL = 1000, LENGTH_USUAL = 64, BITS_USUAL = 0x55555555, SEED_USUAL = 1 };

static SHARED struct { uintptr_t base; uint32_t size; } arena;

static bool is_begun;                  /* set by work_get_code(), until work_end() */

void work_init(void)
{
	pmu_workload_take_arena();
	arena.base = (uintptr_t)pmu_workload_arena(&arena.size);
}

/* ---------------------------------------------------------------------------- parsing */

/* WORKLOAD, ROUNDS and ARGUMENT, or fewer parts. */
struct parts { char text[MONITOR_LINE_SIZE]; const char *part[3]; unsigned count; };

static void split(struct parts *p, const char *word)
{
	format_buf(p->text, sizeof(p->text), "%s", word);
	p->part[0] = p->text;
	p->count = 1;
	for (char *c = p->text; *c; c++) {
		if (*c != ':')
			continue;
		if (p->count == 3)
			monitor_fail("%s: work is WORKLOAD:ROUNDS:ARGUMENT, no more", word);
		*c = '\0';
		p->part[p->count++] = c + 1;
	}
}

static uint32_t number(const struct parts *p, unsigned i, const char *what)
{
	struct expression e;
	const char *problem = expression_parse(p->part[i], &e);

	if (problem)
		monitor_fail("%s of %s: \"%s\" %s", what, p->part[0], p->part[i], problem);
	if (e.is_negative || e.magnitude > UINT32_MAX)
		monitor_fail("%s of %s: %s is not from 0 to FFFFFFFFH", what, p->part[0],
		             p->part[i]);
	return (uint32_t)e.magnitude;
}

static uint32_t offset_of(const struct parts *p, const struct workload_rule *r)
{
	uint32_t offset = p->count > 2 ? number(p, 2, "the offset") : 0;

	if (offset % r->align)
		monitor_fail("the offset of %s has to be a multiple of %" PRIu32, r->name,
		             r->align);
	return offset;
}

static uint32_t length_of(const struct parts *p, const struct workload_rule *r)
{
	uint32_t length = p->count > 2 ? number(p, 2, "the length") : LENGTH_USUAL;

	if (length > r->most)
		monitor_fail("the length of %s is from 0 to %" PRIu32, r->name, r->most);
	return length;
}

static uint32_t seed_of(const struct parts *p)
{
	uint32_t seed = p->count > 2 ? number(p, 2, "the seed") : SEED_USUAL;

	if (!seed)
		monitor_fail("the seed of %s is not 0: it would stay 0", p->part[0]);
	return seed;
}

static uint32_t argument_of(const struct parts *p, const struct workload_rule *r)
{
	switch (r->argument) {
	case WORKLOAD_OFFSET: return offset_of(p, r);
	case WORKLOAD_LENGTH: return length_of(p, r);
	case WORKLOAD_BITS:   return p->count > 2 ? number(p, 2, "the bits") : BITS_USUAL;
	case WORKLOAD_SEED:   return seed_of(p);
	default:
		if (p->count > 2)
			monitor_fail("%s takes no argument after its rounds", p->part[0]);
		return 0;
	}
}

static uint32_t rounds_of(const struct parts *p, const struct workload *w, uint32_t argument)
{
	uint32_t most = workload_rounds_most(w, argument, arena.size);
	uint32_t rounds;

	if (w->insns_each == 0) {
		if (p->count > 1 && number(p, 1, "the rounds"))
			monitor_fail("%s has no rounds", w->name);
		return 0;
	}
	if (most == 0)
		monitor_fail("the memory for %s has %" PRIu32 " bytes: offset %" PRIu32 " is "
		             "beyond its end", w->name, arena.size, argument);
	rounds = p->count > 1 ? number(p, 1, "the rounds")
	                      : most < ROUNDS_USUAL ? most : ROUNDS_USUAL;
	if (rounds < 1 || rounds > most)
		monitor_fail("%s takes from 1 to %" PRIu32 " rounds%s", w->name, most,
		             argument ? " with this argument" : "");
	return rounds;
}

static void fail_unknown(const char *name)
{
	char meant[NEAREST_TEXT_SIZE];
	struct nearest nearest;

	nearest_begin(&nearest, name);
	for (const struct workload *w = workload_table; w < workload_table_end; w++)
		nearest_try(&nearest, w->name);
	monitor_fail("there is no workload %s%s; \"work\" alone lists all workloads", name,
	             nearest_text(&nearest, meant));
}

static const struct workload *workload_of(const char *name)
{
	const struct workload *w = workload_find(name);

	if (!w)
		fail_unknown(name);
	if (workload_problem(w))
		monitor_fail("%s cannot run on this processor: %s", name, workload_problem(w));
	return w;
}

static bool user_of(const struct words *w, unsigned at, const struct workload_rule *r)
{
	if (at == w->count)
		return false;
	if (strcmp(w->word[at], "user") == 0)
		at++;
	if (at < w->count)
		monitor_fail("only \"user\" may follow the work, not \"%s\"", w->word[at]);
	if (r->is_kernels)
		monitor_fail("%s cannot run at CPL 3: its instructions need CPL 0", r->name);
	if (modes_problem())
		monitor_fail("nothing can run at CPL 3: %s", modes_problem());
	return true;
}

void work_parse(const struct words *w, unsigned first, struct work *work)
{
	const struct workload_rule *r;
	struct parts p;

	if (first >= w->count)
		monitor_fail("the work is missing: WORKLOAD[:ROUNDS[:ARGUMENT]] [user], as in "
		             "loop:1000; \"work\" alone lists the workloads");
	split(&p, w->word[first]);
	work->workload = workload_of(p.part[0]);
	r = workload_rule_of(p.part[0]);
	work->argument = argument_of(&p, r);
	work->rounds = rounds_of(&p, work->workload, work->argument);
	if (r->argument == WORKLOAD_OFFSET)
		work->argument += (uint32_t)arena.base;
	work->is_user = user_of(w, first + 1, r);
}

/* Returns true if the word is a workload's name, maybe with rounds. */
static bool is_workload(const char *word)
{
	const char *colon = strchr(word, ':');
	char name[MONITOR_LINE_SIZE];

	format_buf(name, sizeof(name), "%.*s", (int)(colon ? (size_t)(colon - word) : strlen(word)),
	           word);
	return workload_find(name) != NULL;
}

unsigned work_find(const struct words *w, unsigned first, unsigned *end)
{
	for (*end = first; *end < w->count; ++*end)
		if (strcmp(w->word[*end], "on") == 0)
			return *end + 1;
	for (*end = first; *end < w->count; ++*end)
		if (is_workload(w->word[*end]))
			return *end;
	monitor_fail("the work is missing: ... on WORKLOAD:ROUNDS, as in \"on loop:1000\"");
}

/* ---------------------------------------------------------------------------- running */

work_code work_get_code(const struct work *work)
{
	if (!is_begun)
		pmu_workload_begin();
	is_begun = true;
	if (workload_rule_of(work->workload->name)->has_gate)
		pmu_workload_gates();
	else
		pmu_workload_gates_end();
	if (!work->is_user)
		return work->workload->code;
	pmu_workload_at_cpl3_begin(work->workload->code);
	return pmu_workload_at_cpl3;
}

const char *work_problem(const struct work *work)
{
	static char problem[MONITOR_LINE_SIZE];
	char text[FAULT_TEXT_SIZE];

	if (!work->is_user || !is_fault(pmu_workload_at_cpl3_fault()))
		return NULL;
	format_buf(problem, sizeof(problem), "%s ended at CPL 3 by %s", work->workload->name,
	           fault_text(pmu_workload_at_cpl3_fault(), text));
	return problem;
}

void work_end(void)
{
	if (!is_begun)
		return;
	is_begun = false;
	pmu_workload_end();
	pmu_workload_gates_end();
}

const char *work_place(uintptr_t address, char *buffer)
{
	for (const struct workload *w = workload_table; w < workload_table_end; w++) {
		uintptr_t start = (uintptr_t)w->code;

		if (address < start || address >= (uintptr_t)w->end)
			continue;
		if (address == start)
			format_buf(buffer, WORK_PLACE_SIZE, "%s", w->name);
		else
			format_buf(buffer, WORK_PLACE_SIZE, "%s+%" PRIX32 "H", w->name,
			           (uint32_t)(address - start));
		return buffer;
	}
	return "kernel";
}

/* ---------------------------------------------------------------------------- the command */

static const char *const argument_names[] = {
	[WORKLOAD_NO_ARGUMENT] = "", [WORKLOAD_OFFSET] = "  offset", [WORKLOAD_LENGTH] = "  length",
	[WORKLOAD_BITS] = "  bits", [WORKLOAD_SEED] = "  seed",
};

static void list_workload(const struct workload *w)
{
	const struct workload_rule *r = workload_rule_of(w->name);

	print("%-18s %5" PRIu32 " %8" PRIu32 " %5" PRIu32 "%s%s%s%s\n", w->name, w->insns_each,
	      w->branches_each, w->taken_each, argument_names[r->argument],
	      r->is_kernels ? "  not user" : "", workload_problem(w) ? "  not here: " : "",
	      workload_problem(w) ? workload_problem(w) : "");
}

static void list_workloads(void)
{
	print("each round: instructions, branches, taken branches\n");
	for (const struct workload *w = workload_table; w < workload_table_end; w++)
		list_workload(w);
}

static void run_and_tell(const struct work *work)
{
	work_code code = work_get_code(work);

	pmu_awake_run(code, work->rounds, work->argument);
	if (work_problem(work))
		monitor_fail("%s", work_problem(work));
	print("ran %s%s: %" PRIu32 " rounds, %" PRIu64 " instructions\n", work->workload->name,
	      work->is_user ? " at CPL 3" : "", work->rounds,
	      workload_insns(work->workload, work->rounds));
}

COMMAND(work, .syntax = "[WORKLOAD[:ROUNDS[:ARGUMENT]] [user]]",
        .summary = "runs code with the counters as you programmed them, or lists it",
        .text = "At the prompt counters are paused; while WORKLOAD runs they count as\n"
                "they are programmed. The window around it has 4 instructions, 1 of them a\n"
                "branch. The list shows what a round of each workload retires. \"user\"\n"
                "runs it at CPL 3. ARGUMENT is an offset into memory that workloads may\n"
                "use, or what the list says.\n",
        .example = "work loop:1000", .completion = COMPLETE_WORKLOADS)
{
	struct work work;

	if (w->count == 1) {
		list_workloads();
		return;
	}
	work_parse(w, 1, &work);
	run_and_tell(&work);
}
