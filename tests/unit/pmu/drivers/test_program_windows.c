/* SPDX-License-Identifier: MIT */
/* LINK: pmu/drivers/amd_driver.c pmu/drivers/selects.c pmu/drivers/suspend.c pmu/core/program.c */
/* LINK: kernel/lib/format.c */
/*
 * Windows that an SMI or a tick disturbs, and what is measured in them. The numbers are typed from
 * APM 2, "Performance Monitoring Counters", and from SDM 4: MSR_SMI_COUNT is 34H, its count bits
 * 31:0.
 */
#include <tests/unit/pmu/drivers/program_machine.h>

/* The first test of all, because the counts of SMIs before and after are compared. */
UNIT_TEST(nothing_is_disturbed_at_first)
{
	TAKE_ZEN();
	check_true("disturbed", !pmu_was_disturbed());
}

static void begin_intel(void)
{
	begin();
	cpu = (struct cpu_identity){ .vendor = VENDOR_INTEL, .family = 6, .model = 0x1a };
	made_up_add(0x34, 7);
	pmu_program_init(false);
	pmu_was_disturbed();
}

UNIT_TEST(smis_are_counted_from_nehalem_on)
{
	static const struct { struct cpu_identity cpu; bool has_register, is_blind; } machines[] = {
		{ { .vendor = VENDOR_INTEL, .family = 6, .model = 0x1a }, true, false },
		{ { .vendor = VENDOR_INTEL, .family = 6, .model = 0x9e }, true, false },
		{ { .vendor = VENDOR_INTEL, .family = 6, .model = 0x1a }, false, true },
		{ { .vendor = VENDOR_INTEL, .family = 6, .model = 0x19 }, true, true },
		{ { .vendor = VENDOR_INTEL, .family = 15, .model = 0x1a }, true, true },
		{ { .vendor = VENDOR_AMD, .family = 6, .model = 0x1a }, true, true },
	};

	for (unsigned i = 0; i < COUNT_OF(machines); i++) {
		begin();
		cpu = machines[i].cpu;
		if (machines[i].has_register)
			made_up_add(0x34, 7);
		pmu_program_init(false);
		check_eq_u64("blind", pmu_is_blind(), machines[i].is_blind);
		check_true("not exact", !pmu_is_exact());
		pmu_program_init(true);
		check_true("exact", pmu_is_exact() && !pmu_is_blind());
	}
}

UNIT_TEST(an_smi_between_windows_disturbs_once)
{
	begin_intel();
	check_true("none", !pmu_was_disturbed());
	*made_up_value(0x34) = 8;
	check_true("one", pmu_was_disturbed());
	check_true("told once", !pmu_was_disturbed());
	*made_up_value(0x34) |= UINT64_C(1) << 32;
	check_true("bits 63:32 are reserved", !pmu_was_disturbed());
}

static unsigned left;                  /* windows that are still disturbed */
static uint32_t event_counter;         /* MSR that moves in each window */

static void tick(uint32_t rounds, uint32_t argument)
{
	(void)rounds;
	(void)argument;
	*made_up_value(event_counter) += 10;
	if (left) {
		left--;
		ticks++;
	}
}

static void smi(uint32_t rounds, uint32_t argument)
{
	(void)rounds;
	(void)argument;
	if (left) {
		left--;
		*made_up_value(0x34) += 1;
	}
}

static struct pmu_reading measure(void (*what)(uint32_t rounds, uint32_t argument), unsigned times)
{
	const struct pmu_setup s[] = {
		{ .counter = 1, .event = 0xc0, .flags = PMU_OS, .start = 5 },
		{ .counter = 2, .event = 0x76, .flags = PMU_OS, .start = 6 },
		{ .counter = 3, .event = 0x77, .flags = PMU_OS, .start = 7 },
	};

	in_window = what;
	left = times;
	event_counter = 0xc0010203;
	written[0] = 0;
	return pmu_measure_code(s, 2, code, 0, 0);
}

UNIT_TEST(a_measurement_reads_each_of_its_counters)
{
	struct pmu_reading r;

	begin();
	r = measure(tick, 0);
	check_written("writes", STOPS_ZEN "C0010203=5 C0010205=6 C0010204=420076 C0010202=4200C0 "
	              "() C0010202=0 C0010204=0 ");
	check_eq_u64("count 0", r.count[0], 10);
	check_eq_u64("value 0", r.value[0], 15);
	check_eq_u64("count 1", r.count[1], 0);
	check_eq_u64("value 1", r.value[1], 6);
	check_eq_u64("no third", r.value[2], 0);
	check_eq_u64("repeats", r.repeats, 0);
	check_true("not spoiled", !r.is_spoiled && !pmu_was_disturbed());
	TAKE_ZEN4();
	*made_up_value(0xc0000300) = 0x21;
	made_up_find(0xc0000302)->clears = 0;
	check_eq_u64("status", measure(NULL, 0).status, 0x21);
}

UNIT_TEST(a_disturbed_window_is_repeated_from_the_start)
{
	struct pmu_reading r;

	begin();
	for (unsigned times = 1; times <= 4; times++) {
		r = measure(tick, times);
		check_eq_u64("repeats", r.repeats, times < 4 ? times : 3);
		check_eq_u64("spoiled", r.is_spoiled, times == 4);
		check_eq_u64("count", r.count[0], 10);
		check_eq_u64("disturbed", pmu_was_disturbed(), times == 4);
	}
	begin_intel();
	for (unsigned times = 7; times <= 9; times++) {
		r = measure(smi, times);
		check_eq_u64("repeats", r.repeats, times < 9 ? times : 8);
		check_eq_u64("spoiled", r.is_spoiled, times == 9);
		pmu_was_disturbed();
	}
}

