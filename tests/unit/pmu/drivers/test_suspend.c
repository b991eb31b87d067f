/* SPDX-License-Identifier: MIT */
/* LINK: pmu/drivers/amd_driver.c pmu/drivers/selects.c pmu/drivers/suspend.c pmu/core/program.c */
/* LINK: kernel/lib/format.c */
/*
 * What pausing writes to AMD's registers, and a driver of the test's own for what other processors
 * have. The numbers are typed from APM 2, "Performance Monitoring Counters".
 */
#include <tests/unit/pmu/drivers/amd_machine.h>

#include <arch/regs/perfmon.h>

#define PARKED "C0010201=0 C0010203=0 C0010205=0 C0010207=0 C0010209=0 C001020B=0 "
#define UNPARKED "C0010201=70 C0010203=71 C0010205=72 C0010207=73 C0010209=74 C001020B=75 "

/* Counters 1 and 4 are enabled, and the other selects are not; each has a value of its own. */
static void take_running(const struct pmu_driver *driver, unsigned count, unsigned version)
{
	take(driver, count, version);
	for (unsigned i = 0; i < count; i++) {
		made_up[2 * i].value = 0x300c0 + i + (i == 1 || i == 4 ? 1u << 22 : 0);
		made_up[2 * i + 1].value = 0x70 + i;
	}
}

#define RUN_K7()    take_running(&pmu_driver_amd_k7, 4, 0)
#define RUN_ZEN()   take_running(&pmu_driver_amd_core, 6, 0)
#define RUN_ZEN4()  take_running(&pmu_driver_amd_core, 6, 2)

UNIT_TEST(pausing_clears_en_and_nothing_else)
{
	RUN_K7();
	*made_up_value(0xc0010003) |= 1 << 22;
	pmu_suspend();
	check_written("K7", "C0010001=300C1 C0010003=300C3 ");
	pmu_suspend();
	check_written("is paused already", "");
	pmu_resume();
	check_written("K7 goes on", "C0010003=4300C3 C0010001=4300C1 ");
	pmu_resume();
	check_written("goes on already", "");
	RUN_ZEN();
	pmu_suspend();
	check_written("Zen", "C0010202=300C1 C0010208=300C4 ");
	pmu_resume();
	check_written("Zen goes on", "C0010208=4300C4 C0010202=4300C1 ");
}

UNIT_TEST(perfmonv2_pauses_by_one_register)
{
	RUN_ZEN4();
	*made_up_value(0xc0000301) = 0x12;
	pmu_suspend();
	check_written("paused", "C0000301=0 ");
	pmu_resume();
	check_written("on", "C0000301=12 ");
	*made_up_value(0xc0000301) = 0;
	pmu_suspend();
	pmu_resume();
	check_written("all are off", "");
}

/* A debugger may have written other bits of a select meanwhile. */
UNIT_TEST(resuming_keeps_what_was_written_meanwhile)
{
	RUN_ZEN();
	pmu_suspend();
	*made_up_value(0xc0010202) = 0x176;
	written[0] = 0;
	pmu_resume();
	check_written("on", "C0010208=4300C4 C0010202=400176 ");
}

UNIT_TEST(programming_forgets_what_was_paused)
{
	const struct pmu_setup s = { .counter = 0, .event = 0xc0, .flags = PMU_OS };

	RUN_ZEN();
	pmu_suspend();
	pmu_program(&s, 1);
	written[0] = 0;
	pmu_resume();
	check_written("nothing to resume", "");
	*made_up_value(0xc0010204) = 0x4300c2;
	pmu_suspend();
	check_written("pauses anew", "C0010204=300C2 ");
	pmu_reset();
	pmu_resume();
	check_written("nor after a reset", "");
}

