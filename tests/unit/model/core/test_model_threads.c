/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests two threads of a core, AnyThread, and 64-bit mode. Source: SDM 3B, "Architectural
 * Performance Monitoring Version 3".
 */
#include <tests/unit/model/core/model_several.h>

#define HASWELL   0x306c3
#define SKYLAKE_X 0x50654

static struct several s;

#define PLAIN (INSTRUCTIONS | OS | USR)

/* ------------------------------------------------------------------------------ threads */

UNIT_TEST(threads_have_as_many_counters_as_cpuid_reports)
{
	FOR_EACH_CPU(cpu) {
		unsigned count = cpu_gp_of_two_threads(cpu);
		uint32_t regs[4] = { 0 };
		uint64_t value;

		several_create(&s, cpu->signature, 1, 1, 2);
		for (unsigned i = 0; i < 2; i++) {
			struct refpmu_cpu *m = &s.cpu[i].model;

			refpmu_cpuid(m, 0xa, 0, regs);
			check_eq_u64(named(cpu, "CPUID.0AH:EAX[15:8]"), regs[0] >> 8 & 0xff,
			             cpu->version < 6 ? count : 8);
			for (unsigned n = 0; n < 12; n++) {
				unsigned want = n < count ? REFPMU_OK : REFPMU_GP;

				if (n < 10)
					check_eq_u64(named(cpu, "IA32_PMC%u", n),
					             refpmu_rdmsr(m, PMC0 + n, &value), want);
				check_eq_u64(named(cpu, "RDPMC %u", n),
				             refpmu_rdpmc(m, n, 0, true, &value), want);
			}
		}
	}
}

/* Returns what thread 0's counter counts of thread 1's instructions. */
static uint64_t others_share(uint64_t evtsel, unsigned cpl)
{
	several_create(&s, HASWELL, 1, 1, 2);
	several_count(&s, 0, evtsel, 0);
	s.cpu[1].cpl = (uint8_t)cpl;
	several_nops(&s, 1, 100);
	return several_get(&s, 0, PMC0);
}

UNIT_TEST(any_thread_takes_the_events_of_both)
{
	check_eq_u64("counts without AnyThread", others_share(PLAIN, 0), 0);
	check_eq_u64("counts with AnyThread", others_share(PLAIN | ANY, 0), 100);
	several_nops(&s, 0, 11);
	check_eq_u64("counts of both threads", several_get(&s, 0, PMC0), 111);
	several_create(&s, HASWELL, 1, 2, 1);
	several_count(&s, 0, PLAIN | ANY, 0);
	several_nops(&s, 1, 100);
	check_eq_u64("counts with an event of another core", several_get(&s, 0, PMC0), 0);
}

UNIT_TEST(each_threads_own_cpl_decides_its_ring)
{
	check_eq_u64("OS, the other thread at CPL 0",
	             others_share(INSTRUCTIONS | OS | ANY, 0), 100);
	check_eq_u64("OS, the other thread at CPL 3", others_share(INSTRUCTIONS | OS | ANY, 3), 0);
	check_eq_u64("USR, the other thread at CPL 0",
	             others_share(INSTRUCTIONS | USR | ANY, 0), 0);
	check_eq_u64("USR, the other thread at CPL 3",
	             others_share(INSTRUCTIONS | USR | ANY, 3), 100);
}

UNIT_TEST(any_thread_works_for_fixed_counters)
{
	several_create(&s, SKYLAKE_X, 1, 1, 2);
	several_put(&s, 0, GLOBAL, ONE(32) | ONE(33));
	several_put(&s, 0, FIXED_CTRL, 0x37);
	several_nops(&s, 1, 50);
	several_nops(&s, 0, 5);
	check_eq_u64("IA32_FIXED_CTR0, AnyThread", several_get(&s, 0, FIXED0), 55);
	check_eq_u64("IA32_FIXED_CTR1 without AnyThread: its own cycles",
	             several_get(&s, 0, FIXED0 + 1), s.cpu[0].model.cycles);
	several_put(&s, 0, FIXED_CTRL, 0x73);
	several_put(&s, 0, FIXED0 + 1, 0);
	uint64_t before = s.cpu[0].model.cycles + s.cpu[1].model.cycles;
	several_nops(&s, 1, 50);
	several_nops(&s, 0, 50);
	check_eq_u64("IA32_FIXED_CTR1 with AnyThread: both threads' cycles",
	             several_get(&s, 0, FIXED0 + 1),
	             s.cpu[0].model.cycles + s.cpu[1].model.cycles - before + 1);
}

UNIT_TEST(each_thread_may_count_both)
{
	several_create(&s, HASWELL, 1, 1, 2);
	several_count(&s, 0, PLAIN | ANY, 0);
	several_count(&s, 1, PLAIN | ANY, 0);
	several_nops(&s, 0, 30);
	several_nops(&s, 1, 40);
	check_eq_u64("counts of the first thread's counter", several_get(&s, 0, PMC0), 70);
	check_eq_u64("counts of the second thread's counter", several_get(&s, 1, PMC0), 70);
	several_put(&s, 0, EVTSEL0, 0);
	check_true("thread 0 is active, as thread 1 counts it", s.cpu[0].model.is_active);
	several_put(&s, 1, EVTSEL0, 0);
	check_true("no thread is active", !s.cpu[0].model.is_active && !s.cpu[1].model.is_active);
}

