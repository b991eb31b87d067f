/* SPDX-License-Identifier: MIT */
/* The summary of a run in few characters; tests/host/screen/qr.t reads it. */
/* LINK: kernel/log/summary.c kernel/lib/check.c kernel/lib/format.c */
#include <kernel/log/summary.h>

#include <tests/unit/unit.h>

static char text[SUMMARY_SIZE];

static const char *summary(unsigned most, unsigned first, unsigned step, unsigned count)
{
	struct id_set ids = { 0 };

	for (unsigned i = 0; i < count; i++)
		id_set_add(&ids, first + i * step);
	memset(text, 'x', sizeof(text));
	summary_write(text, most, "head 1, FAIL", &ids);
	return text;
}

UNIT_TEST(a_run_in_short)
{
	check_str("none", summary(100, 0, 0, 0), "HEAD 1. FAIL 8250124A");
	check_str("some", summary(100, 3, 40, 3), "HEAD 1. FAIL IDS D2$3$3 64431E00");
	check_str("in a row", summary(100, 1, 1, 20), "HEAD 1. FAIL IDS BVVVV ED2C1634");
}

/* The screens of 80 x 25 and 1024 x 768 have symbols of these many characters. */
UNIT_TEST(as_many_ids_as_promised)
{
	enum { TEXT_SCREEN = 195, GRAPHICS_SCREEN = 758, HEAD = 60, ALL = 1299 };

	summary(TEXT_SCREEN - HEAD, 1, 13, 100);
	check_true("100 on a text screen", !strchr(text, '+'));
	for (unsigned step = 1; step < 4; step++) {
		summary(GRAPHICS_SCREEN - HEAD, 1, step, ALL / step);
		check_true("all on a graphics screen", !strchr(text, '+'));
	}
}

UNIT_TEST(what_does_not_fit_is_counted)
{
	for (unsigned most = 40; most < 150; most++) {
		summary(most, 1, 13, 90);
		check_true("not more than there is room for", strlen(text) <= most);
		check_true("nothing is written after it", text[most + 1] == 'x');
	}
	check_true("the rest", strstr(summary(50, 1, 13, 90), " +") != NULL);
}

UNIT_MAIN()