UNIT_TEST(reads_show_what_was_programmed)
{
	uint64_t value = 0;

	RUN_ZEN();
	check_true("no fault", !is_fault(pmu_awake_read(0xc0010202, &value)));
	check_eq_u64("PERF_CTL1", value, 0x4300c1);
	check_written("paused", "C0010202=300C1 C0010208=300C4 ");
	check_eq_u64("by the older address", pmu_awake_value(0xc0010001), 0x4300c1);
	check_eq_u64("PERF_CTL2", pmu_awake_value(0xc0010204), 0x300c2);
	check_eq_u64("PERF_CTL4", pmu_awake_value(0xc0010208), 0x4300c4);
	check_eq_u64("PERF_CTR4", pmu_awake_value(0xc0010209), 0x74);
	check_eq_u64("a counter's older address", pmu_awake_value(0xc0010007), 0x73);
	check_eq_u64("that of counter 0", pmu_awake_value(0xc0010004), 0x70);
	check_eq_u64("none", pmu_awake_value(0xc0010300), 0);
	check_true("faults", is_fault(pmu_awake_read(0xc0010300, &value)));
	check_written("nothing more", "");
	RUN_K7();
	check_eq_u64("PerfEvtSel1", pmu_awake_value(0xc0010001), 0x4300c1);
	check_eq_u64("PerfEvtSel2", pmu_awake_value(0xc0010002), 0x300c2);
}

/* A fault of RDMSR while EN is saved must not read as EN. */
UNIT_TEST(a_register_that_faults_reads_0)
{
	RUN_ZEN();
	pmu_suspend();
	made_up_find(0xc0010202)->msr = 1;
	check_eq_u64("PERF_CTL1", pmu_awake_value(0xc0010202), 0);
}

UNIT_TEST(rdpmc_reads_paused_counters)
{
	uint64_t value = 0;

	RUN_K7();
	check_true("no fault", !is_fault(pmu_awake_rdpmc(2, &value)));
	check_eq_u64("counter 2", value, 0x72);
	check_written("paused", "C0010001=300C1 ");
	check_true("faults", is_fault(pmu_awake_rdpmc(9, &value)));
}

/* EN is on for the moment that shows whether the write faults; the counters count from 0 then. */
UNIT_TEST(a_write_takes_effect_and_is_paused_at_once)
{
	RUN_ZEN();
	check_true("no fault", !is_fault(pmu_awake_write(0xc0010200, 0x430076)));
	check_written("write", "C0010202=300C1 C0010208=300C4 " PARKED
	              "C0010200=430076 C0010200=30076 " UNPARKED);
	check_eq_u64("reads", pmu_awake_value(0xc0010200), 0x430076);
	pmu_awake_write(0xc0010001, 0x10000);
	check_written("by the older address", PARKED "C0010001=10000 " UNPARKED);
	pmu_resume();
	check_written("on", "C0010208=4300C4 C0010200=430076 ");
}

UNIT_TEST(a_write_that_faults_changes_nothing)
{
	RUN_ZEN();
	made_up_find(0xc0010208)->reserved = 1 << 19;
	check_true("fault", is_fault(pmu_awake_write(0xc0010208, 0x80000)));
	check_written("write", "C0010202=300C1 C0010208=300C4 " PARKED "C0010208!80000 " UNPARKED);
	check_eq_u64("PERF_CTL4", pmu_awake_value(0xc0010208), 0x4300c4);
	pmu_awake_write(0xc0010203, 5);
	check_written("a counter is written as it is", "C0010203=5 ");
	check_true("none", is_fault(pmu_awake_write(0xc0010300, 5)));
}

UNIT_TEST(code_runs_in_a_window_of_what_was_paused)
{
	RUN_ZEN();
	pmu_awake_run(code, 0, 0);
	check_written("Zen", "C0010202=300C1 C0010208=300C4 C0010208=4300C4 C0010202=4300C1 () "
	              "C0010202=300C1 C0010208=300C4 ");
	pmu_awake_run(code, 0, 0);
	check_written("again", "C0010208=4300C4 C0010202=4300C1 () C0010202=300C1 C0010208=300C4 ");
	RUN_ZEN4();
	*made_up_value(0xc0000301) = 2;
	pets = 0;
	pmu_awake_run(code, 0, 0);
	check_written("Zen 4", "C0000301=0 C0000301=2 () C0000301=0 ");
	check_eq_u64("no tick for a while", pets, 2);
	take(&pmu_driver_amd_core, 6, 0);
	pmu_awake_run(code, 0, 0);
	check_written("nothing counts", "() ");
}

