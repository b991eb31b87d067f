/* SPDX-License-Identifier: MIT */
#include <tests/suites/netburst/overflow/netburst_overflow.h>

struct pmu_setup overflow_with(struct pmu_setup s, uint32_t more)
{
	static struct netburst_use uses[NETBURST_COUNTERS];
	struct netburst_use *use = &uses[s.counter % NETBURST_COUNTERS];

	*use = *s.netburst;
	use->cccr_value |= more;
	s.netburst = use;
	return s;
}

struct pmu_setup overflow_clock(unsigned counter, uint32_t more, uint64_t start)
{
	static struct netburst_use uses[NETBURST_COUNTERS];
	struct netburst_use *use = &uses[counter % NETBURST_COUNTERS];
	struct pmu_setup s = netburst_clock_setup(use, counter);

	use->cccr_value |= more;
	use->is_by_escr = true;
	s.start = start;
	return s;
}

uint64_t overflow_run(struct pmu_setup s, uint64_t start,
                      void (*code)(uint32_t rounds, uint32_t argument), uint32_t rounds)
{
	s.start = start;
	pmu_program(&s, 1);
	pmu_window(code, rounds, 0);
	return pmu_read(s.counter);
}

uint64_t overflow_total(struct pmu_setup s, void (*code)(uint32_t rounds, uint32_t argument),
                        uint32_t rounds)
{
	overflow_run(s, 0, code, rounds);
	return overflow_run(s, 0, code, rounds);
}

bool overflow_is_set(unsigned counter)
{
	return (pmu_status() >> counter & 1) != 0;
}
