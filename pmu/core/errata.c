/* SPDX-License-Identifier: MIT */
#include <pmu/core/errata.h>

#include <stddef.h>

#include <kernel/lib/format.h>
#include <kernel/lib/glob.h>
#include <kernel/lib/string.h>
#include <kernel/machine/machine.h>
#include <pmu/core/microarchitecture.h>
#include <pmu/core/pmu.h>

/* The counters of a core whose threads do not share them: from Sandy Bridge to Broadwell. */
#define COUNTERS_OF_A_CORE  8

static bool is_expected;
enum { UNTRIED, NOT_SEEN, SEEN };
static uint8_t found[256];              /* of each row, on this processor */

bool erratum_is_of(const struct erratum *e, const struct cpu_identity *cpu)
{
	const bool is_amd = e->on || e->family >= 0x10;

	if (cpu->vendor != (is_amd ? VENDOR_AMD : VENDOR_INTEL)
	    || !(e->steppings >> cpu->stepping & 1))
		return false;
	if (e->on)
		return microarchitecture_of_amd_cpu(cpu) & e->on;
	for (unsigned i = 0; i < ERRATUM_MODELS && (i == 0 || e->models[i]); i++)
		if (e->family == cpu->family && e->models[i] == cpu->model)
			return true;
	return false;
}

static bool holds(const struct erratum *e)
{
	const bool is_alone = pmu_get()->gp_count >= COUNTERS_OF_A_CORE;

	if (e->condition == WITH_TSX)
		return cpuid_get(CPUID_RTM) != 0;
	return e->condition == ALWAYS || (e->condition == WITHOUT_THREADS) == is_alone;
}

static bool is_about(const struct erratum *e, const char *id)
{
	for (unsigned i = 0; i < ERRATUM_TESTS && e->tests[i]; i++)
		if (glob_is_match(e->tests[i], id))
			return erratum_is_of(e, machine_cpu()) && holds(e);
	return false;
}

void errata_init(bool is_silicon)
{
	is_expected = is_silicon;
}

const char *erratum_named_for(const char *id)
{
	for (unsigned i = 0; is_expected && i < erratum_count; i++)
		if (is_about(&errata[i], id))
			return errata[i].id;
	return NULL;
}

/* Returns the row that makes this check fail, or NULL. */
static const struct erratum *cause_of(const char *id, const struct finding *f)
{
	for (unsigned i = 0; i < erratum_count; i++)
		if (is_about(&errata[i], id) && glob_is_match(errata[i].what, f->what)) {
			found[i] = SEEN;
			return &errata[i];
		}
	return NULL;
}

static void note_unseen(const char *id)
{
	for (unsigned i = 0; i < erratum_count; i++)
		if (found[i] == UNTRIED && is_about(&errata[i], id))
			found[i] = NOT_SEEN;
}

/* A check that was not kept may be any of the test's: only a row for all of them explains it. */
static bool is_whole(const struct test_ctx *t, const struct erratum *cause)
{
	return t->findings <= RESULT_MAX_FINDINGS || glob_is_match(cause->what, "");
}

const char *erratum_of(const struct test_ctx *t)
{
	static char text[sizeof(t->reason)];
	const struct erratum *first = NULL;
	const unsigned max = RESULT_MAX_FINDINGS, kept = t->findings < max ? t->findings : max;

	if (!is_expected || t->status == TEST_SKIP)
		return NULL;
	for (unsigned i = 0; t->status == TEST_FAIL && i < kept; i++) {
		const struct erratum *cause = cause_of(t->test->id, &t->finding[i]);

		if (!cause || !is_whole(t, cause))
			return NULL;
		first = first ? first : cause;
	}
	if (!first) {
		note_unseen(t->test->id);
		return NULL;
	}
	format_buf(text, sizeof(text), "erratum %s: %s", first->id, first->sentence);
	return text;
}

/* Adds the names of the rows in this state to a text; what does not fit is cut. */
static void add_names(char *text, int size, uint8_t state, const char *lead)
{
	for (unsigned i = 0; i < erratum_count; i++) {
		const int used = (int)strlen(text);

		if (found[i] != state)
			continue;
		format_buf(text + used, (size_t)(size - used), "%s%s %s",
		           used && *lead ? "; " : "", lead, errata[i].id);
		lead = "";
	}
}

const char *errata_unconfirmed(void)
{
	static char text[160];
	const struct cpu_identity *cpu = machine_cpu();

	format_buf(text, sizeof(text), "nobody has confirmed this test on silicon of family %XH, "
	           "model %XH, so the test may be wrong: send this log as an issue",
	           cpu->family, cpu->model);
	return is_expected ? text : NULL;
}

const char *errata_seen(void)
{
	static char text[200];

	text[0] = '\0';
	add_names(text, sizeof(text), SEEN, "seen:");
	add_names(text, sizeof(text), NOT_SEEN, "did not show:");
	return text[0] ? text : NULL;
}
