/* SPDX-License-Identifier: MIT */
/*
 * Published errata, each provoked a few times. Where one shows that the processor's list has, the
 * failure gets its name (pmu/core/errata_rows.c); that it did not show is reported, as microcode
 * may have mended it. Everywhere else it must not show.
 */
#include <kernel/run/test.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/regs/perfmon.h>
#include <kernel/lib/string.h>
#include <pmu/core/errata.h>
#include <pmu/core/pmu.h>
#include <pmu/core/program.h>
#include <pmu/sampling/lbr_stack.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/silicon/silicon.h>

enum { TRIES = 32, ROUNDS = 100, BYTES = 4096 };

static const char why[] = "this is an erratum, and right is that it never shows";

static void judge(struct test_ctx *t, const char *what, unsigned shown, unsigned tries)
{
	const char *name = erratum_named_for(test_that_runs(t)->id);

	if (expect_exact(t, what, shown, 0, why) && name)
		test_report(t, name, "not seen in %u tries", tries);
}

/* Judges like judge(), but shows the value on E-cores, whose row allows what looks the same. */
static void judge_unless(struct test_ctx *t, enum silicon row, const char *what, unsigned shown)
{
	if (silicon_has(row))
		expect_unless(t, row, what, shown, 0, why);
	else
		judge(t, what, shown, TRIES);
}

/*
 * Returns in how many tries IA32_PMC0 counts more of the event than the code has. Where an SMI may
 * have come unseen, the try after it has to show it, too.
 */
static unsigned count_more(uint16_t event, const struct workload *w, uint32_t argument,
                           uint64_t want)
{
	const struct pmu_setup s = { .event = event, .flags = PMU_BOTH };
	unsigned shown = 0;

	for (unsigned i = 0; i < TRIES; i++)
		shown += pmu_count_net(&s, w, ROUNDS, argument) > want
		         && (!pmu_is_blind() || pmu_count_net(&s, w, ROUNDS, argument) > want);
	return shown;
}

/* ---------------------------------------------------------------------------- counts twice */

TEST(rep_movs, .id = "errata.rep_movs", .needs = need_arch, .source = "SKL091, KBL057, CFL057",
     .claim = "REP MOVS with fast strings counts as one instruction")
{
	judge(t, "tries in which 100 REP MOVSB of 4096 bytes count more instructions",
	      count_more(EVENT_INSTRUCTIONS_RETIRED, &workload_movsb, BYTES,
	                 workload_insns(&workload_movsb, ROUNDS) - 1), TRIES);
}

TEST(rep_stos, .id = "errata.rep_stos", .needs = need_arch, .source = "SKL091, KBL057, CFL057",
     .claim = "REP STOS with fast strings counts as one instruction")
{
	judge(t, "tries in which 100 REP STOSD of 1024 doublewords count more instructions",
	      count_more(EVENT_INSTRUCTIONS_RETIRED, &workload_stosd, BYTES / 4,
	                 workload_insns(&workload_stosd, ROUNDS) - 1), TRIES);
}

TEST(cpuid_branch, .id = "errata.cpuid_branch", .needs = need_arch, .source = "W146",
     .claim = "event C4H does not count CPUID")
{
	judge_unless(t, SILICON_E_CORE_BRANCHES, "tries in which 100 CPUIDs count as branches",
	             count_more(EVENT_BRANCH_INSTR_RETIRED, &workload_cpuid, 0,
	                        workload_branches(&workload_cpuid, ROUNDS) - 1));
}

TEST(iret_twice, .id = "errata.iret_twice", .needs = need_arch, .source = "BV052, BU052",
     .claim = "event C0H counts an IRET once")
{
	judge_unless(t, SILICON_E_CORE_FAR, "tries in which 100 IRETs count more instructions",
	             count_more(EVENT_INSTRUCTIONS_RETIRED, &workload_iret, 0,
	                        workload_insns(&workload_iret, ROUNDS) - 1));
}

/* ---------------------------------------------------------------------------- counts nothing */

TEST(reference_event, .id = "errata.reference_event", .needs = need_arch, .source = "AAJ079",
     .claim = "event 3CH, unit mask 01H counts where CPUID reports it")
{
	const struct pmu_setup s = { .event = EVENT_UNHALTED_REFERENCE_CYCLES, .flags = PMU_BOTH };
	unsigned shown = 0;

	if (!pmu_has_event(s.event)) {
		test_skip(t, "CPUID.0AH:EBX[2] = 1: the event does not exist");
		return;
	}
	for (unsigned i = 0; i < TRIES; i++)
		shown += pmu_measure(&s, 1, &workload_divide, BYTES, 0).count[0] == 0;
	judge(t, "tries in which the event counts nothing", shown, TRIES);
}

TEST(mispredictions, .id = "errata.mispredictions", .needs = need_arch, .source = "AAJ080",
     .claim = "event C5H counts mispredicted branches where CPUID reports it")
{
	const struct pmu_setup s = { .event = EVENT_BRANCH_MISSES_RETIRED, .flags = PMU_BOTH };
	unsigned shown = 0;

	if (!pmu_has_event(s.event)) {
		test_skip(t, "CPUID.0AH:EBX[6] = 1: the event does not exist");
		return;
	}
	for (unsigned i = 0; i < TRIES; i++)
		shown += pmu_measure(&s, 1, &workload_random, BYTES, 1 + i).count[0] == 0;
	judge(t, "tries in which 4096 random branches count nothing", shown, TRIES);
}

static const char *need_upper(struct test_ctx *t)
{
	const char *reason = need_arch(t);

	if (!reason && pmu_get()->gp_count <= 4)
		return test_reason(t, "CPUID.0AH:EAX[15:8] = %u: no IA32_PMC4",
		                   pmu_get()->gp_count);
	return reason;
}

