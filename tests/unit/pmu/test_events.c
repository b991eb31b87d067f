/* SPDX-License-Identifier: MIT */
/* LINK: pmu/events/tables/p5_event_table.c pmu/events/tables/p6_event_table.c */
/* LINK: pmu/events/event_mask.c */
#include <pmu/events/events.h>

#include <ctype.h>

#include <arch/regs/table.h>
#include <tests/unit/unit.h>

static const struct table {
	const char *name;
	const struct pmu_event *rows;
	const unsigned *count;
	uint8_t models, selects;       /* of its family; the largest event select */
} tables[] = {
	{ "P6", pmu_events_p6, &pmu_events_p6_count,
	  PMU_MODEL_PPRO | PMU_MODEL_PII | PMU_MODEL_PIII | PMU_MODEL_PM, 0xff },
	{ "P5", pmu_events_p5, &pmu_events_p5_count,
	  PMU_MODEL_P5 | PMU_MODEL_P54C | PMU_MODEL_P55C, 0x3f },
};

#define FOR_EACH_TABLE(t) \
	for (const struct table *t = tables; t < tables + COUNT_OF(tables); t++)
#define FOR_EACH_ROW(t, e) \
	for (const struct pmu_event *e = (t)->rows; e < (t)->rows + *(t)->count; e++)

static const char *about(const struct pmu_event *e, const char *what)
{
	static char text[160];

	snprintf(text, sizeof(text), "%s: %s", e->name, what);
	return text;
}

static bool is_upper(const char *name)
{
	for (; *name; name++)
		if (!isupper((unsigned char)*name) && !isdigit((unsigned char)*name)
		    && *name != '_')
			return false;
	return true;
}

UNIT_TEST(the_tables_have_the_manuals_rows)
{
	check_eq_u64("rows of P6", pmu_events_p6_count, 110);
	check_eq_u64("rows of P5", pmu_events_p5_count, 82);
}

UNIT_TEST(every_row_has_a_name_counters_models_and_a_description)
{
	FOR_EACH_TABLE(t) {
		FOR_EACH_ROW(t, e) {
			check_true(about(e, "name in upper case"), e->name[0] && is_upper(e->name));
			check_true(about(e, "unit"), e->unit != NULL);
			check_true(about(e, "description"), e->description && e->description[0]);
			check_true(about(e, "counters 0, 1 or both"),
			           e->counters >= 1 && e->counters <= 3);
			check_true(about(e, "models of this family"),
			           !(e->models & ~t->models) && (e->models || e->is_reserved));
			check_true(about(e, "event select fits"), e->select <= t->selects);
			check_true(about(e, "what is required is not reserved"),
			           !(e->is_required && e->is_reserved));
		}
	}
}

UNIT_TEST(masks_are_named_and_make_up_the_full_count)
{
	uint8_t bits;

	FOR_EACH_TABLE(t) {
		FOR_EACH_ROW(t, e) {
			unsigned all = 0;

			for (unsigned i = 0; i < PMU_EVENT_MASKS_MAX && e->masks[i].name; i++) {
				all |= e->masks[i].bits;
				check_true(about(e, "mask in upper case"),
				           is_upper(e->masks[i].name));
				check_true(about(e, "mask by its name"),
				           pmu_event_mask(e, e->masks[i].name, &bits));
				check_eq_u64(about(e, e->masks[i].name), bits, e->masks[i].bits);
			}
			check_eq_u64(about(e, "full count within the masks"), e->umask & ~all, 0);
			check_true(about(e, "full count"), pmu_event_mask(e, NULL, &bits));
			check_eq_u64(about(e, "full count"), bits, e->umask);
		}
	}
}

static bool is_same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

static bool is_sharing_a_name(const struct pmu_event *a, const struct pmu_event *b)
{
	if (is_same(a->name, b->name))
		return true;
	for (unsigned i = 0; i < PMU_EVENT_ALIASES_MAX; i++)
		if (is_same(a->aliases[i], b->name) || is_same(a->name, b->aliases[i])
		    || is_same(a->aliases[i], b->aliases[i]))
			return true;
	return false;
}

UNIT_TEST(on_no_processor_do_two_rows_share_a_name_or_an_encoding)
{
	FOR_EACH_TABLE(t) {
		FOR_EACH_ROW(t, a) {
			for (const struct pmu_event *b = t->rows; b < a; b++) {
				if (!(a->models & b->models))
					continue;
				check_true(about(a, b->name), !is_sharing_a_name(a, b));
				check_true(about(a, b->name), a->select != b->select
				           || !(a->counters & b->counters));
			}
		}
	}
}

UNIT_TEST(name_and_unit_are_unique)
{
	FOR_EACH_TABLE(t)
		FOR_EACH_ROW(t, a)
			for (const struct pmu_event *b = t->rows; b < a; b++)
				check_true(about(a, "name and unit"), !is_same(a->name, b->name)
				           || !is_same(a->unit, b->unit));
}

static const struct pmu_event *find(const struct table *t, unsigned select, unsigned model,
                                    unsigned counter)
{
	FOR_EACH_ROW(t, e)
		if (e->select == select && (e->models & model) && (e->counters >> counter & 1))
			return e;
	return NULL;
}