/* A PMI that freezes clears enables: what it left is read after the code. */
UNIT_TEST(a_pmi_that_freezes_is_seen)
{
	static const uint64_t freezes[] = { IA32_DEBUGCTL_FREEZE_LBRS_ON_PMI,
	                                    IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI };

	for (unsigned i = 0; i < 2; i++) {
		RUN_ZEN();
		class.debugctl = freezes[i];
		pmu_awake_run(code, 0, 0);
		written[0] = 0;
		made_up_add(0x1d9, freezes[i]);
		pmu_awake_run(code, 0, 0);
		check_written("freezes", "C0010208=4300C4 C0010202=4300C1 () C0010202=300C1 "
		              "C0010208=300C4 ");
		check_true("is paused", is_fault(pmu_awake_write(0xc0010300, 0)));
		written[0] = 0;
		class.debugctl = freezes[1 - i];
		pmu_awake_run(code, 0, 0);
		check_written("cannot freeze", "C0010208=4300C4 C0010202=4300C1 () C0010202=300C1 "
		              "C0010208=300C4 ");
	}
}

/* Code that clears an enable, as a freeze does, finds it clear afterwards, without a window. */
static void freeze(uint32_t rounds, uint32_t argument)
{
	(void)rounds;
	(void)argument;
	write_down("() ");
	*made_up_value(0xc0010202) &= ~(UINT64_C(1) << 22);
}

UNIT_TEST(a_frozen_counter_stays_off)
{
	RUN_ZEN();
	class.debugctl = IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI;
	made_up_add(0x1d9, 0x1000);
	pmu_awake_run(freeze, 0, 0);
	check_written("frozen", "C0010202=300C1 C0010208=300C4 C0010208=4300C4 C0010202=4300C1 () "
	              "C0010208=300C4 ");
	RUN_ZEN();
	class.debugctl = IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI;
	made_up_add(0x1d9, 0x800);
	pmu_awake_run(freeze, 0, 0);
	check_written("another bit is set", "C0010202=300C1 C0010208=300C4 C0010208=4300C4 "
	              "C0010202=4300C1 () C0010202=300C1 C0010208=300C4 ");
	check_eq_u64("by the window", *made_up_value(0xc0010202), 0x300c1);
}

/* ---------------------------------------------------------------------------- other drivers */

enum { OWN = 0x10000 };
static unsigned own_last;

static uint32_t own_msr(unsigned i)
{
	return i == own_last ? 0 : OWN + i;
}

static const struct pmu_pausable own_rows[] = {
	{ .since = 1, .until = 2, .count = 48, .msr_of = own_msr, .bits = 3 },
	{ .since = 3, .msr = OWN, .stride = 2, .bits = 1 },
};
static const struct pmu_driver own = { PAUSABLES(own_rows) };

static void take_own(unsigned count, unsigned version)
{
	take(&own, 2, 0);
	pmu.version = version;
	made_up_count = 0;
	own_last = 48;
	for (unsigned i = 0; i < count; i++)
		made_up_add(OWN + i, 7);
}

UNIT_TEST(versions_and_existence_choose_registers)
{
	take_own(3, 0);
	pmu_suspend();
	check_written("version 0", "");
	for (unsigned version = 1; version <= 2; version++) {
		take_own(3, version);
		pmu_suspend();
		check_written("versions 1 and 2", "10000=4 10001=4 10002=4 ");
		take_own(3, version);
		own_last = 1;
		pmu_suspend();
		check_written("without the second", "10000=4 10002=4 ");
	}
	take_own(3, 3);
	pmu_suspend();
	check_written("version 3", "10000=6 10002=6 ");
}

static unsigned count_of(const char *text)
{
	unsigned count = 0;

	for (const char *at = written; (at = strstr(at, text)) != NULL; at++)
		count++;
	return count;
}

/* 46 suffice for all ESCRs and a control; a window has room for 24 writes of each kind. */
UNIT_TEST(there_is_room_for_46_registers_and_24_switches)
{
	take_own(48, 1);
	pmu_suspend();
	check_eq_u64("paused", count_of("=4 "), 46);
	written[0] = 0;
	pmu_awake_run(code, 0, 0);
	check_eq_u64("switched on", count_of("=7 "), 24);
	check_eq_u64("switched off", count_of("=4 "), 24);
	take_own(24, 1);
	pmu_awake_run(code, 0, 0);
	check_eq_u64("all are switched on", count_of("=7 "), 24);
}

