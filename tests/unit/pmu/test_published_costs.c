/* SPDX-License-Identifier: MIT */
/* LINK: pmu/review/published_costs.c */
#include <pmu/review/published_costs.h>

#include <tests/unit/unit.h>

static const struct published_cost *costs_of(enum cpu_vendor vendor, unsigned family,
                                             unsigned model)
{
	return published_cost_of(&(struct cpu_identity){
		.vendor = vendor, .family = family, .model = model,
	});
}

UNIT_TEST(a_processor_is_found_by_vendor_family_and_model)
{
	check_str("Nehalem", costs_of(VENDOR_INTEL, 6, 0x1A)->name, "a Core i7-920");
	check_eq_u64("its RDPMC, in tenths", costs_of(VENDOR_INTEL, 6, 0x1A)->tenths[0], 321);
	check_eq_u64("its WRMSR", costs_of(VENDOR_INTEL, 6, 0x1A)->tenths[COSTLY_WRMSR], 1502);
	check_true("no other model", !costs_of(VENDOR_INTEL, 6, 0x3C));
	check_true("no other vendor", !costs_of(VENDOR_INTEL, 0x0F, 4));
	check_str("the same of AMD", costs_of(VENDOR_AMD, 0x0F, 4)->name, "an Athlon 64 2.0");
	check_eq_u64("the first Pentium has no RDPMC", costs_of(VENDOR_INTEL, 5, 2)->tenths[0], 0);
}

/* The slowest of the table: 226.7 clocks (RDPMC), 375.5 (RDMSR) and 979.9 (WRMSR). */
UNIT_TEST(more_than_twice_the_slowest_is_no_processor)
{
	static const struct { enum costly what; uint32_t most; } bounds[] = {
		{ COSTLY_RDPMC, 453 }, { COSTLY_RDMSR, 751 }, { COSTLY_WRMSR, 1959 },
	};

	for (unsigned i = 0; i < 3; i++) {
		check_true("a slow processor",
		           !published_is_beyond(bounds[i].what, bounds[i].most));
		check_true("a trap", published_is_beyond(bounds[i].what, bounds[i].most + 1));
	}
}

UNIT_MAIN()
