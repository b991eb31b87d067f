/* SPDX-License-Identifier: MIT */
/* Finds out from registers why a counter does not count, by generation. */
#include <monitor/commands/why.h>

#include <stddef.h>

#include <arch/interrupts/local_apic.h>
#include <arch/regs/amd.h>
#include <arch/regs/p5.h>
#include <arch/regs/p6.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <monitor/registers/registers.h>
#include <pmu/drivers/suspend.h>
#include <pmu/events/arch_events.h>
#include <pmu/events/events.h>

enum { MANY = 16 };                    /* more events of one kind than any cycle has */

/* ---------------------------------------------------------------------------- P6, architectural */

static bool is_zero(const struct pmu_examined *c) { return c->select == 0; }

static bool is_off(const struct pmu_examined *c)
{
	return !(c->select & IA32_PERFEVTSEL_EN);
}

static bool is_without_level(const struct pmu_examined *c)
{
	return !(c->select & (IA32_PERFEVTSEL_OS | IA32_PERFEVTSEL_USR));
}

static bool is_user_alone(const struct pmu_examined *c)
{
	return (c->select & (IA32_PERFEVTSEL_OS | IA32_PERFEVTSEL_USR)) == IA32_PERFEVTSEL_USR;
}

static bool is_kernel_alone(const struct pmu_examined *c)
{
	return (c->select & (IA32_PERFEVTSEL_OS | IA32_PERFEVTSEL_USR)) == IA32_PERFEVTSEL_OS;
}

static bool is_cmask_large(const struct pmu_examined *c)
{
	return FIELD_GET(IA32_PERFEVTSEL_CMASK, c->select) >= MANY
	       && !(c->select & IA32_PERFEVTSEL_INV);
}

static bool is_edge(const struct pmu_examined *c)
{
	return (c->select & IA32_PERFEVTSEL_E) != 0;
}

static bool is_lvtpc_masked(void)
{
	return !apic_get_state()->is_present || (apic_read(APIC_LVTPC) & APIC_LVT_MASK);
}

static bool is_pmi_lost(const struct pmu_examined *c)
{
	return (c->select & IA32_PERFEVTSEL_INT) && is_lvtpc_masked();
}

static bool is_pmi_of_fixed_lost(const struct pmu_examined *c)
{
	return (c->fixed & IA32_FIXED_CTR_CTRL_PMI(0)) && is_lvtpc_masked();
}

static bool is_globally_off(const struct pmu_examined *c)
{
	return !(c->control & IA32_PERF_GLOBAL_CTRL_EN_PMC(c->counter));
}

static bool is_frozen(const struct pmu_examined *c)
{
	return (c->status & IA32_PERF_GLOBAL_STATUS_CTR_FRZ) != 0;
}

static bool is_frozen_by_control(const struct pmu_examined *c)
{
	return (c->debugctl & IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI) && c->control == 0
	       && c->status != 0;
}

static bool is_fixed_off(const struct pmu_examined *c)
{
	return !(c->fixed & (IA32_FIXED_CTR_CTRL_EN_OS(0) | IA32_FIXED_CTR_CTRL_EN_USR(0)));
}

static bool is_fixed_user_alone(const struct pmu_examined *c)
{
	return (c->fixed & IA32_FIXED_CTR_CTRL_EN_USR(0))
	       && !(c->fixed & IA32_FIXED_CTR_CTRL_EN_OS(0));
}

/* An event that CPUID does not report is architectural; one of another processor is unknown. */
static bool is_event_missing(const struct pmu_examined *c)
{
	const struct arch_event *e = arch_event_of(c->select);

	return e && !arch_event_exists(e) && e->is_architectural;
}

static bool is_event_unknown(const struct pmu_examined *c)
{
	const struct arch_event *e = arch_event_of(c->select);

	return !e || (!arch_event_exists(e) && !e->is_architectural);
}

static bool is_events_counter_other(const struct pmu_examined *c)
{
	const struct arch_event *e = arch_event_of(c->select);
	const uint64_t counters = e ? arch_event_counters(e) : 0;

	if (pmu_has(PMU_HAS_CORE_CTLS)
	    && (c->select & PERF_CTL_EVENT_SELECT_HIGH))
		return false;                  /* a code of 12 bits */
	return counters && !(counters >> c->counter & 1);
}