/* The word uarch= changes the PMU while registers of the former one are saved. */
UNIT_TEST(registers_of_the_former_pmu_are_forgotten)
{
	uint64_t value;

	RUN_ZEN();
	*made_up_value(0xc0010206) |= 1 << 22;
	pmu_suspend();
	pmu_suspend_forget();
	pmu.gp_count = 2;
	*made_up_value(0xc0010200) |= 1 << 22;
	written[0] = 0;
	pmu_awake_read(0xc0010206, &value);
	check_eq_u64("PERF_CTL3 as it is", value, 0x300c3);
	check_written("paused", "C0010200=300C0 ");
	pmu_awake_run(code, 0, 0);
	check_written("window", "C0010200=4300C0 () C0010200=300C0 ");
	pmu_resume();
	check_written("on", "C0010200=4300C0 ");
}

UNIT_TEST(a_machine_without_driver_has_nothing_to_pause)
{
	take(NULL, 2, 0);
	pmu_suspend();
	pmu_resume();
	check_written("nothing", "");
}

static bool has_counter(const struct pmu *p, unsigned counter)
{
	return counter < p->gp_count || counter == PMU_FIXED || counter >= PMU_FIXED_CTR(15);
}

static uint32_t counter_msr(const struct pmu *p, unsigned counter)
{
	(void)p;
	return counter < PMU_FIXED ? 0xc1 + counter : 0x309 + counter - PMU_FIXED;
}

/*
 * SDM 3B, "Full-Width Writes to Performance Counter Registers": a legacy write takes bits 31:0 and
 * sign-extends them; IA32_A_PMC0 is 4C1H.
 */
UNIT_TEST(a_counter_is_written_where_its_value_fits)
{
	const struct pmu_driver signs = { .has_counter = has_counter, .msr = counter_msr };
	static const uint64_t wide[] = { 0x80000000, UINT64_C(0xfffeffffffff), UINT64_C(1) << 40 };
	static const uint64_t fitting[] = { 0, 0x7fffffff, UINT64_C(0xffff80000000) };

	take(&signs, 4, 0);
	class.has = PMU_HAS_SIGNED_WRITES;
	for (unsigned i = 0; i < 3; i++) {
		check_eq_u64("fits", pmu_place_to_write(2, fitting[i]), 0xc3);
		check_eq_u64("cannot", pmu_place_to_write(2, wide[i]), 0);
	}
	pmu.capabilities = UINT64_MAX;
	for (unsigned i = 0; i < 3; i++) {
		check_eq_u64("fits", pmu_place_to_write(2, fitting[i]), 0xc3);
		check_eq_u64("full width", pmu_place_to_write(2, wide[i]), 0x4c3);
		check_eq_u64("fixed", pmu_place_to_write(PMU_FIXED, wide[i]), 0x309);
		check_eq_u64("the last", pmu_place_to_write(PMU_FIXED_CTR(15), wide[i]), 0x318);
	}
	pmu.capabilities = ~UINT64_C(0x2000);
	check_eq_u64("FW_WRITE is bit 13", pmu_place_to_write(2, wide[0]), 0);
	class.has = 0;
	check_eq_u64("takes all", pmu_place_to_write(2, wide[0]), 0xc3);
}

UNIT_TEST(what_cannot_be_restored_is_not_parked)
{
	const struct pmu_driver signs = { .has_counter = has_counter, .msr = counter_msr };

	take(&signs, 3, 0);
	class.has = PMU_HAS_SIGNED_WRITES;
	made_up_add(0xc1, 5);
	made_up_add(0xc2, 0x80000000);
	made_up_add(0x318, 9);
	made_up_add(0x319, 9);
	pmu_park_counters();
	check_written("parked", "C1=0 318=0 ");
	pmu_unpark_counters();
	check_written("restored", "C1=5 318=9 ");
	take(&signs, 0, 0);
	pmu_park_counters();
	pmu_unpark_counters();
	check_written("none is left of the last time", "");
}

UNIT_MAIN()
