/* SPDX-License-Identifier: MIT */
/* LINK: pmu/events/event_text.c kernel/lib/format.c */
#include <pmu/events/event_text.h>

#include <pmu/core/program.h>
#include <tests/unit/unit.h>

static char problem[256];

static void check_text_refused(const char *text, const char *want)
{
	struct event_text t;

	check_true(text, !event_text_parse(&t, text, problem, sizeof(problem)));
	check_str(text, problem, want);
}

UNIT_TEST(a_text_has_an_event_masks_rings_and_options)
{
	struct event_text t;
	char again[EVENT_TEXT_TEXT_SIZE];

	check_true("it is one", event_text_parse(&t, "l2_rqsts:e+m:s:U,CMASK=12,edge,Inv,any",
	                                         problem, sizeof(problem)));
	check_str("event", t.event, "l2_rqsts");
	check_str("masks", t.masks, "E+M+S");
	check_eq_u64("flags", t.flags, PMU_USR | PMU_EDGE | PMU_INV | PMU_ANY);
	check_eq_u64("CMASK", t.cmask, 12);
	event_text_write(&t, "L2_RQSTS", again);
	check_str("again", again, "L2_RQSTS:E+M+S:u,cmask=12,inv,edge,any");
	check_true("rings", event_text_parse(&t, "x", problem, sizeof(problem)));
	check_eq_u64("both", t.flags, PMU_BOTH);
	check_true("rings", event_text_parse(&t, "x:k:u", problem, sizeof(problem)));
	check_eq_u64("both, said", t.flags, PMU_BOTH);
}

UNIT_TEST(a_wrong_text_is_told)
{
	check_text_refused("", "\"\" does not begin with the name of an event");
	check_text_refused(":u", "\":u\" does not begin with the name of an event");
	check_text_refused("x:", "x: a mask's name, u or k is missing after a colon");
	check_text_refused("x,cmask=", "x: cmask= is not a number from 0 to 255");
	check_text_refused("x,cmask=256", "x: cmask=256 is not a number from 0 to 255");
	check_text_refused("x,cmask=1a", "x: cmask=1a is not a number from 0 to 255");
	check_text_refused("x,",
	                   "x: there is no option ; there are cmask=N, inv, edge, any");
	check_text_refused("x,edge:u",
	                   "x: there is no option edge:u; there are cmask=N, inv, edge, any");
	check_text_refused("0123456789012345678901234567890123456789012345678901234567890123",
	                   "\"01234567890123456789012345678901...\" is longer than every event's "
	                   "name");
}

UNIT_TEST(a_number_has_one_to_four_hexadecimal_digits)
{
	uint16_t event = 0;

	check_true("rc0", event_text_is_raw("rc0", &event));
	check_eq_u64("rc0", event, 0xc0);
	check_true("R412E", event_text_is_raw("R412E", &event));
	check_eq_u64("R412E", event, 0x412e);
	check_true("r", !event_text_is_raw("r", &event));
	check_true("r12345", !event_text_is_raw("r12345", &event));
	check_true("ret", !event_text_is_raw("ret", &event));
	check_true("c0", !event_text_is_raw("c0", &event));
}

UNIT_MAIN()