/* ---------------------------------------------------------------------------- P6, P5 */

static const struct pmu_event *table_event(const struct pmu_examined *c)
{
	return pmu_event_of(c->select & (pmu_has(PMU_HAS_CESR) ? CESR_ES0
	                                                       : PerfEvtSel_EVENT_SELECT));
}

static bool is_table_event_unknown(const struct pmu_examined *c) { return !table_event(c); }

static bool is_table_counter_other(const struct pmu_examined *c)
{
	const struct pmu_event *e = table_event(c);

	return e && !(e->counters >> c->counter & 1);
}

static bool is_umask_empty(const struct pmu_examined *c)
{
	const struct pmu_event *e = table_event(c);

	return e && e->umask && !(c->select & PerfEvtSel_UMASK);
}

static bool is_p6_off(const struct pmu_examined *c) { return !(c->control & PerfEvtSel_EN); }

static bool is_cc_empty(const struct pmu_examined *c)
{
	return !(FIELD_GET(CESR_CC0, c->select) & CESR_CC_ANY_CPL);
}

static bool is_cc_user_alone(const struct pmu_examined *c)
{
	return (FIELD_GET(CESR_CC0, c->select) & CESR_CC_ANY_CPL) == CESR_CC_USR;
}

/* ---------------------------------------------------------------------------- AMD */

_Static_assert(PERF_CTL_EN == IA32_PERFEVTSEL_EN && PERF_CTL_OS == IA32_PERFEVTSEL_OS
               && PERF_CTL_USR == IA32_PERFEVTSEL_USR && PERF_CTL_INT == IA32_PERFEVTSEL_INT
               && PERF_CTL_EDGE == IA32_PERFEVTSEL_E && PERF_CTL_INV == IA32_PERFEVTSEL_INV
               && PERF_CTL_CNT_MASK == IA32_PERFEVTSEL_CMASK, "the checks above fit AMD's selects");

static bool is_svm_off(const struct pmu_examined *c)
{
	return (c->select & (PERF_CTL_GUEST_ONLY | PERF_CTL_HOST_ONLY))
	       && !(c->efer & AMD_EFER_SVME);
}

static bool is_of_guests(const struct pmu_examined *c)
{
	return (c->select & (PERF_CTL_GUEST_ONLY | PERF_CTL_HOST_ONLY)) == PERF_CTL_GUEST_ONLY
	       && (c->efer & AMD_EFER_SVME);
}

static bool is_amd_globally_off(const struct pmu_examined *c)
{
	return !(c->control & PerfCntrGlobalCtl_EN(c->number));
}

static bool is_amd_frozen(const struct pmu_examined *c)
{
	return (c->status & PerfCntrGlobalStatus_PMCF) != 0;
}

/* ---------------------------------------------------------------------------- NetBurst */

static bool is_disabled(const struct pmu_examined *c)
{
	return !(c->control & (CCCR_ENABLE | CCCR_CASCADE | CCCR_CASCNT_INTO));
}

static bool is_waiting(const struct pmu_examined *c)
{
	return !(c->control & CCCR_ENABLE) && !is_disabled(c);
}

static bool is_escr_none(const struct pmu_examined *c) { return !c->escr; }

static bool is_escr_event_none(const struct pmu_examined *c)
{
	return c->escr && !(c->select & ESCR_EVENT_SELECT);
}

static bool is_clock(const struct pmu_examined *c)
{
	return (c->control & CCCR_COMPARE) && (c->control & CCCR_COMPLEMENT);
}

static bool is_escr_event_unknown(const struct pmu_examined *c)
{
	return c->escr && (c->select & ESCR_EVENT_SELECT) && !netburst_event_of(c->escr, c->select)
	       && !is_clock(c);
}

static bool is_event_mask_empty(const struct pmu_examined *c)
{
	return netburst_event_of(c->escr, c->select) && !(c->select & ESCR_EVENT_MASK)
	       && !is_clock(c);
}

