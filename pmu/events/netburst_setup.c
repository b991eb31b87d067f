/* SPDX-License-Identifier: MIT */
/* Computes the values of NetBurst's ESCRs and CCCRs, without touching a register. */
#include <pmu/events/netburst_pmu.h>

#include <arch/cpu/cpuid.h>
#include <kernel/run/test.h>

/*
 * CPUID.1 counts the threads of a package, which may have two cores (leaf 4; 0 without that leaf).
 */
bool netburst_has_threads(void)
{
	return cpuid_get(CPUID_HTT)
	       && cpuid_get(CPUID_LOGICAL_COUNT) >= 2 * (cpuid_get(CPUID_CORE_ID_LAST) + 1);
}

unsigned netburst_thread(void)
{
	return netburst_has_threads() ? cpuid_get(CPUID_INITIAL_APIC_ID) & 1 : 0;
}

uint32_t netburst_qualifiers(unsigned thread, unsigned flags)
{
	uint32_t os = thread ? ESCR_T1_OS : ESCR_T0_OS, usr = thread ? ESCR_T1_USR : ESCR_T0_USR;

	return (flags & PMU_OS ? os : 0) | (flags & PMU_USR ? usr : 0);
}

uint32_t netburst_ovf_pmi(unsigned thread)
{
	return thread ? CCCR_OVF_PMI_T1 : CCCR_OVF_PMI_T0;
}

uint32_t netburst_cccr(const struct netburst_escr *escr)
{
	return (uint32_t)(CCCR_ENABLE | FIELD_PUT(CCCR_ESCR_SELECT, escr->select)
	                  | FIELD_PUT(CCCR_ACTIVE_THREAD, ACTIVE_THREAD_ANY));
}

/* COMPLEMENT = 0 means more than the threshold, 1 means at most the threshold. */
uint32_t netburst_compare(unsigned least, bool is_fewer)
{
	return (uint32_t)(CCCR_COMPARE | (is_fewer ? CCCR_COMPLEMENT : 0)
	                  | FIELD_PUT(CCCR_THRESHOLD, least - 1));
}

static void add_flags(struct netburst_use *use, unsigned flags)
{
	use->escr_value |= netburst_qualifiers(netburst_thread(), flags);
	if (flags & PMU_ANY && netburst_has_threads())
		use->escr_value |= netburst_qualifiers(!netburst_thread(), flags);
	use->cccr_value |= flags & PMU_INT ? netburst_ovf_pmi(netburst_thread()) : 0;
}

struct pmu_setup netburst_setup_request(struct netburst_use *use, const struct netburst_request *r,
                                        unsigned counter)
{
	const struct netburst_escr *escr = netburst_event_escr(r->event, counter);

	if (!escr)
		test_abort("no ESCR of %s reaches counter %u", r->event->name, counter);
	*use = (struct netburst_use){
		.escr = escr, .cccr_value = netburst_cccr(escr),
		.escr_value = (uint32_t)(FIELD_PUT(ESCR_EVENT_SELECT, r->event->select)
		                         | FIELD_PUT(ESCR_EVENT_MASK, r->mask)),
	};
	add_flags(use, r->flags);
	if (r->tag_value)
		use->escr_value |= (uint32_t)(ESCR_TAG_ENABLE
		                              | FIELD_PUT(ESCR_TAG_VALUE, r->tag_value));
	return (struct pmu_setup){ .counter = counter, .netburst = use };
}

struct pmu_setup netburst_setup(struct netburst_use *use, const struct netburst_event *e,
                                const char *masks, unsigned counter, unsigned flags)
{
	struct netburst_request r = { .event = e, .flags = flags };

	if (!e)
		test_abort("the table has no event of this name");
	if (!netburst_event_mask(e, masks, &r.mask))
		test_abort("the event %s has no mask %s", e->name, masks);
	return netburst_setup_request(use, &r, counter);
}

/*
 * Returns an ESCR that no event of the manual uses, so that it does not conflict with another
 * setup.
 */
static const struct netburst_escr *spare_escr(unsigned counter)
{
	const struct netburst_escr *found = NULL;

	for (unsigned i = 0; i < NETBURST_ESCRS; i++) {
		const struct netburst_escr *e = &netburst_escrs[i];

		if (!(e->counters >> counter & 1) || !netburst_has_escr(e))
			continue;
		if (!found || (!found->without_event && e->without_event))
			found = e;
	}
	return found;
}

struct pmu_setup netburst_clock_setup(struct netburst_use *use, unsigned counter)
{
	const struct netburst_escr *escr = spare_escr(counter);

	*use = (struct netburst_use){
		.escr = escr, .escr_value = ESCR_EVENT_SELECT,
		.cccr_value = netburst_cccr(escr) | netburst_compare(16, true),
	};
	return (struct pmu_setup){ .counter = counter, .netburst = use };
}