TEST(user_only, .id = "errata.user_only", .needs = need_upper, .source = "BDD116, BDM126",
     .claim = "IA32_PMC4 to 7 count with USR = 1 and OS = 0")
{
	unsigned shown = 0, tries = 0;

	for (unsigned n = 4; n < pmu_get()->gp_count; n++, tries++) {
		const struct pmu_setup s = { .counter = n, .event = EVENT_INSTRUCTIONS_RETIRED,
		                             .flags = PMU_USR };

		pmu_workload_at_cpl3_begin(workload_loop.code);
		shown += pmu_measure_code(&s, 1, pmu_workload_at_cpl3, ROUNDS, 0).count[0] == 0;
	}
	judge(t, "counters from IA32_PMC4 on that count nothing at CPL 3", shown, tries);
}

/* ---------------------------------------------------------------------------- registers */

TEST(select_read, .id = "errata.select_read", .needs = need_upper, .source = "BV080, BU081",
     .claim = "IA32_PERFEVTSEL4 to 7 return what was written")
{
	const unsigned count = pmu_get()->gp_count;
	unsigned shown = 0, tries = 0;

	for (unsigned n = count; n-- > 0;)
		msr_write(IA32_PERFEVTSEL(n), n | IA32_PERFEVTSEL_USR);
	for (unsigned n = 4; n < count; n++, tries++)
		shown += msr_read(IA32_PERFEVTSEL(n)) != (n | IA32_PERFEVTSEL_USR);
	for (unsigned n = 0; n < count; n++)
		msr_write(IA32_PERFEVTSEL(n), 0);
	judge(t, "IA32_PERFEVTSEL4 and later ones that return something else", shown, tries);
}

TEST(fixed_1_write, .id = "errata.fixed_1_write", .needs = need_fixed1,
     .source = "BJ054, BK054, BV036, BU036",
     .claim = "IA32_FIXED_CTR1 holds a value that is all ones")
{
	const uint64_t ones = UINT64_MAX >> (64 - pmu_counter_width(PMU_FIXED_CTR(1)));
	unsigned shown = 0;

	for (unsigned i = 0; i < TRIES; i++) {
		msr_write(IA32_FIXED_CTR(1), ones);
		shown += msr_read(IA32_FIXED_CTR(1)) != ones;
		msr_write(IA32_FIXED_CTR(1), 0);
		shown += msr_read(IA32_FIXED_CTR(1)) != 0;
	}
	judge(t, "writes after which IA32_FIXED_CTR1 has another value", shown, 2 * TRIES);
}

TEST(status_set, .id = "errata.status_set", .needs = need_arch_v4, .source = "SKL051",
     .claim = "IA32_PERF_GLOBAL_STATUS_SET takes bit 55 where Processor Trace has ToPA")
{
	const uint64_t bit = IA32_PERF_GLOBAL_STATUS_TRACE_TOPA;

	if (!cpuid_get(CPUID_FIELD(0x14, 0, ECX, 0, 0))) {
		test_report(t, "CPUID.14H:ECX[0]", "0: there is no ToPA, and no bit 55");
		return;
	}
	judge(t, "IA32_PERF_GLOBAL_STATUS_SET[55] = 1, faults",
	      is_fault(msr_try_write(IA32_PERF_GLOBAL_STATUS_SET, bit)), 1);
	pmu_clear_status(bit);
}

TEST(enabled_by_reset, .id = "errata.enabled_by_reset", .needs = need_arch_v2,
     .source = "AAJ083, AAT037",
     .claim = "IA32_PERF_GLOBAL_CTRL[34:32] is 0 after RESET")
{
	unsigned count;
	const struct pmu_initial *found = pmu_get_initial(&count);

	for (unsigned i = 0; i < count; i++) {
		if (strcmp(found[i].name, "IA32_PERF_GLOBAL_CTRL") != 0)
			continue;
		if (pmu_is_exact())
			judge(t, "IA32_PERF_GLOBAL_CTRL[34:32], whether one was 1",
			      (found[i].value >> 32 & 7) != 0, 1);
		else
			test_report(t, "IA32_PERF_GLOBAL_CTRL[34:32] as firmware left it", "%u",
			            (unsigned)(found[i].value >> 32 & 7));
	}
}

static const char *need_from(struct test_ctx *t)
{
	const char *reason = need_arch(t);

	reason = reason ? reason : need_lbr(t);
	if (!reason && lbr_kind(NULL)->format != 4 && lbr_kind(NULL)->format != 5)
		return test_reason(t, "%s: FROM has no flags of transactions",
		                   lbr_kind(NULL)->name);
	return reason;
}

/*
 * Bits 62:61 are flags of transactions; without those they are a copy of the address's sign, here
 * of one in the upper half.
 */
TEST(from_restored, .id = "errata.from_restored", .needs = need_from,
     .source = "HSD172, HSM182, BDD117, BDM127",
     .claim = "a FROM of a branch record holds an address of the upper half")
{
	const uint32_t msr = lbr_kind(NULL)->from_msr;
	const uint64_t upper = UINT64_MAX << 12;
	unsigned shown = 0, tries = 0;
	uint64_t again;

	for (unsigned i = 0; i < lbr_kind(NULL)->depth; i++, tries++) {
		shown += is_fault(msr_try_write(msr + i, upper))
		         || is_fault(msr_try_read(msr + i, &again)) || again != upper;
		msr_try_write(msr + i, 0);
	}
	judge(t, "records that cannot be written back", shown, tries);
}