static bool is_without_thread(const struct pmu_examined *c)
{
	uint64_t mine = ESCR_T0_OS | ESCR_T0_USR;

	if (netburst_has_threads())
		mine |= ESCR_T1_OS | ESCR_T1_USR;
	return c->escr && !(c->select & mine) && !is_clock(c);
}

static bool is_netburst_user_alone(const struct pmu_examined *c)
{
	return (c->select & (ESCR_T0_USR | ESCR_T1_USR))
	       && !(c->select & (ESCR_T0_OS | ESCR_T1_OS));
}

static bool is_active_thread_reserved(const struct pmu_examined *c)
{
	return !netburst_has_threads()
	       && FIELD_GET(CCCR_ACTIVE_THREAD, c->control) != ACTIVE_THREAD_ANY;
}

static bool is_threshold_high(const struct pmu_examined *c)
{
	return (c->control & CCCR_COMPARE) && !(c->control & CCCR_COMPLEMENT)
	       && FIELD_GET(CCCR_THRESHOLD, c->control) >= 4;
}

static bool is_untagged(const struct pmu_examined *c)
{
	const struct netburst_event *e = netburst_event_of(c->escr, c->select);

	return e && (e->tagging == NETBURST_COUNTS_FRONT_END
	             || e->tagging == NETBURST_COUNTS_EXECUTION
	             || e->tagging == NETBURST_COUNTS_REPLAY);
}

static bool is_netburst_pmi_lost(const struct pmu_examined *c)
{
	return (c->control & (CCCR_OVF_PMI_T0 | CCCR_OVF_PMI_T1)) && is_lvtpc_masked();
}

static bool is_perfmon_off(const struct pmu_examined *c)
{
	uint64_t value;

	(void)c;
	return !is_fault(pmu_awake_read(IA32_MISC_ENABLE, &value))
	       && !(value & IA32_MISC_ENABLE_PERFMON);
}

/* ---------------------------------------------------------------------------- all checks */

#define ARCH_GENERAL  .has = PMU_HAS_LEAF_0AH, .kinds = WHY_GENERAL
#define ARCH_FIXED    .has = PMU_HAS_LEAF_0AH, .kinds = WHY_FIXED
#define ARCH_ALL      .has = PMU_HAS_LEAF_0AH, .kinds = WHY_ALL
#define P6            .has = PMU_HAS_ONE_ENABLE, .kinds = WHY_ALL
#define P6_AND_ARCH   .has = PMU_HAS_ONE_ENABLE | PMU_HAS_LEAF_0AH, .kinds = WHY_GENERAL
#define AMD           .has = PMU_HAS_LEGACY_CTLS, .kinds = WHY_GENERAL
#define OWN_ENABLE    .has = PMU_HAS_LEAF_0AH | PMU_HAS_LEGACY_CTLS, .kinds = WHY_GENERAL
#define ANY_SELECTS   (PMU_HAS_ONE_ENABLE | PMU_HAS_LEAF_0AH | PMU_HAS_LEGACY_CTLS)
#define SELECTS       .has = ANY_SELECTS, .kinds = WHY_GENERAL
#define P5            .has = PMU_HAS_CESR, .kinds = WHY_ALL
#define NETBURST      .has = PMU_HAS_CCCRS, .kinds = WHY_ALL
#define NOTE          .is_note = true

#define USER_ALONE   .sentence = "it counts only at CPL 3", .mend = "work loop:1000 user"
#define KERNEL_ALONE .sentence = "it counts only at CPL 0, not work with \"user\" after it"
#define PMI_LOST \
	.sentence = "its overflows raise no PMI: LVTPC is masked", .mend = "apic pmi nmi"

