/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests that gathered plain instructions count like those that are retired one by one, by comparing
 * twins. */
#include <arch/regs/table.h>
#include <tests/unit/model/netburst/model_netburst_events.h>

enum { ROUNDS = 3000, CODE = 0x100000, DATA = 0x8000 };

static struct machine observed, gathering;
static uint64_t seed, gathered;

/* Returns a random number below bound, as random_below() of test_model_determinism.c. */
static uint32_t below(uint32_t bound)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((seed >> 33) % bound);
}

static void put_both(uint32_t msr, uint64_t value)
{
	put(&observed, msr, value);
	put(&gathering, msr, value);
}

static void create_both(const struct cpu *cpu)
{
	check_true(named(cpu, "created"), machine_create(&observed, cpu->signature, 1));
	check_true(named(cpu, "created"), machine_create(&gathering, cpu->signature, 1));
	observed.ip = gathering.ip = CODE;
	gathered = 0;
}

static void start_both(const struct cpu *cpu)
{
	create_both(cpu);
	put_both(EVTSEL0, INSTRUCTIONS | OS | EN);
	put_both(EVTSEL0 + 1, CYCLES | OS | EN);
	if (cpu->version > 1)
		put_both(GLOBAL, 3);
}

static void retire_both(struct refpmu_run *run, struct refpmu_insn insn)
{
	machine_retire(&observed, insn);
	if (insn.branch == REFPMU_NO_BRANCH && refpmu_gather(run, insn.traits, insn.length)) {
		gathering.ip = insn.next_ip;
		gathered++;
	} else {
		machine_retire(&gathering, insn);
	}
}

/* Retires some instructions that access no memory, gathered all at once, or none of them. */
static uint64_t retire_many(struct refpmu_run *run, uint64_t ip)
{
	uint8_t length[5];
	unsigned insns = 1 + below(5), bytes = 0;
	bool is_gathered;

	for (unsigned i = 0; i < insns; i++)
		bytes += length[i] = (uint8_t)(1 + below(6));
	is_gathered = refpmu_gather_many(run, 0, insns, bytes);
	gathered += is_gathered ? insns : 0;
	for (unsigned i = 0; i < insns; ip += length[i++]) {
		struct refpmu_insn insn = { .ip = ip, .next_ip = ip + length[i],
		                            .length = length[i] };

		machine_retire(&observed, insn);
		if (!is_gathered)
			machine_retire(&gathering, insn);
	}
	gathering.ip = ip;
	return ip;
}

/* Retires some plain instructions, some of which load, and a branch back, taken or not. */
static void round_of_both(struct refpmu_run *run)
{
	uint64_t ip = CODE;

	for (unsigned left = 5 + below(30); left; left--) {
		uint8_t length = (uint8_t)(1 + below(6));

		if (below(4) == 0)
			ip = retire_many(run, ip);
		if (below(4) == 0) {
			uint64_t data = DATA + 8 * below(1000);

			machine_access(&observed, REFPMU_READ, data, 8);
			machine_access(&gathering, REFPMU_READ, data, 8);
		}
		retire_both(run, (struct refpmu_insn) { .ip = ip, .next_ip = ip + length,
		                                        .length = length });
		ip += length;
	}
	retire_both(run, (struct refpmu_insn) { .ip = ip, .next_ip = CODE, .length = 2,
	                                        .branch = REFPMU_JMP, .is_taken = true });
}

/* Compares the cycles, and counters from this register on. */
static void compare_rounds(const struct cpu *cpu, uint32_t first, unsigned counters)
{
	struct refpmu_run *its_run = refpmu_run(&gathering.model);

	for (unsigned i = 0; i < ROUNDS; i++) {
		round_of_both(its_run);
		if (below(8))
			continue;
		refpmu_end_run(&gathering.model);
		check_eq_u64(named(cpu, "cycles"), gathering.model.cycles, observed.model.cycles);
		for (unsigned n = 0; n < counters; n++)
			check_eq_u64(named(cpu, "MSR %XH", first + n), get(&gathering, first + n),
			             get(&observed, first + n));
	}
}

