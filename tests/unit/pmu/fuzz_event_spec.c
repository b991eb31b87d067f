/* SPDX-License-Identifier: MIT */
/* LINK: pmu/events/event_spec.c pmu/events/event_request_general.c */
/* LINK: pmu/events/event_request_match.c pmu/events/event_request_names.c */
/* LINK: pmu/events/event_request_netburst.c pmu/events/event_text.c pmu/events/presets.c */
/* LINK: pmu/events/arch_events.c pmu/events/amd_events.c pmu/events/event_request_amd.c */
/* LINK: build/amd_events.c build/intel_events.c pmu/events/packed_events.c */
/* LINK: pmu/events/intel_events.c pmu/events/event_request_intel.c */
/* LINK: pmu/core/microarchitecture.c pmu/events/events.c pmu/events/event_mask.c */
/* LINK: pmu/events/netburst_find.c */
/* LINK: pmu/events/netburst_setup.c pmu/events/netburst_alloc.c pmu/events/tables/ */
/* LINK: kernel/lib/format.c kernel/lib/nearest.c */
/*
 * Fuzzes the spec of events; input: a byte for the processor, then events, cut at blanks. Either
 * the spec is refused with a sentence, or each of the setups has an existing counter of its own.
 */
#include <pmu/events/event_text.h>
#include <tests/unit/fuzz.h>
#include <tests/unit/pmu/event_spec_machine.h>

enum { LENGTH_MAX = 512 };

static void be(uint8_t which)
{
	switch (which % 6) {
	case 0:  be_p5(); break;
	case 1:  be_p5_mmx(); break;
	case 2:  be_katmai(); break;
	case 3:  be_netburst(); break;
	case 4:  be_haswell(); break;
	default: be_arch(0x0e, 1, 2, 0); break;
	}
}

static void demand(bool is_true)
{
	if (!is_true)
		abort();
}

/* Checks that a text is the same after it was parsed and written again. */
static void check_text(const char *text)
{
	char problem[96], again[EVENT_TEXT_TEXT_SIZE], third[EVENT_TEXT_TEXT_SIZE];
	struct event_text a, b;

	problem[0] = '\0';
	if (!event_text_parse(&a, text, problem, sizeof(problem))) {
		demand(problem[0] != '\0');
		return;
	}
	event_text_write(&a, a.event, again);
	if (strlen(again) == sizeof(again) - 1)
		return;                        /* it may have been cut */
	demand(event_text_parse(&b, again, problem, sizeof(problem)));
	event_text_write(&b, b.event, third);
	demand(strcmp(again, third) == 0 && a.flags == b.flags && a.cmask == b.cmask);
}

static void check_chosen(const struct pmu_chosen *c)
{
	uint64_t used = 0, counts[PMU_SETUPS_MAX] = { 0 };

	demand(c->setup_count <= PMU_SETUPS_MAX);
	for (unsigned i = 0; i < c->setup_count; i++) {
		demand(pmu_has_counter(c->setup[i].counter));
		demand(!(used >> c->setup[i].counter & 1));
		used |= UINT64_C(1) << c->setup[i].counter;
	}
	for (unsigned i = 0; i < c->count; i++) {
		demand(c->spec[i].first + c->spec[i].count <= c->setup_count);
		demand(pmu_spec_value(c, i, counts) == 0);
	}
}

static void check_all(char *text)
{
	static struct pmu_chosen c;
	const char *texts[PMU_SPECS_MAX + 2];
	char problem[160];
	unsigned count = 0;

	for (char *word = strtok(text, " \n"); word && count < PMU_SPECS_MAX + 2;
	     word = strtok(NULL, " \n")) {
		check_text(word);
		texts[count++] = word;
	}
	problem[0] = '\0';
	if (pmu_choose(&c, texts, count, problem, sizeof(problem)))
		check_chosen(&c);
	else
		demand(problem[0] && strlen(problem) < sizeof(problem));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[LENGTH_MAX + 1];

	if (size < 1 || size > LENGTH_MAX)
		return 0;
	be(data[0]);
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	check_all(text);
	return 0;
}