/* Findings are printed in this order: those that stop everything come first. */
const struct why_check why_checks[] = {
	{ OWN_ENABLE, .is_so = is_zero, .is_last = true, .sentence = "nothing is programmed: ! = 0",
	  .mend = "wrmsr ! EVENT_SELECT=C0H USR=1 OS=1 EN=1" },
	{ OWN_ENABLE, .is_so = is_off, .sentence = "EN of ! is 0", .mend = "wrmsr ! EN=1" },
	{ ARCH_GENERAL, .since = 2, .is_so = is_globally_off,
	  .is_told = true, .sentence = "EN_PMC# of IA32_PERF_GLOBAL_CTRL is 0",
	  .mend = "wrmsr IA32_PERF_GLOBAL_CTRL EN_PMC#=1" },
	{ ARCH_FIXED, .is_so = is_fixed_off,
	  .sentence = "EN_OS# and EN_USR# of IA32_FIXED_CTR_CTRL are 0: it counts at no CPL",
	  .mend = "wrmsr IA32_FIXED_CTR_CTRL EN_OS#=1 EN_USR#=1" },
	{ ARCH_FIXED, .is_so = is_globally_off,
	  .is_told = true, .sentence = "EN_FIXED# of IA32_PERF_GLOBAL_CTRL is 0",
	  .mend = "wrmsr IA32_PERF_GLOBAL_CTRL EN_FIXED#=1" },
	{ ARCH_ALL, .since = 4, .is_so = is_frozen,
	  .sentence = "CTR_FRZ of IA32_PERF_GLOBAL_STATUS is 1: a PMI froze all counters",
	  .mend = "wrmsr IA32_PERF_GLOBAL_STATUS_RESET CTR_FRZ=1" },
	{ ARCH_ALL, .since = 2, .until = 3, .is_so = is_frozen_by_control,
	  .sentence = "FREEZE_PERFMON_ON_PMI of IA32_DEBUGCTL is 1: a PMI cleared "
	              "IA32_PERF_GLOBAL_CTRL",
	  .mend = "wrmsr IA32_DEBUGCTL FREEZE_PERFMON_ON_PMI=0" },
	{ ARCH_GENERAL, .is_so = is_event_missing,
	  .sentence = "CPUID says that this processor does not have the event", .mend = "events" },
	{ ARCH_GENERAL, .is_so = is_event_unknown, NOTE,
	  .sentence = "no table here has the event: it may be none of this processor",
	  .mend = "events" },
	{ OWN_ENABLE, .is_so = is_events_counter_other,
	  .sentence = "the event is not one that this counter can count", .mend = "events" },
	{ P6, .is_so = is_zero, .is_last = true, .sentence = "nothing is programmed: ! = 0",
	  .mend = "wrmsr PerfEvtSel# EVENT_SELECT=C0H USR=1 OS=1" },
	{ P6, .is_so = is_p6_off,
	  .sentence = "EN of PerfEvtSel0, which is for both counters, is 0",
	  .mend = "wrmsr PerfEvtSel0 EN=1" },
	{ SELECTS, .is_so = is_without_level,
	  .sentence = "USR and OS of ! are 0: it counts at no CPL", .mend = "wrmsr ! USR=1 OS=1" },
	{ P6, .is_so = is_table_event_unknown, NOTE,
	  .sentence = "this processor's table has no event of this number", .mend = "events" },
	{ P6, .is_so = is_table_counter_other,
	  .sentence = "the event is not one that this counter can count", .mend = "events" },
	{ P6, .is_so = is_umask_empty,
	  .sentence = "UMASK of PerfEvtSel# is 0: nothing of this event is counted",
	  .mend = "wrmsr PerfEvtSel# UMASK=FH" },
	{ P6_AND_ARCH, .is_so = is_cmask_large,
	  .sentence = "CMASK asks for more events than a cycle can have",
	  .mend = "wrmsr ! CMASK=0" },
	{ AMD, .is_so = is_cmask_large,
	  .sentence = "CNT_MASK asks for more events than a cycle can have",
	  .mend = "wrmsr ! CNT_MASK=0" },
	{ AMD, .is_so = is_svm_off,
	  .sentence = "GUEST_ONLY or HOST_ONLY of ! is 1 and EFER.SVME is 0: it counts nowhere",
	  .mend = "wrmsr ! GUEST_ONLY=0 HOST_ONLY=0" },
	{ AMD, .is_so = is_of_guests,
	  .sentence = "GUEST_ONLY of ! is 1: it counts in guests alone",
	  .mend = "wrmsr ! GUEST_ONLY=0" },
	{ AMD, .since = 2, .is_so = is_amd_globally_off,
	  .is_told = true, .sentence = "EN# of PerfCntrGlobalCtl is 0",
	  .mend = "wrmsr PerfCntrGlobalCtl EN#=1" },
	{ AMD, .since = 2, .is_so = is_amd_frozen,
	  .sentence = "PMCF of PerfCntrGlobalStatus is 1: a PMI froze all counters",
	  .mend = "wrmsr PerfCntrGlobalStatusClr PMCF=1" },
	{ SELECTS, .is_so = is_edge, NOTE,
	  .sentence = "the edge bit is 1: it counts how often the condition begins, not its cycles",
	  .mend = NULL },
	{ SELECTS, .is_so = is_user_alone, NOTE, USER_ALONE },
	{ SELECTS, .is_so = is_kernel_alone, NOTE, KERNEL_ALONE },
	{ ARCH_FIXED, .is_so = is_fixed_user_alone, NOTE, USER_ALONE },
	{ SELECTS, .is_so = is_pmi_lost, NOTE, PMI_LOST },
	{ ARCH_FIXED, .is_so = is_pmi_of_fixed_lost, NOTE, PMI_LOST },
	{ P5, .is_so = is_cc_empty, .sentence = "CC# of CESR says that it does not count",
	  .mend = "wrmsr CESR ES#=16H CC#=3" },
	{ P5, .is_so = is_table_event_unknown, NOTE,
	  .sentence = "this processor's table has no event of the number ES#", .mend = "events" },
	{ P5, .is_so = is_table_counter_other,
	  .sentence = "the event is not one that this counter can count", .mend = "events" },
	{ P5, .is_so = is_cc_user_alone, NOTE, USER_ALONE },
	{ NETBURST, .is_so = is_perfmon_off,
	  .sentence = "IA32_MISC_ENABLE[7] is 0: performance monitoring is not available" },
	{ NETBURST, .is_so = is_disabled, .sentence = "ENABLE of $ is 0",
	  .mend = "wrmsr $ ENABLE=1" },
	{ NETBURST, .is_so = is_waiting, NOTE,
	  .sentence = "it waits for another counter's overflow: CASCADE without ENABLE",
	  .mend = "wrmsr $ ENABLE=1" },
	{ NETBURST, .is_so = is_active_thread_reserved,
	  .sentence = "ACTIVE_THREAD of $ is not 3, which it has to be without Hyper-Threading",
	  .mend = "wrmsr $ ACTIVE_THREAD=3" },
	{ NETBURST, .is_so = is_escr_none, .is_last = true,
	  .sentence = "ESCR_SELECT of $ is a number that no ESCR has here", .mend = "rdmsr $" },
	{ NETBURST, .is_so = is_escr_event_none,
	  .sentence = "EVENT_SELECT of @ is 0: no event", .mend = "events" },
	{ NETBURST, .is_so = is_escr_event_unknown,
	  .sentence = "@ cannot count the event of its EVENT_SELECT", .mend = "events" },
	{ NETBURST, .is_so = is_event_mask_empty,
	  .sentence = "EVENT_MASK of @ is 0: nothing of the event is counted",
	  .mend = "wrmsr @ EVENT_MASK=1" },
	{ NETBURST, .is_so = is_without_thread,
	  .sentence = "@ counts for no thread of this core at no CPL",
	  .mend = "wrmsr @ T0_OS=1 T0_USR=1" },
	{ NETBURST, .is_so = is_threshold_high,
	  .sentence = "THRESHOLD of $ asks for more events than a cycle has",
	  .mend = "wrmsr $ COMPARE=0" },
	{ NETBURST, .is_so = is_untagged, NOTE,
	  .sentence = "it counts what another ESCR tags: without tags it stays 0",
	  .mend = "events" },
	{ NETBURST, .is_so = is_netburst_user_alone, NOTE, USER_ALONE },
	{ NETBURST, .is_so = is_netburst_pmi_lost, NOTE, PMI_LOST },
};
const unsigned why_check_count = COUNT_OF(why_checks);