UNIT_TEST(the_other_threads_event_may_overflow_the_counter)
{
	several_create(&s, HASWELL, 1, 1, 2);
	several_count(&s, 0, PLAIN | INT | ANY, (uint64_t)-10);
	several_nops(&s, 1, 9);
	check_eq_u64("PMIs before the overflow", s.cpu[0].pmis, 0);
	several_nops(&s, 1, 1);
	check_eq_u64("PMIs of the counter's thread", s.cpu[0].pmis, 1);
	check_eq_u64("PMIs of the other thread", s.cpu[1].pmis, 0);
	check_eq_u64("IA32_PERF_GLOBAL_STATUS", several_get(&s, 0, STATUS), 1);
	check_eq_u64("IA32_PERF_GLOBAL_STATUS of the other thread", several_get(&s, 1, STATUS), 0);
}

/* Thread 0 is halted, and thread 1 continues. */
UNIT_TEST(a_halted_threads_counter_counts_the_other_thread)
{
	several_create(&s, HASWELL, 1, 1, 2);
	several_count(&s, 0, PLAIN | INT | ANY, (uint64_t)-10);
	refpmu_halt(&s.cpu[0].model);
	several_nops(&s, 1, 10);
	refpmu_halted(&s.cpu[0].model, 1000);
	check_eq_u64("PMIs", s.cpu[0].pmis, 1);
}

UNIT_TEST(a_freeze_stops_in_the_other_threads_cycle)
{
	static const uint64_t selects[] = { CYCLES, CYCLES | CMASK(1), REFERENCE_CYCLES };

	for (unsigned i = 0; i < 3; i++) {
		several_create(&s, HASWELL, 1, 1, 2);
		several_put(&s, 0, DEBUGCTL, ONE(12));
		several_count(&s, 0, selects[i] | OS | INT | ANY, (uint64_t)-2);
		several_nops(&s, 1, 1);                /* its line and page are missing: a stall */
		several_nops(&s, 1, 100);
		check_eq_u64("PMIs", s.cpu[0].pmis, 1);
		check_eq_u64("value of the counter, stopped at the wrap",
		             several_get(&s, 0, PMC0), 0);
		check_true("the other thread is not active", !s.cpu[1].model.is_active);
	}
}

UNIT_TEST(any_thread_compares_the_other_threads_cycles)
{
	uint64_t cycles;

	several_create(&s, HASWELL, 1, 1, 2);
	several_count(&s, 0, CYCLES | CMASK(1) | OS | ANY, 0);
	several_nops(&s, 1, 400);
	refpmu_halt(&s.cpu[1].model);
	cycles = several_get(&s, 0, PMC0);
	check_eq_u64("cycles with at least one instruction", cycles, s.cpu[1].model.cycles);
	check_true("there were many such cycles", cycles > 100);
}

/* ------------------------------------------------------------------------------ 64-bit mode */

static void do_syscall(unsigned cpu)
{
	struct refpmu_insn insn = { .ip = 0x100000, .next_ip = 0x100010, .length = 2, .cpl = 3,
	                            .branch = REFPMU_SYSCALL, .is_taken = true };

	refpmu_retire(&s.cpu[cpu].model, &insn);
}

UNIT_TEST(syscall_belongs_to_the_ring_in_which_it_starts)
{
	several_create(&s, HASWELL, 1, 1, 1);
	several_count(&s, 0, INSTRUCTIONS | USR, 0);
	do_syscall(0);
	several_nops(&s, 0, 10);
	check_eq_u64("instructions at CPL 3", several_get(&s, 0, PMC0), 1);
}

UNIT_TEST(instructions_at_all_addresses_count)
{
	several_create(&s, HASWELL, 1, 1, 1);
	several_count(&s, 0, PLAIN, 0);
	s.cpu[0].ip = UINT64_C(0xfffffff0);
	several_nops(&s, 0, 10);
	s.cpu[0].ip = UINT64_C(0x100000000);
	several_nops(&s, 0, 10);
	check_eq_u64("instructions below 4 GiB and above", several_get(&s, 0, PMC0), 20);
}

/* SDM 2B: "the high-order 32 bits of each of RAX and RDX are cleared"; those of RCX are ignored. */
UNIT_TEST(upper_halves_of_registers)
{
	const uint64_t junk = UINT64_C(0xdeadbeef00000000), value = UINT64_C(0x1234567890);
	const uint64_t low = 0x34567890, high = 0x12;
	struct refpmu_cpu *m = &s.cpu[0].model;
	uint64_t rax = junk | 1, rdx = junk | 2, got;

	several_create(&s, HASWELL, 1, 1, 1);
	refpmu_rdpmc_registers(value, &rax, &rdx);
	check_eq_u64("RDPMC: RAX", rax, low);
	check_eq_u64("RDPMC: RDX", rdx, high);
	rax = junk | 1;
	rdx = junk | 2;
	refpmu_rdmsr_registers(value, &rax, &rdx);
	check_eq_u64("RDMSR: RAX", rax, low);
	check_eq_u64("RDMSR: RDX", rdx, high);
	check_eq_u64("RDPMC, RCX[63:32] set", refpmu_rdpmc(m, junk, 0, true, &got), REFPMU_OK);
	check_eq_u64("RDPMC, RCX[63:32] clear", refpmu_rdpmc(m, 0, 0, true, &got), REFPMU_OK);
}

UNIT_MAIN()