UNIT_TEST(a_repeat_does_not_undo_an_earlier_disturbance)
{
	begin();
	in_window = tick;
	event_counter = 0xc0010203;
	pmu_program(&one, 1);
	left = 1;
	pmu_window(code, 0, 0);
	measure(tick, 1);
	check_true("disturbed", pmu_was_disturbed());
}

/* ---------------------------------------------------------------------------- a witness of SMIs */

#define WITNESS "C001020A=43002B "

static bool has_witness(const struct pmu_setup *setups, unsigned count)
{
	written[0] = 0;
	pmu_program(setups, count);
	pmu_window(code, 0, 0);
	return strstr(written, WITNESS);
}

/* PPR of family 17H, event 02BH. */
UNIT_TEST(a_zen_without_a_hypervisor_counts_smis)
{
	static const struct { enum cpu_vendor vendor; unsigned family; const char *hypervisor;
	                      bool is_exact, has; } machines[] = {
		{ VENDOR_AMD, 0x17, "", false, true }, { VENDOR_AMD, 0x1a, "", false, true },
		{ VENDOR_AMD, 0x16, "", false, false }, { VENDOR_INTEL, 0x17, "", false, false },
		{ VENDOR_AMD, 0x17, "K", false, false }, { VENDOR_AMD, 0x17, "", true, false },
	};

	for (unsigned i = 0; i < COUNT_OF(machines); i++) {
		begin();
		cpu.vendor = machines[i].vendor;
		cpu.family = (uint8_t)machines[i].family;
		strcpy(cpu.hypervisor, machines[i].hypervisor);
		pmu_program_init(machines[i].is_exact);
		check_eq_u64("witness", has_witness(&one, 1), machines[i].has);
	}
}

static void begin_witness(void)
{
	begin();
	pmu_program_init(false);
}

UNIT_TEST(the_last_counter_is_the_witness_if_its_pair_is_free)
{
	struct pmu_setup s[] = { { .counter = 0, .flags = PMU_OS },
	                         { .counter = 5, .flags = PMU_OS } };

	begin_witness();
	for (unsigned last = 1; last < 6; last++) {
		s[1].counter = last;
		check_eq_u64("witness", has_witness(s, 2), last < 4);
		check_true("the setups' own", strstr(written, "C0010200=420000 "));
	}
	check_true("what was there before does not count", has_witness(s, 1));
	check_written("writes", STOPS_ZEN "C0010201=0 C001020B=0 C001020A=43002B C0010200=420000 "
	              "() C0010200=0 C001020A=0 ");
}

UNIT_TEST(a_full_list_has_no_room_for_a_witness)
{
	static const struct pmu_driver driver = { .program = note_count };
	struct pmu_setup s[PMU_SETUPS_MAX];

	begin_witness();
	class.driver = &driver;
	pmu.gp_count = PMU_SETUPS_MAX + 4;
	for (unsigned i = 0; i < PMU_SETUPS_MAX; i++)
		s[i] = (struct pmu_setup){ .counter = i };
	pmu_program(s, PMU_SETUPS_MAX);
	check_eq_u64("setups", programmed, PMU_SETUPS_MAX);
	pmu_program(s, PMU_SETUPS_MAX - 1);
	check_eq_u64("with a witness", programmed, PMU_SETUPS_MAX);
}

static void count_smi(uint32_t rounds, uint32_t argument)
{
	(void)rounds;
	(void)argument;
	*made_up_value(0xc001020b) += 1;
}

UNIT_TEST(an_smi_in_the_witness_disturbs)
{
	const struct pmu_setup last = { .counter = 5, .event = 0xc0, .flags = PMU_OS };

	begin_witness();
	pmu_program(&one, 1);
	pmu_window(code, 0, 0);
	check_true("none", !pmu_was_disturbed());
	in_window = count_smi;
	pmu_window(code, 0, 0);
	check_true("one", pmu_was_disturbed());
	pmu_program(&last, 1);
	pmu_window(code, 0, 0);
	check_true("the test's own counter is no witness", !pmu_was_disturbed());
}

UNIT_TEST(the_witness_is_stopped_before_somebody_asks_what_runs)
{
	begin_witness();
	pmu_program(&one, 1);
	*made_up_value(0xc001020a) = 0x43002b;
	written[0] = 0;
	check_true("nothing runs", !pmu_running());
	check_written("stopped", "C001020A=0 ");
	check_true("nor later", !pmu_running());
	check_written("once", "");
}

/* ---------------------------------------------------------------------------- net counts */

/* The empty workload counts 3, the other one 10 and what it is told. */
static void work(uint32_t rounds, uint32_t argument)
{
	char text[48];

	snprintf(text, sizeof(text), "[%u %u] ", (unsigned)rounds, (unsigned)argument);
	write_down(text);
	*made_up_value(0xc0010203) += 3 + rounds + argument;
}

UNIT_TEST(a_net_count_leaves_out_the_window)
{
	const struct workload w = { .code = code };
	const struct pmu_setup s[] = { one, { .counter = 2, .flags = PMU_OS } };
#define MEASURED(arguments) STOPS_ZEN "C0010203=0 C0010202=4200C0 () " arguments " C0010202=0 "

	begin();
	in_window = work;
	check_eq_u64("net", pmu_count_net(s, &w, 20, 4), 24);
	check_written("twice", MEASURED("[0 0]") MEASURED("[20 4]"));
}

UNIT_MAIN()