/* The table has every encoding of P5; from 2AH on, one per counter. */
UNIT_TEST(p5_has_a_row_for_each_event_select_and_counter)
{
	for (unsigned select = 0; select <= 0x3b; select++)
		for (unsigned counter = 0; counter < 2; counter++) {
			const struct pmu_event *e = find(&tables[1], select, PMU_MODEL_P55C,
			                                 counter);
			char what[40];

			snprintf(what, sizeof(what), "event %02XH, counter %u", select, counter);
			if (check_true(what, e != NULL))
				check_eq_u64(what, e->models & PMU_MODEL_P54C, select < 0x2a
				             ? PMU_MODEL_P54C : 0);
		}
}

/*
 * Typed from lists of other software, not from the manual: Linux, arch/x86/events/intel/p6.c;
 * perfctr, event_set_p6.c and event_set_p5.c.
 */
static const struct known {
	unsigned table;
	uint8_t select, umask;
	unsigned model, counters;
	const char *name;
} known[] = {
	{ 0, 0x79, 0x00, PMU_MODEL_PPRO, 3, "CPU_CLK_UNHALTED" },
	{ 0, 0xc0, 0x00, PMU_MODEL_PPRO, 3, "INST_RETIRED" },
	{ 0, 0x2e, 0x0f, PMU_MODEL_PII,  3, "L2_RQSTS" },
	{ 0, 0xc4, 0x00, PMU_MODEL_PII,  3, "BR_INST_RETIRED" },
	{ 0, 0xc5, 0x00, PMU_MODEL_PIII, 3, "BR_MISS_PRED_RETIRED" },
	{ 0, 0x62, 0x00, PMU_MODEL_PIII, 3, "BUS_DRDY_CLOCKS" },
	{ 0, 0xa2, 0x00, PMU_MODEL_PPRO, 3, "RESOURCE_STALLS" },
	{ 0, 0x43, 0x00, PMU_MODEL_PPRO, 3, "DATA_MEM_REFS" },
	{ 0, 0x45, 0x00, PMU_MODEL_PPRO, 3, "DCU_LINES_IN" },
	{ 0, 0x80, 0x00, PMU_MODEL_PPRO, 3, "IFU_IFETCH" },
	{ 0, 0x81, 0x00, PMU_MODEL_PPRO, 3, "IFU_IFETCH_MISS" },
	{ 0, 0x85, 0x00, PMU_MODEL_PPRO, 3, "ITLB_MISS" },
	{ 0, 0xe2, 0x00, PMU_MODEL_PPRO, 3, "BTB_MISSES" },
	{ 0, 0xc1, 0x00, PMU_MODEL_PPRO, 1, "FLOPS" },
	{ 0, 0x10, 0x00, PMU_MODEL_PPRO, 1, "FP_COMP_OPS_EXE" },
	{ 0, 0x11, 0x00, PMU_MODEL_PPRO, 2, "FP_ASSIST" },
	{ 0, 0x12, 0x00, PMU_MODEL_PPRO, 2, "MUL" },
	{ 0, 0x13, 0x00, PMU_MODEL_PPRO, 2, "DIV" },
	{ 0, 0x14, 0x00, PMU_MODEL_PPRO, 1, "CYCLES_DIV_BUSY" },
	{ 0, 0xb0, 0x00, PMU_MODEL_PII,  3, "MMX_INSTR_EXEC" },
	{ 0, 0xd8, 0x00, PMU_MODEL_PIII, 3, "EMON_KNI_INST_RETIRED" },
	{ 0, 0x24, 0x2f, PMU_MODEL_PM,   3, "L2_LINES_IN" },
	{ 1, 0x00, 0x00, PMU_MODEL_P5,   3, "DATA_READ" },
	{ 1, 0x12, 0x00, PMU_MODEL_P54C, 3, "BRANCHES" },
	{ 1, 0x16, 0x00, PMU_MODEL_P55C, 3, "INSTRUCTIONS_EXECUTED" },
	{ 1, 0x27, 0x00, PMU_MODEL_P55C, 3, "HARDWARE_INTERRUPTS" },
	{ 1, 0x2b, 0x00, PMU_MODEL_P55C, 1, "MMX_INSTRUCTIONS_EXECUTED_U_PIPE" },
	{ 1, 0x2b, 0x00, PMU_MODEL_P55C, 2, "MMX_INSTRUCTIONS_EXECUTED_V_PIPE" },
	{ 1, 0x30, 0x00, PMU_MODEL_P55C, 1, "NUMBER_OF_CYCLES_NOT_IN_HALT_STATE" },
	{ 1, 0x39, 0x00, PMU_MODEL_P55C, 1, "RETURNS" },
};

UNIT_TEST(events_that_other_software_knows_are_what_it_says)
{
	for (unsigned i = 0; i < COUNT_OF(known); i++) {
		const struct known *k = &known[i];
		const struct pmu_event *e = find(&tables[k->table], k->select, k->model,
		                                 k->counters == 2 ? 1 : 0);

		if (!check_true(k->name, e != NULL))
			continue;
		check_str("name", e->name, k->name);
		check_eq_u64(about(e, "full count"), e->umask, k->umask);
		check_eq_u64(about(e, "counters"), e->counters, k->counters);
	}
}

UNIT_MAIN()
