/* SPDX-License-Identifier: MIT */
/*
 * An example of an emulator that uses the library: a toy processor, whose five instructions are
 * made up, gets the PMU of a Haswell. It samples a loop with a PMI every so many instructions, also
 * counts branches, and compares the PMU's counts with its own.
 *
 *	cc toy.c $(pkg-config --cflags --libs refpmu) -o toy && ./toy
 */
#include "haswell.h"

#include <inttypes.h>
#include <stdio.h>

/* SDM 4, "Architectural MSRs"; SDM 3B, "Pre-defined Architectural Performance Events". */
enum {
	IA32_PMC0 = 0xc1, IA32_PERFEVTSEL0 = 0x186, IA32_FIXED_CTR0 = 0x309,
	IA32_FIXED_CTR_CTRL = 0x38d, IA32_PERF_GLOBAL_STATUS = 0x38e,
	IA32_PERF_GLOBAL_CTRL = 0x38f, IA32_PERF_GLOBAL_OVF_CTRL = 0x390
};
enum { INST_RETIRED = 0x00c0, BR_INST_RETIRED = 0x00c4 };
enum { SEL_USR = 1 << 16, SEL_OS = 1 << 17, SEL_INT = 1 << 20, SEL_EN = 1 << 22 };
enum { LVTPC_NMI = 4 << 8, LVTPC_MASK = 1 << 16 };

enum { ROUNDS = 1000, PERIOD = 301, INSN_BYTES = 4, CODE = 0x1000, DATA = 0x8000 };

/* ------------------------------------------------------------------------ the toy processor */

enum op { LOAD, ADD, STORE, LOOP, STOP };

static const enum op program[] = { LOAD, ADD, ADD, STORE, LOOP, STOP };

struct toy {
	struct refpmu_cpu *pmu;
	const struct refpmu_view *view;
	uint32_t lvtpc;                /* of its local APIC */
	bool is_nmi_pending;
	unsigned samples;
	uint64_t ip, accumulator, memory, rounds;
	uint64_t retired, branches;    /* its own counts */
};

/* Reports memory accesses only while something counts, so that an idle PMU costs nothing. */
static void use_memory(struct toy *toy, enum refpmu_access kind)
{
	if (toy->view->is_watched)
		refpmu_access(toy->pmu, kind, DATA, DATA, sizeof(toy->memory), true);
}

static void retire(struct toy *toy, enum op op, uint64_t next_ip)
{
	struct refpmu_insn insn = { .ip = toy->ip, .next_ip = next_ip, .length = INSN_BYTES };

	if (op == LOOP) {
		insn.branch = REFPMU_JCC;
		insn.is_taken = next_ip != toy->ip + INSN_BYTES;
		toy->branches++;
	}
	toy->retired++;
	toy->ip = next_ip;
	if (toy->view->is_watched)
		refpmu_retire(toy->pmu, &insn);
}

/* Executes one instruction; returns false if it was the last one. */
static bool step(struct toy *toy)
{
	enum op op = program[(toy->ip - CODE) / INSN_BYTES];
	uint64_t next_ip = toy->ip + INSN_BYTES;

	if (op == LOAD) {
		use_memory(toy, REFPMU_READ);
		toy->accumulator = toy->memory;
	} else if (op == ADD) {
		toy->accumulator++;
	} else if (op == STORE) {
		use_memory(toy, REFPMU_WRITE);
		toy->memory = toy->accumulator;
	} else if (op == LOOP && --toy->rounds) {
		next_ip = CODE;
	}
	retire(toy, op, next_ip);
	return op != STOP;
}

/* ------------------------------------------------------------------------ its software */

static void write_msr(struct toy *toy, uint32_t msr, uint64_t value)
{
	if (refpmu_wrmsr(toy->pmu, msr, value) == REFPMU_OK)
		return;
	fprintf(stderr, "WRMSR %" PRIX32 "H: #GP\n", msr);
	exit(1);
}

static uint64_t read_msr(struct toy *toy, uint32_t msr)
{
	uint64_t value = 0;

	refpmu_rdmsr(toy->pmu, msr, &value);
	return value;
}

static void start_counting(struct toy *toy)
{
	write_msr(toy, IA32_PMC0, (uint32_t)-PERIOD);   /* bit 31 is copied to the bits above */
	write_msr(toy, IA32_PERFEVTSEL0, INST_RETIRED | SEL_USR | SEL_OS | SEL_INT | SEL_EN);
	write_msr(toy, IA32_PERFEVTSEL0 + 1, BR_INST_RETIRED | SEL_USR | SEL_OS | SEL_EN);
	write_msr(toy, IA32_FIXED_CTR_CTRL, 3);         /* instructions, in all rings */
	write_msr(toy, IA32_PERF_GLOBAL_CTRL, UINT64_C(1) << 32 | 3);
}

/* Handles the PMI, as the software of the toy. */
static void handle_nmi(struct toy *toy)
{
	uint64_t status = read_msr(toy, IA32_PERF_GLOBAL_STATUS);

	if (toy->samples < 3)
		printf("sample %u: at %" PRIX64 "H after %" PRIu64 " instructions, status %" PRIX64
		       "H\n", toy->samples, toy->ip, toy->retired, status);
	toy->samples++;
	toy->lvtpc &= ~(uint32_t)LVTPC_MASK;            /* the PMI has set it */
	write_msr(toy, IA32_PMC0, (uint32_t)-PERIOD);
	write_msr(toy, IA32_PERF_GLOBAL_OVF_CTRL, status);
}

static void run(struct toy *toy)
{
	bool goes_on = true;

	while (goes_on) {
		goes_on = step(toy);
		if (toy->is_nmi_pending) {
			toy->is_nmi_pending = false;
			handle_nmi(toy);
		}
	}
}

/* ------------------------------------------------------------------------ putting it together */

/* Called by the PMU to request a PMI: the APIC delivers it as LVTPC says, after this
 * instruction. */
static void raise_pmi(void *context)
{
	struct toy *toy = context;
	struct refpmu_lvtpc pmi = refpmu_lvtpc(toy->pmu, toy->lvtpc);

	toy->lvtpc = pmi.lvtpc;
	toy->is_nmi_pending |= pmi.is_delivered;
}

static bool is_equal(const char *what, uint64_t counted, uint64_t done)
{
	printf("%-22s %6" PRIu64 ", done %6" PRIu64 "%s\n", what, counted, done,
	       counted == done ? "" : "   <- wrong");
	return counted == done;
}

int main(void)
{
	static struct toy toy = { .ip = CODE, .rounds = ROUNDS, .lvtpc = LVTPC_NMI };
	uint64_t branches = 0;
	bool is_right;

	toy.pmu = haswell_create(&toy, raise_pmi);
	toy.view = refpmu_view(toy.pmu);
	start_counting(&toy);
	run(&toy);
	refpmu_rdpmc(toy.pmu, 1, 0, true, &branches);
	is_right = is_equal("instructions counted", read_msr(&toy, IA32_FIXED_CTR0), toy.retired);
	is_right &= is_equal("branches counted", branches, toy.branches);
	is_right &= is_equal("samples taken", toy.samples, toy.retired / PERIOD);
	printf("%" PRIu64 " cycles\n", toy.view->cycles);
	return is_right ? 0 : 1;
}
