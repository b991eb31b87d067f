/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests that equal calls give equal results: no byte of state may differ after thousands of
 * calls. */
#include <arch/regs/table.h>
#include <tests/unit/model/core/model_cpus.h>

enum { STEPS = 20000, LOG_SIZE = 1 << 16 };

struct log {
	uint64_t entry[LOG_SIZE];
	unsigned count;
};

static void note(struct log *log, uint64_t value)
{
	if (log->count < LOG_SIZE)
		log->entry[log->count++] = value;
}

/* Returns a random number below bound, by the generator of Numerical Recipes, whose upper bits are
 * the better ones. */
static uint32_t random_below(uint64_t *seed, uint32_t bound)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((*seed >> 33) % bound);
}

static uint32_t random_msr(uint64_t *seed)
{
	static const uint32_t msrs[] = { PMC0, PMC0 + 1, EVTSEL0, EVTSEL0 + 1, FIXED0, FIXED0 + 1,
	                                 FIXED_CTRL, STATUS, GLOBAL, STATUS_RESET, STATUS_SET,
	                                 INUSE, DEBUGCTL, A_PMC0, METRICS, GP_CTR0 };

	return msrs[random_below(seed, COUNT_OF(msrs))];
}

static void step_registers(struct machine *machine, uint64_t *seed, struct log *log)
{
	uint32_t msr = random_msr(seed);
	uint64_t value = 0;

	if (random_below(seed, 2)) {
		note(log, machine_read(machine, msr, &value));
		note(log, value);
		return;
	}
	value = msr == EVTSEL0 || msr == EVTSEL0 + 1 ?
		(random_below(seed, 2) ? INSTRUCTIONS : CYCLES) | EN | OS | USR | INT :
		msr == GLOBAL ? 3 | random_below(seed, 8) * ONE(32) :
		msr == FIXED_CTRL ? random_below(seed, 0x1000) :
		0xffffffff - random_below(seed, 64);
	note(log, machine_write(machine, msr, value));
}

static void step_execution(struct machine *machine, uint64_t *seed)
{
	switch (random_below(seed, 8)) {
	case 0:
		machine_access(machine, random_below(seed, 3), random_below(seed, 1 << 22), 4);
		break;
	case 1:
		machine_branch(machine, 1 + random_below(seed, REFPMU_BRANCHES - 1),
		               random_below(seed, 2), random_below(seed, 1 << 16));
		break;
	case 2:
		if (machine->model.is_active)
			refpmu_exception(&machine->model, random_below(seed, 32));
		break;
	case 3:
		machine->cpl = (uint8_t)random_below(seed, 4);
		break;
	default:
		machine_nops(machine, 1 + random_below(seed, 40));
	}
}

static void run(struct machine *machine, uint32_t signature, struct log *log)
{
	uint64_t seed = signature;

	check_true("created", machine_create(machine, signature, 1));
	log->count = 0;
	for (unsigned i = 0; i < STEPS; i++) {
		if (random_below(&seed, 4) == 0)
			step_registers(machine, &seed, log);
		else
			step_execution(machine, &seed);
		note(log, machine->model.cycles);
	}
	note(log, machine->pmis);
	note(log, machine->delivered);
}

/* Runs the same calls twice, on one machine, so that pointers into it are equal, too. */
static void check_equal_runs(const struct cpu *cpu)
{
	static struct machine machine, first;
	static struct log log, first_log;

	run(&machine, cpu->signature, &log);
	memcpy(&first, &machine, sizeof(first));
	memcpy(&first_log, &log, sizeof(log));
	run(&machine, cpu->signature, &log);
	check_eq_u64(named(cpu, "bytes of the model"),
	             memcmp(first.model_memory, machine.model_memory, MODEL_BYTES), 0);
	check_eq_u64(named(cpu, "bytes of the core"),
	             memcmp(first.core_memory, machine.core_memory, CORE_BYTES), 0);
	check_eq_u64(named(cpu, "bytes of the package"),
	             memcmp(first.package_memory, machine.package_memory, PACKAGE_BYTES), 0);
	check_eq_u64(named(cpu, "the log of all answers"),
	             memcmp(&first_log, &log, sizeof(log)), 0);
	check_true(named(cpu, "cycles passed, and PMIs were raised"),
	           machine.model.cycles > 0 && machine.pmis > 0);
}

UNIT_TEST(two_equal_runs_leave_equal_bytes)
{
	FOR_EACH_CPU(cpu)
		check_equal_runs(cpu);
}

UNIT_MAIN()
