/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Plain instructions that are gathered count as those that are observed one by one do: twins. */
#include <tests/unit/model/core/model_cpus.h>

enum { ROUNDS = 3000, CODE = 0x100000, DATA = 0x8000 };

static struct machine observed, gathering;
static uint64_t seed, gathered;

/* As in test_model_determinism.c. */
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

static void start_both(const struct cpu *cpu)
{
	check_true(named(cpu, "created"), machine_create(&observed, cpu->signature, 1));
	check_true(named(cpu, "created"), machine_create(&gathering, cpu->signature, 1));
	observed.ip = gathering.ip = CODE;
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

/* Some plain ones, some of which load, and a branch back or not. */
static void round_of_both(struct refpmu_run *run)
{
	uint64_t ip = CODE;

	for (unsigned left = 5 + below(30); left; left--) {
		uint8_t length = (uint8_t)(1 + below(6));

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

UNIT_TEST(what_is_gathered_counts_the_same)
{
	FOR_EACH_CPU(cpu) {
		struct refpmu_run *run;

		start_both(cpu);
		run = refpmu_run(&gathering.model);
		gathered = 0;
		for (unsigned i = 0; i < ROUNDS; i++) {
			round_of_both(run);
			if (below(8))
				continue;
			refpmu_end_run(&gathering.model);
			check_eq_u64(named(cpu, "cycles"), gathering.model.cycles,
			             observed.model.cycles);
			for (unsigned n = 0; n < 2; n++)
				check_eq_u64(named(cpu, "PMC%u", n), get(&gathering, PMC0 + n),
				             get(&observed, PMC0 + n));
		}
		check_true(named(cpu, "half of them are gathered"), gathered > ROUNDS * 10);
	}
}

/* A counter that is near its wrap is observed of each one: the PMI comes where it has to. */
UNIT_TEST(overflows_come_where_they_do_without)
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
		check_eq_u64("PMIs", gathering.pmis, observed.pmis);
	}
	check_eq_u64("PMIs", observed.pmis, 1);
}

/* What a processor gathered before it is made another one does not retire in that. */
UNIT_TEST(restoring_forgets_what_was_gathered)
{
	static unsigned char string[1 << 21];
	const struct cpu *cpu = cpu_of(0x306c3);
	struct refpmu_run *run;
	size_t size;

	start_both(cpu);
	run = refpmu_run(&gathering.model);
	for (unsigned i = 0; i < ROUNDS && !run->insns; i++)
		round_of_both(run);
	check_true("something is gathered", run->insns > 0);
	size = refpmu_save(&observed.all, string, sizeof(string));
	check_eq_u64("restored", refpmu_restore(&gathering.all, string, size), REFPMU_RESTORED);
	check_eq_u64("PMC0", get(&gathering, PMC0), get(&observed, PMC0));
}

UNIT_MAIN()
