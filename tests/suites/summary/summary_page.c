/* SPDX-License-Identifier: MIT */
/* The last test of a run: one page on what this machine's PMU is good for. */
#include <kernel/run/test.h>

#include <pmu/review/review.h>

TEST(summary, .id = "summary", .runs = TEST_BY_KIND,
     .source = "SDM 3B, Performance Monitoring: what CPUID and the model announce exists",
     .claim = "each part of the PMU that is announced works, at a first look")
{
	struct review_part part;

	for (unsigned i = 0; i < review_row_count; i++) {
		review_tell(&review_rows[i], &part);
		test_report(t, review_rows[i].name, "%s", part.text);
		test_sub(t, "%s", review_rows[i].name);
		if (part.what)
			expect_exact(t, part.what, part.got, part.want,
			             "it is announced, and others measure with it");
		test_sub(t, "%s", "");
	}
}