UNIT_TEST(gathered_instructions_count_the_same)
{
	FOR_EACH_CPU(cpu) {
		start_both(cpu);
		compare_rounds(cpu, PMC0, 2);
		check_true(named(cpu, "at least half of the instructions were gathered"),
		           gathered > ROUNDS * 10);
	}
}

/* Near a counter's wrap instructions are not gathered, so the PMI comes at the right
 * instruction. */
UNIT_TEST(overflows_come_at_the_same_instruction)
{
	const struct cpu *cpu = cpu_of(0x306c3);
	struct refpmu_run *run;

	start_both(cpu);
	observed.lvtpc = gathering.lvtpc = LVTPC_NMI;
	put_both(EVTSEL0, INSTRUCTIONS | OS | EN | INT);
	put_both(PMC0, (uint32_t)-20000);
	run = refpmu_run(&gathering.model);
	for (unsigned i = 0; i < ROUNDS; i++) {
		round_of_both(run);
		check_eq_u64("PMIs of both machines", gathering.pmis, observed.pmis);
	}
	check_eq_u64("PMIs", observed.pmis, 1);
}

/* Instructions that were gathered before a restore do not retire after it. */
UNIT_TEST(restoring_drops_the_gathered_instructions)
{
	static unsigned char string[1 << 21];
	const struct cpu *cpu = cpu_of(0x306c3);
	struct refpmu_run *run;
	size_t size;

	start_both(cpu);
	run = refpmu_run(&gathering.model);
	for (unsigned i = 0; i < ROUNDS && !run->insns; i++)
		round_of_both(run);
	check_true("instructions are gathered", run->insns > 0);
	size = refpmu_save(&observed.all, string, sizeof(string));
	check_eq_u64("the machine is restored",
	             refpmu_restore(&gathering.all, string, size), REFPMU_RESTORED);
	check_eq_u64("PMC0", get(&gathering, PMC0), get(&observed, PMC0));
}

/* ---------------------------------------------------------------------------- NetBurst */

static void count_on_both(unsigned counter, unsigned select, uint32_t escr_msr, uint32_t escr)
{
	put_both(escr_msr, escr);
	put_both(CCCR + counter, ACTIVE(3) | SELECT(select) | ENABLE);
}

/* instr_retired, front_end_event of the loads that uop_type tags; uops_retired. */
static void start_both_netbursts(const struct cpu *cpu, bool counts_uops)
{
	create_both(cpu);
	put_both(0x3bc, EVENT(0x02, 1 << 1));
	count_on_both(12, 4, CRU_ESCR0, EVENT(0x02, 3));
	count_on_both(13, 5, 0x3cc, EVENT(0x08, 1));
	if (counts_uops)
		count_on_both(14, 4, CRU_ESCR1, EVENT(0x01, 1));
}

/* Micro-operations count in the cycle of each, so nothing has to be gathered while one counts. */
UNIT_TEST(netburst_counts_the_same)
{
	static const uint32_t signatures[] = NETBURST_CPUS;

	for (unsigned i = 0; i < 2 * COUNT_OF(signatures); i++) {
		const struct cpu cpu = { .name = "NetBurst", .signature = signatures[i / 2] };
		bool counts_uops = i & 1;

		start_both_netbursts(&cpu, counts_uops);
		compare_rounds(&cpu, COUNTER + 12, 3);
		check_true(named(&cpu, "there are loads"), get(&observed, COUNTER + 13) > ROUNDS);
		if (counts_uops)
			check_true(named(&cpu, "micro-operations count"),
			           get(&observed, COUNTER + 14) > get(&observed, COUNTER + 12));
		else
			check_true(named(&cpu, "many are gathered"), gathered > ROUNDS * 5);
	}
}

UNIT_MAIN()
