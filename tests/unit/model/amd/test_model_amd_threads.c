/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests which threads the L3 counters of a package select. Source: Linux, events/amd/uncore.c. */
#include <tests/unit/unit.h>
#include <tests/unit/model/core/model_several.h>

enum { L3_CTL = 0xc0010230, L3_CTR = 0xc0010231,
       RYZEN = MODEL_AMD | 0x800f11, ZEN4 = MODEL_AMD | 0xa60f12 };

/* Two packages of two cores of two threads: threads are numbered in their package. */
UNIT_TEST(l3_counts_the_thread_that_it_selects)
{
	static struct several s;
	enum { PER_PACKAGE = 4 };

	for (unsigned is_late = 0; is_late < 2; is_late++)
		for (unsigned selected = 0; selected < PER_PACKAGE; selected++)
			for (unsigned n = 0; n < 2 * PER_PACKAGE; n++) {
				const uint64_t masks = ONE(56 + selected) | UINT64_C(15) << 48;
				const uint64_t number = ONE(56 + selected % 2) | ONE(46) |
				                        (uint64_t)(selected / 2) << 42;

				several_create(&s, is_late ? ZEN4 : RYZEN, 2, 2, 2);
				several_put(&s, n, L3_CTL, EN | (is_late ? 0x104 | number
				                                 : 0x06 | masks));
				several_access(&s, n, REFPMU_READ, 0x900000);
				check_eq_u64("counts", several_get(&s, n, L3_CTR) != 0,
				             n % PER_PACKAGE == selected);
			}
}

/* Family 17H's mask has eight bits; thread 8 has that of thread 0. */
UNIT_TEST(masks_of_threads_begin_anew_after_eight)
{
	static struct several s;
	enum { THREADS = 10 };

	for (unsigned n = 6; n < THREADS; n++)
		for (unsigned bit = 0; bit < 8; bit++) {
			several_create(&s, RYZEN, 1, THREADS / 2, 2);
			several_put(&s, n, L3_CTL, EN | 0x06 | ONE(56 + bit) | UINT64_C(15) << 48);
			several_access(&s, n, REFPMU_READ, 0x900000);
			check_eq_u64("counts", several_get(&s, n, L3_CTR) != 0, n % 8 == bit);
		}
}

UNIT_MAIN()
